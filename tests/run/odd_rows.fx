// Rows that packs do not divide, with what is of a row, of a channel and of a column: on a GPU packs go across the ends
// of rows, and single elements follow the last whole tile of packs.
// run: fusec run %s --check
fn f(x: bf16[33, 5, 7, 81], row: f32[33, 5, 7, 1], channel: f32[7, 1], column: bf16[81], all: f32[33, 5, 7, 81])
    -> (y: bf16[33, 5, 7, 81], z: f32[33, 5, 7, 81]) {
    y = x * row + channel - column;
    z = all + iota(81) as f32 * channel;
}
// ---- expect
// y: bf16[33, 5, 7, 81]  mean 0.1985  max 2.922  checksum 10484c9ffe55551d
// z: f32[33, 5, 7, 81]  mean 6.232  max 78.63  checksum 541637aeff14a5c4
// y: ok, largest error 0.00391 of 0.00391 allowed, mean 1.29e-05 of 0.000419, at [9, 1, 2, 71]: got 0.65625, want 0.65234375
// z: ok, largest error 0 of 5.28e-05 allowed, mean 0 of 1.11e-05, at [0, 0, 0, 0]: got 0.0788756609, want 0.0788756609
// fusec: remark: random inputs, seed 0: x, row, channel, column, all
