// Columns of several matrices are a batch of products where vectors would cross from one to the next.
// run: fusec %s --fn spectrum -D T=75 -D K=20 -D M=9 --target=c --emit=kernel
// run: fusec %s --fn spectrum -D T=80 -D K=20 -D M=9 --target=c --emit=kernel > whole
// run: grep "loops row" whole
// run: fusec %s --fn spectrum -D T=5 -D K=20 -D M=9 --target=c --emit=kernel > few
// run: grep "loops row" few
// run: fusec %s --fn pixels -D T=75 -D K=20 -D M=9 --target=c --emit=kernel > pixels
// run: grep "loops row\|y.i0" pixels
// run: fusec run %s --fn spectrum --device=cpu --check -D B=3 -D T=75 -D K=20 -D M=9 > checks
// run: fusec run %s --fn pixels --device=cpu --check -D B=3 -D C=2 -D T=75 -D K=20 -D M=9 > checks
// kernels: 1
fn spectrum[B, T, K, M](x: f32[B, K, T], w: f32[M, K]) -> (y: f32[B, M, T]) {
    y = log10(max(w @ (x * x), 1e-10));
}

fn pixels[B, C, T, K, M](x: bf16[B, C, K, T], w: bf16[M, K], b: bf16[M]) -> (y: bf16[B, C, M, T]) {
    y = relu(w @ x + b[:, None]) as bf16;
}
// ---- expect
// kernel spectrum_0: contraction
//   in  x: f32
//   in  w: f32
//   out y: f32
//   loops row i0 < B row i1 < 9 row i2 < 75 col i3 < 20
//   left operand v1
//     v1 = load w[i1 * 20 + i3] : f32
//   right operand of acc 0 v3
//     v2 = load x[i0 * 1500 + i3 * 75 + i2] : f32
//     v3 = mul v2 v2 : f32
//   results v7
//     v4 = acc 0 : f32
//     v5 = const 0x3ddb7cdfe0000000 : f32
//     v6 = max v4 v5 : f32
//     v7 = log10 v6 : f32
//     acc 0 = matmul v1 v3
//     y[i0 * 675 + i1 * 75 + i2] = v7
//   loops row i0 < 1 row i1 < 9 row i2 < 80*B col i3 < 20
//   loops row i0 < 1 row i1 < 9 row i2 < 5*B col i3 < 20
//   loops row i0 < B*C row i1 < 9 row i2 < 75 col i3 < 20
//     y[i0 * 675 + i1 * 75 + i2] = v7
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w, b
