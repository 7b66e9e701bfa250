// run: fusec run %s
// exit: 1
// run: fusec run %s -D N=12 --check
// run: fusec run %s -D N=13
// exit: 1
// run: fusec run %s -D N=0
// exit: 1
// run: fusec run %s -D M=3
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N / 4, 4]) {
    assert N % 4 == 0;
    y = reshape(x, N / 4, 4) * N;
}
// ---- expect
// fusec: error: the size of N is not known: give it a value, as in -D N=64
// y: f32[3, 4]  mean -2.382  max 10.07  checksum 288075e61bfe786d
// y: ok, largest error 0 of 5.38e-06 allowed, at [0, 0]: got -11.1775885, want -11.1775885
// fusec: remark: random inputs, seed 0: x
// dims.fx:10:31: error: 13 / 4 is not a whole number: integers and dims divide exactly, '13.0 / 4' is a fraction
//   fn f[N](x: f32[N]) -> (y: f32[N / 4, 4]) {
//                                 ^~~~~
// dims.fx:11:12: error: this assert is false: left is 1 and right is 0
//       assert N % 4 == 0;
//              ^~~~~~~~~~
// dims.fx:12:20: error: 13 / 4 is not a whole number: integers and dims divide exactly, '13.0 / 4' is a fraction
//       y = reshape(x, N / 4, 4) * N;
//                      ^~~~~
// fusec: error: dim N=0: a dim is at least 1
// fusec: error: dim M=3: no function to be compiled has a dim of that name
