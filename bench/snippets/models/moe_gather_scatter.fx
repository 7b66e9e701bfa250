// inputs: at 0..N
fn f[N, E, C, D, F](
    x: bf16[N, D],
    at: i32[E, C],
    gate: f32[E, C],
    w1: bf16[E, F, D],
    w2: bf16[E, D, F]
) -> (y: f32[N, D]) {
    h = silu((take(x, at, axis = 0) @ w1.T) as bf16) as bf16;
    o = (h @ w2.T) as bf16;
    y = scatter(full(0.0, N, D), reshape(at, E * C), reshape(o * gate[..., None], E * C, D));
}
