// In CUDA, f32 is divided by a literal without a division, where its reciprocal is far from overflow; f64
// and other divisors are divided.
// run: fusec %s --target=cuda -o %t.cu
// run: grep -E "(_pack[0-9_]*.at.l. =|[a-d].at. =) " %t.cu
fn f[N](x: f32[N], z: f64[N], u: f32) -> (a: f32[N], b: f32[N], c: f64[N], d: f32[N]) {
    a = x / 30;
    b = x / 1e-35;
    c = z / 30;
    d = x / u;
}
// ---- expect
//             a_pack.at[l] = divide(x_items[item].at[l], 30.0f);
//             b_pack.at[l] = x_items[item].at[l] / 1e-35f;
//             d_pack.at[l] = x_items[item].at[l] / u_1;
//             c_pack.at[l] = z_items[item].at[l] / 30.0;
