fn f[B, K, V](x: f32[B, K, V], score: f32[B, K], done: bool[B, K]) -> (best: f32[B], at: i32[B]) {
    s = (log_softmax(x) + score[..., None]) / 1.5;
    flat = reshape(where(done[..., None], -inf, s), B, K * V);
    best = max(flat);
    at = argmax(flat);
}
