fn loss_of[N, D](a: bf16[N, D], b: bf16[N, D]) -> (loss: f32) {
    p = (a * rsqrt(sum(a * a, keep = true))) as bf16;
    q = (b * rsqrt(sum(b * b, keep = true))) as bf16;
    loss = mean(cross_entropy((p @ q.T) * 20, iota(N)));
}

fn g = value_and_grad(loss_of);
