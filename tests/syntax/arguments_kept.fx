// run: fusec --limit arguments=2 %s --emit=ast
fn f(x: f32, y: f32) -> (z: f32, w: f32) {
    z, w, v = f(x, y);
    u = [1, 2, 3];
}
// ---- expect
// file
//   fn f
//     inputs
//       param x
//         type f32
//       param y
//         type f32
//     outputs
//       param z
//         type f32
//       param w
//         type f32
//     let
//       name z
//       name w
//       name v
//       call f
//         name x
//         name y
//     let
//       name u
//       list
//         number 1
//         number 2
//         number 3
