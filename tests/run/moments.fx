// The variance of channels whose means are far apart, and far from 0: combined from that of rows.
// run: fusec run %s --check -D N=66
// inputs: x -1..1
fn channels[N](x: bf16[N, 8, 512]) -> (m: f32[8], v: f32[8]) {
    y = x as f32 + iota(N)[:, None, None] as f32 * 3 + 40;
    m = mean(y, axis = [0, 2]);
    v = var(y, axis = [0, 2]);
}
// ---- expect
// m: f32[8]  mean 137.5  max 137.5  checksum a514c11f5ae5ca2e
// v: f32[8]  mean 3267  max 3267  checksum 33add4107b17b6d8
// m: ok, largest error 3.05e-05 of 0.00171 allowed, at [0]: got 137.499741, want 137.49971
// v: ok, largest error 0.000488 of 0.055 allowed, at [2]: got 3267.17407, want 3267.17358
// fusec: remark: random inputs, seed 0: x
