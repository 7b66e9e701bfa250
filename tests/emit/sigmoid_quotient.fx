// Quotients by 1 + exp(x), as in a sigmoid, are approximate, without a branch; others are exact.
// run: fusec %s -o %t.cu
// run: grep divide_approx\( %t.cu
fn gate[N](x: f32[N], y: bf16[N], z: f32[N]) -> (a: f32[N], b: bf16[N], c: f32[N]) {
    a = sigmoid(x) + silu(z);
    b = silu(y) as bf16;
    c = x / z;
}
// ---- expect
// DEVICE float divide_approx(float x, float y) {
//             const float silu = divide_approx(z_items[item].at[l], exp(-z_items[item].at[l]) + 1.0f);
//             a_pack.at[l] = divide_approx(1.0f, exp(-x_items[item].at[l]) + 1.0f) + silu;
//             b_pack.at[l] = to_bf16(divide_approx(y_1, exp(-y_1) + 1.0f));
