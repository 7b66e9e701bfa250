// Names that the kernel's text has for itself.
// run: fusec run %s --check -D S=64 -D D=16
// kernels: 1
fn names[S, D](
    i: bf16[S, D],
    j: bf16[S, D],
    v_tile: bf16[S, D],
    weight: f32[S],
    pair: f32[S, D]
) -> (out: f32[S, D], c: f32[S, D], d: f32[S]) {
    s = i @ j.T + weight;
    out = (softmax(s) as bf16) @ v_tile + pair;
    c = out * 2;
    d = logsumexp(s);
}
