// All steps of a product of warpgroups are one asm: panels of keys and queries have 4 steps each, and
// columns of values are MN-major. Scores of other depth have a function of their own.
// run: fusec %s --fn attention --arch=sm_90a --tile=n=96 -o %t.cu
// run: grep -A 1 "^.. sum " %t.cu
// run: grep "  STEP(\|wgmma_further([ab], " %t.cu
// run: grep -A 5 "const auto multiply_" %t.cu
// run: fusec %s --fn backward --arch=sm_90a -o %t.cu
// run: grep -A 1 "^.. sum " %t.cu
fn attention[H, S](q: bf16[H, S, 96], k: bf16[H, S, 96], v: bf16[H, S, 64]) -> (o: bf16[H, S, 64]) {
    o = softmax(q @ k.T) as bf16 @ v;
}
fn backward[H, S](
    q: bf16[H, S, 96], k: bf16[H, S, 96], v: bf16[H, S, 64], lse: f32[H, S], d: f32[H, S],
    do: bf16[H, S, 64]
) -> (dq: bf16[H, S, 96]) {
    p = exp(q @ k.T - lse[:, :, None]);
    dq = (p * (do @ v.T - d[:, :, None])) as bf16 @ k;
}
// ---- expect
// /* sum = a b of a warpgroup: 64 x 96, 6 steps of 16 along k; a, b: see wgmma_descriptor. */
// DEVICE void attention_0_scores(float (&sum)[48], unsigned long long a, unsigned long long b) {
// --
// /* sum += a b of a warpgroup: 64 x 64, 6 steps of 16 along k; a in registers. */
// DEVICE void attention_0_values(float (&sum)[32], const unsigned (&a)[24], unsigned long long b) {
//         STEP("%48", "%54", "0")
//         STEP("%49", "%55", "1")
//         STEP("%50", "%56", "1")
//         STEP("%51", "%57", "1")
//         STEP("%52", "%58", "1")
//         STEP("%53", "%59", "1")
//         : "l"(a), "l"(wgmma_further(a, 2)), "l"(wgmma_further(a, 4)),
//           "l"(wgmma_further(a, 6)), "l"(wgmma_further(a, 512)), "l"(wgmma_further(a, 514)),
//           "l"(b), "l"(wgmma_further(b, 2)), "l"(wgmma_further(b, 4)),
//           "l"(wgmma_further(b, 6)), "l"(wgmma_further(b, 768)), "l"(wgmma_further(b, 770)));
//         STEP("{%32, %33, %34, %35}", "%56", "1")
//         STEP("{%36, %37, %38, %39}", "%57", "1")
//         STEP("{%40, %41, %42, %43}", "%58", "1")
//         STEP("{%44, %45, %46, %47}", "%59", "1")
//         STEP("{%48, %49, %50, %51}", "%60", "1")
//         STEP("{%52, %53, %54, %55}", "%61", "1")
//           "l"(b), "l"(wgmma_further(b, 128)), "l"(wgmma_further(b, 256)),
//           "l"(wgmma_further(b, 384)), "l"(wgmma_further(b, 512)), "l"(wgmma_further(b, 640)));
//             const auto multiply_keys = [&]() {
//                 const int q_rows = queries.slot * q_bytes;
//                 const auto a = wgmma_descriptor(q_slots + q_rows, 1024);
//                 const auto b = wgmma_descriptor(k_slots + keys.slot * k_bytes, 1024);
//                 attention_0_scores(score, a, b);
//                 wgmma_commit();
// --
//             const auto multiply_values = [&]() {
//                 const auto b = wgmma_descriptor(v_slots + values.slot * v_bytes, tile_n * 128);
//                 attention_0_values(out, weight, b);
//                 wgmma_commit();
//             };
//
// /* sum = a b of a warpgroup: 64 x 64, 6 steps of 16 along k; a, b: see wgmma_descriptor. */
// DEVICE void backward_0_scores(float (&sum)[32], unsigned long long a, unsigned long long b) {
// --
// /* sum = a b of a warpgroup: 64 x 64, 4 steps of 16 along k; a, b: see wgmma_descriptor. */
// DEVICE void backward_0_scores_1(float (&sum)[32], unsigned long long a, unsigned long long b) {
// --
// /* sum += a b of a warpgroup: 64 x 96, 4 steps of 16 along k; a in registers. */
// DEVICE void backward_0_values(float (&sum)[48], const unsigned (&a)[16], unsigned long long b) {
