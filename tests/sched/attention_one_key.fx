// An attention of one key is an attention: the maximum and the sum of its one score stay what it is
// found by.
// run: fusec run %s --fn=one_key -D B=3 -D S=5 -D T=1 -D D=7 --device=cpu --check
// run: fusec run %s --fn=masked -D B=2 -D S=3 -D T=1 -D D=8 --device=cpu --check
// run: fusec run %s --fn=with_sum -D B=2 -D S=3 -D T=1 -D D=8 --device=cpu --check
// run: fusec %s -D T=1 --emit=plan -o %t.txt
// run: grep -E "^kernel" %t.txt
@one_kernel
fn one_key[B, S, T, D](
    q: bf16[B, S, D],
    k: bf16[B, T, D],
    v: bf16[B, T, D]
) -> (o: bf16[B, S, D]) {
    o = softmax(q @ k.T * rsqrt(D)) as bf16 @ v;
}
@one_kernel
fn masked[B, S, T, D](
    q: f32[B, S, D],
    k: f32[B, T, D],
    v: f32[B, T, D],
    mask: f32[S, T]
) -> (o: f32[B, S, D]) {
    s = where(iota(S)[:, None] > iota(T), q @ k.T + mask, -inf);
    o = softmax(s) @ v;
}
@one_kernel
fn with_sum[B, S, T, D](
    q: f32[B, S, D],
    k: f32[B, T, D],
    v: f32[B, T, D]
) -> (o: f32[B, S, D], l: f32[B, S]) {
    s = q @ k.T;
    o = softmax(s) @ v;
    l = logsumexp(s);
}
// ---- expect
// o: bf16[3, 5, 7]  mean 0.2362  max 0.9492  checksum 62b5075d430f09d9
// o: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.000913, at [0, 0, 0]: got 0.54296875, want 0.54296875
// fusec: remark: random inputs, seed 0: q, k, v
// o: f32[2, 3, 8]  mean -0.2136  max 0.9709  checksum 1323fc33c432febc
// o: ok, largest error 5.96e-08 of 6.55e-07 allowed, at [0, 1, 6]: got -0.907959759, want -0.907959819
// fusec: remark: random inputs, seed 0: q, k, v, mask
// o: f32[2, 3, 8]  mean -0.3204  max 0.9709  checksum 2d3a2dbf7e97727a
// l: f32[2, 3]  mean 0.6779  max 2.031  checksum 61bed3139b969982
// o: ok, largest error 5.96e-08 of 6.55e-07 allowed, at [0, 0, 1]: got -0.997945666, want -0.997945726
// l: ok, largest error 1.19e-07 of 1.33e-06 allowed, at [1, 0]: got 1.47737062, want 1.47737074
// fusec: remark: random inputs, seed 0: q, k, v
// kernel one_key_0 attention
// kernel masked_0 attention
// kernel with_sum_0 attention
