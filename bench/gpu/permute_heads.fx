// Heads before positions, with positions next to each other, as keys are multiplied.
fn heads[B, S, H, D](x: bf16[B, S, H, D]) -> (y: bf16[B, H, D, S]) {
    y = permute(x, 0, 2, 3, 1);
}
