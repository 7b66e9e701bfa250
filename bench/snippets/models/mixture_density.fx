fn loss_of[N, K](logits: f32[N, K], mu: f32[N, K], ls: f32[N, K], y: f32[N]) -> (loss: f32) {
    z = (y[:, None] - mu) * exp(-ls);
    loss = -mean(logsumexp(log_softmax(logits) - 0.5 * z * z - ls));
}

fn g = value_and_grad(loss_of, wrt = [logits, mu, ls]);
