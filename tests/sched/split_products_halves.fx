// run: fusec explain %s --arch=sm_90a > plan
// run: grep "^kernel" plan
// Rows that start at multiples of 8 bytes come in pieces of these: sums of few tiles are split.
fn halves(a: bf16[512, 4096], b: bf16[4096, 516]) -> (y: bf16[512, 516]) { y = a @ b; }
// ---- expect
// kernel halves_0: dot over [8, 512, 516]
// kernel halves_1: pointwise over [512, 516]
