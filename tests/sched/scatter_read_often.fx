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
//   reads m i x grouped_temp
//   writes e piece_sums
//   over [N]
//     %22 take f32[N]
//     %23 sub f32[N]
//     %24 exp f32[N] -> e
//   over [1024]
//     %50 take f32[N]
//     %51 sub f32[N]
//     %52 exp f32[N]
//     %56 mul i32[1024]
//     %59 min i32[1024]
//     %60 add i32[1024]
//     %61 min i32[1024]
//     %66 min i32[1024]
//     %67 take i32[1024]
//     %71 sub i32[1024]
//     %72 take i32[1024]
//     %73 take i32[1024]
//     %77 max i32[1024]
//     %81 min i32[1024]
//     %82 take i32[1024]
//     %83 max i32[1024]
//     %84 min i32[1024]
//     %85 eq bool[1024]
//     %87 where i32[1024]
//     %88 combine f32[1024] -> piece_sums
//   bytes_read 8*V + 12*N + 4
//   bytes_written 4*N + 4096
//   flops 4*N + 12288
// kernel f_5 pointwise
//   reads grouped_temp e piece_sums
//   writes scatter
//   over [V]
//     %38 add i32[V]
//     %41 div i32[V]
//     %42 div i32[V]
//     %43 max i32[V]
//     %44 lt bool[V]
//     %45 mul i32[V]
//     %46 where i32[V]
//     %47 mul i32[V]
//     %48 where i32[V]
//     %89 combine f32[V]
//     %90 combine f32[V]
//     %91 combine f32[V] -> scatter
//   bytes_read 4*V + 8*N + 4100
//   bytes_written 4*V
//   flops 9*V
// kernel f_6 pointwise
//   reads scatter i e
//   writes y
//   over [N]
//     %92 take f32[N]
//     %93 div f32[N] -> y
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
// buffer piece_sums temp f32[1024] bytes 4096 live 4..5 slot 0
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
// apart %17 grouped | %38 add: scatter, 8196 bytes
// apart %17 grouped | %42 div: scatter, 8196 bytes
// apart %17 grouped | %46 where: scatter, 8196 bytes
// apart %17 grouped | %48 where: scatter, 8196 bytes
// apart %17 grouped | %67 take: scatter, 12292 bytes
// apart %17 grouped | %72 take: scatter, 12292 bytes
// apart %17 grouped | %88 combine: scatter, 12292 bytes
// apart %17 grouped | %89 combine: scatter, 8196 bytes
// apart %17 grouped | %89 combine: scatter, 8196 bytes
// apart %17 grouped | %91 combine: scatter, 8196 bytes
// apart %17 grouped | %91 combine: scatter, 8196 bytes
// apart %88 combine | %90 combine: recompute, 16388 bytes
// apart %91 combine | %92 take: recompute, 12288 bytes
// apart %21 combine | %22 take: space, 8192 bytes
// apart %21 combine | %50 take: space, 16388 bytes
// apart %24 exp | %89 combine: space, 4096 bytes
// apart %24 exp | %91 combine: space, 4096 bytes
// apart %24 exp | y: cycle, 8192 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %88 combine | %89 combine: space, 16388 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %91 combine | y: space, 12288 bytes
// apart %21 combine | %38 add: cycle, 8196 bytes
// apart %48 where | %67 take: space, 8196 bytes
// apart %21 combine | %23 sub: space, 8192 bytes
// apart %17 grouped | %22 take: scatter, 4096 bytes
// apart %82 take | %92 take: space, 4096 bytes
// apart %15 tally | %16 groups: bundle, 266240 bytes
// apart %15 tally | %16 groups: bundle, 266240 bytes
// apart %88 combine | %89 combine: cycle, 20484 bytes
// apart %16 groups | %17 grouped: bundle, 14344 bytes
// apart %16 groups | %17 grouped: bundle, 14344 bytes
// apart %91 combine | y: cycle, 12288 bytes
// apart %21 combine | %38 add: cycle, 8196 bytes
// apart %48 where | %67 take: cycle, 8196 bytes
// apart %21 combine | %23 sub: cycle, 20484 bytes
// apart %17 grouped | %22 take: bundle, 12292 bytes
// apart %82 take | %92 take: cycle, 8192 bytes
// peak 8*V + 20*N + 132104
