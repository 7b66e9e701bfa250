// run: fusec explain --roofline --machine tpuv5e --fn linear %s
// run: fusec explain --roofline --machine tpuv5e --fn linear8 %s
// run: fusec explain --roofline --machine tpuv5e --fn weights8 %s
// run: fusec explain --roofline --machine tpuv5e --fn inner %s
// run: fusec explain --roofline --machine tpuv5e --fn batched %s
// run: fusec explain --roofline --machine tpuv5e --fn linear --shard D=2 %s
// Figures of 1.97e14 bf16 and 3.94e14 i8 operations/s, 8.1e11 bytes/s, links of 4.5e10 bytes/s. While B
// is small: bf16 is compute-bound from B = 244, i8 from 244, bf16 by i8 weights from 122; a dot product
// never; a batched product at no B; a product sharded over D between two devices for D > 8755.
fn linear[B, D, F](x: bf16[B, D], w: bf16[D, F]) -> (y: bf16[B, F]) { y = x @ w; }
fn linear8[B, D, F](x: i8[B, D], w: i8[D, F]) -> (y: i8[B, F]) { y = (x @ w) as i8; }
fn weights8[B, D, F](x: bf16[B, D], w: i8[D, F]) -> (y: bf16[B, F]) { y = x @ (w as bf16); }
fn inner[N](x: bf16[N], y: bf16[N]) -> (s: bf16) { s = x @ y; }
fn batched[B, D, F](x: i8[B, D], w: i8[B, D, F]) -> (y: i8[B, F]) {
    y = einsum("bd,bdf->bf", x, w) as i8;
}
// ---- expect
// fn linear at -O2: 1 kernel
// TPU v5e: 8.1e+11 bytes/s, bf16 1.97e+14/s, i8 3.94e+14/s
// numbers are for B = 1024, D = 1024, F = 1024 (-D gives others)
//
// kernel linear_0: dot
//   reads     2*B*D + 2*D*F = 4.194e+06 bytes
//   writes    2*B*F = 2.097e+06 bytes
//   computes  2*B*D*F = 2.147e+09 bf16
//   intensity 341.3 operations per byte; ridge 243.2 (bf16)
//   T_math    10.9 us: bf16 10.9 us
//   T_memory  7.77 us
//   bounds    10.9 us to 18.7 us, bound by bf16
//   B         compute-bound from B = 464 with D = 1024, F = 1024
//             while B is small: from B = 244
//             in general: from B = D*F / (0.004112*D*F - D - F)
//   D         compute-bound from D = 464 with B = 1024, F = 1024
//             while D is small: from D = 244
//             in general: from D = B*F / (0.004112*B*F - B - F)
//   F         compute-bound from F = 464 with B = 1024, D = 1024
//             while F is small: from F = 244
//             in general: from F = B*D / (0.004112*B*D - D - B)
// fn linear8 at -O2: 1 kernel
// TPU v5e: 8.1e+11 bytes/s, bf16 1.97e+14/s, i8 3.94e+14/s
// numbers are for B = 1024, D = 1024, F = 1024 (-D gives others)
//
// kernel linear8_0: dot
//   reads     B*D + D*F = 2.097e+06 bytes
//   writes    B*F = 1.049e+06 bytes
//   computes  2*B*D*F = 2.147e+09 i8
//   intensity 682.7 operations per byte; ridge 486.4 (i8)
//   T_math    5.45 us: i8 5.45 us
//   T_memory  3.88 us
//   bounds    5.45 us to 9.33 us, bound by i8
//   B         compute-bound from B = 464 with D = 1024, F = 1024
//             while B is small: from B = 244
//             in general: from B = D*F / (0.004112*D*F - D - F)
//   D         compute-bound from D = 464 with B = 1024, F = 1024
//             while D is small: from D = 244
//             in general: from D = B*F / (0.004112*B*F - B - F)
//   F         compute-bound from F = 464 with B = 1024, D = 1024
//             while F is small: from F = 244
//             in general: from F = B*D / (0.004112*B*D - D - B)
// fn weights8 at -O2: 1 kernel
// TPU v5e: 8.1e+11 bytes/s, bf16 1.97e+14/s, i8 3.94e+14/s
// numbers are for B = 1024, D = 1024, F = 1024 (-D gives others)
//
// kernel weights8_0: dot
//   reads     2*B*D + D*F = 3.146e+06 bytes
//   writes    2*B*F = 2.097e+06 bytes
//   computes  2*B*D*F = 2.147e+09 bf16
//   intensity 409.6 operations per byte; ridge 243.2 (bf16)
//   T_math    10.9 us: bf16 10.9 us
//   T_memory  6.47 us
//   bounds    10.9 us to 17.4 us, bound by bf16
//   B         compute-bound from B = 232 with D = 1024, F = 1024
//             while B is small: from B = 122
//             in general: from B = D*F / (0.008223*D*F - 2*D - 2*F)
//   D         compute-bound from D = 378 with B = 1024, F = 1024
//             while D is small: from D = 244
//             in general: from D = B*F / (0.004112*B*F - B - 0.5*F)
//   F         compute-bound from F = 378 with B = 1024, D = 1024
//             while F is small: from F = 244
//             in general: from F = B*D / (0.004112*B*D - 0.5*D - B)
// fn inner at -O2: 1 kernel
// TPU v5e: 8.1e+11 bytes/s, bf16 1.97e+14/s, i8 3.94e+14/s
// numbers are for N = 1024 (-D gives others)
//
// kernel inner_0: dot
//   reads     4*N = 4096 bytes
//   writes    2 bytes
//   computes  2*N = 2048 bf16
//   intensity 0.4998 operations per byte; ridge 243.2 (bf16)
//   T_math    0.0104 ns: bf16 0.0104 ns
//   T_memory  5.06 ns
//   bounds    5.06 ns to 5.07 ns, bound by memory
//   N         memory-bound at any N
// fn batched at -O2: 1 kernel
// TPU v5e: 8.1e+11 bytes/s, bf16 1.97e+14/s, i8 3.94e+14/s
// numbers are for B = 1024, D = 1024, F = 1024 (-D gives others)
//
// kernel batched_0: dot
//   reads     B*D*F + B*D = 1.075e+09 bytes
//   writes    B*F = 1.049e+06 bytes
//   computes  2*B*D*F = 2.147e+09 i8
//   intensity 1.996 operations per byte; ridge 486.4 (i8)
//   T_math    5.45 us: i8 5.45 us
//   T_memory  1.33 ms
//   bounds    1.33 ms to 1.33 ms, bound by memory
//   B         memory-bound at any B
//   D         memory-bound at any D
//   F         memory-bound at any F
// fn linear at -O2: 1 kernel
// TPU v5e: 8.1e+11 bytes/s, bf16 1.97e+14/s, i8 3.94e+14/s; D over 2 devices, links of 4.5e+10 bytes/s
// numbers are for B = 1024, D = 1024, F = 1024 (-D gives others)
//
// kernel linear_0: dot
//   reads     2*B*D + 2*D*F = 2.097e+06 bytes
//   writes    2*B*F = 2.097e+06 bytes
//   exchanges 2.097e+06 bytes with other devices
//   computes  2*B*D*F = 1.074e+09 bf16
//   intensity 256 operations per byte; ridge 243.2 (bf16)
//   T_math    5.45 us: bf16 5.45 us
//   T_memory  5.18 us
//   T_link    46.6 us
//   bounds    46.6 us to 57.2 us, bound by link
//   B         compute-bound, not memory-bound, from B = 847 with D = 1024, F = 1024
//             while B is small: from B = 244
//             in general: from B = D*F / (0.004112*D*F - D - 2*F)
//   B         link-bound at any B with D = 1024, F = 1024
//   D         compute-bound, not memory-bound, from D = 927 with B = 1024, F = 1024
//             while D is small: from D = 487
//             in general: from D = B*F / (0.002056*B*F - 0.5*B - 0.5*F)
//   D         compute-bound, not link-bound, from D = 8756 with B = 1024, F = 1024
//   F         compute-bound, not memory-bound, from F = 847 with B = 1024, D = 1024
//             while F is small: from F = 244
//             in general: from F = B*D / (0.004112*B*D - D - 2*B)
//   F         link-bound at any F with B = 1024, D = 1024
