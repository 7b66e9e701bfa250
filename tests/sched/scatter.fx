// run: fusec %s --emit=plan
// kernels: 5
// Two lists of the indices, and a kernel with the work around it; reductions are others.
fn f[V, D, N](w: f32[V, D], i: i32[N], x: f32[N, D], g: f32[V, D]) -> (y: f32[V, D], s: f32[V], c: f32[N, D]) {
    y = w - 0.1 * scatter(g, i, exp(x));
    s = sum(scatter(w, i, x, with = max));
    c = cumsum(x);
}
// ---- expect
// plan f -O2
// kernel f_0 row
//   reads i
//   writes min_30_value
//   over [V, N] along N
//     %11 max i32[N]
//     %14 min i32[N]
//     %24 eq bool[V, N]
//     %29 where i32[V, N]
//     %30 min i32[V, 1] -> min_30_value
//   bytes_read 4*N
//   bytes_written 4*V
//   flops 3*V*N + 2*N
// kernel f_1 row
//   reads i
//   writes min_42_value
//   over [N, N] along N
//     %11 max i32[N]
//     %14 min i32[N]
//     %35 lt bool[N, N]
//     %38 eq bool[N, N]
//     %39 and bool[N, N]
//     %41 where i32[N, N]
//     %42 min i32[N, 1] -> min_42_value
//   bytes_read 4*N
//   bytes_written 4*N
//   flops 5*N*N + 2*N
// kernel f_2 pointwise
//   reads x g min_30_value min_42_value w
//   writes y scatter_50_value
//   over [V, D]
//     %5 exp f32[N, D]
//     %44 follow f32[V, D]
//     %48 mul f32[V, D]
//     %49 sub f32[V, D] -> y
//     %50 follow f32[V, D] -> scatter_50_value
//   bytes_read 8*V*D + 4*D*N + 4*V + 4*N
//   bytes_written 8*V*D
//   flops 2*V*D + D*N
// kernel f_3 row
//   reads scatter_50_value
//   writes s
//   over [V, D] along D
//     %51 sum f32[V, 1] -> s
//   bytes_read 4*V*D
//   bytes_written 4*V
//   flops V*D
// kernel f_4 row
//   reads x
//   writes c
//   over [N, D] along D
//     %53 cumsum f32[N, D] -> c
//   bytes_read 4*D*N
//   bytes_written 4*D*N
//   flops D*N
// buffer w input f32[V*D] bytes 4*V*D live -1..5
// buffer i input i32[N] bytes 4*N live -1..5
// buffer x input f32[D*N] bytes 4*D*N live -1..5
// buffer g input f32[V*D] bytes 4*V*D live -1..5
// buffer y output f32[V*D] bytes 4*V*D live 2..5
// buffer s output f32[V] bytes 4*V live 3..5
// buffer c output f32[D*N] bytes 4*D*N live 4..5
// buffer min_30_value temp i32[V] bytes 4*V live 0..2 slot 0
// buffer min_42_value temp i32[N] bytes 4*N live 1..2 slot 1
// buffer scatter_50_value temp f32[V*D] bytes 4*V*D live 2..3 slot 2
// slot 0 bytes 4*V
// slot 1 bytes 4*N
// slot 2 bytes 4*V*D
// apart %50 follow | %51 sum: scatter, 8388608 bytes
// apart %30 min | %44 follow: scatter, 4096 bytes
// apart %30 min | %50 follow: scatter, 4096 bytes
// apart %42 min | %44 follow: scatter, 4096 bytes
// apart %42 min | %50 follow: scatter, 4096 bytes
// apart %50 follow | c: scatter, 4194304 bytes
// apart %30 min | %42 min: space, 4096 bytes
// apart %50 follow | c: bundle, 4194304 bytes
// apart %30 min | %42 min: bundle, 4096 bytes
// peak 16*V*D + 8*D*N + 8*V + 8*N
