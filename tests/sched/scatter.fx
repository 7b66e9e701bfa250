// run: fusec %s --emit=plan
// kernels: 6
// A sort of the indices, and a kernel with the work around it; reductions are others.
fn f[V, D, N](w: f32[V, D], i: i32[N], x: f32[N, D], g: f32[V, D]) -> (y: f32[V, D], s: f32[V], c: f32[N, D]) {
    y = w - 0.1 * scatter(g, i, exp(x));
    s = sum(scatter(w, i, x, with = max));
    c = cumsum(x);
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
//   reads x g grouped_temp w
//   writes y scatter
//   over [V, D]
//     %5 exp f32[N, D]
//     %21 combine f32[V, D]
//     %25 mul f32[V, D]
//     %26 sub f32[V, D] -> y
//     %27 combine f32[V, D] -> scatter
//   bytes_read 8*V*D + 4*D*N + 4*V + 4*N + 4
//   bytes_written 8*V*D
//   flops 2*V*D + D*N
// kernel f_4 row
//   reads scatter
//   writes s
//   over [V, D] along D
//     %28 sum f32[V, 1] -> s
//   bytes_read 4*V*D
//   bytes_written 4*V
//   flops V*D
// kernel f_5 row
//   reads x
//   writes c
//   over [N, D] along D
//     %30 cumsum f32[N, D] -> c
//   bytes_read 4*D*N
//   bytes_written 4*D*N
//   flops D*N
// buffer w input f32[V*D] bytes 4*V*D live -1..6
// buffer i input i32[N] bytes 4*N live -1..6
// buffer x input f32[D*N] bytes 4*D*N live -1..6
// buffer g input f32[V*D] bytes 4*V*D live -1..6
// buffer y output f32[V*D] bytes 4*V*D live 3..6
// buffer s output f32[V] bytes 4*V live 4..6
// buffer c output f32[D*N] bytes 4*D*N live 5..6
// buffer tally temp i32[32768] bytes 131072 live 0..1 slot 0
// buffer groups temp i32[N + 257] bytes 4*N + 1028 live 1..2 slot 1
// buffer grouped_temp temp i32[V + N + 1] bytes 4*V + 4*N + 4 live 2..3 slot 2
// buffer scatter temp f32[V*D] bytes 4*V*D live 3..4 slot 3
// slot 0 bytes 131072
// slot 1 bytes 4*N + 1028
// slot 2 bytes 4*V + 4*N + 4
// slot 3 bytes 4*V*D
// apart %27 combine | %28 sum: scatter, 8388608 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %17 grouped | %21 combine: scatter, 8196 bytes
// apart %17 grouped | %21 combine: scatter, 8196 bytes
// apart %17 grouped | %21 combine: scatter, 8196 bytes
// apart %17 grouped | %27 combine: scatter, 8196 bytes
// apart %17 grouped | %27 combine: scatter, 8196 bytes
// apart %17 grouped | %27 combine: scatter, 8196 bytes
// apart %27 combine | c: scatter, 4194304 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %27 combine | c: bundle, 4194304 bytes
// apart %15 tally | %16 groups: bundle, 266240 bytes
// apart %15 tally | %16 groups: bundle, 266240 bytes
// apart %16 groups | %17 grouped: bundle, 14344 bytes
// apart %16 groups | %17 grouped: bundle, 14344 bytes
// peak 16*V*D + 8*D*N + 8*V + 12*N + 132104
