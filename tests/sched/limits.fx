// run: fusec %s --limit kernel_ops=2 --emit=plan
// run: fusec %s --limit kernel_buffers=3 --emit=plan
fn f[N](a: f32[N], b: f32[N], c: f32[N]) -> (y: f32[N]) {
    y = tanh(exp(a) * b) + c;
}
// ---- expect
// plan f -O2
// kernel f_0 pointwise
//   reads a b
//   writes mul_temp
//   over [N]
//     %4 exp f32[N]
//     %5 mul f32[N] -> mul_temp
//   bytes_read 8*N
//   bytes_written 4*N
//   flops 2*N
// kernel f_1 pointwise
//   reads mul_temp c
//   writes y
//   over [N]
//     %6 tanh f32[N]
//     %7 add f32[N] -> y
//   bytes_read 8*N
//   bytes_written 4*N
//   flops 2*N
// buffer a input f32[N] bytes 4*N live -1..2
// buffer b input f32[N] bytes 4*N live -1..2
// buffer c input f32[N] bytes 4*N live -1..2
// buffer y output f32[N] bytes 4*N live 1..2
// buffer mul_temp temp f32[N] bytes 4*N live 0..1 slot 0
// slot 0 bytes 4*N
// apart %5 mul | %6 tanh: ops, 8192 bytes
// peak 20*N
// plan f -O2
// kernel f_0 pointwise
//   reads a b
//   writes tanh_temp
//   over [N]
//     %4 exp f32[N]
//     %5 mul f32[N]
//     %6 tanh f32[N] -> tanh_temp
//   bytes_read 8*N
//   bytes_written 4*N
//   flops 3*N
// kernel f_1 pointwise
//   reads c tanh_temp
//   writes y
//   over [N]
//     %7 add f32[N] -> y
//   bytes_read 8*N
//   bytes_written 4*N
//   flops N
// buffer a input f32[N] bytes 4*N live -1..2
// buffer b input f32[N] bytes 4*N live -1..2
// buffer c input f32[N] bytes 4*N live -1..2
// buffer y output f32[N] bytes 4*N live 1..2
// buffer tanh_temp temp f32[N] bytes 4*N live 0..1 slot 0
// slot 0 bytes 4*N
// apart %6 tanh | y: buffers, 8192 bytes
// peak 20*N
