// run: fusec run %s --check -D N=64 -D V=10 --device=cpu
// run: fusec run %s --check -D N=64 -D V=10 --device=cpu --range x=-2..-1 --range k=0..V
// run: fusec run %s -D N=4 -D V=10 --range k=7..8 --save-in %t.safetensors
// run: fusec run %s --check -D V=10 --in %t.safetensors --device=cpu
// run: fusec run %s -D N=64 -D V=10 --range z=0..1
// exit: 1
// run: fusec run %s -D N=64 -D V=10 --range x=1..0
// exit: 1
// run: fusec run %s -D N=64 -D V=10 --range k=0..W
// exit: 1
// run: fusec run %s -D N=64 -D V=10 --range k=..3
// exit: 1
// run: fusec run %s -D N=64 -D V=10 --range k=0.2..0.8
// exit: 1
// run: fusec run %s -D N=64 -D V=10 --range k=0..1e30
// exit: 1
// run: fusec run %s -D N=64 -D V=10 --range x
// exit: 2
// inputs: x 1..2, k 3..V
// inputs: not_an_input 3..V
fn f[N, V](x: f32[N], k: i32[N]) -> (root: f32[N], least: i32, most: i32) {
    assert V > 3;
    root = sqrt(x);
    least = min(k);
    most = max(k);
}
// ---- expect
// root: f32[64]  mean 1.239  max 1.411  checksum 18ad16bd2b1ccd37
// least: i32  mean 3  max 3  checksum 4098e3d4820947de
// most: i32  mean 9  max 9  checksum 2053be9d2cde2565
// root: ok, largest error 0 of 6.73e-07 allowed, mean 0 of 5.93e-07, at [0]: got 1.07806981, want 1.07806981
// least: ok
// most: ok
// fusec: remark: random inputs, seed 0: x, k
// root: f32[64]  nan 64  checksum b510a79582953f53
// least: i32  mean 0  max 0  checksum b87af8dc9a95beeb
// most: i32  mean 9  max 9  checksum 2053be9d2cde2565
// root: ok, largest error 0 of 5.61e-45 allowed, mean 0 of 5.61e-45, at [0]: got nan, want nan
// least: ok
// most: ok
// fusec: remark: random inputs, seed 0: x, k
// ranges.fx:21:38: warning: 64 of 64 elements of root are NaN, so this checks little: give the inputs valid values, as with --range NAME=0..1
//   fn f[N, V](x: f32[N], k: i32[N]) -> (root: f32[N], least: i32, most: i32) {
//                                        ^~~~
// fusec: remark: random inputs, seed 0: x, k
// root: f32[4]  mean 1.273  max 1.411  checksum dfe936d140a422a8
// least: i32  mean 7  max 7  checksum bfaca0f524631efd
// most: i32  mean 7  max 7  checksum bfaca0f524631efd
// root: ok, largest error 0 of 6.73e-07 allowed, at [0]: got 1.07806981, want 1.07806981
// least: ok
// most: ok
// fusec: error: --range z=0..1: f has no such input
// fusec: error: --range x=1..0: the lower bound, 1, is not below the upper one, 0
// fusec: error: --range k=0..W: 'W' is neither a number nor a dim
// fusec: error: --range k=..3: it has no lower bound
// fusec: error: --range k=0.2..0.8: there is no whole number from 0.2 to below 0.8
// fusec: error: --range k=0..1e30: i32 holds numbers from -2147483648 to 2147483647
// fusec: error: --range wants NAME=LOW..HIGH, of numbers or dims, not 'x'
