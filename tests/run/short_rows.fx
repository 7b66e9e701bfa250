// Rows of few columns are computed side by side, a row in each lane: loads and stores of every type are
// strided, and rows that do not fill the last vector are left out. Longer rows the same way, if a tile says
// so: rows kept from pass to pass, guarded and gathered loads, positions, running sums.
// run: fusec run %s --check --fn=few -D N=37 -D K=3 > checks
// run: fusec run %s --check --fn=few -D N=1 -D K=5 > checks
// run: fusec run %s --check --fn=few -D N=64 -D K=2 --threads 1 > checks
// run: fusec run %s --check --fn=longer -D N=37 -D K=21 --tile across=1 > checks
// run: fusec run %s --check --fn=longer -D N=16 -D K=5 --tile across=1,keep=nothing > checks
// inputs: at 0..K
// inputs: ids 0..7
fn few[N, K](
    a: f32[N, 3], b: f64[N, 4], c: bf16[N, 7], d: f16[N, 3], e: i8[N, 5], f: u8[N, 2], g: i64[N, 3],
    h: f8e4m3[N, 4], i: f8e5m2[N, 3], m: bool[N, 4], n: i32[N, 3], x: f32[N, K]
) -> (
    softmaxes: f32[N, 3], norms: f64[N, 4], halves: bf16[N, 7], rounded: f16[N, 3], bytes: i8[N, 5],
    natural: u8[N, 2], longs: i64[N, 3], narrow: f8e4m3[N, 4], narrower: f8e5m2[N, 3], any_of: bool[N, 4],
    ints: i32[N, 3], pairs: f32[N, N], open: f32[N, K]
) {
    softmaxes = softmax(a);
    norms = b * rsqrt(mean(b * b, keep = true) + 1e-6);
    halves = softmax(c);
    rounded = d - max(d, keep = true);
    bytes = (e - min(e, keep = true)) as i8;
    natural = (f - min(f, keep = true)) as u8;
    longs = g + sum(g, keep = true);
    narrow = h - max(h, keep = true);
    narrower = i - max(i, keep = true);
    any_of = m && (max(m as i32, keep = true) > 0);
    ints = n - sum(n, keep = true);
    apart = a[:, None, :] - a[None, :, :];
    pairs = sqrt(sum(apart * apart));
    open = softmax(x);
}

fn longer[N, K](x: f32[N, K], at: i32[N], table: bf16[7, K], ids: i32[N], b: f32[N, 2, K]) -> (
    masked: f32[N, K], first: i32[N], sums: f32[N, K], picked: bf16[N, K], blocks: f32[N, 2, K]
) {
    masked = softmax(where(iota(K) < at[:, None], x, -inf));
    first = argmax(x);
    sums = cumsum(x * 2);
    picked = softmax(take(table, ids, axis = 0));
    blocks = b - mean(b, axis = [1, 2], keep = true);
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, c, d, e, f, g, h, i, m, n, x
// fusec: remark: random inputs, seed 0: a, b, c, d, e, f, g, h, i, m, n, x
// fusec: remark: random inputs, seed 0: a, b, c, d, e, f, g, h, i, m, n, x
// fusec: remark: random inputs, seed 0: x, at, table, ids, b
// fusec: remark: random inputs, seed 0: x, at, table, ids, b
