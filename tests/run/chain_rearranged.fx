// The backward of attention: dq, which a chain adds up, is rearranged by a kernel of its own.
// run: fusec run %s --check -D A=65 --fn backward --device=cpu > %t.log
// run: fusec run %s --check -D A=65 --fn heads_backward --device=cpu > %t.log
fn attention[A](q: f32[2, 4, A], k: f32[2, A, 4], v: f32[2, A, 4]) -> (o: f32[2, A, 4]) {
    o = softmax(q.T @ k.T) @ v;
}
fn heads[A](q: f32[A, 8], k: f32[2, A, 4], v: f32[2, A, 4]) -> (o: f32[2, A, 4]) {
    o = softmax(permute(reshape(q, A, 2, 4), 1, 0, 2) @ k.T) @ v;
}
fn backward = vjp(attention);
fn heads_backward = vjp(heads);
// ---- expect
// fusec: remark: random inputs, seed 0: q, k, v, do
// fusec: remark: random inputs, seed 0: q, k, v, do
