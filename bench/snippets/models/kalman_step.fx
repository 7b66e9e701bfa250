// inputs: P 0.1..0.2, R 1..2
fn f[N](
    x: f32[N, 4],
    P: f32[N, 4, 4],
    z: f32[N, 2],
    A: f32[4, 4],
    Q: f32[4, 4],
    R: f32[2, 2]
) -> (x2: f32[N, 4], P2: f32[N, 4, 4]) {
    u = x @ A.T;
    p = A @ P @ A.T + Q;
    s = p[:, :2, :2] + R;
    det = s[:, 0, 0] * s[:, 1, 1] - s[:, 0, 1] * s[:, 1, 0];
    top = concat(s[:, 1, 1][:, None], -s[:, 0, 1][:, None]);
    low = concat(-s[:, 1, 0][:, None], s[:, 0, 0][:, None]);
    inv = concat(top[:, None], low[:, None], axis = 1) / det[:, None, None];
    k = p[:, :, :2] @ inv;
    x2 = u + sum(k * (z - u[:, :2])[:, None]);
    P2 = p - k @ p[:, :2];
}
