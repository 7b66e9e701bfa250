// A softmax of segments: the largest and the sum of each are stored, as all of its elements read them.
// run: fusec %s --emit=plan
// kernels: 5
fn f[V, N](x: f32[N], i: i32[N]) -> (y: f32[N]) {
    m = scatter(full(-inf, V), i, x, with = max);
    e = exp(x - take(m, i));
    y = e / take(scatter(full(0.0, V), i, e), i);
}
// ---- expect
// plan f -O2
// kernel f_0 segments
//   reads i
//   writes segments_temp
//   over [N]
//     %11 max i32[N]
//     %14 min i32[N]
//     %15 segments i32[V + N + 1] -> segments_temp
//   bytes_read 4*N
//   bytes_written 4*V + 4*N + 4
//   flops 2*N
// kernel f_1 pointwise
//   reads segments_temp x
//   writes m
//   over [V]
//     %19 combine f32[V] -> m
//   bytes_read 4*V + 8*N + 4
//   bytes_written 4*V
//   flops 0
// kernel f_2 pointwise
//   reads m i x
//   writes e
//   over [N]
//     %20 take f32[N]
//     %21 sub f32[N]
//     %22 exp f32[N] -> e
//   bytes_read 4*V + 8*N
//   bytes_written 4*N
//   flops 2*N
// kernel f_3 pointwise
//   reads segments_temp e
//   writes scatter
//   over [V]
//     %26 combine f32[V] -> scatter
//   bytes_read 4*V + 8*N + 4
//   bytes_written 4*V
//   flops 0
// kernel f_4 pointwise
//   reads scatter i e
//   writes y
//   over [N]
//     %27 take f32[N]
//     %28 div f32[N] -> y
//   bytes_read 4*V + 8*N
//   bytes_written 4*N
//   flops N
// buffer x input f32[N] bytes 4*N live -1..5
// buffer i input i32[N] bytes 4*N live -1..5
// buffer y output f32[N] bytes 4*N live 4..5
// buffer segments_temp temp i32[V + N + 1] bytes 4*V + 4*N + 4 live 0..3 slot 0
// buffer m temp f32[V] bytes 4*V live 1..2 slot 1
// buffer e temp f32[N] bytes 4*N live 2..4 slot 2
// buffer scatter temp f32[V] bytes 4*V live 3..4 slot 1
// slot 0 bytes 4*V + 4*N + 4
// slot 1 bytes 4*V
// slot 2 bytes 4*N
// apart %15 segments | %19 combine: scatter, 8196 bytes
// apart %15 segments | %19 combine: scatter, 8196 bytes
// apart %15 segments | %19 combine: scatter, 8196 bytes
// apart %15 segments | %26 combine: scatter, 8196 bytes
// apart %15 segments | %26 combine: scatter, 8196 bytes
// apart %15 segments | %26 combine: scatter, 8196 bytes
// apart %19 combine | %20 take: recompute, 12288 bytes
// apart %26 combine | %27 take: recompute, 12288 bytes
// apart %22 exp | %26 combine: space, 4096 bytes
// apart %22 exp | y: cycle, 8192 bytes
// apart %19 combine | %21 sub: space, 12288 bytes
// apart %26 combine | y: space, 12288 bytes
// apart %19 combine | %26 combine: cycle, 8196 bytes
// apart %20 take | %27 take: cycle, 8192 bytes
// apart %11 max | %20 take: scatter, 4096 bytes
// apart %19 combine | %21 sub: cycle, 12288 bytes
// apart %26 combine | y: cycle, 12288 bytes
// apart %19 combine | %26 combine: cycle, 8196 bytes
// apart %20 take | %27 take: cycle, 8192 bytes
// apart %11 max | %20 take: bundle, 4096 bytes
// peak 8*V + 20*N + 4
