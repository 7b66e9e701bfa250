// run: fusec %s --emit=plan -D M=64 -D N=512 -D K=4096 --arch sm_80
// kernels: 2
// Split-K: eight splits of 512 terms for the multiprocessors of a GPU; the additions of their results
// take what reads the product.
fn linear[M, N, K](x: bf16[M, K], w: bf16[N, K], b: f32[N]) -> (y: bf16[M, N]) {
    y = relu(x @ w.T + b);
}
// ---- expect
// plan linear -O2
// kernel linear_0 dot
//   reads x w
//   writes matmul_parts
//   over [8, 64, 512]
//     %8 matmul f32[8, 64, 512] -> matmul_parts
//   bytes_read 4718592
//   bytes_written 1048576
//   flops 268435456
// kernel linear_1 pointwise
//   reads matmul_parts b
//   writes y
//   over [64, 512]
//     %11 add f32[1, 64, 512]
//     %13 add f32[1, 64, 512]
//     %15 add f32[1, 64, 512]
//     %17 add f32[1, 64, 512]
//     %19 add f32[1, 64, 512]
//     %21 add f32[1, 64, 512]
//     %23 add f32[1, 64, 512]
//     %27 add f32[64, 512]
//     %31 max f32[64, 512]
//     %32 as bf16[64, 512] -> y
//   bytes_read 1050624
//   bytes_written 65536
//   flops 294912
// buffer x input bf16[262144] bytes 524288 live -1..2
// buffer w input bf16[2097152] bytes 4194304 live -1..2
// buffer b input f32[512] bytes 2048 live -1..2
// buffer y output bf16[32768] bytes 65536 live 1..2
// buffer matmul_parts temp f32[262144] bytes 1048576 live 0..1 slot 0
// slot 0 bytes 1048576
// apart %8 matmul | %13 add: space, 2097152 bytes
// apart %8 matmul | %15 add: space, 2097152 bytes
// apart %8 matmul | %17 add: space, 2097152 bytes
// apart %8 matmul | %19 add: space, 2097152 bytes
// apart %8 matmul | %21 add: space, 2097152 bytes
// apart %8 matmul | %23 add: space, 2097152 bytes
// apart %8 matmul | %11 add: space, 2097152 bytes
// apart %8 matmul | %11 add: space, 2097152 bytes
// peak 5834752
