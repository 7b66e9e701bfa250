fn f[B, N](x: f32[B, 4*(N + 7)], h: f32[8, 4]) -> (y: f32[B, N]) {
    p = reshape(x, B, N + 7, 4);
    y = sum(p[:, 0:N+0] * h[0]) + sum(p[:, 1:N+1] * h[1]) + sum(p[:, 2:N+2] * h[2])
        + sum(p[:, 3:N+3] * h[3]) + sum(p[:, 4:N+4] * h[4]) + sum(p[:, 5:N+5] * h[5])
        + sum(p[:, 6:N+6] * h[6]) + sum(p[:, 7:N+7] * h[7]);
}
