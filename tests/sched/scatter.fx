// run: fusec %s --emit=plan
// kernels: 7
// A sort of the indices, and kernels with the work around it, sums by pieces; reductions are others.
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
//   reads x grouped_temp i
//   writes piece_sums
//   over [1024, D]
//     %43 exp f32[N, D]
//     %47 mul i32[1024]
//     %50 min i32[1024]
//     %51 add i32[1024]
//     %52 min i32[1024]
//     %57 min i32[1024]
//     %58 take i32[1024]
//     %62 sub i32[1024]
//     %63 take i32[1024]
//     %64 take i32[1024]
//     %68 max i32[1024]
//     %72 min i32[1024]
//     %73 take i32[1024]
//     %74 max i32[1024]
//     %75 min i32[1024]
//     %76 eq bool[1024]
//     %80 where i32[1024]
//     %81 combine f32[1024, D] -> piece_sums
//   bytes_read 4*D*N + 4*V + 8*N + 4
//   bytes_written 4096*D
//   flops D*N + 12288
// kernel f_4 pointwise
//   reads x grouped_temp g piece_sums w
//   writes y scatter
//   over [V, D]
//     %5 exp f32[N, D]
//     %31 add i32[V]
//     %34 div i32[V]
//     %35 div i32[V]
//     %36 max i32[V]
//     %37 lt bool[V]
//     %38 mul i32[V]
//     %39 where i32[V]
//     %40 mul i32[V]
//     %41 where i32[V]
//     %82 combine f32[V, D]
//     %83 combine f32[V, D]
//     %84 combine f32[V, D]
//     %88 mul f32[V, D]
//     %89 sub f32[V, D] -> y
//     %90 combine f32[V, D] -> scatter
//   bytes_read 8*V*D + 4*D*N + 4*V + 4096*D + 4*N + 4
//   bytes_written 8*V*D
//   flops 2*V*D + D*N + 9*V
// kernel f_5 row
//   reads scatter
//   writes s
//   over [V, D] along D
//     %91 sum f32[V, 1] -> s
//   bytes_read 4*V*D
//   bytes_written 4*V
//   flops V*D
// kernel f_6 row
//   reads x
//   writes c
//   over [N, D] along D
//     %93 cumsum f32[N, D] -> c
//   bytes_read 4*D*N
//   bytes_written 4*D*N
//   flops D*N
// buffer w input f32[V*D] bytes 4*V*D live -1..7
// buffer i input i32[N] bytes 4*N live -1..7
// buffer x input f32[D*N] bytes 4*D*N live -1..7
// buffer g input f32[V*D] bytes 4*V*D live -1..7
// buffer y output f32[V*D] bytes 4*V*D live 4..7
// buffer s output f32[V] bytes 4*V live 5..7
// buffer c output f32[D*N] bytes 4*D*N live 6..7
// buffer tally temp i32[32768] bytes 131072 live 0..1 slot 0
// buffer groups temp i32[N + 257] bytes 4*N + 1028 live 1..2 slot 1
// buffer grouped_temp temp i32[V + N + 1] bytes 4*V + 4*N + 4 live 2..4 slot 2
// buffer piece_sums temp f32[1024*D] bytes 4096*D live 3..4 slot 3
// buffer scatter temp f32[V*D] bytes 4*V*D live 4..5 slot 4
// slot 0 bytes 131072
// slot 1 bytes 4*N + 1028
// slot 2 bytes 4*V + 4*N + 4
// slot 3 bytes 4096*D
// slot 4 bytes 4*V*D
// apart %81 combine | %83 combine: recompute, 12591108 bytes
// apart %90 combine | %91 sum: scatter, 8388608 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %17 grouped | %31 add: scatter, 8196 bytes
// apart %17 grouped | %35 div: scatter, 8196 bytes
// apart %17 grouped | %39 where: scatter, 8196 bytes
// apart %17 grouped | %41 where: scatter, 8196 bytes
// apart %17 grouped | %58 take: scatter, 12292 bytes
// apart %17 grouped | %63 take: scatter, 12292 bytes
// apart %17 grouped | %81 combine: scatter, 12292 bytes
// apart %17 grouped | %82 combine: scatter, 8196 bytes
// apart %17 grouped | %82 combine: scatter, 8196 bytes
// apart %17 grouped | %84 combine: scatter, 8196 bytes
// apart %17 grouped | %84 combine: scatter, 8196 bytes
// apart %17 grouped | %90 combine: scatter, 8196 bytes
// apart %17 grouped | %90 combine: scatter, 8196 bytes
// apart %17 grouped | %90 combine: scatter, 8196 bytes
// apart %81 combine | %82 combine: space, 12591108 bytes
// apart %5 exp | %43 exp: space, 4202500 bytes
// apart %41 where | %58 take: space, 4202500 bytes
// apart %43 exp | %90 combine: space, 12591108 bytes
// apart %90 combine | c: scatter, 4194304 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %17 grouped | %64 take: scatter, 12292 bytes
// apart %43 exp | %90 combine: cycle, 12591108 bytes
// apart %81 combine | %82 combine: cycle, 12591108 bytes
// apart %5 exp | %43 exp: cycle, 4202500 bytes
// apart %41 where | %58 take: cycle, 4202500 bytes
// apart %90 combine | c: bundle, 4194304 bytes
// apart %15 tally | %16 groups: bundle, 266240 bytes
// apart %15 tally | %16 groups: bundle, 266240 bytes
// apart %16 groups | %17 grouped: bundle, 14344 bytes
// apart %16 groups | %17 grouped: bundle, 14344 bytes
// apart %17 grouped | %64 take: bundle, 12292 bytes
// peak 16*V*D + 8*D*N + 8*V + 4096*D + 12*N + 132104
