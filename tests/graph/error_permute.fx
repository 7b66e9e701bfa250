// run: fusec %s --emit=graph
// exit: 1
fn f[N, M](x: f32[N, M], v: f32[N], s: f32) -> (y: f32[N, M]) {
    a = permute(x, 0);
    b = permute(x, 0, 0);
    c = permute(x, 0, 2);
    d = permute(x, [1, 0]);
    e = v.T;
    g = s.T;
    y = x;
}
// ---- expect
// error_permute.fx:4:9: error: 'permute' names every axis once: f32[N, M] has 2, not 1
//       a = permute(x, 0);
//           ^~~~~~~~~~~~~
// error_permute.fx:5:23: error: axis 0 is named twice: 'permute' names every axis once
//       b = permute(x, 0, 0);
//                         ^
// error_permute.fx:6:23: error: there is no axis 2: the tensor has axes 0 to 1, or -2 to -1
//       c = permute(x, 0, 2);
//                         ^
// error_permute.fx:7:20: error: 'permute' takes these one by one, without brackets
//       d = permute(x, [1, 0]);
//                      ^~~~~~
// error_permute.fx:7:9: note: it is 'permute(x, axis..)'
//       d = permute(x, [1, 0]);
//           ^~~~~~~
// error_permute.fx:8:9: error: '.T' swaps the last two axes, and f32[N] has one
//       e = v.T;
//           ^~~
// error_permute.fx:9:9: error: '.T' swaps the last two axes, and f32 has none
//       g = s.T;
//           ^~~
