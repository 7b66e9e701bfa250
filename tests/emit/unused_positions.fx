// Epilogues that read nothing at the row or column of a result: they are not declared, and
// their comment is gone.
// run: fusec %s --fn product --arch=sm_90a -o %t.cu
// run: grep "TMA stores nothing\|idx at_[mn] = at_\|maybe_unused.. const" %t.cu
// exit: 1
// run: fusec %s --fn one_row --arch=sm_80 -o %t.cu
// run: grep "int at_m = valid\|maybe_unused.. const" %t.cu
// exit: 1
fn product[M, N, K](x: bf16[M, K], w: bf16[K, N], bias: f32) -> (y: bf16[M, N]) {
    y = sigmoid(x @ w + bias);
}

fn one_row(x: bf16[1, 32], w: bf16[32, 128], label: i32[1]) -> (loss: f32[1]) {
    loss = cross_entropy(x @ w, label);
}
// ---- expect
