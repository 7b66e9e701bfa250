// Threads share one loop over the panels that an attention packs, and one over its tiles.
// run: fusec %s --fn forward -D B=4 -D S=200 -D D=64 --target=c -o %t.c
// run: grep -A 3 "omp for" %t.c
// run: fusec %s --fn backward -D B=4 -D S=200 -D D=64 --target=c -o %t.c
// run: grep -A 3 "omp for" %t.c
fn forward[B, S, D](q: f32[B, S, D], k: f32[B, S, D], v: f32[B, S, D]) -> (o: f32[B, S, D]) {
    o = softmax(q @ k.T) @ v;
}
fn backward[B, S, D](q: f32[B, S, D], k: f32[B, S, D], v: f32[B, S, D], l: f32[B, S],
                     g: f32[B, S, D]) -> (dq: f32[B, S, D]) {
    p = exp(q @ k.T - l[:, :, None]);
    dq = (p * (g @ v.T)) @ k;
}
// ---- expect
// #pragma omp for collapse(2) schedule(static)
//         for (idx i0 = 0; i0 < 4; i0++) {
//             for (idx each = 0; each < key_panels + column_panels; each++) {
//                 const bool is_keys = each < key_panels;
// --
// #pragma omp for collapse(2) schedule(dynamic)
//         for (idx i0 = 0; i0 < 4; i0++) {
//             for (idx tile = tiles - 1; tile >= 0; tile--) { /* causal: the longest rows first */
//                 const idx m_start = tile * M_TILE;
// #pragma omp for collapse(2) schedule(static) nowait
//         for (idx i0 = 0; i0 < 4; i0++) {
//             for (idx each = 0; each < n_panels + column_panels; each++) {
//                 const bool is_right = each < n_panels;
// --
// #pragma omp for collapse(2) schedule(dynamic)
//         for (idx i0 = 0; i0 < 4; i0++) {
//             for (idx tile = tiles - 1; tile >= 0; tile--) { /* causal: the longest rows first */
//                 float *const own = (float *)(scratch +
