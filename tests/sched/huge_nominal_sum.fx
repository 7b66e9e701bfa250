// run: fusec %s --emit=plan
// Two inputs with 2^50 elements each, or so.
fn f[N, D](x: f32[N, D], w: f32[D, 1099511627776*D]) -> (z: f32[N]) {
    z = sum(exp(x @ w));
}
// ---- expect
// plan f -O2
// kernel f_0 dot
//   reads x w
//   writes exp_temp
//   over [N, 1099511627776*D]
//     %4 matmul f32[N, 1099511627776*D]
//     %5 exp f32[N, 1099511627776*D] -> exp_temp
//   bytes_read 4*N*D + 4398046511104*D*D
//   bytes_written 4398046511104*N*D
//   flops 2199023255552*N*D*D + 1099511627776*N*D
// kernel f_1 row
//   reads exp_temp
//   writes z
//   over [N, 1099511627776*D] along 1099511627776*D
//     %6 sum f32[N, 1] -> z
//   bytes_read 4398046511104*N*D
//   bytes_written 4*N
//   flops 1099511627776*N*D
// buffer x input f32[N*D] bytes 4*N*D live -1..2
// buffer w input f32[1099511627776*D*D] bytes 4398046511104*D*D live -1..2
// buffer z output f32[N] bytes 4*N live 1..2
// buffer exp_temp temp f32[1099511627776*N*D] bytes 4398046511104*N*D live 0..1 slot 0
// slot 0 bytes 4398046511104*N*D
// apart %5 exp | %6 sum: tile, 2251799813685248 bytes
// peak 4398046511108*N*D + 4398046511104*D*D + 4*N
