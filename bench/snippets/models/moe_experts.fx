// inputs: count 1..T
fn f[E, T, D, F](
    x: bf16[E, T, D],
    w1: bf16[E, F, D],
    w3: bf16[E, F, D],
    w2: bf16[E, D, F],
    count: i32[E]
) -> (y: bf16[E, T, D]) {
    h = (silu(x @ w1.T) * (x @ w3.T)) as bf16;
    live = iota(T) < count[:, None];
    y = where(live[:, :, None], h @ w2.T, 0);
}
