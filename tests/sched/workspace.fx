// The temps of a chain of contractions take turns in two pieces of workspace.
// run: fusec %s --emit=plan
fn f(x: f32[16, 16], w: f32[16, 16]) -> (y: f32[16, 16]) {
    y = tanh(tanh(tanh(tanh(x @ w) @ w) @ w) @ w);
}
// ---- expect
// plan f -O2
// kernel f_0 dot
//   reads x w
//   writes matmul_4_value
//   over [16, 16]
//     %4 matmul f32[16, 16] -> matmul_4_value
//   bytes_read 2048
//   bytes_written 1024
//   flops 8192
// kernel f_1 pointwise
//   reads matmul_4_value
//   writes tanh_5_value
//   over [16, 16]
//     %5 tanh f32[16, 16] -> tanh_5_value
//   bytes_read 1024
//   bytes_written 1024
//   flops 256
// kernel f_2 dot
//   reads tanh_5_value w
//   writes matmul_6_value
//   over [16, 16]
//     %6 matmul f32[16, 16] -> matmul_6_value
//   bytes_read 2048
//   bytes_written 1024
//   flops 8192
// kernel f_3 pointwise
//   reads matmul_6_value
//   writes tanh_7_value
//   over [16, 16]
//     %7 tanh f32[16, 16] -> tanh_7_value
//   bytes_read 1024
//   bytes_written 1024
//   flops 256
// kernel f_4 dot
//   reads tanh_7_value w
//   writes matmul_8_value
//   over [16, 16]
//     %8 matmul f32[16, 16] -> matmul_8_value
//   bytes_read 2048
//   bytes_written 1024
//   flops 8192
// kernel f_5 pointwise
//   reads matmul_8_value
//   writes tanh_9_value
//   over [16, 16]
//     %9 tanh f32[16, 16] -> tanh_9_value
//   bytes_read 1024
//   bytes_written 1024
//   flops 256
// kernel f_6 dot
//   reads tanh_9_value w
//   writes matmul_10_value
//   over [16, 16]
//     %10 matmul f32[16, 16] -> matmul_10_value
//   bytes_read 2048
//   bytes_written 1024
//   flops 8192
// kernel f_7 pointwise
//   reads matmul_10_value
//   writes y
//   over [16, 16]
//     %11 tanh f32[16, 16] -> y
//   bytes_read 1024
//   bytes_written 1024
//   flops 256
// buffer x input f32[256] bytes 1024 live -1..8
// buffer w input f32[256] bytes 1024 live -1..8
// buffer y output f32[256] bytes 1024 live 7..8
// buffer matmul_4_value temp f32[256] bytes 1024 live 0..1 slot 0
// buffer tanh_5_value temp f32[256] bytes 1024 live 1..2 slot 1
// buffer matmul_6_value temp f32[256] bytes 1024 live 2..3 slot 0
// buffer tanh_7_value temp f32[256] bytes 1024 live 3..4 slot 1
// buffer matmul_8_value temp f32[256] bytes 1024 live 4..5 slot 0
// buffer tanh_9_value temp f32[256] bytes 1024 live 5..6 slot 1
// buffer matmul_10_value temp f32[256] bytes 1024 live 6..7 slot 0
// slot 0 bytes 1024
// slot 1 bytes 1024
// apart %4 matmul | %5 tanh: family, 2048 bytes
// apart %5 tanh | %6 matmul: family, 2048 bytes
// apart %6 matmul | %7 tanh: family, 2048 bytes
// apart %7 tanh | %8 matmul: family, 2048 bytes
// apart %8 matmul | %9 tanh: family, 2048 bytes
// apart %9 tanh | %10 matmul: family, 2048 bytes
// apart %10 matmul | y: family, 2048 bytes
// apart %4 matmul | %6 matmul: family, 1024 bytes
// apart %6 matmul | %8 matmul: family, 1024 bytes
// apart %8 matmul | %10 matmul: family, 1024 bytes
// apart %4 matmul | %6 matmul: family, 1024 bytes
// apart %6 matmul | %8 matmul: family, 1024 bytes
// apart %8 matmul | %10 matmul: family, 1024 bytes
// peak 5120
