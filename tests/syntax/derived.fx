// run: fusec %s --emit=ast
// run: fusec fmt - < %s
fn g=vjp( f , wrt=[x,w,] );
@one_kernel   fn fwd ,bwd=train(grad(f));
// ---- expect
// file
//   derived g
//     call vjp
//       name f
//       named wrt
//         list
//           name x
//           name w
//   derived fwd
//     call train
//       call grad
//         name f
//     name bwd
//     attribute one_kernel
// // run: fusec %s --emit=ast
// // run: fusec fmt - < %s
// fn g = vjp(f, wrt = [x, w]);
// @one_kernel
// fn fwd, bwd = train(grad(f));
