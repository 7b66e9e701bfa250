fn f[B, N, M, D](q: bf16[B, N, D], k: bf16[B, M, D], v: f32[D]) -> (y: f32[B, N, M]) {
    y = softmax(sum(tanh(q[:, :, None] + k[:, None]) * v));
}
