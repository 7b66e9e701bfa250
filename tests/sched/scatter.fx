// run: fusec %s --emit=plan
// kernels: 4
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
//   writes segments_temp
//   over [N]
//     %11 max i32[N]
//     %14 min i32[N]
//     %15 segments i32[V + N + 1] -> segments_temp
//   bytes_read 4*N
//   bytes_written 4*V + 4*N + 4
//   flops 2*N
// kernel f_1 pointwise
//   reads x g segments_temp w
//   writes y scatter
//   over [V, D]
//     %5 exp f32[N, D]
//     %19 combine f32[V, D]
//     %23 mul f32[V, D]
//     %24 sub f32[V, D] -> y
//     %25 combine f32[V, D] -> scatter
//   bytes_read 8*V*D + 4*D*N + 4*V + 4*N + 4
//   bytes_written 8*V*D
//   flops 2*V*D + D*N
// kernel f_2 row
//   reads scatter
//   writes s
//   over [V, D] along D
//     %26 sum f32[V, 1] -> s
//   bytes_read 4*V*D
//   bytes_written 4*V
//   flops V*D
// kernel f_3 row
//   reads x
//   writes c
//   over [N, D] along D
//     %28 cumsum f32[N, D] -> c
//   bytes_read 4*D*N
//   bytes_written 4*D*N
//   flops D*N
// buffer w input f32[V*D] bytes 4*V*D live -1..4
// buffer i input i32[N] bytes 4*N live -1..4
// buffer x input f32[D*N] bytes 4*D*N live -1..4
// buffer g input f32[V*D] bytes 4*V*D live -1..4
// buffer y output f32[V*D] bytes 4*V*D live 1..4
// buffer s output f32[V] bytes 4*V live 2..4
// buffer c output f32[D*N] bytes 4*D*N live 3..4
// buffer segments_temp temp i32[V + N + 1] bytes 4*V + 4*N + 4 live 0..1 slot 0
// buffer scatter temp f32[V*D] bytes 4*V*D live 1..2 slot 1
// slot 0 bytes 4*V + 4*N + 4
// slot 1 bytes 4*V*D
// apart %25 combine | %26 sum: scatter, 8388608 bytes
// apart %15 segments | %19 combine: scatter, 8196 bytes
// apart %15 segments | %19 combine: scatter, 8196 bytes
// apart %15 segments | %19 combine: scatter, 8196 bytes
// apart %15 segments | %25 combine: scatter, 8196 bytes
// apart %15 segments | %25 combine: scatter, 8196 bytes
// apart %15 segments | %25 combine: scatter, 8196 bytes
// apart %25 combine | c: scatter, 4194304 bytes
// apart %25 combine | c: bundle, 4194304 bytes
// peak 16*V*D + 8*D*N + 8*V + 8*N + 4
