// run: fusec %s --emit=ast
const a01 = a || b && c || d;
const a02 = a && b == c;
const a03 = a < b + c;
const a04 = a - b - c;
const a05 = a + b * c @ d;
const a06 = a * b as f16 / c;
const a07 = a as f16 as f32;
const a08 = -a as f16;
const a09 = -a ** b;
const a10 = a ** -b ** c;
const a11 = a ** b as f16;
const a12 = !a && -b.T;
const a13 = - -a;
const a14 = (a + b) * c;
const a15 = a.T[0].T;
const a16 = !a == b;
// ---- expect
// file
//   const a01
//     call or
//       call or
//         name a
//         call and
//           name b
//           name c
//       name d
//   const a02
//     call and
//       name a
//       call eq
//         name b
//         name c
//   const a03
//     call lt
//       name a
//       call add
//         name b
//         name c
//   const a04
//     call sub
//       call sub
//         name a
//         name b
//       name c
//   const a05
//     call add
//       name a
//       call matmul
//         call mul
//           name b
//           name c
//         name d
//   const a06
//     call div
//       call mul
//         name a
//         cast f16
//           name b
//       name c
//   const a07
//     cast f32
//       cast f16
//         name a
//   const a08
//     cast f16
//       call neg
//         name a
//   const a09
//     call neg
//       call pow
//         name a
//         name b
//   const a10
//     call pow
//       name a
//       call neg
//         call pow
//           name b
//           name c
//   const a11
//     cast f16
//       call pow
//         name a
//         name b
//   const a12
//     call and
//       call not
//         name a
//       call neg
//         call transpose
//           name b
//   const a13
//     call neg
//       call neg
//         name a
//   const a14
//     call mul
//       call add
//         name a
//         name b
//       name c
//   const a15
//     call transpose
//       index
//         call transpose
//           name a
//         number 0
//   const a16
//     call eq
//       call not
//         name a
//       name b
