// run: fusec run %s --check
// Sizes are known, and where results go they are no neighbours: in CUDA nothing moves in packs.
fn product(x: bf16[2, 8, 8], w: bf16[8, 2]) -> (y: f32[2, 2, 8]) {
    y = w.T @ x;
}
