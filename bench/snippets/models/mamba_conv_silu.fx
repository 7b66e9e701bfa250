fn f[B, S, C](x: bf16[B, S, C], w: bf16[4, C], b: bf16[C]) -> (y: bf16[B, S, C]) {
    p = pad(x, 1, 3, 0);
    y = silu(p[:, :S] * w[0] + p[:, 1:S+1] * w[1] + p[:, 2:S+2] * w[2] + p[:, 3:] * w[3] + b);
}
