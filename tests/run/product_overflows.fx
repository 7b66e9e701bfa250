// The order of the factors of a prod is not specified: where it decides whether a product on the way is
// infinite or 0, any result passes.
// run: fusec run %s --check -D N=500 --seed 1 > checks
// run: fusec run %s --check -D N=500 --seed 1 -O0 > checks
// run: fusec run %s --check -D N=64 > checks
fn product[N](x: f32[N]) -> (y: f32) {
    y = prod(exp2(x * 100.0));
}
// ---- expect
// fusec: remark: random inputs, seed 1: x
// product_overflows.fx:6:30: warning: 1 of 1 elements of y are NaN, so this checks little: give the inputs valid values, as with --range NAME=0..1
//   fn product[N](x: f32[N]) -> (y: f32) {
//                                ^
// fusec: remark: random inputs, seed 1: x
// product_overflows.fx:6:30: warning: 1 of 1 elements of y are NaN, so this checks little: give the inputs valid values, as with --range NAME=0..1
//   fn product[N](x: f32[N]) -> (y: f32) {
//                                ^
// fusec: remark: random inputs, seed 0: x
// product_overflows.fx:6:30: warning: 1 of 1 elements of y are NaN, so this checks little: give the inputs valid values, as with --range NAME=0..1
//   fn product[N](x: f32[N]) -> (y: f32) {
//                                ^
