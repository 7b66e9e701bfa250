// run: fusec - --emit=ast
// run: fusec - --emit=graph -o -
// run: fusec - --emit=ast -o %t
// run: cat %t
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
// ---- expect
// file
//   fn f
//     dims
//       name N
//     inputs
//       param x
//         type f32
//           name N
//     outputs
//       param y
//         type f32
//           name N
//     let
//       name y
//       call exp
//         name x
// // after lower
// fn f[N]
//   %1 = input x : f32[N]
//   %2 = exp %1 : f32[N]
//   y = %2
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
// file
//   fn f
//     dims
//       name N
//     inputs
//       param x
//         type f32
//           name N
//     outputs
//       param y
//         type f32
//           name N
//     let
//       name y
//       call exp
//         name x
