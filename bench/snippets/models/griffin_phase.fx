fn f[N](re: f32[N], im: f32[N], mag: f32[N]) -> (yr: f32[N], yi: f32[N], err: f32) {
    m = sqrt(re * re + im * im);
    s = mag / max(m, 1e-9);
    yr = re * s;
    yi = im * s;
    err = sqrt(sum((m - mag) ** 2)) / sqrt(sum(mag * mag));
}
