fn layer[N, H, W, C](x: bf16[N, H, W, C], gain: f32[C], b: f32[C]) -> (y: bf16[N, H, W, C]) {
    m = mean(x, axis = [0, 1, 2]);
    v = var(x, axis = [0, 1, 2]);
    y = relu((x - m) * rsqrt(v + 1e-5) * gain + b);
}

fn g = vjp(layer);
