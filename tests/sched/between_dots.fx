// run: fusec --emit=plan %s --target c
// kernels: 2
// What lies between two contractions is computed once, after the first, on a CPU as well.
fn mlp[N](x: f32[N, 512], w: f32[1024, 512], b: f32[1024], u: f32[512, 1024]) -> (y: f32[N, 512]) {
    y = gelu(x @ w.T + b) @ u.T;
}
// ---- expect
// plan mlp -O2
// kernel mlp_0 dot
//   reads x w b
//   writes gelu
//   over [N, 1024]
//     %5 matmul f32[N, 1024]
//     %8 add f32[N, 1024]
//     %12 mul f32[N, 1024]
//     %13 erf f32[N, 1024]
//     %17 mul f32[N, 1024]
//     %18 mul f32[N, 1024]
//     %19 add f32[N, 1024] -> gelu
//   bytes_read 2048*N + 2101248
//   bytes_written 4096*N
//   flops 1054720*N
// kernel mlp_1 dot
//   reads gelu u
//   writes y
//   over [N, 512]
//     %20 matmul f32[N, 512] -> y
//   bytes_read 4096*N + 2097152
//   bytes_written 2048*N
//   flops 1048576*N
// buffer x input f32[512*N] bytes 2048*N live -1..2
// buffer w input f32[524288] bytes 2097152 live -1..2
// buffer b input f32[1024] bytes 4096 live -1..2
// buffer u input f32[524288] bytes 2097152 live -1..2
// buffer y output f32[512*N] bytes 2048*N live 1..2
// buffer gelu temp f32[1024*N] bytes 4096*N live 0..1 slot 0
// slot 0 bytes 4096*N
// apart %19 add | y: chain, 8388608 bytes
// peak 8192*N + 4198400
