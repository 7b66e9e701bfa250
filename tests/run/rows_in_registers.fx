// Rows of products that are only reduced: on sm_90a by the threads that have their elements.
// run: fusec run %s --check
// run: fusec explain %s --arch=sm_90a -o %t.txt
// run: grep -E "^kernel|kind=wgmma" %t.txt
fn rows(x: bf16[1030, 256], w: bf16[1000, 256], labels: i32[1030], a: bf16[4099, 528], b: bf16[100, 528])
    -> (loss: f32[1030], low: f32[4099], high: f32[4099]) {
    loss = cross_entropy(x @ w.T, labels % 1000);
    s = a @ b.T;
    low = min(s, axis = 1);
    high = logsumexp(s);
}
// ---- expect
// loss: f32[1030]  mean 17.96  max 37.08  checksum 255cb8c845eda482
// low: f32[4099]  mean -19.14  max -10.21  checksum 04316581c784357c
// high: f32[4099]  mean 19.47  max 36.16  checksum 1bd55512820a2f4c
// loss: ok, largest error 3.81e-06 of 2.53e-05 allowed, mean 3.88e-07 of 1.19e-05, at [715]: got 37.0792198, want 37.0792236
// low: ok, largest error 0 of 1.76e-05 allowed, mean 0 of 9.26e-06, at [0]: got -17.7989197, want -17.7989197
// high: ok, largest error 1.91e-06 of 2.11e-05 allowed, mean 3.42e-07 of 1.04e-05, at [0]: got 16.6442871, want 16.644289
// fusec: remark: random inputs, seed 0: x, w, labels, a, b
// kernel rows_0: dot over [1030, 8, 128] along 128
//   tile      kind=wgmma,m=128,n=128,stages=6,group=16,ping_pong=0,persistent=1,row_threads=4,vector=2,keep=registers,unroll=4
// kernel rows_1: row over [1030, 8] along 8
// kernel rows_2: dot over [4099, 100] along 100
//   tile      kind=wgmma,m=64,n=128,stages=6,group=16,ping_pong=1,persistent=1,row_threads=4,vector=2,keep=registers,unroll=4
