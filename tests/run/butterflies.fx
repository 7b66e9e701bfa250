// A transform of 8 complex numbers and its inverse, for odd numbers of rows and for one.
// run: fusec run %s -D N=1 --check
// run: fusec run %s -D N=37 --check
// run: fusec run %s -D N=100 --check
const turn = 6.283185307179586;

fn half[N, M](
    re: f32[N, 2*M],
    im: f32[N, 2*M],
    sign: f32
) -> (sr: f32[N, M], si: f32[N, M], dr: f32[N, M], di: f32[N, M]) {
    angle = (iota(M) as f32) * (turn / 2 / M) * sign;
    sr = re[:, :M] + re[:, M:];
    si = im[:, :M] + im[:, M:];
    r = re[:, :M] - re[:, M:];
    i = im[:, :M] - im[:, M:];
    dr = r * cos(angle) - i * sin(angle);
    di = r * sin(angle) + i * cos(angle);
}

fn both[N, M](a: f32[N, M], b: f32[N, M]) -> (y: f32[2*N, M]) {
    y = reshape(concat(a[:, None], b[:, None], axis = 1), 2 * N, M);
}

fn fft[N](re: f32[N, 8], im: f32[N, 8], sign: f32) -> (yr: f32[N, 8], yi: f32[N, 8]) {
    a, b, c, d = half(re, im, sign);
    e, f, g, h = half(both(a, c), both(b, d), sign);
    i, j, k, l = half(both(e, g), both(f, h), sign);
    yr = reshape(permute(reshape(both(i, k), N, 2, 2, 2), 0, 3, 2, 1), N, 8);
    yi = reshape(permute(reshape(both(j, l), N, 2, 2, 2), 0, 3, 2, 1), N, 8);
}

fn f[N](re: f32[N, 8], im: f32[N, 8]) -> (yr: f32[N, 8], back: f32[N, 8], exact: bool) {
    yr, yi = fft(re, im, -1);
    r, i = fft(yr, yi, 1);
    back = r / 8;
    exact = all(abs(back - re) + abs(i / 8 - im) < 1e-5, axis = [0, 1]);
}
// ---- expect
// yr: f32[1, 8]  mean 0.7663  max 1.936  checksum be1b56ba57c994cd
// back: f32[1, 8]  mean 0.0002776  max 0.9892  checksum c29ed7d6ca827295
// exact: bool  mean 1  max 1  checksum 221263198673a63d
// yr: ok, largest error 1.19e-07 of 1.28e-06 allowed, at [0, 3]: got 1.26937842, want 1.2693783
// back: ok, largest error 5.96e-08 of 6.51e-07 allowed, at [0, 1]: got 0.0333076715, want 0.0333077312
// exact: ok
// fusec: remark: random inputs, seed 0: re, im
// yr: f32[37, 8]  mean 0.07261  max 3.495  checksum 28a457c5a395d78b
// back: f32[37, 8]  mean -0.02103  max 0.9927  checksum 9d34c72a52185495
// exact: bool  mean 1  max 1  checksum 221263198673a63d
// yr: ok, largest error 4.77e-07 of 2.91e-06 allowed, mean 1.24e-07 of 9.58e-07, at [7, 1]: got -3.06185579, want -3.06185627
// back: ok, largest error 2.38e-07 of 7.13e-07 allowed, mean 5.54e-08 of 3.35e-07, at [1, 7]: got 0.381398559, want 0.381398797
// exact: ok
// fusec: remark: random inputs, seed 0: re, im
// yr: f32[100, 8]  mean 0.06515  max 5.226  checksum 2a69a259215905df
// back: f32[100, 8]  mean 0.009043  max 0.9995  checksum 2832d7cb86e5d36b
// exact: bool  mean 1  max 1  checksum 221263198673a63d
// yr: ok, largest error 4.77e-07 of 3.45e-06 allowed, mean 1.24e-07 of 9.67e-07, at [7, 1]: got -3.06185579, want -3.06185627
// back: ok, largest error 2.38e-07 of 7.15e-07 allowed, mean 5.31e-08 of 3.43e-07, at [1, 7]: got 0.381398559, want 0.381398797
// exact: ok
// fusec: remark: random inputs, seed 0: re, im
