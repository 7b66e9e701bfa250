// run: fusec run %s --check
// A function of libc has that name, and the library that is loaded must call its own.
fn step(x: f32[8]) -> (y: f32[8]) { y = x + 1; }
// ---- expect
// y: f32[8]  mean 0.6248  max 1.839  checksum 58e4e8a98968602a
// y: ok, largest error 0 of 8.77e-07 allowed, at [0]: got 0.0685343146, want 0.0685343146
// fusec: remark: random inputs, seed 0: x
