// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N], i: i64[N], u: u8[N])
    -> (a: i32[N], b: f32[N], c: i32[N], d: i8[N], e: bool[N], f: i32, g: u8, h: i32) {
    a = x;
    b = i;
    c = i;
    d = u;
    e = u;
    f = 1.5;
    g = 256;
    h = true;
}
// ---- expect
// error_output_type.fx:5:9: error: the output 'a' has the type i32, and the value is f32[N]: write 'as i32'
//       a = x;
//           ^
// error_output_type.fx:6:9: error: the output 'b' has the type f32, and the value is i64[N]: write 'as f32'
//       b = i;
//           ^
// error_output_type.fx:7:9: error: the output 'c' has the type i32, and the value is i64[N]: write 'as i32'
//       c = i;
//           ^
// error_output_type.fx:8:9: error: the output 'd' has the type i8, and the value is u8[N]: write 'as i8'
//       d = u;
//           ^
// error_output_type.fx:9:9: error: the output 'e' has the type bool, and the value is u8[N]: write 'as bool'
//       e = u;
//           ^
// error_output_type.fx:10:9: error: the output 'f' has the type i32, and the value is the number 1.5: write 'as i32'
//       f = 1.5;
//           ^~~
// error_output_type.fx:11:9: error: the output 'g' has the type u8, and the value is the number 256: write 'as u8'
//       g = 256;
//           ^~~
// error_output_type.fx:12:9: error: the output 'h' has the type i32, and the value is bool: write 'as i32'
//       h = true;
//           ^~~~
