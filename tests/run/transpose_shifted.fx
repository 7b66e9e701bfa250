// run: fusec run %s --check -D A=131 -D B=2 -D C=133
// Rows of odd length are transposed in packs that are aligned in memory.
fn turned[A, B, C](a: bf16[A, C], x: f32[A, B, C], z: bf16[C, B, A], m: f32[A], i: i8[A, C],
                   j: i8[A, C])
    -> (t: bf16[C, A], y: f32[B, C, A], s: bf16[B, C, A], k: i8[C, A]) {
    t = a.T;
    y = max(permute(x, 1, 2, 0) + permute(z, 1, 0, 2), m);
    s = y as bf16;
    k = max(i, j).T;
}
// ---- expect
// t: bf16[133, 131]  mean -0.0048  max 0.9961  checksum ade82d4639ec6dfc
// y: f32[2, 133, 131]  mean 0.4168  max 1.985  checksum bc9e817074a43bdd
// s: bf16[2, 133, 131]  mean 0.4167  max 1.984  checksum f23b545a51558f4e
// k: i8[133, 131]  mean 2.198  max 7  checksum f8158fafb486be9a
// t: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.000283, at [0, 0]: got -0.96875, want -0.96875
// y: ok, largest error 0 of 9.46e-07 allowed, mean 0 of 3.4e-07, at [0, 0, 0]: got 0.198319077, want 0.198319077
// s: ok, largest error 0 of 0.000978 allowed, mean 0 of 0.000348, at [0, 0, 0]: got 0.198242188, want 0.198242188
// k: ok
// fusec: remark: random inputs, seed 0: a, x, z, m, i, j
