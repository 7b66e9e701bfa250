// run: fusec %s --emit=graph
// exit: 1
fn g[N](x: f32[N]) -> (y: f32[N]) {
    assert N < 1;
    assert -N == 0;
    y = x;
}
fn f[N](x: f32[N]) -> (y: f32[N]) {
    assert 12 % 8 == 0;
    assert N <= 64 && N % 8 == 0;
    assert N > 64;
    assert N < 1;
    assert 0 < N - 65;
    assert N;
    assert N == 8 || N == 16;
    assert N < 2.5;
    y = x;
}
// ---- expect
// error_assert.fx:4:12: error: this assert is false: left is N (at least 1) and right is 1
//       assert N < 1;
//              ^~~~~
// error_assert.fx:5:12: error: this assert is false: left is -N (at most -1) and right is 0
//       assert -N == 0;
//              ^~~~~~~
// error_assert.fx:9:12: error: this assert is false: left is 4 and right is 0
//       assert 12 % 8 == 0;
//              ^~~~~~~~~~~
// error_assert.fx:11:12: error: this assert is false: left is N (from 8 to 64) and right is 64
//       assert N > 64;
//              ^~~~~~
// error_assert.fx:12:12: error: this assert is false: left is N (from 8 to 64) and right is 1
//       assert N < 1;
//              ^~~~~
// error_assert.fx:13:12: error: this assert is false: left is 0 and right is N - 65 (from -57 to -1)
//       assert 0 < N - 65;
//              ^~~~~~~~~~
// error_assert.fx:14:12: error: an assert is a comparison of sizes, or several joined by '&&'
//       assert N;
//              ^
// error_assert.fx:15:12: error: an assert is a comparison of sizes, or several joined by '&&'
//       assert N == 8 || N == 16;
//              ^~~~~~~~~~~~~~~~~
// error_assert.fx:16:16: error: this is the number 2.5, and a size is needed: an integer, a dim, or a formula of them with '+ - * / %'
//       assert N < 2.5;
//                  ^~~
