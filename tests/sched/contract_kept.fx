// run: fusec %s --emit=plan
// kernels: 1
@one_kernel
fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    y = softmax(tanh(x));
}
// ---- expect
// plan f -O2
// kernel f_0 row
//   reads x
//   writes y
//   over [N, D] along D
//     %2 tanh f32[N, D]
//     %3 max f32[N, 1]
//     %7 eq bool[N, 1]
//     %11 where f32[N, 1]
//     %13 sub f32[N, D]
//     %14 exp f32[N, D]
//     %15 sum f32[N, 1]
//     %16 eq bool[N, 1]
//     %20 where f32[N, 1]
//     %21 div f32[N, 1]
//     %23 mul f32[N, D] -> y
//   bytes_read 4*N*D
//   bytes_written 4*N*D
//   flops 6*N*D + 5*N
// buffer x input f32[N*D] bytes 4*N*D live -1..1
// buffer y output f32[N*D] bytes 4*N*D live 0..1
// peak 8*N*D
