// run: fusec fmt -
fn attention[B, H, S, D](q: bf16[B,H,S,D], k: bf16[B,H,S,D], v: bf16[B,H,S,D]) -> (o: bf16[B,H,S,D]) { o = q; }
fn outputs(x: f32) -> (first_of_the_outputs: f32[N, D], second_of_the_outputs: f32[N, D], third: f32[N]) { }
fn both(first_of_the_inputs: f32[N, D], second_of_the_inputs: f32[N, D], third_of_the_inputs: f32[N]) -> (first_of_the_outputs: f32[N, D], second_of_the_outputs: f32[N, D], third: f32[N],) { }
fn fits_in_a_hundred_columns(first_of_the_inputs: f32[N, D], second: f32[N, D]) -> (o: bf16[N, D]) {}
fn needs_a_column_that_is_not(first_of_the_inputs: f32[N, D], second: f32[N, D]) -> (o: bf16[N, D]) {}
fn explained(x: f32[N], // the input
   // the scale, which
   // is a scalar
   s: f32, /* for y */ t: f32) -> (y: f32[N]) { y = x; }
// ---- expect
// // run: fusec fmt -
// fn attention[B, H, S, D](
//     q: bf16[B, H, S, D],
//     k: bf16[B, H, S, D],
//     v: bf16[B, H, S, D]
// ) -> (o: bf16[B, H, S, D]) {
//     o = q;
// }
// fn outputs(
//     x: f32
// ) -> (first_of_the_outputs: f32[N, D], second_of_the_outputs: f32[N, D], third: f32[N]) {
// }
// fn both(
//     first_of_the_inputs: f32[N, D],
//     second_of_the_inputs: f32[N, D],
//     third_of_the_inputs: f32[N]
// ) -> (first_of_the_outputs: f32[N, D], second_of_the_outputs: f32[N, D], third: f32[N]) {
// }
// fn fits_in_a_hundred_columns(first_of_the_inputs: f32[N, D], second: f32[N, D]) -> (o: bf16[N, D]) {
// }
// fn needs_a_column_that_is_not(
//     first_of_the_inputs: f32[N, D],
//     second: f32[N, D]
// ) -> (o: bf16[N, D]) {
// }
// fn explained(
//     x: f32[N],  // the input
//     // the scale, which
//     // is a scalar
//     s: f32,
//     /* for y */ t: f32
// ) -> (y: f32[N]) {
//     y = x;
// }
