// h[t] = a[t] h[t-1] + b[t], of chunks of S steps.
// inputs: a 0.9..1
fn f[B, S, C](a: f32[B, S, C], b: f32[B, S, C]) -> (h: f32[B, S, C]) {
    s = cumsum(log(a), axis = 1);
    h = exp(s) * cumsum(exp(-s) * b, axis = 1);
}
