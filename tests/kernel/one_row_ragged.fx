// A row of results, or of an operand, whose length no pack of 16 bytes divides has smaller ones, so that loads in flight
// do not depend on it.
// run: fusec %s --arch=sm_90a --no-test > %t.cu
// run: grep "if (is_aligned" %t.cu
fn across(x: f32[1, 600], w: f32[600, 5814]) -> (y: f32[1, 5814]) { y = x @ w; }
fn along(x: bf16[1, 768], w: bf16[50257, 768]) -> (y: bf16[1, 50257]) { y = x @ w.T; }
fn odd(x: f32[1, 601], w: f32[5812, 601]) -> (y: f32[1, 5812]) { y = x @ w.T; }
// ---- expect
//     if (is_aligned(w, 8) && is_aligned(x, 16) && is_aligned(y, 8)) {
//     if (is_aligned(w, 16) && is_aligned(x, 16) && is_aligned(y, 2)) {
//     if (is_aligned(w, 4) && is_aligned(x, 4) && is_aligned(y, 16)) {
