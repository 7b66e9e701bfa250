// There are no bit operations: the bits as -1 and 1, and a product.
// inputs: a 0..256, b 0..256
fn bits[N, K](x: u8[N, K]) -> (y: i8[N, 8*K]) {
    p = concat(x[..., None] % 2, x[..., None] / 2 % 2, x[..., None] / 4 % 2, x[..., None] / 8 % 2,
        x[..., None] / 16 % 2, x[..., None] / 32 % 2, x[..., None] / 64 % 2, x[..., None] / 128);
    y = reshape(2 * p - 1, N, 8 * K) as i8;
}

fn f[N, M, K](a: u8[N, K], b: u8[M, K]) -> (y: i32[N, M]) {
    y = (8 * K - bits(a) @ bits(b).T) / 2;
}
