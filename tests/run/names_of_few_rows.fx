// An operand with a letter for its name, in products of bf16 with few rows: k is no loop over pairs.
// run: fusec run %s --check -D N=41 -D K=64
fn f[N, K](q: bf16[4, K], k: bf16[N, K], l: bf16[K, N]) -> (y: f32[4, N], z: f32[4, N]) {
    y = q @ k.T;
    z = exp(q) as bf16 @ l + y;
}

// ---- expect
// y: f32[4, 41]  mean -0.1198  max 5.684  checksum e4a90165494124c5
// z: f32[4, 41]  mean -1.293  max 20.21  checksum e17140c442ef2feb
// y: ok, largest error 0 of 2.71e-06 allowed, mean 0 of 1.16e-06, at [0, 0]: got 2.83383179, want 2.83383179
// z: ok, largest error 0 of 9.64e-06 allowed, mean 0 of 3.47e-06, at [0, 0]: got 5.60128784, want 5.60128784
// fusec: remark: random inputs, seed 0: q, k, l
