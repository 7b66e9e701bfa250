// The loss is exact beside itself, not beside the logits: 1 if it is within 3e-7 of log(1 + e).
// run: fusec run %s --check -D N=5
fn f[N](x: f32[N, 2]) -> (loss_is_near: f32[N], log_is_near: f32[N]) {
    logits = 10000 * (1 + round(abs(x[:, :1]))) - iota(2) as f32;
    loss_is_near = (abs(cross_entropy(logits, full(1, N)) - 1.3132616875) < 3e-7) as f32;
    log_is_near = (abs(log_softmax(logits)[:, 1] + 1.3132616875) < 3e-7) as f32;
}
// ---- expect
// loss_is_near: f32[5]  mean 1  max 1  checksum dddea1a35a8c0292
// log_is_near: f32[5]  mean 1  max 1  checksum dddea1a35a8c0292
// loss_is_near: ok, largest error 0 of 4.77e-07 allowed, at [0]: got 1, want 1
// log_is_near: ok, largest error 0 of 4.77e-07 allowed, at [0]: got 1, want 1
// fusec: remark: random inputs, seed 0: x
