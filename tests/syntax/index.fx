// run: fusec %s --emit=ast
fn f(x: f32[N]) -> (y: f32[N]) {
    a = x[1:, None, ..., 3];
    b = x[:, :n, -1, i + 1:2 * i,];
    c = f(x)[0][[1, 2]];
}
// ---- expect
// file
//   fn f
//     inputs
//       param x
//         type f32
//           name N
//     outputs
//       param y
//         type f32
//           name N
//     let
//       name a
//       index
//         name x
//         slice
//           number 1
//           open
//         None
//         ...
//         number 3
//     let
//       name b
//       index
//         name x
//         slice
//           open
//           open
//         slice
//           open
//           name n
//         call neg
//           number 1
//         slice
//           call add
//             name i
//             number 1
//           call mul
//             number 2
//             name i
//     let
//       name c
//       index
//         index
//           call f
//             name x
//           number 0
//         list
//           number 1
//           number 2
