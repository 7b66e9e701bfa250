// run: fusec %s --emit=graph -D N=12
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N]) {
    assert N % 8 == 0;
    y = x;
}
// ---- expect
// error_assert_bound.fx:4:12: error: this assert is false: left is 4 and right is 0
//       assert N % 8 == 0;
//              ^~~~~~~~~~
