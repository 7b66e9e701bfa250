fn f[N, V](x: bf16[N, V]) -> (at: i32[N], lp: f32[N], entropy: f32[N]) {
    p = log_softmax(x);
    at = argmax(x);
    lp = max(p);
    entropy = -sum(exp(p) * p);
}
