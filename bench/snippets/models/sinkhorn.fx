fn half[B, N](x: f32[B, N, N], u: f32[B, N]) -> (v: f32[B, N]) {
    v = -logsumexp(x + u[:, :, None], axis = 1);
}

fn other[B, N](x: f32[B, N, N], v: f32[B, N]) -> (u: f32[B, N]) {
    u = -logsumexp(x + v[:, None]);
}

// inputs: c 0..1
fn f[B, N](c: f32[B, N, N]) -> (cost: f32[B]) {
    x = -c / 0.1;
    v1 = half(x, -logsumexp(x));
    v2 = half(x, other(x, v1));
    v3 = half(x, other(x, v2));
    v4 = half(x, other(x, v3));
    u = other(x, v4);
    v = half(x, u);
    cost = sum(exp(x + u[:, :, None] + v[:, None]) * c, axis = [1, 2]);
}
