fn sums[B, M](x: f32[B, M+15]) -> (s: f32[B, M]) {
    a = x[:, :-1] + x[:, 1:];
    b = a[:, :-2] + a[:, 2:];
    c = b[:, :-4] + b[:, 4:];
    s = c[:, :-8] + c[:, 8:];
}

fn most[B, M](x: f32[B, M+15]) -> (s: f32[B, M]) {
    a = max(x[:, :-1], x[:, 1:]);
    b = max(a[:, :-2], a[:, 2:]);
    c = max(b[:, :-4], b[:, 4:]);
    s = max(c[:, :-8], c[:, 8:]);
}

fn f[B, T](x: f32[B, T+15]) -> (z: f32[B, T], high: f32[B, T], low: f32[B, T]) {
    m = sums(x) / 16;
    v = max(sums(x * x) / 16 - m * m, 0);
    z = (x[:, 15:] - m) / sqrt(v + 1e-8);
    high = most(x);
    low = -most(-x);
}
