// Gathers along an axis: those in front of it and behind it are one loop each, and lanes are rows
// where the positions are the same for all rows, but not of bytes.
// run: fusec %s --target=c --no-test -o %t.c
// run: grep "for (idx i[0-9]\|EACH_VECTOR(i[0-9]\|^ *copy_row(" %t.c
// run: fusec run %s --check --device=cpu
// run: fusec run %s --check --device=cpu --threads 2 -O0 > checks
fn gathers(x: f32[7, 47, 27, 3], i: i32[3], u: u8[6, 4, 53, 16], j: i32[4], v: bf16[300, 12], k: i32[300, 12],
        l: i64[5], m: i32[7, 47])
    -> (a: f32[7, 47, 27, 3], b: u8[6, 4, 53, 16], c: bf16[300, 12], d: f32[7, 47, 27, 5], e: f32[7, 47, 27], f:
        bf16[300, 5]) {
    a = take(x, i);
    b = take(u, j, axis = 1);
    c = take(v, k[0]);
    d = exp(take(x, l));
    e = take(take(x, m, axis = 1)[:, 0, :4, :, 0], iota(47) % 4, axis = 1);
    f = take(v, l) + v[:, :5];
}
// ---- expect
//     for (idx i5 = 0; i5 < 8883; i5 += VL) {
//         for (idx i3 = 0; i3 < 3; i3++) {
//     for (idx i5 = 0; i5 < 8883; i5 += VL) {
//         for (idx i3 = 0; i3 < 5; i3++) {
//     for (idx i0 = 0; i0 < 7; i0++) {
//         for (idx i1 = 0; i1 < 47; i1++) {
//             EACH_VECTOR(i2, lanes, 27) {
//     for (idx i0 = 0; i0 < 300; i0 += VL) {
//         for (idx i1 = 0; i1 < 12; i1++) {
//     for (idx i0 = 0; i0 < 300; i0++) {
//         EACH_VECTOR(i1, lanes, 5) {
//     for (idx i0 = 0; i0 < 6; i0++) {
//         for (idx i1 = 0; i1 < 4; i1++) {
//             copy_row(b + i0 * 3392 + i1 * 848, u_ + i0 * 3392 + (idx)at_1[0] * 848, 848, false);
// a: f32[7, 47, 27, 3]  mean -0.003955  max 0.9999  checksum a6828603f5dec053
// b: u8[6, 4, 53, 16]  mean 4.474  max 9  checksum 817245f7d3a98516
// c: bf16[300, 12]  mean -0.001513  max 0.9961  checksum 49b227e8be952940
// d: f32[7, 47, 27, 5]  mean 1.169  max 2.718  checksum 0de8716e5b26200d
// e: f32[7, 47, 27]  mean 0.01117  max 0.999  checksum 0618ffa00e4e4456
// f: bf16[300, 5]  mean -0.02476  max 1.992  checksum f464a57e4b6953e5
// a: ok, largest error 0 of 4.77e-07 allowed, mean 0 of 2.75e-07, at [0, 0, 0, 0]: got 0.838820696, want 0.838820696
// b: ok
// c: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.000288, at [0, 0]: got 0.52734375, want 0.52734375
// d: ok, largest error 2.38e-07 of 1.3e-06 allowed, mean 2.48e-08 of 6.38e-07, at [0, 0, 12, 0]: got 2.25653982, want 2.25654006
// e: ok, largest error 0 of 4.76e-07 allowed, mean 0 of 2.74e-07, at [0, 0, 0]: got 0.454985082, want 0.454985082
// f: ok, largest error 0 of 0.00781 allowed, mean 0 of 0.00047, at [0, 0]: got 1.0859375, want 1.0859375
// fusec: remark: random inputs, seed 0: x, i, u, j, v, k, l, m
// fusec: remark: random inputs, seed 0: x, i, u, j, v, k, l, m
