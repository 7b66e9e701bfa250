// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N], i: i32[N], p: f32[N], s: f32) -> (y: f32[N]) {
    a = random_uniform(s, N);
    b = random_bits(i, N);
    c = dropout(x, 1.5, 3);
    d = dropout(x, p, 3);
    e = dropout(i, 0.5, 3);
    g = dropout(x, 0.5, s);
    h = philox(3, x);
    j = unit_float(x);
    k = random_normal(3);
    y = x;
}
// ---- expect
// error_random.fx:4:24: error: 'seed' is one integer, and this is f32
//       a = random_uniform(s, N);
//                          ^
// error_random.fx:5:21: error: 'seed' is one integer, and this is i32[N]
//       b = random_bits(i, N);
//                       ^
// error_random.fx:6:20: error: 'p' is a number from 0 to 1, or a float without axes, and this is the number 1.5
//       c = dropout(x, 1.5, 3);
//                      ^~~
// error_random.fx:7:20: error: 'p' is a number from 0 to 1, or a float without axes, and this is f32[N]
//       d = dropout(x, p, 3);
//                      ^
// error_random.fx:8:17: error: 'dropout' needs floats, and this is i32[N]: write 'as f32' after it
//       e = dropout(i, 0.5, 3);
//                   ^
// error_random.fx:9:25: error: 'seed' is one integer, and this is f32
//       g = dropout(x, 0.5, s);
//                           ^
// error_random.fx:10:19: error: 'index' is an integer, and this is f32[N]
//       h = philox(3, x);
//                     ^
// error_random.fx:11:20: error: 'bits' are i32, and this is f32[N]
//       j = unit_float(x);
//                      ^
// error_random.fx:12:9: error: 'random_normal' needs the argument 'n'
//       k = random_normal(3);
//           ^~~~~~~~~~~~~~~~
// error_random.fx:12:9: note: it is 'random_normal(seed, n..)'
//       k = random_normal(3);
//           ^~~~~~~~~~~~~
