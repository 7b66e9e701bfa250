// run: fusec fmt -
@one_kernel   @max_kernels( 2 )   fn f() -> (y: f32) { y = a@b; }
@strict
@autocast( bf16 )

@precision(tf32) fn g = vjp(f);
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
