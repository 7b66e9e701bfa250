// Rows of a projection are normalised by the kernel that multiplies: the residual is added, two
// reductions follow each other, and nothing but the result is stored.
// run: fusec %s --target=c --emit=plan -D M=100
// run: fusec run %s --check -D M=100 > checks
fn block[M](x: bf16[M, 96], w: bf16[160, 96], r: bf16[M, 160], gain: f32[160], bias: f32[160])
    -> (y: bf16[M, 160]) {
    y = layer_norm(x @ w.T + r, gain, bias, eps = 1e-5);
}
