// run: fusec --limit statements=3 %s --emit=ast
fn f() -> (y: f32) {
    a = 1;
    assert a;
}
// ---- expect
// file
//   fn f
//     outputs
//       param y
//         type f32
//     let
//       name a
//       number 1
//     assert
//       name a
