// run: fusec fmt - > once.fx
// run: fusec fmt --check once.fx
// What is formatted once stays as it is, also beside a comment of several lines.
fn odd(a: bf16[4144, 3272],
 b: bf16[976, 3272], c: bf16[976])/* to */ -> /* the
 result */(y: bf16[4144, 976]) {
    y = tanh(a @ b.T + c) as bf16;
}
// ---- expect
