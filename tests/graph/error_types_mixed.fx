// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N], h: f16[N], i: i32[N], m: bool[N], b: i8[N]) -> (y: f32[N]) {
    a = x + i;
    c = max(i, h);
    d = m + 1;
    e = m * x;
    g = where(m, x, i);
    j = where(m, m, x);
    k = i * 0.5;
    l = i + 3000000000;
    n = m == 1;
    o = -m;
    p = b < 0.5;
    y = x;
}
// ---- expect
// error_types_mixed.fx:4:9: error: f32[N] and i32[N] do not mix: convert one with 'as'
//       a = x + i;
//           ^~~~~
// error_types_mixed.fx:4:13: note: this is i32[N]: write 'as f32' after it for a float
//       a = x + i;
//               ^
// error_types_mixed.fx:4:9: note: this is f32[N]
//       a = x + i;
//           ^
// error_types_mixed.fx:5:9: error: i32[N] and f16[N] do not mix: convert one with 'as'
//       c = max(i, h);
//           ^~~~~~~~~
// error_types_mixed.fx:5:13: note: this is i32[N]: write 'as f32' after it for a float
//       c = max(i, h);
//               ^
// error_types_mixed.fx:5:16: note: this is f16[N]
//       c = max(i, h);
//                  ^
// error_types_mixed.fx:6:9: error: bool[N] is not a number: write 'as i32' or 'as f32', or use 'where'
//       d = m + 1;
//           ^
// error_types_mixed.fx:7:9: error: bool[N] is not a number: write 'as i32' or 'as f32', or use 'where'
//       e = m * x;
//           ^
// error_types_mixed.fx:8:9: error: f32[N] and i32[N] do not mix: convert one with 'as'
//       g = where(m, x, i);
//           ^~~~~~~~~~~~~~
// error_types_mixed.fx:8:21: note: this is i32[N]: write 'as f32' after it for a float
//       g = where(m, x, i);
//                       ^
// error_types_mixed.fx:8:18: note: this is f32[N]
//       g = where(m, x, i);
//                    ^
// error_types_mixed.fx:9:18: error: bool[N] is not a number: write 'as i32' or 'as f32', or use 'where'
//       j = where(m, m, x);
//                    ^
// error_types_mixed.fx:10:13: error: the number 0.5 does not fit i32[N]
//       k = i * 0.5;
//               ^~~
// error_types_mixed.fx:10:9: note: this is i32[N]: write 'as f32' after it for a float
//       k = i * 0.5;
//           ^
// error_types_mixed.fx:11:13: error: the number 3000000000 does not fit i32[N]
//       l = i + 3000000000;
//               ^~~~~~~~~~
// error_types_mixed.fx:11:9: note: this is i32[N]: write 'as i64' after it
//       l = i + 3000000000;
//           ^
// error_types_mixed.fx:12:9: error: bool[N] is not a number: write 'as i32' or 'as f32', or use 'where'
//       n = m == 1;
//           ^
// error_types_mixed.fx:13:10: error: bool[N] is not a number: write 'as i32' or 'as f32', or use 'where'
//       o = -m;
//            ^
// error_types_mixed.fx:14:13: error: the number 0.5 does not fit i8[N]
//       p = b < 0.5;
//               ^~~
// error_types_mixed.fx:14:9: note: this is i8[N]: write 'as f32' after it for a float
//       p = b < 0.5;
//           ^
