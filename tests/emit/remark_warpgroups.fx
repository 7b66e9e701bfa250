// run: fusec %s -Wperf --target cuda --arch sm_90a -D N=2048 -o %t.cu
// run: fusec %s -Wperf --target cuda --arch sm_90a -D N=16 -o %t.cu
// run: fusec %s -Wperf --target cuda --arch sm_80 -D N=2048 -o %t.cu
// Queries that the copy engine could bring, if they were stored as the product takes them.
fn attend[N](q: bf16[64, N, 64], k: bf16[64, 512, 64], v: bf16[64, 512, 64]) -> (o: bf16[64, N, 64]) {
    o = softmax(((q as f32 * 0.3) as bf16) @ k.T) as bf16 @ v;
}
// ---- expect
// remark_warpgroups.fx:6:9: remark: attention without wgmma: queries are computed, or their rows are not evenly spaced
//       o = softmax(((q as f32 * 0.3) as bf16) @ k.T) as bf16 @ v;
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
