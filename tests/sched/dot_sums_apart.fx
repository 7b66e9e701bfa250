// A gated recurrent unit: two kernels where contractions are small, one for each left operand; the gate that is
// multiplied by a contraction of `h` is computed with those of `x`, or contractions of `h` could not be beside each
// other. Where they are large, tiles of one or two contractions are faster.
// run: fusec explain %s -D N=64 --arch=sm_90a -o %t.txt
// run: grep -E "^kernel|does|writes" %t.txt
// run: fusec explain %s -D N=4096 --arch=sm_90a -o %t.large.txt
// run: grep -E "^kernel|does" %t.large.txt
fn gru[N](
    x: bf16[N, 512],
    h: bf16[N, 1024],
    w: bf16[3072, 512],
    u: bf16[3072, 1024],
    b: bf16[3072]
) -> (y: bf16[N, 1024]) {
    xr, xz, xn = split(x @ w.T + b, 3);
    hr, hz, hn = split(h @ u.T + b, 3);
    z = sigmoid(xz + hz);
    y = (1 - z) * tanh(xn + sigmoid(xr + hr) * hn) + z * h;
}
// ---- expect
// kernel gru_0: dot over [64, 1024]
//   does      3 matmul, 3 add
//   writes    768.0 KiB: hr, hz, hn
// kernel gru_1: dot over [64, 1024]
//   does      3 matmul, 9 add, 2 neg, 2 exp, 2 div, sub, 3 mul, tanh, as
//   writes    128.0 KiB: y
// kernel gru_0: dot over [4096, 1024]
//   does      matmul, add
// kernel gru_1: dot over [4096, 1024]
//   does      matmul, 3 add, neg, exp, div
// kernel gru_2: dot over [4096, 1024]
//   does      2 matmul, 2 add, mul
// kernel gru_3: dot over [4096, 1024]
//   does      2 matmul, 6 add, neg, exp, div, sub, tanh, 2 mul, as
