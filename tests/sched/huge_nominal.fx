// run: fusec %s --emit=plan
// The nominal size of N is 2^31, as the slice needs, and bytes of N*N elements do not fit 64 bits.
fn f[N, D](x: f32[N, N], v: f32[N, D]) -> (y: f32[N, D], first: bf16[N]) {
    w = softmax(x) as bf16;
    y = w @ v;
    first = w[:, 0x7fffffff];
}
// ---- expect
// plan f -O2
// kernel f_0 row
//   reads x
//   writes w first
//   over [N, N] along N
//     %3 max f32[N, 1]
//     %7 eq bool[N, 1]
//     %11 where f32[N, 1]
//     %13 sub f32[N, N]
//     %14 exp f32[N, N]
//     %15 sum f32[N, 1]
//     %16 eq bool[N, 1]
//     %20 where f32[N, 1]
//     %21 div f32[N, 1]
//     %23 mul f32[N, N]
//     %24 as bf16[N, N] -> w
//     %28 slice bf16[N, 1] -> first
//   bytes_read 4*N*N
//   bytes_written 2*N*N + 2*N
//   flops 5*N*N + 5*N
// kernel f_1 dot
//   reads w v
//   writes y
//   over [N, D]
//     %27 matmul f32[N, D] -> y
//   bytes_read 2*N*N + 4*N*D
//   bytes_written 4*N*D
//   flops 2*N*N*D
// buffer x input f32[N*N] bytes 4*N*N live -1..2
// buffer v input f32[N*D] bytes 4*N*D live -1..2
// buffer y output f32[N*D] bytes 4*N*D live 1..2
// buffer first output bf16[N] bytes 2*N live 0..2
// buffer w temp bf16[N*N] bytes 2*N*N live 0..1 slot 0
// slot 0 bytes 2*N*N
// apart %24 as | y: operand, 1125899906842624 bytes
// apart y | %28 slice: beside, 0 bytes
// apart y | %28 slice: bundle, 0 bytes
// peak 6*N*N + 8*N*D + 2*N
