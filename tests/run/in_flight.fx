// Long pointwise stages are cut into parts, each a loop over several vectors; values of all types are kept
// from part to part. Sizes that no vector divides, fewer elements than vectors in flight, broadcast rows,
// guarded loads, and every number of vectors.
// run: fusec run %s --check -D N=5 -D K=19 > checks
// run: fusec run %s --check -D N=1 -D K=1 > checks
// run: fusec run %s --check -D N=3 -D K=1024 --threads 1 > checks
// run: fusec run %s --check -D N=3 -D K=130 --tile vectors=3 > checks
// run: fusec run %s --check -D N=3 -D K=130 --tile vectors=16 > checks
fn stages[N, K](x: f32[N, K], s: f32[K], d: f64[N, K], i: i64[N, K], n: i32[K], h: bf16[N, K]) -> (
    chained: f32[N, K], branches: f32[N, K], doubles: f64[N, K], ints: i64[N, K], halves: bf16[N, K],
    padded: f32[N, K + 2], masks: bool[N, K]
) {
    chained = exp(-exp(-exp(-exp(-abs(x) * s))));
    a = tanh(x * s);
    b = sin(x + s);
    c = where(a < b && x > 0, exp(a), log1p(abs(b)));
    branches = tanh(a * b + c) * erf(c + a) + sin(b);
    doubles = tanh(exp(-abs(sin(d * (x as f64)))));
    ints = ((tanh(sin(exp(-abs(x)))) * 100) as i64) * i + (n as i64);
    halves = gelu(tanh(sin((h as f32) * s))) as bf16;
    padded = pad(tanh(exp(-abs(sin(x)))), 1, 1, 1);
    masks = exp(tanh(sin(x))) > s;
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, s, d, i, n, h
// fusec: remark: random inputs, seed 0: x, s, d, i, n, h
// fusec: remark: random inputs, seed 0: x, s, d, i, n, h
// fusec: remark: random inputs, seed 0: x, s, d, i, n, h
// fusec: remark: random inputs, seed 0: x, s, d, i, n, h
