// inputs: at 0..V
fn loss_of[N, V, D](x: bf16[N, D], w: bf16[V, D], at: i32[N]) -> (loss: f32) {
    s = (x @ w.T) as bf16;
    z = logsumexp(s);
    loss = mean(cross_entropy(s, at) + 1e-4 * z * z);
}

fn g = value_and_grad(loss_of);
