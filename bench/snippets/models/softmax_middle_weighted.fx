// Attentive statistics pooling: mean and deviation along time, weighted for each channel.
fn f[B, N, D](x: bf16[B, N, D], s: bf16[B, N, D]) -> (y: f32[B, 2*D]) {
    w = softmax(s, axis = 1);
    m = sum(w * x, axis = 1);
    v = sum(w * x * x, axis = 1) - m * m;
    y = concat(m, sqrt(max(v, 1e-6)));
}
