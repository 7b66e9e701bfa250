fn loss_of[N, D](a: bf16[N, D], b: bf16[N, D]) -> (loss: f32) {
    loss = 1 - mean(sum(a * b) * rsqrt(sum(a * a) * sum(b * b)));
}

fn g = value_and_grad(loss_of);
