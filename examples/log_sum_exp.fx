// Log-sum-exp of each row: a smooth maximum, safe from overflow. The normaliser of a softmax, and
// the z-loss that keeps logits small.
//
//     y = log(sum(exp(x)))
//
// try: -D N=256 -D V=50257
// small: -D N=3 -D V=17
// small: -D N=1 -D V=1
// small: -D N=2 -D V=4099
// kernels: 1
fn log_sum_exp[N, V](x: f32[N, V]) -> (y: f32[N]) {
    y = logsumexp(x, axis = -1);
}
