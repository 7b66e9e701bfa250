// Rows of a projection are normalised by the kernel that multiplies: the residual is added, two
// reductions follow each other, and nothing but the result is stored. By cost: on a GPU, few tiles
// that own long rows leave multiprocessors idle.
// run: fusec %s --target=c --emit=plan -D M=100 -D N=160 -D K=96
// run: fusec %s --arch=sm_90a --emit=plan -D M=65536 -D N=512 -D K=512
// run: fusec %s --arch=sm_90a --explain -D M=2048 -D N=512 -D K=1024 -o /dev/null
// run: fusec run %s --check -D M=100 -D N=160 -D K=96
fn block[M, N, K](
    x: bf16[M, K],
    w: bf16[N, K],
    r: bf16[M, N],
    gain: f32[N],
    bias: f32[N]
) -> (y: bf16[M, N]) {
    y = layer_norm(x @ w.T + r, gain, bias, eps = 1e-5);
}
// ---- expect
// plan block -O2
// kernel block_0 dot
//   reads x w r gain bias
//   writes y
//   over [100, 160] along 160
//     %6 matmul f32[100, 160]
//     %8 add f32[100, 160]
//     %9 sum f32[100, 1]
//     %13 div f32[100, 1]
//     %15 sub f32[100, 160]
//     %16 mul f32[100, 160]
//     %17 sum f32[100, 1]
//     %18 div f32[100, 1]
//     %22 add f32[100, 1]
//     %23 rsqrt f32[100, 1]
//     %25 mul f32[100, 160]
//     %28 mul f32[100, 160]
//     %31 add f32[100, 160]
//     %32 as bf16[100, 160] -> y
//   bytes_read 83200
//   bytes_written 32000
//   flops 3200400
// buffer x input bf16[9600] bytes 19200 live -1..1
// buffer w input bf16[15360] bytes 30720 live -1..1
// buffer r input bf16[16000] bytes 32000 live -1..1
// buffer gain input f32[160] bytes 640 live -1..1
// buffer bias input f32[160] bytes 640 live -1..1
// buffer y output bf16[16000] bytes 32000 live 0..1
// peak 115200
// plan block -O2
// kernel block_0 dot
//   reads x w r gain bias
//   writes y
//   over [65536, 512] along 512
//     %6 matmul f32[65536, 512]
//     %8 add f32[65536, 512]
//     %9 sum f32[65536, 1]
//     %13 mul f32[65536, 1]
//     %15 sub f32[65536, 512]
//     %16 mul f32[65536, 512]
//     %17 sum f32[65536, 1]
//     %18 mul f32[65536, 1]
//     %22 add f32[65536, 1]
//     %23 rsqrt f32[65536, 1]
//     %25 mul f32[65536, 512]
//     %28 mul f32[65536, 512]
//     %31 add f32[65536, 512]
//     %32 as bf16[65536, 512] -> y
//   bytes_read 134746112
//   bytes_written 67108864
//   flops 34628435968
// buffer x input bf16[33554432] bytes 67108864 live -1..1
// buffer w input bf16[262144] bytes 524288 live -1..1
// buffer r input bf16[33554432] bytes 67108864 live -1..1
// buffer gain input f32[512] bytes 2048 live -1..1
// buffer bias input f32[512] bytes 2048 live -1..1
// buffer y output bf16[33554432] bytes 67108864 live 0..1
// peak 201854976
// fn block at -O2: 14 ops in 2 kernels
//
// kernel block_0: dot over [2048, 512]
//   does      matmul, add
//   reads     7.0 MiB: x, w, r
//   writes    4.0 MiB: add_temp
//   computes  2.1 Gflop, 186.27 for each byte moved
//   estimate  7.47 us, bound by matrix products
//   tile      kind=wgmma,m=64,n=128,stages=6,group=1,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=4,unroll=4
//   inside    %6 matmul (15:20)
//   saves     8.0 MiB by fusion
//
// kernel block_1: row over [2048, 512] along 512
//   does      2 sum, 5 mul, sub, 2 add, rsqrt, as
//   reads     4.0 MiB: add_temp, gain, bias
//   writes    2.0 MiB: y
//   computes  7.3 Mflop, 1.17 for each byte moved
//   estimate  1.88 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=32,warp_columns=0,vector=4,keep=registers,unroll=4
//   inside    %9 sum (15:9), %13 mul (15:9), %15 sub (15:9), %16 mul (15:9), %17 sum (15:9), %18 mul (15:9) and 5 more
//   saves     48.1 MiB by fusion
//
// kept apart
//   block_0 | block_1: one kernel would take longer than the two (together they would take about 16.1 us more)
//     from %8 add (15:20) to %9 sum (15:9)
//
// total
//   moves     17.0 MiB; one kernel per op would move 73.1 MiB, 4.3 times as much
//   computes  2.2 Gflop
//   estimate  14.3 us on H100, launches included
//   workspace 4.0 MiB in 1 slot
//   peak      13.0 MiB with inputs and outputs; one kernel per op would need 17.0 MiB
// y: bf16[100, 160]  mean -0.02582  max 3.484  checksum 8b0e8b274e6bfdb3
// y: ok, largest error 0 of 0.00195 allowed, mean 0 of 0.000392, at [0, 0]: got -0.357421875, want -0.357421875
// fusec: remark: random inputs, seed 0: x, w, r, gain, bias
