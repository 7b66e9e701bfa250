fn f[N, M](a: f32[N, 4], b: f32[M, 4]) -> (best: f32[N], at: i32[N]) {
    w = max(min(a[:, None, 2], b[:, 2]) - max(a[:, None, 0], b[:, 0]), 0);
    h = max(min(a[:, None, 3], b[:, 3]) - max(a[:, None, 1], b[:, 1]), 0);
    area_a = abs((a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1]));
    area_b = abs((b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1]));
    over = w * h / (area_a[:, None] + area_b - w * h + 1e-6);
    best = max(over);
    at = argmax(over);
}
