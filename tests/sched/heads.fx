// A projection computes heads, where a reader normalises or rotates them, and its tiles have whole
// heads: what reads other columns of a head is in its kernel. So are values beside keys.
// run: fusec %s --arch=sm_90a --emit=plan --fn=queries -D S=4096 -D H=32 -D D=128 -D K=4096
// run: fusec %s --arch=sm_90a --emit=plan --fn=keys -D S=4096 -D H=8 -D D=128 -D K=4096
// run: fusec %s --arch=sm_90a --explain --fn=queries -D H=32 -D D=80 -D K=4096 -o /dev/null
fn rope[H, S, D](x: bf16[H, S, D], cosine: f32[S, D/2], sine: f32[S, D/2]) -> (y: bf16[H, S, D]) {
    a, b = split(x, 2);
    y = concat(a * cosine - b * sine, b * cosine + a * sine);
}

fn queries[S, H, D, K](
    x: bf16[S, K], w: bf16[H*D, K], gain: bf16[D], cosine: f32[S, D/2], sine: f32[S, D/2]
) -> (q: bf16[H, S, D]) {
    p = rms_norm(reshape((x @ w.T) as bf16, S, H, D), gain) as bf16;
    q = rope(permute(p, 1, 0, 2), cosine, sine);
}

fn keys[S, H, D, K](
    x: bf16[S, K], w: bf16[H*D, K], u: bf16[H*D, K], cosine: f32[S, D/2], sine: f32[S, D/2]
) -> (k: bf16[H, S, D], v: bf16[H, S, D]) {
    k = rope(permute(reshape((x @ w.T) as bf16, S, H, D), 1, 0, 2), cosine, sine);
    v = permute(reshape(x @ u.T, S, H, D), 1, 0, 2);
}
// ---- expect
// plan queries -O2
// kernel queries_0 dot
//   reads x w gain cosine sine
//   writes q
//   over [4096, 32, 128] along 128
//     %7 matmul f32[4096, 32, 128]
//     %8 as bf16[4096, 32, 128]
//     %11 mul f32[4096, 32, 128]
//     %12 sum f32[4096, 32, 1]
//     %16 mul f32[4096, 32, 1]
//     %20 add f32[4096, 32, 1]
//     %21 rsqrt f32[4096, 32, 1]
//     %23 mul f32[4096, 32, 128]
//     %26 mul f32[4096, 32, 128]
//     %27 as bf16[4096, 32, 128]
//     %34 mul f32[4096, 32, 64]
//     %39 mul f32[4096, 32, 64]
//     %40 sub f32[4096, 32, 64]
//     %41 mul f32[4096, 32, 64]
//     %42 mul f32[4096, 32, 64]
//     %43 add f32[4096, 32, 64]
//     %52 lt bool[1, 1, 128]
//     %55 where f32[4096, 32, 128]
//     %56 as bf16[4096, 32, 128]
//     %57 permute bf16[32, 4096, 128] -> q
//   bytes_read 69206272
//   bytes_written 33554432
//   flops 137573564544
// buffer x input bf16[16777216] bytes 33554432 live -1..1
// buffer w input bf16[16777216] bytes 33554432 live -1..1
// buffer gain input bf16[128] bytes 256 live -1..1
// buffer cosine input f32[262144] bytes 1048576 live -1..1
// buffer sine input f32[262144] bytes 1048576 live -1..1
// buffer q output bf16[16777216] bytes 33554432 live 0..1
// peak 102760704
// plan keys -O2
// kernel keys_0 dot
//   reads x w cosine sine u
//   writes k v
//   over [4096, 8, 128] along 128
//     %7 matmul f32[4096, 8, 128]
//     %8 as bf16[4096, 8, 128]
//     %15 mul f32[4096, 8, 64]
//     %20 mul f32[4096, 8, 64]
//     %21 sub f32[4096, 8, 64]
//     %22 mul f32[4096, 8, 64]
//     %23 mul f32[4096, 8, 64]
//     %24 add f32[4096, 8, 64]
//     %33 lt bool[1, 1, 128]
//     %36 where f32[4096, 8, 128]
//     %37 as bf16[4096, 8, 128]
//     %38 permute bf16[8, 4096, 128] -> k
//     %40 matmul f32[4096, 8, 128]
//     %41 as bf16[4096, 8, 128]
//     %42 permute bf16[8, 4096, 128] -> v
//   bytes_read 52428800
//   bytes_written 16777216
//   flops 68736254080
// buffer x input bf16[16777216] bytes 33554432 live -1..1
// buffer w input bf16[4194304] bytes 8388608 live -1..1
// buffer u input bf16[4194304] bytes 8388608 live -1..1
// buffer cosine input f32[262144] bytes 1048576 live -1..1
// buffer sine input f32[262144] bytes 1048576 live -1..1
// buffer k output bf16[4194304] bytes 8388608 live 0..1
// buffer v output bf16[4194304] bytes 8388608 live 0..1
// peak 69206016
// fn queries at -O2: 20 ops in 2 kernels
// times and ratios are for S = 1024 (-D gives others)
//
// kernel queries_0: dot over [S, 32, 80]
//   does      matmul, as
//   reads     8192*S + 20971520 bytes: x, w
//   writes    5120*S bytes: as_temp
//   computes  20971520*S flop, 620.61 for each byte moved
//   estimate  88 % of the total time, bound by matrix products
//   tile      kind=wgmma,m=128,n=256,stages=4,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
//   inside    %7 matmul (14:27)
//   saves     20480*S bytes by fusion
//
// kernel queries_1: row over [S, 32, 80] along 80
//   does      7 mul, sum, div, 2 add, rsqrt, 2 as, sub, lt, where, permute
//   reads     5440*S + 160 bytes: as_temp, gain, cosine, sine
//   writes    5120*S bytes: q
//   computes  20576*S + 80 flop, 1.95 for each byte moved
//   estimate  5 % of the total time, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=8,warp_columns=0,vector=4,keep=registers,unroll=4
//   inside    %11 mul (14:9), %12 sum (14:9), %16 div (14:9), %20 add (14:9), %21 rsqrt (14:9), %23 mul (14:9) and 11 more
//   saves     185664*S + 80 bytes by fusion
//
// kept apart
//   queries_0 | queries_1: one kernel would take longer than the two (together they would add 14 % to the total time)
//     from %8 as (14:26) to %23 mul (14:9)
//
// total
//   moves     23872*S + 20971680 bytes; one kernel per op would move 230016*S + 20971840 bytes, 5.6 times as much
//   computes  20992096*S + 80 flop
//   estimate  68 us on H100, launches included, with S = 1024
//   workspace 5120*S bytes in 1 slot
//   peak      18752*S + 20971680 bytes with inputs and outputs; one kernel per op would need 44352*S + 20971680 bytes
