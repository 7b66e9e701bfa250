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
//   writes matmul_8_value
//   over [16, 64, 512]
//     %8 matmul f32[16, 64, 512] -> matmul_8_value
//   bytes_read 4718592
//   bytes_written 2097152
//   flops 268435456
// kernel linear_1 pointwise
//   reads matmul_8_value b
//   writes y
//   over [64, 512]
//     %11 add f32[1, 64, 512]
//     %13 add f32[1, 64, 512]
//     %15 add f32[1, 64, 512]
//     %17 add f32[1, 64, 512]
//     %19 add f32[1, 64, 512]
//     %21 add f32[1, 64, 512]
//     %23 add f32[1, 64, 512]
//     %25 add f32[1, 64, 512]
//     %27 add f32[1, 64, 512]
//     %29 add f32[1, 64, 512]
//     %31 add f32[1, 64, 512]
//     %33 add f32[1, 64, 512]
//     %35 add f32[1, 64, 512]
//     %37 add f32[1, 64, 512]
//     %39 add f32[1, 64, 512]
//     %43 add f32[64, 512]
//     %47 max f32[64, 512]
//     %48 as bf16[64, 512] -> y
//   bytes_read 2099200
//   bytes_written 65536
//   flops 557056
// buffer x input bf16[262144] bytes 524288 live -1..2
// buffer w input bf16[2097152] bytes 4194304 live -1..2
// buffer b input f32[512] bytes 2048 live -1..2
// buffer y output bf16[32768] bytes 65536 live 1..2
// buffer matmul_8_value temp f32[524288] bytes 2097152 live 0..1 slot 0
// slot 0 bytes 2097152
// apart %8 matmul | %13 add: space, 4194304 bytes
// apart %8 matmul | %15 add: space, 4194304 bytes
// apart %8 matmul | %17 add: space, 4194304 bytes
// apart %8 matmul | %19 add: space, 4194304 bytes
// apart %8 matmul | %21 add: space, 4194304 bytes
// apart %8 matmul | %23 add: space, 4194304 bytes
// apart %8 matmul | %25 add: space, 4194304 bytes
// apart %8 matmul | %27 add: space, 4194304 bytes
// apart %8 matmul | %29 add: space, 4194304 bytes
// apart %8 matmul | %31 add: space, 4194304 bytes
// apart %8 matmul | %33 add: space, 4194304 bytes
// apart %8 matmul | %35 add: space, 4194304 bytes
// apart %8 matmul | %37 add: space, 4194304 bytes
// apart %8 matmul | %39 add: space, 4194304 bytes
// apart %8 matmul | %11 add: space, 4194304 bytes
// apart %8 matmul | %11 add: space, 4194304 bytes
// peak 6883328
