// A computed operand of a product with few tiles: all of these are small, so that more of them compute it. It is stored
// where that takes longer, and computed in the product's kernel where there are more tiles.
// run: fusec %s --arch=sm_90a --emit=plan -D M=4096 -D N=128 -D K=4096
// run: fusec %s --arch=sm_90a --emit=plan -D M=8192 -D N=128 -D K=1024
fn f[M, N, K](x: bf16[M, K], w: bf16[K, N]) -> (y: bf16[M, N]) {
    y = (gelu(x) as bf16) @ w;
}
// ---- expect
// plan f -O2
// kernel f_0 pointwise
//   reads x
//   writes gelu
//   over [4096, 4096]
//     %7 mul f32[4096, 4096]
//     %8 erf f32[4096, 4096]
//     %12 mul f32[4096, 4096]
//     %13 mul f32[4096, 4096]
//     %14 add f32[4096, 4096]
//     %15 as bf16[4096, 4096] -> gelu
//   bytes_read 33554432
//   bytes_written 33554432
//   flops 83886080
// kernel f_1 dot
//   reads gelu w
//   writes y
//   over [4096, 128]
//     %17 matmul f32[4096, 128]
//     %18 as bf16[4096, 128] -> y
//   bytes_read 34603008
//   bytes_written 1048576
//   flops 4294967296
// buffer x input bf16[16777216] bytes 33554432 live -1..2
// buffer w input bf16[524288] bytes 1048576 live -1..2
// buffer y output bf16[524288] bytes 1048576 live 1..2
// buffer gelu temp bf16[16777216] bytes 33554432 live 0..1 slot 0
// slot 0 bytes 33554432
// apart %15 as | %17 matmul: recompute, 67108864 bytes
// peak 69206016
// plan f -O2
// kernel f_0 dot
//   reads x w
//   writes y
//   over [8192, 128]
//     %7 mul f32[8192, 1024]
//     %8 erf f32[8192, 1024]
//     %12 mul f32[8192, 1024]
//     %13 mul f32[8192, 1024]
//     %14 add f32[8192, 1024]
//     %15 as bf16[8192, 1024]
//     %17 matmul f32[8192, 128]
//     %18 as bf16[8192, 128] -> y
//   bytes_read 17039360
//   bytes_written 2097152
//   flops 2189426688
// buffer x input bf16[8388608] bytes 16777216 live -1..1
// buffer w input bf16[131072] bytes 262144 live -1..1
// buffer y output bf16[1048576] bytes 2097152 live 0..1
// peak 19136512
