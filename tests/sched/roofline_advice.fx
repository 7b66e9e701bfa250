// run: fusec %s -Wperf -D B=4096 -D D=768 -D V=50257 --arch sm_80 -o %t.cu
// run: fusec %s -Wperf -D B=4096 -D D=4097 -D V=4096 --arch sm_90a -o %t.cu
// run: fusec %s -Wperf -D B=1793 -D D=1792 -D V=1793 --arch sm_80 -o %t.cu
// run: fusec %s -Wperf -D B=4096 -D D=768 -D V=50304 --arch sm_80 -o %t.cu
// run: fusec explain %s --roofline -D B=4096 -D D=768 -D V=50257 --machine A100
fn head[B, D, V](x: bf16[B, D], w: bf16[D, V]) -> (y: bf16[B, V]) {
    y = x @ w;
}
// ---- expect
// roofline_advice.fx:7:9: remark: V = 50257 -> 50264 saves 8 %: its rows start at no multiples of 16 bytes, so that copies go element by element, 1.1 times the time
//       y = x @ w;
//           ^~~~~
// roofline_advice.fx:7:9: remark: D = 4097 -> 4112 saves 68 %: its rows start at no multiples of 16 bytes, so that copies go element by element, 3.2 times the time
//       y = x @ w;
//           ^~~~~
// roofline_advice.fx:7:9: remark: B = 1793 needs 2 waves: with 1792 there is 1, and it takes 33 % less
//       y = x @ w;
//           ^~~~~
// roofline_advice.fx:7:9: remark: V = 1793 -> 1800 saves 8 %: its rows start at no multiples of 16 bytes, so that copies go element by element, 1.1 times the time
//       y = x @ w;
//           ^~~~~
// roofline_advice.fx:7:9: remark: V = 1793 needs 2 waves: with 1792 there is 1, and it takes 38 % less
//       y = x @ w;
//           ^~~~~
// fn head at -O2: 1 kernel
// A100: 2.039e+12 bytes/s, f64 9.7e+12/s, f32 1.95e+13/s, int 1.95e+13/s, special 2.44e+12/s, tf32 1.56e+14/s, bf16 3.12e+14/s, i8 6.24e+14/s
//
// kernel head_0: dot
//   reads     83486208 bytes
//   writes    411705344 bytes
//   computes  316189704192 bf16
//   intensity 638.5 operations per byte; ridge 153 (bf16)
//   T_math    1.01 ms: bf16 1.01 ms
//   T_memory  243 us
//   bounds    1.01 ms to 1.26 ms, bound by bf16
//   expected  2.43 ms
//   tiles     12576 of 128 x 128, 99.9 % of them work
//   waves     59, the last one 22 % full
//   occupancy 2 blocks of 128 threads, 12 %, limited by registers
//
// advice
//   head_0: V = 50257 -> 50264 saves 8 %: its rows start at no multiples of 16 bytes, so that copies go element by element, 1.1 times the time
