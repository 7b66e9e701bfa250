// run: fusec run %s --check
// Long columns. A GPU takes them in pieces; the combination of the pieces is checked there.
fn f(x: f32[8192, 600], y: bf16[9, 4096, 130]) -> (s: f32[600], m: f32[9, 130]) {
    s = sum(x * x, axis = 0);
    m = max(y as f32, axis = 1);
}
// ---- expect
// s: f32[600]  mean 2732  max 2806  checksum d3705cf542ee394a
// m: f32[9, 130]  mean 0.9961  max 0.9961  checksum d0a960b580146a4f
// s: ok, largest error 0.0112 of 0.0238 allowed, mean 0.00383 of 0.00897, at [77]: got 2718.87158, want 2718.88281
// m: ok, largest error 0 of 4.75e-07 allowed, mean 0 of 4.75e-07, at [0, 0]: got 0.99609375, want 0.99609375
// fusec: remark: random inputs, seed 0: x, y
