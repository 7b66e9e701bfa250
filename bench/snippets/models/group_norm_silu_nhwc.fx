fn f[N, H, W, C](x: bf16[N, H, W, C], g: bf16[C], b: bf16[C]) -> (y: bf16[N, H, W, C]) {
    v = reshape(x as f32, N, H * W, 32, C / 32);
    z = (v - mean(v, axis = [1, 3], keep = true))
        * rsqrt(var(v, axis = [1, 3], keep = true) + 1e-5);
    y = silu(reshape(z, N, H, W, C) * g + b);
}
