// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N, 10], i: i32[N]) -> (y: f32[N, 10]) {
    a = pad(x, 0, -1, 0);
    b = pad(x, 0, 1, 1, value = x);
    c = pad(i, 0, 1, 1, value = 0.5);
    d = pad(x, 2, 1, 1);
    y = x;
}
// ---- expect
// error_pad.fx:4:19: error: 'before' must be at least 0, and this is -1
//       a = pad(x, 0, -1, 0);
//                     ^~
// error_pad.fx:5:33: error: 'value' is one number, and this is f32[N, 10]
//       b = pad(x, 0, 1, 1, value = x);
//                                   ^
// error_pad.fx:6:33: error: the padded tensor has the type i32, and the value is the number 0.5: write 'as i32'
//       c = pad(i, 0, 1, 1, value = 0.5);
//                                   ^~~
// error_pad.fx:7:16: error: there is no axis 2: the tensor has axes 0 to 1, or -2 to -1
//       d = pad(x, 2, 1, 1);
//                  ^
