// run: fusec %s --emit=ast
fn attention[B, H, S, D](q: bf16[B,H,S,D], k: bf16[B,H,S,D], v: bf16[B,H,S,D]) -> (o: bf16[B,H,S,D]) {
    s = (q @ k.T) * rsqrt(D);
    s2 = where(iota(S)[:, None] >= iota(S), s, -inf);
    p = softmax(s2, axis = -1) as bf16;
    o = p @ v;
}
// ---- expect
// file
//   fn attention
//     dims
//       name B
//       name H
//       name S
//       name D
//     inputs
//       param q
//         type bf16
//           name B
//           name H
//           name S
//           name D
//       param k
//         type bf16
//           name B
//           name H
//           name S
//           name D
//       param v
//         type bf16
//           name B
//           name H
//           name S
//           name D
//     outputs
//       param o
//         type bf16
//           name B
//           name H
//           name S
//           name D
//     let
//       name s
//       call mul
//         call matmul
//           name q
//           call transpose
//             name k
//         call rsqrt
//           name D
//     let
//       name s2
//       call where
//         call ge
//           index
//             call iota
//               name S
//             slice
//               open
//               open
//             None
//           call iota
//             name S
//         name s
//         call neg
//           name inf
//     let
//       name p
//       cast bf16
//         call softmax
//           name s2
//           named axis
//             call neg
//               number 1
//     let
//       name o
//       call matmul
//         name p
//         name v
