fn loss_of[B, L](s: f32[B, L], rel: f32[B, L]) -> (loss: f32) {
    over = rel[:, :, None] > rel[:, None];
    loss = sum(where(over, softplus(s[:, None] - s[:, :, None]), 0), axis = [0, 1, 2]) / (B * L);
}

fn g = value_and_grad(loss_of, wrt = [s]);
