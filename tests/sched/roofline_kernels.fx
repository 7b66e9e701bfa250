// run: fusec explain --roofline --machine H200 %s
// run: fusec explain --roofline --machine core %s -D D=4096
// run: fusec explain --roofline %s --machine TPUv4
// exit: 2
// run: fusec %s --machine "TPU v5e"
// exit: 2
// run: fusec %s --machine core
// exit: 2
// run: fusec explain %s --machine H200 --arch sm_80
// exit: 2
// run: fusec explain %s --shard D=2
// exit: 2
// run: fusec explain %s --resources --target=c
// exit: 2
// run: fusec explain --roofline %s --shard D=1
// exit: 2
// run: fusec explain --roofline %s --shard Q=2
// exit: 1
fn f[B, S, D](x: bf16[B, S, D], w: bf16[D, D], gain: f32[D]) -> (y: bf16[B, S, D]) {
    h = x * rsqrt(mean(x * x, keep = true) + 1e-6) * gain;
    q = (h as bf16) @ w;
    y = softmax(einsum("bsd,btd->bst", q, x)) @ x;
}
// ---- expect
// fn f at -O2: 3 kernels
// H200: 4.8e+12 bytes/s, f64 3.35e+13/s, f32 6.7e+13/s, int 3.35e+13/s, special 3.71e+12/s, tf32 4.947e+14/s, bf16 9.894e+14/s, f8 1.979e+15/s, i8 1.979e+15/s
// numbers are for B = 1024, S = 1024, D = 1024 (-D gives others)
//
// kernel f_0: row
//   reads     2*B*S*D + 4*D = 2.147e+09 bytes
//   writes    2*B*S*D = 2.147e+09 bytes
//   computes  4*B*S*D + 3*B*S = 4.298e+09 f32
//   intensity 1.001 operations per byte; ridge 13.96 (f32)
//   T_math    64.2 us: f32 64.2 us
//   T_memory  895 us
//   bounds    895 us to 959 us, bound by memory
//   expected  1.04 ms
//   B         memory-bound at any B with S = 1024, D = 1024
//   S         memory-bound at any S with B = 1024, D = 1024
//   D         memory-bound at any D with B = 1024, S = 1024
//   tiles     131072.0
//   waves     124.12
//   occupancy 8 blocks of 256 threads, 100 %, limited by threads
//
// kernel f_1: dot
//   reads     2*B*S*D + 2*D*D = 2.15e+09 bytes
//   writes    4*B*S*D = 4.295e+09 bytes
//   computes  2*B*S*D*D = 2.199e+12 bf16
//   intensity 341.2 operations per byte; ridge 206.1 (bf16)
//   T_math    2.22 ms: bf16 2.22 ms
//   T_memory  1.34 ms
//   bounds    2.22 ms to 3.57 ms, bound by bf16
//   expected  2.32 ms
//   B         compute-bound at any B with S = 1024, D = 1024
//   S         compute-bound at any S with B = 1024, D = 1024
//   D         compute-bound from D = 619 with B = 1024, S = 1024
//   tiles     49152.0 of 128 x 192, 88.9 % of them work
//   waves     372.36
//   occupancy 1 block of 384 threads, 19 %, limited by registers
//
// kernel f_2: attention
//   reads     6*B*S*D = 6.442e+09 bytes
//   writes    2*B*S*D = 2.147e+09 bytes
//   computes  4*B*S*S*D + 4*B*S*S + B*S*D + 5*B*S = 4.403e+12 f32, 2*B*S = 2.097e+06 int, B*S*S = 1.074e+09 special
//   intensity 512.8 operations per byte; ridge 13.96 (f32)
//   T_math    65.7 ms: f32 65.7 ms, int 62.6 ns, special 289 us
//   T_memory  1.79 ms
//   bounds    65.7 ms to 67.5 ms, bound by f32
//   expected  74.3 ms
//   B         compute-bound at any B with S = 1024, D = 1024
//   S         compute-bound from S = 28 with B = 1024, D = 1024
//   D         compute-bound at any D with B = 1024, S = 1024
//   tiles     8192.0 of 128 rows
//   waves     31.03
//   occupancy 2 blocks of 128 threads, 12 %, limited by registers
//
// whole
//   moves     1.933e+10 bytes
//   computes  4.408e+12 f32, 2.097e+06 int, 1.074e+09 special, 2.199e+12 bf16
//   intensity 341.9 operations per byte; ridge 13.96 (f32)
//   T_math    68 ms: f32 65.8 ms, int 62.6 ns, special 289 us, bf16 2.22 ms
//   T_memory  4.03 ms
//   bounds    68.8 ms to 72 ms, bound by f32
//   expected  77.6 ms
//   B         compute-bound at any B with S = 1024, D = 1024
//   S         compute-bound from S = 28 with B = 1024, D = 1024
//   D         compute-bound at any D with B = 1024, S = 1024
// fn f at -O2: 3 kernels
// core: 2e+10 bytes/s, f64 8e+10/s, f32 1.6e+11/s, int 8e+10/s, special 5e+09/s
// numbers are for B = 1024, S = 1024 (-D gives others)
//
// kernel f_0: row
//   reads     8192*B*S + 16384 = 8.59e+09 bytes
//   writes    8192*B*S = 8.59e+09 bytes
//   computes  16387*B*S = 1.718e+10 f32
//   intensity 1 operations per byte; ridge 8 (f32)
//   T_math    107 ms: f32 107 ms
//   T_memory  859 ms
//   bounds    859 ms to 966 ms, bound by memory
//   expected  859 ms
//   B         memory-bound at any B
//   S         memory-bound at any S
//
// kernel f_1: dot
//   reads     8192*B*S + 33554432 = 8.623e+09 bytes
//   writes    16384*B*S = 1.718e+10 bytes
//   computes  33554432*B*S = 3.518e+13 bf16
//   intensity 1364 operations per byte; ridge 8 (bf16)
//   T_math    220 s: bf16 220 s
//   T_memory  1.29 s
//   bounds    220 s to 221 s, bound by bf16
//   expected  220 s
//   B         compute-bound at any B with S = 1024
//   S         compute-bound at any S with B = 1024
//
// kernel f_2: attention
//   reads     24576*B*S = 2.577e+10 bytes
//   writes    8192*B*S = 8.59e+09 bytes
//   computes  16388*B*S*S + 4101*B*S = 1.76e+13 f32, 2*B*S = 2.097e+06 int, B*S*S = 1.074e+09 special
//   intensity 512.3 operations per byte; ridge 8 (f32)
//   T_math    110 s: f32 110 s, int 26.2 us, special 215 ms
//   T_memory  1.72 s
//   bounds    110 s to 112 s, bound by f32
//   expected  110 s
//   B         compute-bound at any B with S = 1024
//   S         compute-bound from S = 16 with B = 1024
//
// whole
//   moves     7.734e+10 bytes
//   computes  1.762e+13 f32, 2.097e+06 int, 1.074e+09 special, 3.518e+13 bf16
//   intensity 682.7 operations per byte; ridge 8 (bf16)
//   T_math    330 s: f32 110 s, int 26.2 us, special 215 ms, bf16 220 s
//   T_memory  3.87 s
//   bounds    331 s to 334 s, bound by bf16
//   expected  331 s
//   B         compute-bound at any B with S = 1024
//   S         compute-bound at any S with B = 1024
// fusec: error: there is no machine 'TPUv4': `fusec machines` lists them; a file of figures has a name with a dot or a slash
// fusec: error: of TPU v5e only the figures are known: there is no code for it
// fusec: error: core is a CPU: add --target=c
// fusec: error: H200 is sm_90a, and --arch is sm_80
// fusec: error: --shard needs --roofline
// fusec: error: --resources are those of a GPU: add --target=cuda
// fusec: error: --shard wants a number of devices from 2 to 1048576, not 'D=1'
// fusec: error: --shard: fn f has no open dim 'Q'
