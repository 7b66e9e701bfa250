// Sizes that imply each other in a circle, as C says it of 3*C, 3*C of 9*C, and that of C, which is 8*C
// less: a pack tests one of them.
// run: fusec run %s --check -D N=3 -D C=4
// run: fusec %s -o %t.cu
// run: grep -E "^    if .*is_aligned" %t.cu
fn f[N, C](x: f16[N, 3*C], z: f16[N, C]) -> (y: f16[N, 9*C]) {
    y = concat(x, x, z, z, z);
}
// ---- expect
// y: f16[3, 36]  mean -0.001646  max 0.9272  checksum c6a6deb8c4c0396e
// y: ok, largest error 0 of 0.000245 allowed, mean 0 of 0.000106, at [0, 0]: got 0.433105469, want 0.433105469
// fusec: remark: random inputs, seed 0: x, z
//     if ((3*C) % 8 == 0 && is_aligned(x, 16) && is_aligned(z, 16) && is_aligned(y, 16)) {
