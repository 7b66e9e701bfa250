// Loops over rows are in the order in which most bytes are read: of a permuted input in its order, if
// there is no larger one; results are stored in any order.
// run: fusec %s -o %t.c
// run: grep -E "^static void .*_0\(|for \(idx i[0-9] =|ahead\(x.*/ 2\)" %t.c
fn moved[B, S, H, D](x: f32[B, S, H, D]) -> (y: f32[B, H, S, D]) { y = permute(x, 0, 2, 1, 3); }

fn added[B, S, H, D](x: bf16[B, S, H, D], z: f32[B, H, S, D]) -> (y: f32[B, H, S, D]) {
    y = permute(x, 0, 2, 1, 3) + z;
}

fn normed[B, S, H, D](x: f32[B, S, H, D]) -> (y: f32[B, H, S, D]) {
    y = softmax(permute(x, 0, 2, 1, 3));
}
// ---- expect
// static void moved_0(const float *restrict x, float *restrict y, idx B, idx S, idx H, idx D)
//     for (idx i0 = 0; i0 < B; i0++) {
//         for (idx i2 = 0; i2 < S; i2++) {
//             for (idx i1 = 0; i1 < H; i1++) {
// static void added_0(const bf16 *restrict x, const float *restrict z, float *restrict y, idx B,
//     for (idx i0 = 0; i0 < B; i0++) {
//         for (idx i1 = 0; i1 < H; i1++) {
//             for (idx i2 = 0; i2 < S; i2++) {
// static void normed_0(const float *restrict x, float *restrict y, idx B, idx S, idx H, idx D,
//     for (idx i0 = 0; i0 < B; i0++) {
//         for (idx i2 = 0; i2 < S; i2++) {
//             for (idx i1 = 0; i1 < H; i1++) {
