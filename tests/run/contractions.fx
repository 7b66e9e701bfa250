// Contractions with every layout and type, batches, several products of one operand, and what reads
// them, at sizes around those of tiles, panels, blocks and steps.
// run: fusec run %s --check -D M=1 -D N=1 -D K=1 > checks
// run: fusec run %s --check -D M=15 -D N=33 -D K=385 --threads 1 > checks
// run: fusec run %s --check -D M=29 -D N=65 -D K=800 --threads 3 > checks
// run: fusec run %s --check -D M=230 -D N=70 -D K=9 --threads 1 > checks
// run: fusec run %s --check -D M=3 -D N=1100 -D K=7 --threads 1 > checks
fn every[M, N, K](a: f32[M, K], at: f32[K, M], b: f32[K, N], bt: f32[N, K], p: f64[M, K], pt:
    f64[K, M], q: f64[N, K], qt: f64[K, N], h: bf16[M, K], g: bf16[N, K], u: f16[M, K], v: f16[K,
    N], i: i8[M, K], it: u8[K, M], j: i8[N, K], jt: i8[K, N], s: i64[M, K], t: i64[K, N], c: f32[3,
    M, K], d: f32[3, K, N], e: f32[2, 3, M, K], r: f32[3, N, K], bias: f32[N]) -> (nn: f32[M, N],
    nt: f32[M, N], tn: f32[M, N], tt: f32[M, N], pq: f64[M, N], pqt: f64[M, N], hg: bf16[M, N], uv:
    f16[M, N], ij: i32[M, N], ijt: i32[M, N], st: i64[M, N], bat: f32[3, M, N], brd: f32[2, 3, M,
    N], two: f32[M, N], pro: f32[M, N]) {
    nn = a @ b;
    nt = (a * 3) @ bt.T;
    tn = at.T @ b;
    tt = (at * 5).T @ bt.T;
    pq = p @ q.T;
    pqt = pt.T @ qt;
    hg = h @ g.T;
    uv = u @ v;
    ij = i @ j.T;
    ijt = it.T @ jt;
    st = s @ t;
    bat = c @ d;
    brd = einsum("abmk,bnk->abmn", e, r);
    two = ((a * 7) @ b + bias) * sigmoid((a * 7) @ bt.T);
    pro = relu(exp(a) @ (b * 2 + 1));
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, at, b, bt, p, pt, q, qt, h, g, u, v, i, it, j, jt, s, t, c, d, e, r, bias
// fusec: remark: random inputs, seed 0: a, at, b, bt, p, pt, q, qt, h, g, u, v, i, it, j, jt, s, t, c, d, e, r, bias
// fusec: remark: random inputs, seed 0: a, at, b, bt, p, pt, q, qt, h, g, u, v, i, it, j, jt, s, t, c, d, e, r, bias
// fusec: remark: random inputs, seed 0: a, at, b, bt, p, pt, q, qt, h, g, u, v, i, it, j, jt, s, t, c, d, e, r, bias
// fusec: remark: random inputs, seed 0: a, at, b, bt, p, pt, q, qt, h, g, u, v, i, it, j, jt, s, t, c, d, e, r, bias
