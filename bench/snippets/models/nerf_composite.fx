// inputs: sigma 0..1, delta 0.0..0.1
fn f[R, S](sigma: f32[R, S], delta: f32[R, S], rgb: f32[R, S, 3]) -> (c: f32[R, 3], acc: f32[R]) {
    x = sigma * delta;
    t = exp(-(cumsum(x) - x));
    w = t * (1 - exp(-x));
    c = sum(w[..., None] * rgb, axis = 1);
    acc = sum(w);
}
