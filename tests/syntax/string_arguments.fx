// run: fusec %s --emit=ast
fn f[N](x: f32[N, N]) -> (y: f32[N, N]) {
    y = einsum("ij,jk -> ik", x, x);
}
// ---- expect
// file
//   fn f
//     dims
//       name N
//     inputs
//       param x
//         type f32
//           name N
//           name N
//     outputs
//       param y
//         type f32
//           name N
//           name N
//     let
//       name y
//       call einsum
//         string "ij,jk -> ik"
//         name x
//         name x
