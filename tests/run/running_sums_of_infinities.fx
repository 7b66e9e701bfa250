// Infinities and NaN in running sums are those of the elements so far, and of no later ones.
// run: fusec run %s --check > checks
// run: fusec %s --target=c -o %t.c
// run: cc -O1 -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
fn infinities(a: f32[9, 50]) -> (y: f32[9, 50], z: f32[9, 50], r: f32[9, 50]) {
    i = iota(9)[:, None] * 5 + iota(50);
    y = cumsum(where(i % 31 == 7, inf, a));
    z = cumsum(where(i % 31 == 7, inf, where(i % 37 == 11, -inf, a)));
    r = cumsum(where(i % 31 == 7, -inf, a), reverse = true);
}
// ---- expect
// fusec: remark: random inputs, seed 0: a
// running_sums_of_infinities.fx:6:49: warning: 261 of 450 elements of z are NaN, so this checks little: give the inputs valid values, as with --range NAME=0..1
//   fn infinities(a: f32[9, 50]) -> (y: f32[9, 50], z: f32[9, 50], r: f32[9, 50]) {
//                                                   ^
