// run: fusec %s -O0 --emit=plan
// run: fusec %s -O1 --emit=plan
// run: fusec %s -O2 --emit=plan
fn f[N](x: f32[N]) -> (y: f32[N], z: f32[N]) {
    y = exp(x) + 1;
    z = x * 2;
}
// ---- expect
// plan f -O0
// kernel f_0 pointwise
//   reads x
//   writes exp_temp
//   over [N]
//     %2 exp f32[N] -> exp_temp
//   bytes_read 4*N
//   bytes_written 4*N
//   flops N
// kernel f_1 pointwise
//   reads exp_temp
//   writes y
//   over [N]
//     %6 add f32[N] -> y
//   bytes_read 4*N
//   bytes_written 4*N
//   flops N
// kernel f_2 pointwise
//   reads x
//   writes z
//   over [N]
//     %10 mul f32[N] -> z
//   bytes_read 4*N
//   bytes_written 4*N
//   flops N
// buffer x input f32[N] bytes 4*N live -1..3
// buffer y output f32[N] bytes 4*N live 1..3
// buffer z output f32[N] bytes 4*N live 2..3
// buffer exp_temp temp f32[N] bytes 4*N live 0..1 slot 0
// slot 0 bytes 4*N
// peak 16*N
// plan f -O1
// kernel f_0 pointwise
//   reads x
//   writes y
//   over [N]
//     %2 exp f32[N]
//     %6 add f32[N] -> y
//   bytes_read 4*N
//   bytes_written 4*N
//   flops 2*N
// kernel f_1 pointwise
//   reads x
//   writes z
//   over [N]
//     %10 mul f32[N] -> z
//   bytes_read 4*N
//   bytes_written 4*N
//   flops N
// buffer x input f32[N] bytes 4*N live -1..2
// buffer y output f32[N] bytes 4*N live 0..2
// buffer z output f32[N] bytes 4*N live 1..2
// peak 12*N
// plan f -O2
// kernel f_0 pointwise
//   reads x
//   writes y z
//   over [N]
//     %2 exp f32[N]
//     %6 add f32[N] -> y
//     %10 mul f32[N] -> z
//   bytes_read 4*N
//   bytes_written 8*N
//   flops 3*N
// buffer x input f32[N] bytes 4*N live -1..1
// buffer y output f32[N] bytes 4*N live 0..1
// buffer z output f32[N] bytes 4*N live 0..1
// peak 12*N
