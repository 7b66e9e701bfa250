// run: fusec %s -Wperf -D B=64 -D D=4096 -D V=4097 --arch sm_90a -o %t.cu
// run: fusec %s -Wperf -D B=64 -D D=4100 -D V=4096 --arch sm_90a -o %t.cu
// run: fusec %s -Wperf -D B=1793 -D D=1792 -D V=1793 --arch sm_80 -o %t.cu
// run: fusec %s -Wperf -D B=4096 -D D=768 -D V=50304 --arch sm_80 -o %t.cu
// run: fusec explain %s --roofline -D B=4096 -D D=768 -D V=50257 --machine A100
fn head[B, D, V](x: bf16[B, D], w: bf16[D, V]) -> (y: bf16[B, V]) {
    y = x @ w;
}
// ---- expect
// roofline_advice.fx:7:9: remark: V = 4097 -> 4104 saves 42 %: its rows start at no multiples of 16 bytes, so that copies go element by element, 1.8 times the time
//       y = x @ w;
//           ^~~~~
// roofline_advice.fx:7:9: remark: D = 4100 -> 4112 saves 48 %: its rows start at no multiples of 16 bytes, so that copies go element by element, 1.9 times the time
//       y = x @ w;
//           ^~~~~
// roofline_advice.fx:7:9: remark: B = 1793 needs 2 waves: with 1792 there is 1, and it takes 30 % less
//       y = x @ w;
//           ^~~~~
// fn head at -O2: 2 kernels
// A100: 2.039e+12 bytes/s, f64 9.7e+12/s, f32 1.95e+13/s, int 1.95e+13/s, special 2.44e+12/s, tf32 1.56e+14/s, bf16 3.12e+14/s, i8 6.24e+14/s
//
// kernel head_0: pointwise
//   reads     77194752 bytes
//   writes    77266944 bytes
//   intensity 0 operations per byte
//   T_math    0 ns
//   T_memory  75.8 us
//   bounds    75.8 us to 75.8 us, bound by memory
//   expected  90.1 us
//
// kernel head_1: dot
//   reads     83486208 bytes
//   writes    411705344 bytes
//   computes  316189704192 bf16
//   intensity 638.5 operations per byte; ridge 153 (bf16)
//   T_math    1.01 ms: bf16 1.01 ms
//   T_memory  243 us
//   bounds    1.01 ms to 1.26 ms, bound by bf16
//   expected  2.24 ms
//   tiles     12576 of 128 x 128, 99.9 % of them work
//   waves     59, the last one 22 % full
//   occupancy 2 blocks of 128 threads, 12 %, limited by registers
//
// whole
//   moves     6.497e+08 bytes
//   computes  3.162e+11 bf16
//   intensity 486.7 operations per byte; ridge 153 (bf16)
//   T_math    1.01 ms: bf16 1.01 ms
//   T_memory  319 us
//   bounds    1.09 ms to 1.33 ms, bound by bf16
//   expected  2.33 ms
