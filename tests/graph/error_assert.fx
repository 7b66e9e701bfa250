// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N]) {
    assert 12 % 8 == 0;
    assert N <= 64 && N % 8 == 0;
    assert N > 64;
    assert N;
    assert N == 8 || N == 16;
    assert N < 2.5;
    y = x;
}
// ---- expect
// error_assert.fx:4:12: error: this assert is false: left is 4 and right is 0
//       assert 12 % 8 == 0;
//              ^~~~~~~~~~~
// error_assert.fx:6:12: error: this assert is false: left is N, which is from 8 to 64, and right is 64
//       assert N > 64;
//              ^~~~~~
// error_assert.fx:7:12: error: an assert is a comparison of sizes, or several joined by '&&'
//       assert N;
//              ^
// error_assert.fx:8:12: error: an assert is a comparison of sizes, or several joined by '&&'
//       assert N == 8 || N == 16;
//              ^~~~~~~~~~~~~~~~~
// error_assert.fx:9:16: error: this is the number 2.5, and a size is needed: an integer, a dim, or what '+ - * / %' make of them
//       assert N < 2.5;
//                  ^~~
