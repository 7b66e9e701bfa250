// run: fusec run %s -D N=6 -D M=4 --check --range i=0..1000000
// What messages about names of other languages advise, beside other forms of the same.
const pi = 3.141592653589793;

fn near[N](a: f32[N], b: f32[N]) -> (y: bool) {
    y = all(abs(a - b) <= 1e-8 + 1e-5 * abs(b));
}

fn f[N, M](
    x: f32[N],
    z: f32[N],
    i: i32[N],
    a: f32[M, 3],
    b: f32[M, 3],
    q: f32[M, M]
) -> (y: bool[14]) {
    // asinh, acosh, atanh
    s = sign(x) * log1p(abs(x) + x * x / (1 + sqrt(1 + x * x)));
    c = abs(x) + 1;
    y0 = near(sinh(s), x) && near(cosh(log(c + sqrt(c * c - 1))), c);
    t = x * 0.9;
    y1 = near(tanh((log1p(t) - log1p(-t)) / 2), t);
    // sinc, logaddexp, copysign
    y2 = near(where(x == 0, 1, sin(pi * x) / (pi * x)) * (pi * x), sin(pi * x));
    y3 = near(max(x, z) + log1p(exp(-abs(x - z))), log(exp(x) + exp(z)));
    y4 = near(abs(x) * where(z < 0, -1.0, 1.0), sign(z) * abs(x));
    // popcount
    ones = sum(i[:, None] / 2 ** iota(31) % 2);
    halves = sum(i[:, None] / 2 ** (iota(31) + 1));
    y5 = all(ones == i - halves);
    // cross
    a1 = concat(a[:, 1:], a[:, :1]);
    a2 = concat(a[:, 2:], a[:, :2]);
    b1 = concat(b[:, 1:], b[:, :1]);
    b2 = concat(b[:, 2:], b[:, :2]);
    n = a1 * b2 - a2 * b1;
    third = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0];
    y6 = near(n[:, 2], third) && all(abs(sum(n * a)) < 1e-6);
    // kron, trace, diag
    k = reshape(q[:, None, :, None] * a[:, None], M * M, 3 * M);
    y7 = near(sum(k), reshape(sum(q)[:, None] * sum(a), M * M));
    y8 = near(einsum("ii", q)[None], sum(einsum("ii->i", q))[None]);
    // sort, searchsorted
    rank = sum((x[:, None] > x) as i32);
    sorted = scatter(full(0.0, N), rank, x, with = set);
    y9 = all(sorted[1:] >= sorted[:-1]) && all(sum((x[:, None] >= sorted) as i32) == rank + 1);
    // the places of what a mask keeps
    keep = x > 0;
    at = where(keep, cumsum(keep as i32) - 1, N - 1);
    packed = scatter(full(0.0, N), at, where(keep, x, 0), with = max);
    y10 = near(sum(packed)[None], sum(relu(x))[None]);
    // reflect, replicate
    y11 = near(concat(flip(x[1:3]), x, flip(x[N-3:N-1]))[:2], flip(x[1:3]));
    y12 = near(take(x, clamp(iota(N + 4) - 2, 0, N - 1))[2:N+2], x);
    // fft: the inverse of a transform
    w = (iota(N)[:, None] * iota(N) % N) as f32 * (2 * pi / N);
    y13 = near((x @ cos(w) @ cos(w) + x @ sin(w) @ sin(w)) / N + 1, x + 1);
    y = concat(y0[None], y1[None], y2[None], y3[None], y4[None], y5[None], y6[None], y7[None],
        y8[None], y9[None], y10[None], y11[None], y12[None], y13[None]);
}
// ---- expect
// y: bool[14]  mean 1  max 1  checksum fc448371ad904da1
// y: ok
// fusec: remark: random inputs, seed 0: x, z, i, a, b, q
