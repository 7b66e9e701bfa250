// Outputs that may be given the memory of consumed inputs, and why others may not.
// run: fusec %s --fn=cache --emit=plan
// run: fusec explain %s --fn=step -D N=1000 -D M=45
// run: fusec explain %s --fn=others -D N=1000
// run: fusec %s --fn=others --emit=plan
@consume(kc, vc)
fn cache[N, D, T](k: bf16[N, D], v: bf16[N, D], pos: i32[N], kc: bf16[T, D], vc: bf16[T, D])
    -> (kn: bf16[T, D], vn: bf16[T, D]) {
    kn = scatter(kc, pos, k, with = set);
    vn = scatter(vc, pos, v, with = set);
}

// Of two shapes, in one kernel.
@consume(p, m, q)
fn step[N, M](p: f32[N], m: f32[N], q: bf16[M], g: f32[N], h: bf16[M])
    -> (pn: f32[N], mn: f32[N], qn: bf16[M]) {
    mn = 0.9 * m + 0.1 * g;
    pn = p - 0.01 * mn;
    qn = q - 0.01 * h;
}

// Each input is the memory of one output at most (y, not z); u is of another type, w reads other elements,
// what is scattered is read from s itself; t is read again, r where it is reversed.
@consume(x, a, b, s, t, r)
fn others[N](x: f32[N], a: i32[N], b: f32[N], s: f32[N], at: i32[N], t: f32[N], r: f32[N])
    -> (y: f32[N], z: f32[N], u: f32[N], w: f32[N], v: f32[N], o: f32[N], l: f32[N], i: f32[N]) {
    y = x + 1;
    z = x - 1;
    u = a as f32;
    w = b + take(b, at);
    v = scatter(s, at, take(s, at) + 1, with = set);
    o = t * 2;
    l = cumsum(t + o);
    i = flip(r);
}
// ---- expect
// plan cache -O2
// kernel cache_0 segments
//   reads pos
//   writes tally
//   over [N]
//     %11 max i32[N]
//     %14 min i32[N]
//     %15 tally i32[128, 256] -> tally
//   bytes_read 4*N
//   bytes_written 131072
//   flops 2*N
// kernel cache_1 segments
//   reads pos tally
//   writes groups
//   over [N]
//     %11 max i32[N]
//     %14 min i32[N]
//     %16 groups i32[N + 257] -> groups
//   bytes_read 4*N + 131072
//   bytes_written 4*N + 1028
//   flops 2*N
// kernel cache_2 segments
//   reads pos groups
//   writes grouped_temp
//   over [N]
//     %11 max i32[N]
//     %14 min i32[N]
//     %17 grouped i32[N + T + 1] -> grouped_temp
//   bytes_read 8*N + 1028
//   bytes_written 4*N + 4*T + 4
//   flops 2*N
// kernel cache_3 pointwise
//   reads kc grouped_temp k vc v
//   writes kn vn
//   over [T, D]
//     %21 combine bf16[T, D] -> kn
//     %22 combine bf16[T, D] -> vn
//   bytes_read 4*N*D + 4*D*T + 4*N + 4*T + 4
//   bytes_written 4*D*T
//   flops 0
// buffer k input bf16[N*D] bytes 2*N*D live -1..4
// buffer v input bf16[N*D] bytes 2*N*D live -1..4
// buffer pos input i32[N] bytes 4*N live -1..4
// buffer kc input bf16[D*T] bytes 2*D*T live -1..3 consumed
// buffer vc input bf16[D*T] bytes 2*D*T live -1..3 consumed
// buffer kn output bf16[D*T] bytes 2*D*T live 3..4 may be kc
// buffer vn output bf16[D*T] bytes 2*D*T live 3..4 may be vc
// buffer tally temp i32[32768] bytes 131072 live 0..1 slot 0
// buffer groups temp i32[N + 257] bytes 4*N + 1028 live 1..2 slot 1
// buffer grouped_temp temp i32[N + T + 1] bytes 4*N + 4*T + 4 live 2..3 slot 2
// slot 0 bytes 131072
// slot 1 bytes 4*N + 1028
// slot 2 bytes 4*N + 4*T + 4
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %17 grouped | kn: scatter, 8196 bytes
// apart %17 grouped | kn: scatter, 8196 bytes
// apart %17 grouped | kn: scatter, 8196 bytes
// apart %17 grouped | vn: scatter, 8196 bytes
// apart %17 grouped | vn: scatter, 8196 bytes
// apart %17 grouped | vn: scatter, 8196 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %15 tally | %16 groups: scatter, 266240 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %16 groups | %17 grouped: scatter, 14344 bytes
// apart %15 tally | %16 groups: bundle, 266240 bytes
// apart %15 tally | %16 groups: bundle, 266240 bytes
// apart %16 groups | %17 grouped: bundle, 14344 bytes
// apart %16 groups | %17 grouped: bundle, 14344 bytes
// peak 4*N*D + 8*D*T + 12*N + 4*T + 132104
// fn step at -O2: 8 ops in 2 kernels
//
// kernel step_0: pointwise over [1000]
//   does      3 mul, add, sub
//   reads     11.7 KiB: m, g, p
//   writes    7.8 KiB: mn, pn
//   computes  5.0 kflop, 0.25 for each byte moved
//   estimate  0.00981 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=2
//   inside    %9 mul (17:10), %13 mul (17:20), %18 mul (18:14)
//   saves     27.3 KiB by fusion
//
// kernel step_1: pointwise over [45]
//   does      mul, sub, as
//   reads     180 bytes: h, q
//   writes    90 bytes: qn
//   computes  90 flop, 0.33 for each byte moved
//   estimate  0.000132 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=1,unroll=2
//   inside    %22 mul (19:14), %24 sub (19:10)
//   saves     720 bytes by fusion
//
// total
//   moves     19.8 KiB; one kernel per op would move 47.8 KiB, 2.4 times as much
//   computes  5.1 kflop
//   estimate  5.01 us on A100, launches included
//   workspace 0 bytes in 0 slots
//   in place  pn may be given the memory of p, mn may be given the memory of m, qn may be given the memory of q
//   peak      19.8 KiB of inputs and outputs; one kernel per op would need 23.7 KiB
// fn others at -O2: 15 ops in 6 kernels
//
// kernel others_0: pointwise over [1000]
//   does      add, sub
//   reads     3.9 KiB: x
//   writes    7.8 KiB: y, z
//   computes  2.0 kflop, 0.17 for each byte moved
//   estimate  0.00589 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=4
//   saves     3.9 KiB by fusion
//
// kernel others_1: pointwise over [1000]
//   does      as
//   reads     3.9 KiB: a
//   writes    3.9 KiB: u
//   computes  0 flop, 0.00 for each byte moved
//   estimate  0.00392 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=4
//
// kernel others_2: segments over [1000]
//   does      max, min, segments
//   reads     3.9 KiB: at
//   writes    7.8 KiB: segments_temp
//   computes  2.0 kflop, 0.17 for each byte moved
//   estimate  0.00589 us, bound by memory
//   tile      kind=segments,m=64,threads=256
//   inside    %22 max (31:9), %25 min (31:9)
//   saves     15.6 KiB by fusion
//
// kernel others_3: pointwise over [1000]
//   does      2 take, 2 add, combine
//   reads     19.5 KiB: b, at, s, segments_temp
//   writes    7.8 KiB: w, v
//   computes  2.0 kflop, 0.07 for each byte moved
//   estimate  0.0137 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=1,unroll=1
//   inside    %14 take (30:13), %16 take (31:24), %17 add (31:24)
//   saves     35.2 KiB by fusion
//
// kernel others_4: row over [1000] along 1000
//   does      mul, add, cumsum
//   reads     3.9 KiB: t
//   writes    7.8 KiB: o, l
//   computes  3.0 kflop, 0.25 for each byte moved
//   estimate  0.00589 us, bound by memory
//   tile      kind=row,cluster=1,threads=64,row_threads=64,warp_columns=0,vector=4,keep=registers,unroll=4
//   inside    %35 add (33:16)
//   saves     15.6 KiB by fusion
//
// kernel others_5: pointwise over [1000]
//   does      flip
//   reads     3.9 KiB: r
//   writes    3.9 KiB: i
//   computes  0 flop, 0.00 for each byte moved
//   estimate  0.00392 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=4
//
// kept apart
//   others_2 | others_3: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 19.5 KiB and 2.51 us)
//     from %26 segments (31:9) to v (31:9)
//
// total
//   moves     78.1 KiB; one kernel per op would move 148.4 KiB, 1.9 times as much
//   computes  9.0 kflop
//   estimate  15 us on A100, launches included
//   workspace 7.8 KiB in 1 slot
//   in place  y may be given the memory of x
//   peak      66.4 KiB with inputs and outputs; one kernel per op would need 70.3 KiB
// plan others -O2
// kernel others_0 pointwise
//   reads x
//   writes y z
//   over [N]
//     %11 add f32[N] -> y
//     %12 sub f32[N] -> z
//   bytes_read 4*N
//   bytes_written 8*N
//   flops 2*N
// kernel others_1 pointwise
//   reads a
//   writes u
//   over [N]
//     %13 as f32[N] -> u
//   bytes_read 4*N
//   bytes_written 4*N
//   flops 0
// kernel others_2 segments
//   reads at
//   writes tally
//   over [N]
//     %23 max i32[N]
//     %26 min i32[N]
//     %27 tally i32[128, 256] -> tally
//   bytes_read 4*N
//   bytes_written 131072
//   flops 2*N
// kernel others_3 segments
//   reads at tally
//   writes groups
//   over [N]
//     %23 max i32[N]
//     %26 min i32[N]
//     %28 groups i32[N + 257] -> groups
//   bytes_read 4*N + 131072
//   bytes_written 4*N + 1028
//   flops 2*N
// kernel others_4 segments
//   reads at groups
//   writes grouped_temp
//   over [N]
//     %23 max i32[N]
//     %26 min i32[N]
//     %29 grouped i32[2*N + 1] -> grouped_temp
//   bytes_read 8*N + 1028
//   bytes_written 8*N + 4
//   flops 2*N
// kernel others_5 pointwise
//   reads b at s grouped_temp
//   writes w v
//   over [N]
//     %14 take f32[N]
//     %15 add f32[N] -> w
//     %16 take f32[N]
//     %17 add f32[N]
//     %33 combine f32[N] -> v
//   bytes_read 20*N + 4
//   bytes_written 8*N
//   flops 2*N
// kernel others_6 row
//   reads t
//   writes o l
//   over [N] along N
//     %37 mul f32[N] -> o
//     %38 add f32[N]
//     %39 cumsum f32[N] -> l
//   bytes_read 4*N
//   bytes_written 8*N
//   flops 3*N
// kernel others_7 pointwise
//   reads r
//   writes i
//   over [N]
//     %40 flip f32[N] -> i
//   bytes_read 4*N
//   bytes_written 4*N
//   flops 0
// buffer x input f32[N] bytes 4*N live -1..0 consumed
// buffer a input i32[N] bytes 4*N live -1..1 consumed
// buffer b input f32[N] bytes 4*N live -1..5 consumed
// buffer s input f32[N] bytes 4*N live -1..5 consumed
// buffer at input i32[N] bytes 4*N live -1..8
// buffer t input f32[N] bytes 4*N live -1..6 consumed
// buffer r input f32[N] bytes 4*N live -1..7 consumed
// buffer y output f32[N] bytes 4*N live 0..8 may be x
// buffer z output f32[N] bytes 4*N live 0..8
// buffer u output f32[N] bytes 4*N live 1..8
// buffer w output f32[N] bytes 4*N live 5..8
// buffer v output f32[N] bytes 4*N live 5..8
// buffer o output f32[N] bytes 4*N live 6..8
// buffer l output f32[N] bytes 4*N live 6..8
// buffer i output f32[N] bytes 4*N live 7..8
// buffer tally temp i32[32768] bytes 131072 live 2..3 slot 0
// buffer groups temp i32[N + 257] bytes 4*N + 1028 live 3..4 slot 1
// buffer grouped_temp temp i32[2*N + 1] bytes 8*N + 4 live 4..5 slot 2
// slot 0 bytes 131072
// slot 1 bytes 4*N + 1028
// slot 2 bytes 8*N + 4
// apart %27 tally | %28 groups: scatter, 266240 bytes
// apart %29 grouped | v: scatter, 20488 bytes
// apart %29 grouped | v: scatter, 20488 bytes
// apart %29 grouped | v: scatter, 20488 bytes
// apart %28 groups | %29 grouped: scatter, 14344 bytes
// apart %27 tally | %28 groups: scatter, 266240 bytes
// apart %27 tally | %28 groups: scatter, 266240 bytes
// apart %28 groups | %29 grouped: scatter, 14344 bytes
// apart %28 groups | %29 grouped: scatter, 14344 bytes
// apart %16 take | %27 tally: scatter, 4096 bytes
// apart %27 tally | %28 groups: bundle, 266240 bytes
// apart %27 tally | %28 groups: bundle, 266240 bytes
// apart %28 groups | %29 grouped: bundle, 14344 bytes
// apart %28 groups | %29 grouped: bundle, 14344 bytes
// apart %16 take | %27 tally: bundle, 4096 bytes
// peak 72*N + 132104
