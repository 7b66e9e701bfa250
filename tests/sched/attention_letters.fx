// Tensors of one letter, as loops of the templates have them.
// run: fusec run %s --check -D N=70 -D D=64
// run: fusec run %s --check -D N=9 -D D=5
fn names[N, D](
    a: bf16[N, D],
    b: bf16[N, D],
    c: bf16[N, D],
    d: f32[N],
    e: f32[N],
    h: f32[D],
    i: f32[N],
    m: f32[N],
    n: f32[N]
) -> (out: f32[N, D], s: f32[N]) {
    x = (a @ b.T) * 0.125 + d + e[:, None] + i - m[:, None] * n;
    s = logsumexp(x) + e;
    out = (softmax(x) as bf16) @ c + h + d[:, None];
}
