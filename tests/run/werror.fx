// run: fusec %s -o %t.json
// run: fusec %s -Werror -o %t2.json
// exit: 1
// run: ls
fn f[N](x: f32[N]) -> (y: f32[N]) {
    unused = exp(x);
    y = x;
}
// ---- expect
// werror.fx:6:5: warning: the name 'unused' is never used
//       unused = exp(x);
//       ^~~~~~
// werror.fx:6:5: error: the name 'unused' is never used [-Werror]
//       unused = exp(x);
//       ^~~~~~
// out.json
// werror.fx
