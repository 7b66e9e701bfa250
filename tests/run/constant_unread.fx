// Constants that nothing reads: nothing is prepared, and the emitted C has no warning.
// run: fusec run %s --check -D B=5
// run: fusec %s -o %t.c --target=c --no-test
// run: grep -c "fx_at" %t.c
// exit: 1
@constant(live)
fn unread[B](x: f32[3, B], live: bool[3, B]) -> (y: f32[3, B]) {
    y = where(live, x, x) + 1;
}
// ---- expect
// y: f32[3, 5]  mean 0.8384  max 1.839  checksum 66ee71c134370d33
// y: ok, largest error 0 of 8.77e-07 allowed, at [0, 0]: got 0.0685343146, want 0.0685343146
// fusec: remark: random inputs, seed 0: x, live
// 0
