// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N], i: i32[N], m: bool[N]) -> (y: f32[N]) {
    a = exp(i);
    b = floor(i);
    c = isnan(i);
    d = m && x;
    e = x || 1;
    g = !x;
    h = where(x, x, x);
    j = mean(i);
    k = any(x);
    l = max(m);
    n = softmax(i);
    o = gelu(m);
    p = m && 1;
    q = argmax(m);
    r = !1;
    y = x;
}
// ---- expect
// error_types_wanted.fx:4:13: error: 'exp' needs floats, and this is i32[N]: write 'as f32' after it
//       a = exp(i);
//               ^
// error_types_wanted.fx:5:15: error: 'floor' needs floats, and this is i32[N]: write 'as f32' after it
//       b = floor(i);
//                 ^
// error_types_wanted.fx:6:15: error: 'isnan' needs floats, and this is i32[N]: write 'as f32' after it
//       c = isnan(i);
//                 ^
// error_types_wanted.fx:7:14: error: '&&', '||' and '!' need bool, and this is f32[N]: compare it, as in 'x != 0'
//       d = m && x;
//                ^
// error_types_wanted.fx:8:9: error: '&&', '||' and '!' need bool, and this is f32[N]: compare it, as in 'x != 0'
//       e = x || 1;
//           ^
// error_types_wanted.fx:9:10: error: '&&', '||' and '!' need bool, and this is f32[N]: compare it, as in 'x != 0'
//       g = !x;
//            ^
// error_types_wanted.fx:10:15: error: the condition of 'where' is f32[N], not bool: compare it, as in 'x != 0'
//       h = where(x, x, x);
//                 ^
// error_types_wanted.fx:11:14: error: 'mean' needs floats, and this is i32[N]: write 'as f32' after it
//       j = mean(i);
//                ^
// error_types_wanted.fx:12:13: error: 'any' needs bool, and this is f32[N]: compare it, as in 'x != 0'
//       k = any(x);
//               ^
// error_types_wanted.fx:13:13: error: bool[N] is not a number: write 'as i32' or 'as f32', or use 'where'
//       l = max(m);
//               ^
// error_types_wanted.fx:14:17: error: 'softmax' needs floats, and this is i32[N]: write 'as f32' after it
//       n = softmax(i);
//                   ^
// error_types_wanted.fx:15:14: error: bool[N] is not a number: write 'as i32' or 'as f32', or use 'where'
//       o = gelu(m);
//                ^
// error_types_wanted.fx:16:14: error: '&&', '||' and '!' need bool, and this is the number 1: compare it, as in 'x != 0'
//       p = m && 1;
//                ^
// error_types_wanted.fx:17:16: error: bool[N] is not a number: write 'as i32' or 'as f32', or use 'where'
//       q = argmax(m);
//                  ^
// error_types_wanted.fx:18:10: error: '&&', '||' and '!' need bool, and this is i32: compare it, as in 'x != 0'
//       r = !1;
//            ^
