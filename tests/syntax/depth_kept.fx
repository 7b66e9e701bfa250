// run: fusec --limit depth=5 %s --emit=ast
const a = 1 + 2 + 3 + 4 + 5;
const b = 1 ** 2 ** 3 ** 4 ** 5;
const c = f(f(f(f(1))));
const d = ((((((((1))))))));
fn f(x: f32[-(-(-(-N)))]) -> (y: f32) {}
// ---- expect
// file
//   const a
//     call add
//       call add
//         call add
//           call add
//             number 1
//             number 2
//           number 3
//         number 4
//       number 5
//   const b
//     call pow
//       number 1
//       call pow
//         number 2
//         call pow
//           number 3
//           call pow
//             number 4
//             number 5
//   const c
//     call f
//       call f
//         call f
//           call f
//             number 1
//   const d
//     number 1
//   fn f
//     inputs
//       param x
//         type f32
//           call neg
//             call neg
//               call neg
//                 call neg
//                   name N
//     outputs
//       param y
//         type f32
