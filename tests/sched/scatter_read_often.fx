// A softmax of segments: the largest and the sum of each are stored, as all of its elements read them.
// run: fusec %s --emit=plan
// kernels: 7
fn f[V, N](x: f32[N], i: i32[N]) -> (y: f32[N]) {
    m = scatter(full(-inf, V), i, x, with = max);
    e = exp(x - take(m, i));
    y = e / take(scatter(full(0.0, V), i, e), i);
}
// ---- expect
// plan f -O2
// kernel f_0 segments
//   reads i
//   writes tally
//   over [N]
//     %11 max i32[N]
//     %14 min i32[N]
//     %15 tally i32[128, 256] -> tally
//   bytes_read 4*N
//   bytes_written 131072
//   flops 2*N
// kernel f_1 segments
//   reads i tally
//   writes groups
//   over [N]
//     %11 max i32[N]
//     %14 min i32[N]
//     %16 groups i32[N + 257] -> groups
//   bytes_read 4*N + 131072
//   bytes_written 4*N + 1028
//   flops 2*N
// kernel f_2 segments
//   reads i groups
//   writes grouped_temp
//   over [N]
//     %11 max i32[N]
//     %14 min i32[N]
//     %17 grouped i32[V + N + 1] -> grouped_temp
//   bytes_read 8*N + 1028
//   bytes_written 4*V + 4*N + 4
//   flops 2*N
// kernel f_3 pointwise
//   reads grouped_temp x
//   writes m
//   over [V]
//     %21 combine f32[V] -> m
//   bytes_read 4*V + 8*N + 4
//   bytes_written 4*V
//   flops 0
// kernel f_4 pointwise
//   reads m i x
//   writes e
//   over [N]
//     %22 take f32[N]
//     %23 sub f32[N]
//     %24 exp f32[N] -> e
//   bytes_read 4*V + 8*N
//   bytes_written 4*N
//   flops 2*N
// kernel f_5 pointwise
//   reads grouped_temp e
//   writes scatter
//   over [V]
//     %28 combine f32[V] -> scatter
//   bytes_read 4*V + 8*N + 4
//   bytes_written 4*V
//   flops 0
// kernel f_6 pointwise
//   reads scatter i e
//   writes y
//   over [N]
//     %29 take f32[N]
//     %30 div f32[N] -> y
//   bytes_read 4*V + 8*N
//   bytes_written 4*N
//   flops N
// buffer x input f32[N] bytes 4*N live -1..7
// buffer i input i32[N] bytes 4*N live -1..7
// buffer y output f32[N] bytes 4*N live 6..7
// buffer tally temp i32[32768] bytes 131072 live 0..1 slot 0
// buffer groups temp i32[N + 257] bytes 4*N + 1028 live 1..2 slot 1
// buffer grouped_temp temp i32[V + N + 1] bytes 4*V + 4*N + 4 live 2..5 slot 2
// buffer m temp f32[V] bytes 4*V live 3..4 slot 3
// buffer e temp f32[N] bytes 4*N live 4..6 slot 1
// buffer scatter temp f32[V] bytes 4*V live 5..6 slot 3
// slot 0 bytes 131072
// slot 1 bytes 4*N + 1028
// slot 2 bytes 4*V + 4*N + 4
// slot 3 bytes 4*V
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %17 grouped | %21 combine: scatter, 8196 bytes
// apart %17 grouped | %21 combine: scatter, 8196 bytes
// apart %17 grouped | %21 combine: scatter, 8196 bytes
// apart %17 grouped | %28 combine: scatter, 8196 bytes
// apart %17 grouped | %28 combine: scatter, 8196 bytes
// apart %17 grouped | %28 combine: scatter, 8196 bytes
// apart %21 combine | %22 take: recompute, 12288 bytes
// apart %28 combine | %29 take: recompute, 12288 bytes
// apart %24 exp | %28 combine: space, 4096 bytes
// apart %24 exp | y: cycle, 8192 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %21 combine | %23 sub: space, 12288 bytes
// apart %28 combine | y: space, 12288 bytes
// apart %21 combine | %28 combine: cycle, 8196 bytes
// apart %22 take | %29 take: cycle, 8192 bytes
// apart %17 grouped | %22 take: scatter, 4096 bytes
// apart %15 tally | %16 groups: bundle, 266240 bytes
// apart %15 tally | %16 groups: bundle, 266240 bytes
// apart %16 groups | %17 grouped: bundle, 14344 bytes
// apart %16 groups | %17 grouped: bundle, 14344 bytes
// apart %21 combine | %23 sub: cycle, 12288 bytes
// apart %28 combine | y: cycle, 12288 bytes
// apart %21 combine | %28 combine: cycle, 8196 bytes
// apart %22 take | %29 take: cycle, 8192 bytes
// apart %17 grouped | %22 take: bundle, 4096 bytes
// peak 8*V + 20*N + 132104
