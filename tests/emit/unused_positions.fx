// Epilogues that read nothing at the row or column of a result: no warning of unused positions.
// run: fusec %s --fn product --arch=sm_90a -o %t.cu
// run: grep "TMA stores nothing\|idx at_[mn] = at_" %t.cu
// run: fusec %s --fn one_row --arch=sm_80 -o %t.cu
// run: grep "int at_m = valid" %t.cu
fn product[M, N, K](x: bf16[M, K], w: bf16[K, N], bias: f32) -> (y: bf16[M, N]) {
    y = sigmoid(x @ w + bias);
}

fn one_row(x: bf16[1, 32], w: bf16[32, 128], label: i32[1]) -> (loss: f32[1]) {
    loss = cross_entropy(x @ w, label);
}
// ---- expect
//                         /* Beyond the end the first row or column is read; TMA stores nothing. */
//                         [[maybe_unused]] const idx at_m = at_row < M ? at_row : 0;
//                         [[maybe_unused]] const idx at_n = at_col < N ? at_col : 0;
//             [[maybe_unused]] const int at_m = valid ? at_row : 1 - 1;
