// run: fusec fmt --check %s
// exit: 1
// run: fusec fmt %s
// run: fusec fmt --check %s
// run: cat %s
fn f[ N ]( x:f32[N] )->( y:f32[N] ){ y=exp( x ) ; }
// ---- expect
// fmt.fx
// // run: fusec fmt --check %s
// // exit: 1
// // run: fusec fmt %s
// // run: fusec fmt --check %s
// // run: cat %s
// fn f[N](x: f32[N]) -> (y: f32[N]) {
//     y = exp(x);
// }
