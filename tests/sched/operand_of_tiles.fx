// Fused multiply-adds wait for operands that are computed, so that a large product reads what a kernel of its own has
// computed, and so does one of tf32, which warpgroups multiply from memory; a cheap function of the rows of a product
// of few columns is computed with it. A contract for one kernel is kept.
// run: fusec %s --emit=plan --arch=sm_90a > all
// run: grep -E "^kernel|^    .*matmul" all
fn power(x: f32[16384, 256]) -> (y: f32[16384, 256]) {
    back = iota(256) - iota(256)[:, None];
    w = where(back >= 0, 0.1 * 0.9 ** (max(back, 0) as f32), 0);
    y = x @ w;
}
fn large(x: f32[2048, 2048], w: f32[2048, 2048]) -> (y: f32[2048, 2048]) { y = relu(x) @ w.T; }
fn cheap(x: f32[16384, 256], w: f32[256, 256]) -> (y: f32[16384, 256]) { y = relu(x) @ w; }
@one_kernel
fn one(x: f32[2048, 2048], w: f32[2048, 2048]) -> (y: f32[2048, 2048]) { y = relu(x) @ w.T; }
@precision(tf32)
fn tf32(x: f32[2048, 2048], w: f32[2048, 2048]) -> (y: f32[2048, 2048]) { y = relu(x) @ w.T; }
// ---- expect
// kernel power_0 pointwise
// kernel power_1 dot
//     %27 matmul f32[16384, 256] -> y
// kernel large_0 pointwise
// kernel large_1 dot
//     %7 matmul f32[2048, 2048] -> y
// kernel cheap_0 dot
//     %8 matmul f32[16384, 256] -> y
// kernel one_0 dot
//     %7 matmul f32[2048, 2048] -> y
// kernel tf32_0 pointwise
// kernel tf32_1 dot
//     %7 matmul f32[2048, 2048] -> y
