// Windows of 512, steps of 128.
fn f[B, T](
    x: f32[B, 128*(T + 3)],
    win: f32[512],
    c: f32[512, 257],
    s: f32[512, 257]
) -> (y: f32[B, T, 257]) {
    h = reshape(x, B, T + 3, 128);
    fr = concat(h[:, :T], h[:, 1:T+1], h[:, 2:T+2], h[:, 3:]) * win;
    re = fr @ c;
    im = fr @ s;
    y = log(re * re + im * im + 1e-6);
}
