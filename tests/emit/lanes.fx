// Loops along rows: four vectors a turn where sums would wait for each other, and what is left of a row
// apart from whole vectors, unless there is none.
// run: fusec %s -o %t.c
// run: grep -E "^    +(EACH_|for .idx i|const idx lanes).*[{;]$" %t.c
fn open_dims[N, D](x: f32[N, D], g: f32[D]) -> (y: f32[N, D]) {
    y = rms_norm(x, g);
}

fn whole[N](x: f32[N, 160], g: f32[160]) -> (y: f32[N, 160]) {
    y = rms_norm(x, g);
}

fn columns[N, D](x: f32[N, D]) -> (y: f32[D]) {
    y = sum(x, axis = 0);
}

fn pass[N](x: f32[N]) -> (y: f32[N]) {
    y = exp(x);
}
// ---- expect
//     for (idx i0 = 0; i0 < N; i0++) {
//         EACH_FOUR_VECTORS(i1, u, lanes, D) {
//         EACH_VECTOR(i1, lanes, D) {
//     for (idx i0 = 0; i0 < N; i0++) {
//         EACH_FOUR_VECTORS(i1, u, lanes, 160) {
//         for (idx i1 = 0; i1 < 160; i1 += VL) {
//         EACH_ROW_BLOCK(first, block_rows, 8, whole, N) {
//             EACH_VECTOR(at, lanes, end - start) {
//                 for (idx i1 = first; i1 < first + block_rows; i1++) {
//         EACH_VECTOR(at, lanes, end - start) {
//     for (idx i0 = 0; i0 < N; i0 += VL) {
//         const idx lanes = N - i0 < VL ? N - i0 : VL;
