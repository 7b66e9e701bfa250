// run: fusec %s --emit=ast
// Linear + GEGLU, one kernel:  [v g] = x wᵀ + b,  y = v * gelu(g)
fn geglu[N, D](x: bf16[N, D], w: bf16[8*D, D], b: bf16[8*D]) -> (y: bf16[N, 4*D]) {
    h = x @ w.T + b;
    v, g = split(h, 2, axis = -1);
    y = v * gelu(g);
}
fn geglu_bwd = vjp(geglu);
// ---- expect
// file
//   fn geglu
//     dims
//       name N
//       name D
//     inputs
//       param x
//         type bf16
//           name N
//           name D
//       param w
//         type bf16
//           call mul
//             number 8
//             name D
//           name D
//       param b
//         type bf16
//           call mul
//             number 8
//             name D
//     outputs
//       param y
//         type bf16
//           name N
//           call mul
//             number 4
//             name D
//     let
//       name h
//       call add
//         call matmul
//           name x
//           call transpose
//             name w
//         name b
//     let
//       name v
//       name g
//       call split
//         name h
//         number 2
//         named axis
//           call neg
//             number 1
//     let
//       name y
//       call mul
//         name v
//         call gelu
//           name g
//   derived geglu_bwd
//     call vjp
//       name geglu
