// inputs: src 0..N, dst 0..N
fn f[N, E, D](x: bf16[N, D], src: i32[E], dst: i32[E]) -> (y: bf16[N, 2*D]) {
    s = scatter(full(0.0, N, D), dst, take(x, src, axis = 0));
    n = scatter(full(0.0, N), dst, 1.0);
    y = concat(x as f32, s / max(n, 1)[:, None]);
}
