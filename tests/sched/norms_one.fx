// run: fusec run %s --check
// kernels: 1
// A residual, two norms and what reads them: reductions along one axis of one space share a kernel.
fn f(x: f32[7, 40], r: bf16[7, 40], gain: f32[40], bias: f32[40]) -> (y: bf16[7, 40], h: f32[7, 40]) {
    h = x + r;
    y = rms_norm(layer_norm(h, gain, bias), gain);
}
