// run: fusec %s --emit=plan -D M=64 -D N=512 -D K=4096 --arch sm_80
// kernels: 2
// Eight pieces of 512 terms for the multiprocessors of a GPU; the sum takes what reads the product.
fn linear[M, N, K](x: bf16[M, K], w: bf16[N, K], b: f32[N]) -> (y: bf16[M, N]) {
    y = relu(x @ w.T + b);
}
// ---- expect
// plan linear -O2
// kernel linear_0 dot
//   reads x w
//   writes matmul_8_value
//   over [8, 64, 512]
//     %8 matmul f32[8, 64, 512] -> matmul_8_value
//   bytes_read 4718592
//   bytes_written 1048576
//   flops 268435456
// kernel linear_1 row
//   reads matmul_8_value b
//   writes y
//   over [8, 64, 512] along 8
//     %9 sum f32[1, 64, 512]
//     %13 add f32[64, 512]
//     %17 max f32[64, 512]
//     %18 as bf16[64, 512] -> y
//   bytes_read 1050624
//   bytes_written 65536
//   flops 327680
// buffer x input bf16[262144] bytes 524288 live -1..2
// buffer w input bf16[2097152] bytes 4194304 live -1..2
// buffer b input f32[512] bytes 2048 live -1..2
// buffer y output bf16[32768] bytes 65536 live 1..2
// buffer matmul_8_value temp f32[262144] bytes 1048576 live 0..1 slot 0
// slot 0 bytes 1048576
// apart %8 matmul | %9 sum: axes, 2097152 bytes
// peak 5834752
