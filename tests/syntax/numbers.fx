// run: fusec %s --emit=ast
const a = [0, 007, 42, 9223372036854775807, 9223372036854775808];
const b = [1.5, 1., .5, 1e5, 1E+5, 1.5e-300, 0x1F, 0XffFF];
const c = [inf, nan, -1];
// ---- expect
// file
//   const a
//     list
//       number 0
//       number 007
//       number 42
//       number 9223372036854775807
//       number 9223372036854775808
//   const b
//     list
//       number 1.5
//       number 1.
//       number .5
//       number 1e5
//       number 1E+5
//       number 1.5e-300
//       number 0x1F
//       number 0XffFF
//   const c
//     list
//       name inf
//       name nan
//       call neg
//         number 1
