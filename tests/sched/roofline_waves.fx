// run: fusec explain --roofline --arch sm_80 -D N=1792 --tile m=256,n=128 %s
// run: fusec explain --roofline --arch sm_80 -D N=1793 --tile m=256,n=128 %s
// 98 tiles of 256 x 128 are one wave of an A100, with 108 multiprocessors; 120 are two.
fn square[N](x: f16[N, N], w: f16[N, N]) -> (y: f16[N, N]) { y = x @ w; }
// ---- expect
// fn square at -O2: 1 kernel
// A100: 2.039e+12 bytes/s, f64 9.7e+12/s, f32 1.95e+13/s, int 1.95e+13/s, special 2.44e+12/s, tf32 1.56e+14/s, bf16 3.12e+14/s, i8 6.24e+14/s
//
// kernel square_0: dot
//   reads     12845056 bytes
//   writes    6422528 bytes
//   computes  11509170176 bf16
//   intensity 597.3 operations per byte; ridge 153 (bf16)
//   T_math    36.9 us: bf16 36.9 us
//   T_memory  9.45 us
//   bounds    36.9 us to 46.3 us, bound by bf16
//   expected  86.8 us
//   tiles     98 of 256 x 128
//   waves     1, the last one 91 % full
//   occupancy 1 block of 256 threads, 12 %, limited by registers
// fn square at -O2: 3 kernels
// A100: 2.039e+12 bytes/s, f64 9.7e+12/s, f32 1.95e+13/s, int 1.95e+13/s, special 2.44e+12/s, tf32 1.56e+14/s, bf16 3.12e+14/s, i8 6.24e+14/s
//
// kernel square_0: pointwise
//   reads     6429698 bytes
//   writes    6655616 bytes
//   intensity 0 operations per byte
//   T_math    0 ns
//   T_memory  6.42 us
//   bounds    6.42 us to 6.42 us, bound by memory
//   expected  9.92 us
//
// kernel square_1: pointwise
//   reads     6429698 bytes
//   writes    6655616 bytes
//   intensity 0 operations per byte
//   T_math    0 ns
//   T_memory  6.42 us
//   bounds    6.42 us to 6.42 us, bound by memory
//   expected  9.92 us
//
// kernel square_2: dot
//   reads     12859396 bytes
//   writes    6429698 bytes
//   computes  11528448514 bf16
//   intensity 597.7 operations per byte; ridge 153 (bf16)
//   T_math    37 us: bf16 37 us
//   T_memory  9.46 us
//   bounds    37 us to 46.4 us, bound by bf16
//   expected  176 us
//   tiles     120 of 256 x 128, 81.8 % of them work
//   waves     2, the last one 11 % full
//   occupancy 1 block of 256 threads, 12 %, limited by registers
//
// whole
//   moves     4.546e+07 bytes
//   computes  1.153e+10 bf16
//   intensity 253.6 operations per byte; ridge 153 (bf16)
//   T_math    37 us: bf16 37 us
//   T_memory  22.3 us
//   bounds    49.8 us to 59.2 us, bound by bf16
//   expected  196 us
