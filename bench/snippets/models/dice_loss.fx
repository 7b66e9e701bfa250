fn f[N, C, H, W](x: bf16[N, C, H, W], t: bf16[N, C, H, W]) -> (loss: f32) {
    p = sigmoid(x);
    both = sum(p * t, axis = [2, 3]);
    loss = mean(1 - (2 * both + 1) / (sum(p, axis = [2, 3]) + sum(t, axis = [2, 3]) + 1),
        axis = [0, 1]);
}
