fn f[N](x: f32[N], t: f32[N]) -> (loss: f32) {
    l = softplus(x) - x * t;
    p = exp(-l);
    loss = mean((1 - p) * (1 - p) * l);
}
