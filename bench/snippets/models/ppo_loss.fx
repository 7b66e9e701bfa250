// inputs: at 0..A, old -5..-4
fn loss_of[N, A](
    logits: f32[N, A],
    value: f32[N],
    at: i32[N],
    old: f32[N],
    adv: f32[N],
    ret: f32[N]
) -> (loss: f32) {
    p = log_softmax(logits);
    r = exp(sum(where(at[:, None] == iota(A), p, 0)) - old);
    clip = -mean(min(r * adv, clamp(r, 0.8, 1.2) * adv));
    entropy = -mean(sum(exp(p) * p));
    loss = clip + 0.5 * mean((value - ret) ** 2) - 0.01 * entropy;
}

fn g = value_and_grad(loss_of, wrt = [logits, value]);
