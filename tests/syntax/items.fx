// run: fusec %s --emit=ast
const eps = 1e-5;
import "ops.h";
import "dir/more ops.h";

@one_kernel @max_kernels(2) @autocast(bf16,)
@precision(tf32)
fn all[N, D,](x: bf16[N, D], s: f32, t: f32[],) -> (y: bf16[N, 4*D,], z: i32[],) {
    assert D % 8 == 0;
    y, z, = g(x, s, k = t,);
}
fn none() -> (y: f32) {}
fn none_at_all[]() -> (y: f32) { }
fn d = vjp(all);
@strict fn e = train(all, [1, 2,], [], lr = 0.1,);
// ---- expect
// file
//   const eps
//     number 1e-5
//   import "ops.h"
//   import "dir/more ops.h"
//   fn all
//     dims
//       name N
//       name D
//     inputs
//       param x
//         type bf16
//           name N
//           name D
//       param s
//         type f32
//       param t
//         type f32
//     outputs
//       param y
//         type bf16
//           name N
//           call mul
//             number 4
//             name D
//       param z
//         type i32
//     attributes
//       attribute one_kernel
//       attribute max_kernels
//         number 2
//       attribute autocast
//         name bf16
//       attribute precision
//         name tf32
//     assert
//       call eq
//         call mod
//           name D
//           number 8
//         number 0
//     let
//       name y
//       name z
//       call g
//         name x
//         name s
//         named k
//           name t
//   fn none
//     outputs
//       param y
//         type f32
//   fn none_at_all
//     outputs
//       param y
//         type f32
//   derived d
//     call vjp
//       name all
//   derived e
//     call train
//       name all
//       list
//         number 1
//         number 2
//       list
//       named lr
//         number 0.1
//     attribute strict
