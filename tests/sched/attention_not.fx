// What is no attention: weights that are an output, a softmax of the other axis, and scores that are.
// run: fusec run %s --check -D S=33 -D D=8
// kernels: 6
fn apart[S, D](
    q: f32[S, D],
    k: f32[S, D],
    v: f32[S, D]
) -> (p: f32[S, S], o: f32[S, D], x: f32[S, D], s: f32[S, S], y: f32[S, D]) {
    p = softmax(q @ k.T);
    o = p @ v;
    x = softmax(k @ q.T, axis = 0) @ v;
    s = k @ v.T;
    y = softmax(s) @ v;
}
