// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N, 10]) -> (y: f32[N, 10]) {
    a, b, c = split(x, 3);
    d = split(x, 0);
    e = split(x, 1025);
    y = x;
}
// ---- expect
// error_split.fx:4:15: error: axis 1 of f32[N, 10] does not split into 3 equal parts
//       a, b, c = split(x, 3);
//                 ^~~~~~~~~~~
// error_split.fx:5:18: error: the number of parts must be from 1 to 1024 ('--limit arguments=N' changes this), and this is 0
//       d = split(x, 0);
//                    ^
// error_split.fx:6:18: error: the number of parts must be from 1 to 1024 ('--limit arguments=N' changes this), and this is 1025
//       e = split(x, 1025);
//                    ^~~~
