// inputs: w 0..256, z 0..256, s 0.01..0.02
fn f[M, N, K](x: bf16[M, K], w: u8[N, K/2], s: bf16[N, K/64], z: u8[N, K/128]) -> (y: bf16[M, N]) {
    p = reshape(concat(((w % 16) as f32)[:, :, None], ((w / 16) as f32)[:, :, None]), N, K / 64,
        64);
    q = reshape(concat(((z % 16) as f32)[:, :, None], ((z / 16) as f32)[:, :, None]), N, K / 64);
    y = x @ (reshape((p - q[:, :, None]) * s[:, :, None], N, K) as bf16).T;
}
