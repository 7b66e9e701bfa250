// run: fusec --emit=plan %s
// kernels: 2
// A low-rank update: x w + (x a) b. The second product is added in the registers of the first.
fn lora[N, D, M](x: bf16[N, D], w: bf16[M, D], a: bf16[8, D], b: bf16[M, 8]) -> (y: bf16[N, M]) {
    t = (x @ a.T) as bf16;
    y = x @ w.T + t @ b.T;
}
// ---- expect
// plan lora -O2
// kernel lora_0 dot
//   reads x a
//   writes t
//   over [N, 8]
//     %5 matmul f32[N, 8]
//     %6 as bf16[N, 8] -> t
//   bytes_read 2*N*D + 16*D
//   bytes_written 16*N
//   flops 16*N*D
// kernel lora_1 dot
//   reads x w t b
//   writes y
//   over [N, M]
//     %7 matmul f32[N, M]
//     %8 matmul f32[N, M]
//     %9 add f32[N, M]
//     %10 as bf16[N, M] -> y
//   bytes_read 2*N*D + 2*D*M + 16*N + 16*M
//   bytes_written 2*N*M
//   flops 2*N*D*M + 17*N*M
// buffer x input bf16[N*D] bytes 2*N*D live -1..2
// buffer w input bf16[D*M] bytes 2*D*M live -1..2
// buffer a input bf16[8*D] bytes 16*D live -1..2
// buffer b input bf16[8*M] bytes 16*M live -1..2
// buffer y output bf16[N*M] bytes 2*N*M live 1..2
// buffer t temp bf16[8*N] bytes 16*N live 0..1 slot 0
// slot 0 bytes 16*N
// apart %6 as | %8 matmul: chain, 2129920 bytes
// apart %5 matmul | %7 matmul: chain, 2129920 bytes
// apart %5 matmul | %7 matmul: bundle, 2129920 bytes
// peak 2*N*D + 2*N*M + 2*D*M + 16*N + 16*D + 16*M
