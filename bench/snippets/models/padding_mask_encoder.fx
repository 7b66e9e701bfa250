// inputs: length 1..S
fn f[B, H, S, D](qkv: bf16[B, S, 3, H, D], length: i32[B]) -> (o: bf16[B, S, H, D]) {
    q = permute(qkv[:, :, 0], 0, 2, 1, 3);
    k = permute(qkv[:, :, 1], 0, 2, 1, 3);
    v = permute(qkv[:, :, 2], 0, 2, 1, 3);
    live = iota(S) < length[:, None, None, None];
    o = permute(softmax(where(live, (q @ k.T) * rsqrt(D), -inf)) as bf16 @ v, 0, 2, 1, 3);
}
