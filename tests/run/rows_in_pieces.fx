// Rows that have a short piece in each of many lines, as groups of channels, are computed side by side,
// so that each line is read once; not those that are few, or of which an element is kept.
// run: fusec %s --target=c --no-test -o %t.c
// run: grep "EACH_OF_ROWS(u, [0-9]*) \(i\|{\)\|for (idx first\|EACH_VECTOR(" %t.c
// run: fusec run %s --check --device=cpu
// run: fusec run %s --check --device=cpu --threads 2 -O0 > checks
fn f(x: bf16[9, 30, 40], g: bf16[40], b: bf16[40], z: f64[16, 7, 96], d: f32[3, 21, 32], e: f32[20, 11, 32],
        i: i32[33, 5, 56])
    -> (y: bf16[9, 30, 40], w: f64[16, 7, 96], most: f64[16, 16], few: f32[3, 21, 32], kept: f32[20, 11, 32],
        at: i32[33, 8]) {
    v = reshape(x as f32, 9, 30, 8, 5);
    n = (v - mean(v, axis = [1, 3], keep = true)) * rsqrt(var(v, axis = [1, 3], keep = true) + 1e-5);
    y = silu(reshape(n, 9, 30, 40) * g + b);
    p = reshape(z, 16, 7, 16, 6);
    most = max(p, axis = [1, 3]);
    w = reshape(p - sum(p * p, axis = [1, 3], keep = true), 16, 7, 96);
    few = reshape(reshape(d, 3, 21, 8, 4) - mean(reshape(d, 3, 21, 8, 4), axis = [1, 3], keep = true), 3, 21, 32);
    q = exp(reshape(e, 20, 11, 8, 4));
    kept = reshape(q / sum(q, axis = [1, 3], keep = true), 20, 11, 32);
    at = min(reshape(i, 33, 5, 8, 7), axis = [1, 3]) + sum(reshape(i, 33, 5, 8, 7) % 3, axis = [1, 3]);
}
// ---- expect
// #define EACH_VECTOR(i, m, n)                                                                       \
//         for (idx first = single ? WHOLE(rows, 4) : 0, at_once = single ? 1 : 4;                    \
//             EACH_VECTOR(i, m, n)                                                                   \
//         for (idx first = 0; first < 8; first += 4) {
//             EACH_OF_ROWS(u, 4) i1[u] = first + u;
//             EACH_OF_ROWS(u, 4) {
//                 EACH_VECTOR(i3, lanes, 5) {
//                     EACH_OF_ROWS(u, 4) {
//             EACH_OF_ROWS(u, 4) {
//                 EACH_VECTOR(i3, lanes, 5) {
//                     EACH_OF_ROWS(u, 4) {
//             EACH_OF_ROWS(u, 4) {
//                 EACH_VECTOR(i3, lanes, 5) {
//                     EACH_OF_ROWS(u, 4) {
//         for (idx first = 0; first < 16; first += 16) {
//             EACH_OF_ROWS(u, 16) i1[u] = first + u;
//             EACH_OF_ROWS(u, 16) {
//                 EACH_VECTOR(i3, lanes, 6) {
//                     EACH_OF_ROWS(u, 16) {
//             EACH_OF_ROWS(u, 16) {
//                 EACH_VECTOR(i3, lanes, 6) {
//                     EACH_OF_ROWS(u, 16) {
//                 EACH_VECTOR(i3, lanes, 4) {
//                 EACH_VECTOR(i3, lanes, 4) {
//                 EACH_VECTOR(i3, lanes, 4) {
//         for (idx first = 0; first < 8; first += 8) {
//             EACH_OF_ROWS(u, 8) i1[u] = first + u;
//             EACH_OF_ROWS(u, 8) {
//                 EACH_VECTOR(i3, lanes, 7) {
//                     EACH_OF_ROWS(u, 8) {
//             EACH_OF_ROWS(u, 8) {
// y: bf16[9, 30, 40]  mean 0.1831  max 2.391  checksum 0c7e98b4c61f5ecb
// w: f64[16, 7, 96]  mean -14.05  max -7.79  checksum c14f681abddb9c89
// most: f64[16, 16]  mean 0.9551  max 1  checksum 3b104e896f38457e
// few: f32[3, 21, 32]  mean 1.248e-09  max 1.066  checksum 2f9aea5c83950281
// kept: f32[20, 11, 32]  mean 0.02273  max 0.06535  checksum 0311f9ca9c8eb4d1
// at: i32[33, 8]  mean 31.14  max 44  checksum 6e69e04f08ca4aed
// y: ok, largest error 0 of 0.000978 allowed, mean 0 of 0.000249, at [0, 0, 0]: got -0.153320312, want -0.153320312
// w: ok, largest error 7.11e-15 of 3.43e-14 allowed, mean 1.25e-15 of 1.76e-14, at [10, 6, 93]: got -17.209546790738116, want -17.209546790738123
// most: ok, largest error 0 of 8.88e-16 allowed, mean 0 of 8.49e-16, at [0, 0]: got 0.87699241694493946, want 0.87699241694493946
// few: ok, largest error 5.96e-08 of 7.62e-07 allowed, mean 9.68e-09 of 3.05e-07, at [0, 0, 6]: got 0.879238009, want 0.879238069
// kept: ok, largest error 7.45e-09 of 6.1e-08 allowed, mean 1.53e-09 of 1.79e-08, at [0, 8, 24]: got 0.0418263525, want 0.0418263599
// at: ok
// fusec: remark: random inputs, seed 0: x, g, b, z, d, e, i
// fusec: remark: random inputs, seed 0: x, g, b, z, d, e, i
