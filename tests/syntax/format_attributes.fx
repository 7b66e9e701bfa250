// run: fusec fmt -
@one_kernel   @max_kernels( 2 )   fn f() -> (y: f32) { y = a@b; }
@strict
@autocast( bf16 )

@precision(tf32) fn g = vjp(f);
@one_kernel @constant(the_first_of_the_weights, the_second_of_them) @max_kernels(4) @precision(ieee) @strict
fn h() -> (y: f32) { y = 1.0; }
// ---- expect
// // run: fusec fmt -
// @one_kernel @max_kernels(2)
// fn f() -> (y: f32) {
//     y = a @ b;
// }
// @strict
// @autocast(bf16)
//
// @precision(tf32)
// fn g = vjp(f);
// @one_kernel @constant(the_first_of_the_weights, the_second_of_them) @max_kernels(4) @precision(ieee)
// @strict
// fn h() -> (y: f32) {
//     y = 1.0;
// }
