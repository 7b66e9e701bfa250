// A vector is an operand whose packs are read by their step alone: its other index has no reader.
// run: fusec %s --arch=sm_90a -o %t.cu
// run: grep -m 1 "own = chunk" %t.cu
fn transformed[N](x: f32[N]) -> (y: f32[N]) {
    angle = (iota(N)[:, None] * iota(N) % N) as f32 * (6.283185307179586 / N);
    y = cos(angle) @ x + sin(angle) @ (2 * x);
}
// ---- expect
//                     const int own = chunk / 2, kk = chunk % 2 * VEC;
