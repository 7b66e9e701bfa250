// The self-test of elementwise ops, on every float type.
// run: fusec %s -o %t.c
// run: cc -DFUSEC_MAIN -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas %t.c -o %t -lm
// run: ./%t N=7 M=37
// run: ./%t N=1 M=1
fn maps[N, M](x: f32[N, M], y: f32[N, M], z: f64[N, M], h: f16[N, M], e: f8e5m2[N, M], q: f8e4m3[N])
    -> (a: f32[N, M], b: f64[N, M], c: f16[N, M], d: f8e4m3[N, M], s: f8e5m2[N, M], t: bool[N, M], u: bf16[N, M]) {
    a = exp(x) + exp2(y) - expm1(x) * log(abs(x) + 0.5) / (log2(y * y + 1) + 2) + log1p(x * x) + sin(x) * cos(y) + tanh(x) + erf(y);
    b = sqrt(abs(z)) + rsqrt(abs(z) + 1) + (z % 0.3) + floor(z * 4) + ceil(z * 3) + round(z * 8) + sign(z) + min(z, 0.5) + max(z, -0.5) + z ** 3 + pow(abs(z), 1.5);
    c = h * 3 + clamp(h, -0.5, 0.5);
    d = (x * 300) as f8e4m3;
    s = e * 2;
    t = (x < y || x == y) && !(x != y) || isnan(x) || x <= 0;
    u = where(t, -x, h) + q[:, None];
}
