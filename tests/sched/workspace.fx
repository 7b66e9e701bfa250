// The temps of a chain of contractions take turns in two pieces of workspace.
// run: fusec %s --emit=plan
fn f(x: f32[16, 16], w: f32[16, 16]) -> (y: f32[16, 16]) {
    y = tanh(tanh(tanh(tanh(x @ w) @ w) @ w) @ w);
}
// ---- expect
// plan f -O2
// kernel f_0 dot
//   reads x w
//   writes tanh_temp
//   over [16, 16]
//     %4 matmul f32[16, 16]
//     %5 tanh f32[16, 16] -> tanh_temp
//   bytes_read 2048
//   bytes_written 1024
//   flops 8448
// kernel f_1 dot
//   reads tanh_temp w
//   writes tanh_temp2
//   over [16, 16]
//     %6 matmul f32[16, 16]
//     %7 tanh f32[16, 16] -> tanh_temp2
//   bytes_read 2048
//   bytes_written 1024
//   flops 8448
// kernel f_2 dot
//   reads tanh_temp2 w
//   writes tanh_temp3
//   over [16, 16]
//     %8 matmul f32[16, 16]
//     %9 tanh f32[16, 16] -> tanh_temp3
//   bytes_read 2048
//   bytes_written 1024
//   flops 8448
// kernel f_3 dot
//   reads tanh_temp3 w
//   writes y
//   over [16, 16]
//     %10 matmul f32[16, 16]
//     %11 tanh f32[16, 16] -> y
//   bytes_read 2048
//   bytes_written 1024
//   flops 8448
// buffer x input f32[256] bytes 1024 live -1..4
// buffer w input f32[256] bytes 1024 live -1..4
// buffer y output f32[256] bytes 1024 live 3..4
// buffer tanh_temp temp f32[256] bytes 1024 live 0..1 slot 0
// buffer tanh_temp2 temp f32[256] bytes 1024 live 1..2 slot 1
// buffer tanh_temp3 temp f32[256] bytes 1024 live 2..3 slot 0
// slot 0 bytes 1024
// slot 1 bytes 1024
// apart %5 tanh | %6 matmul: chain, 3072 bytes
// apart %7 tanh | %8 matmul: chain, 3072 bytes
// apart %9 tanh | %10 matmul: chain, 3072 bytes
// apart %4 matmul | %6 matmul: chain, 3072 bytes
// apart %6 matmul | %8 matmul: chain, 3072 bytes
// apart %8 matmul | %10 matmul: chain, 3072 bytes
// apart %4 matmul | %6 matmul: bundle, 3072 bytes
// apart %6 matmul | %8 matmul: bundle, 3072 bytes
// apart %8 matmul | %10 matmul: bundle, 3072 bytes
// peak 5120
