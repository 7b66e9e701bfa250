// A matrix product of f8, with a scale for each 128 elements of a row of a, and for each 128 x 128 of
// b, beside cuBLASLt, which takes the scales of a in this order.
@precision(f8)
fn product_f8[M, N, K](
    a: f8e4m3[M, K],
    b: f8e4m3[N, K],
    s: f32[K/128, M],
    t: f32[N/128, K/128]
) -> (c: bf16[M, N]) {
    x = reshape(a, M, K / 128, 128);
    w = reshape(b, N / 128, 128, K / 128, 128);
    p = einsum("mbk,nrbk->bmnr", x, w);
    c = reshape(sum(p * (s[:, :, None, None] * t.T[:, None, :, None]), axis = 0), M, N);
}
