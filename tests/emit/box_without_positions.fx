// Results that TMA stores, and whose epilogue reads nothing at their positions: no warning of unused ones.
// run: fusec %s --arch=sm_90a -o %t.cu
// run: grep "TMA stores nothing\|idx at_[mn] = at_" %t.cu
fn product[M, N, K](x: bf16[M, K], w: bf16[K, N], bias: f32) -> (y: bf16[M, N]) {
    y = sigmoid(x @ w + bias);
}
// ---- expect
//                         /* Beyond the end the first row or column is read; TMA stores nothing. */
//                         [[maybe_unused]] const idx at_m = at_row < M ? at_row : 0;
//                         [[maybe_unused]] const idx at_n = at_col < N ? at_col : 0;
