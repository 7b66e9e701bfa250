// A Hadamard transform: each level reads two elements of the level before, at two places of the result,
// so a value of the sixth level would be computed from 4096 loads. Three levels are one kernel.
// run: fusec run %s --check -D N=3
// kernels: 2
fn hadamard[N](x: bf16[N, 64]) -> (y: bf16[N, 64]) {
    y = level(level(level(level(level(level(x as f32)))))) / 8;
}

fn level[N](x: f32[N, 64]) -> (y: f32[N, 64]) {
    pairs = reshape(x, N, 32, 2);
    y = concat(pairs[..., 0] + pairs[..., 1], pairs[..., 0] - pairs[..., 1]);
}
// ---- expect
// y: bf16[3, 64]  mean 0.01552  max 1.516  checksum dbe2c51fccfafa3a
// y: ok, largest error 0 of 0.00195 allowed, mean 0 of 0.000627, at [0, 0]: got 0.263671875, want 0.263671875
// fusec: remark: random inputs, seed 0: x
