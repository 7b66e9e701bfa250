// run: fusec --emit=plan %s --fn wide
// run: fusec --emit=plan %s --fn read
// Not added up in one kernel: products of another type, or one that something else reads, too.
fn wide[N, D](x: bf16[N, D], w: bf16[D, D], t: f32[N, 4], b: f32[4, D]) -> (y: f32[N, D]) {
    y = x @ w + t @ b;
}
fn read[N, D](x: bf16[N, D], w: bf16[D, D], t: bf16[N, 4], b: bf16[4, D]) -> (y: f32[N, D], z: f32[N, D]) {
    z = t @ b;
    y = x @ w + z;
}
// ---- expect
// plan wide -O2
// kernel wide_0 dot
//   reads t b
//   writes matmul_temp
//   over [N, D]
//     %8 matmul f32[N, D] -> matmul_temp
//   bytes_read 16*N + 16*D
//   bytes_written 4*N*D
//   flops 8*N*D
// kernel wide_1 dot
//   reads x w matmul_temp
//   writes y
//   over [N, D]
//     %6 matmul f32[N, D]
//     %9 add f32[N, D] -> y
//   bytes_read 6*N*D + 2*D*D
//   bytes_written 4*N*D
//   flops 2*N*D*D + N*D
// buffer x input bf16[N*D] bytes 2*N*D live -1..2
// buffer w input bf16[D*D] bytes 2*D*D live -1..2
// buffer t input f32[4*N] bytes 16*N live -1..2
// buffer b input f32[4*D] bytes 16*D live -1..2
// buffer y output f32[N*D] bytes 4*N*D live 1..2
// buffer matmul_temp temp f32[N*D] bytes 4*N*D live 0..1 slot 0
// slot 0 bytes 4*N*D
// apart %8 matmul | y: chain, 8388608 bytes
// peak 10*N*D + 2*D*D + 16*N + 16*D
// plan read -O2
// kernel read_0 dot
//   reads t b
//   writes z
//   over [N, D]
//     %6 matmul f32[N, D] -> z
//   bytes_read 8*N + 8*D
//   bytes_written 4*N*D
//   flops 8*N*D
// kernel read_1 dot
//   reads x w z
//   writes y
//   over [N, D]
//     %8 matmul f32[N, D]
//     %9 add f32[N, D] -> y
//   bytes_read 6*N*D + 2*D*D
//   bytes_written 4*N*D
//   flops 2*N*D*D + N*D
// buffer x input bf16[N*D] bytes 2*N*D live -1..2
// buffer w input bf16[D*D] bytes 2*D*D live -1..2
// buffer t input bf16[4*N] bytes 8*N live -1..2
// buffer b input bf16[4*D] bytes 8*D live -1..2
// buffer y output f32[N*D] bytes 4*N*D live 1..2
// buffer z output f32[N*D] bytes 4*N*D live 0..2
// apart z | y: chain, 4194304 bytes
// peak 10*N*D + 2*D*D + 8*N + 8*D
