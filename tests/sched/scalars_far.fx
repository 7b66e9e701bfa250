// Elements behind 2^31 others.
// run: fusec %s --target=c --emit=source > text
// run: grep -o "g + 21[0-9]*" text
fn f[N](x: f32[N, 4], g: i8[3000000000]) -> (y: f32[N, 4]) {
    is_large = g[2147483650:2147483654] > 1;
    a = sin(x[:, 0:1]);
    b = cos(x[:, 1:2]);
    c = exp(a * b);
    v = concat(a, b, c, a + b * c, axis = 1);
    w = where(is_large[None, :], v, -v);
    e = w[:, 0:1] * w[:, 1:2] + sin(w[:, 3:4]);
    h = w[:, 2:3] * w[:, 3:4] - exp(w[:, 0:1]);
    y = concat(e, h, e * h + tanh(w[:, 1:2]), e - h * h * e, axis = 1);
}
// ---- expect
// g + 2147483650
// g + 2147483651
// g + 2147483653
// g + 2147483652
