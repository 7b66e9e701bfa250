// run: fusec fmt -
fn f[N,](x: f32[N,], s: f32,) -> (y: f32,) { a, b, = split(x, [1, 2,], axis = 0,); }
fn spread_over_lines[N](first_of_the_inputs: f32[N], second_of_the_inputs: f32[N], third: f32[N,],) -> (y: f32,) { }
// ---- expect
// // run: fusec fmt -
// fn f[N](x: f32[N], s: f32) -> (y: f32) {
//     a, b, = split(x, [1, 2], axis = 0);
// }
// fn spread_over_lines[N](
//     first_of_the_inputs: f32[N],
//     second_of_the_inputs: f32[N],
//     third: f32[N],
// ) -> (y: f32) {
// }
