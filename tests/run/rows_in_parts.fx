// Reductions of a product's rows that are longer than a tile: every kind, in parts, the last of which
// ends early or not; losses with biases, roundings and masks; rows, and parts, of nothing but -Inf.
// run: fusec run %s --check -D M=3 -D V=2049 -D K=5
// run: fusec run %s --check -D M=7 -D V=2560 -D K=390 --threads 3 > checks
// run: fusec run %s --check -D M=33 -D V=2600 -D K=8 --threads 1 > checks
fn parts[M, V, K](x: bf16[M, K], w: bf16[V, K], a: f32[M, K], b: f32[K, V], e: f32[2, M, K], f:
    f32[2, V, K], i: i8[M, K], j: i8[V, K], p: f64[M, K], q: f64[V, K], bias: f32[V], labels:
    i32[M], keep: bool[M, V]) -> (loss: f32[M], rounded: f32[M], biased: f32[M], most: f32[M], two:
    f32[M], total: i32[M], wide: f64[M], batch: f32[2, M], masked: f32[M], empty: f32[M], some:
    bool[M]) {
    loss = cross_entropy(x @ w.T, labels);
    rounded = cross_entropy((x * 2) @ w.T as bf16, labels);
    biased = logsumexp(a @ b + bias, axis = -1);
    u = (a * 2) @ b;
    most = max(u, axis = -1) - min(u * bias, axis = -1);
    v = (a * 3) @ b;
    two = mean(v * v, axis = -1) + sum(v, axis = -1);
    total = sum(i @ j.T, axis = -1);
    wide = logsumexp(p @ q.T, axis = -1);
    batch = logsumexp(einsum("bmk,bvk->bmv", e, f), axis = -1);
    masked = logsumexp(where(keep, (a * 5) @ b, -inf), axis = -1);
    rows = iota(M) % 2 == 0;
    empty = logsumexp(where(rows[:, None] || (iota(V) < 700)[None, :], -inf, (a * 7) @ b), axis = -1);
    some = any((a * 11) @ b > 2, axis = -1);
}
