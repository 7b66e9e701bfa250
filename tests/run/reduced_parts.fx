// Reductions over the pieces of a concat go through each in a loop of its own, in every stage; a running
// sum, and what is kept from one stage to the next, through all of them in one. Padding is a piece of
// literals, which are not kept.
// run: fusec %s --target=c --no-test -o %t.c
// run: grep "^ .*\(EACH_[A-Z_]*(i\|for (idx i[1-9]\|ld_where\)" %t.c
// run: fusec run %s --check --device=cpu
// run: fusec run %s --check --device=cpu --threads 2 -O0 > checks
fn f(a: bf16[70, 64], b: bf16[70, 133], g: f32[197], c: f32[60, 37], d: i32[60, 111], v: f64[9, 3, 200],
        u: f32[33, 300], k: u8[2, 128], l: bf16[2, 4])
    -> (norm: bf16[70, 197], top: f32[60], at: i32[60], z: f16[60, 148], turned: f64[9, 3, 200], n: i64[9, 3],
        p: f32[33], q: f32[33, 364], s: f32[33, 364], o: f32[2, 149]) {
    norm = layer_norm(concat(a, b), g, -g);
    e = concat(c, d as f32 * 0.1);
    top = max(e) + min(e);
    at = argmax(e);
    z = (e - top[:, None]) * e[:, 3:4];
    r = concat(2 * v[:, :, 100:], v[:, :, :100]);
    turned = r * sum(v * r, keep = true);
    n = sum(r > 0.5);
    p = prod(pad(abs(u), 1, 30, 34) * 0.01 + 0.99);
    w = pad(u, 1, 30, 34);
    q = softmax(w);
    s = cumsum(w) * rsqrt(sum(w * w, keep = true) + 1e-3);
    m = concat(pad(k as f32, 1, 5, 11), pad(l as f32, 1, 1, 0));
    o = m - mean(m * m, keep = true);
}
// ---- expect
//         EACH_FOUR_VECTORS_FROM(i1, u, lanes, 0, 64) {
//         EACH_FOUR_VECTORS_FROM(i1, u, lanes, 64, 197) {
//         EACH_FOUR_VECTORS_FROM(i1, u, lanes, 0, 64) {
//         EACH_FOUR_VECTORS_FROM(i1, u, lanes, 64, 197) {
//         for (idx i1 = 0; i1 < 64; i1 += VL) {
//         EACH_VECTOR_FROM(i1, lanes, 64, 197) {
//         EACH_VECTOR_FROM(i1, lanes, 0, 37) {
//         EACH_VECTOR_FROM(i1, lanes, 37, 148) {
//         EACH_VECTOR_FROM(i1, lanes, 0, 37) {
//         EACH_VECTOR_FROM(i1, lanes, 37, 148) {
//     for (idx i3 = 0; i3 < 27; i3++) {
//         EACH_FOUR_VECTORS_FROM(i2, u, lanes, 0, 100) {
//         EACH_FOUR_VECTORS_FROM(i2, u, lanes, 100, 200) {
//         EACH_VECTOR_FROM(i2, lanes, 0, 100) {
//         EACH_VECTOR_FROM(i2, lanes, 100, 200) {
//         EACH_FOUR_VECTORS(i1, u, lanes, 364) {
//             const f32 u_1 = ld_where_f32(u_ + i0 * 300 + i1 - 30, inside, lanes);
//         EACH_VECTOR(i1, lanes, 364) {
//             const f32 u_2 = ld_where_f32(u_ + i0 * 300 + i1 - 30, inside_2, lanes);
//         EACH_VECTOR(i1, lanes, 364) {
//         EACH_FOUR_VECTORS_FROM(i1, u, lanes, 0, 5) {
//         EACH_FOUR_VECTORS_FROM(i1, u, lanes, 5, 133) {
//         EACH_FOUR_VECTORS_FROM(i1, u, lanes, 133, 144) {
//         EACH_FOUR_VECTORS_FROM(i1, u, lanes, 144, 145) {
//         EACH_FOUR_VECTORS_FROM(i1, u, lanes, 145, 149) {
//         EACH_VECTOR_FROM(i1, lanes, 0, 5) {
//         for (idx i1 = 5; i1 < 133; i1 += VL) {
//         EACH_VECTOR_FROM(i1, lanes, 133, 144) {
//         EACH_VECTOR_FROM(i1, lanes, 144, 145) {
//         EACH_VECTOR_FROM(i1, lanes, 145, 149) {
// norm: bf16[70, 197]  mean -0.05123  max 2.844  checksum 784325b596afa7a0
// top: f32[60]  mean -0.003871  max 0.1247  checksum e1090e9556702ed0
// at: i32[60]  mean 20.5  max 83  checksum 0eae636efe267e3c
// z: f16[60, 148]  mean -0.01422  max 0.9585  checksum 22bfe6b09ae44405
// turned: f64[9, 3, 200]  mean 0.04004  max 43.77  checksum 9cac614f5a1447ec
// n: i64[9, 3]  mean 63.04  max 75  checksum 249c6ab34d6ab0a5
// p: f32[33]  mean 0.1179  max 0.1294  checksum 832ba02253ddd2c2
// q: f32[33, 364]  mean 0.002747  max 0.006767  checksum 76431390989024fb
// s: f32[33, 364]  mean 0.2367  max 2.532  checksum 01b453fe3c8b4d9b
// o: f32[2, 149]  mean -20.86  max -14.29  checksum fd474b7104ebf280
// norm: ok, largest error 0.000122 of 0.000123 allowed, mean 1.04e-06 of 0.0004, at [25, 195]: got -0.0246582031, want -0.0245361328
// top: ok, largest error 2.24e-08 of 1.27e-07 allowed, at [3]: got -0.093337059, want -0.0933370814
// at: ok
// z: ok, largest error 0 of 0.000245 allowed, mean 0 of 2.01e-05, at [0, 0]: got 0.440185547, want 0.440185547
// turned: ok, largest error 7.11e-15 of 1.1e-13 allowed, mean 1.6e-15 of 1.67e-14, at [5, 1, 1]: got -43.128171643075, want -43.128171643075007
// n: ok
// p: ok, largest error 1.27e-07 of 4.86e-07 allowed, at [29]: got 0.120342754, want 0.12034288
// q: ok, largest error 9.31e-10 of 2.65e-08 allowed, mean 2.44e-10 of 7.56e-09, at [0, 301]: got 0.00635263789, want 0.00635263696
// s: ok, largest error 3.58e-07 of 3.35e-06 allowed, mean 7.28e-08 of 7.45e-07, at [1, 275]: got 1.40636516, want 1.40636551
// o: ok, largest error 9.54e-07 of 1.63e-05 allowed, mean 2.76e-07 of 1.28e-05, at [1, 12]: got -14.2851753, want -14.2851763
// fusec: remark: random inputs, seed 0: a, b, g, c, d, v, u, k, l
// fusec: remark: random inputs, seed 0: a, b, g, c, d, v, u, k, l
