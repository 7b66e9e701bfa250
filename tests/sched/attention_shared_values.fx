// Heads that have queries and keys of their own, and share values, are one attention; slices of its
// result stay slices. What is computed of pairs of positions alone is computed in its kernel.
// run: fusec %s --target=c -D D=64 -o %t.c
// run: fusec %s --target=cuda --arch=sm_80 -D D=64 -o %t_80.cu
// run: fusec %s --target=cuda --arch=sm_90a -D D=64 -o %t_90.cu
@max_kernels(2)
fn differential[B, H, S, D](
    q: bf16[B, H, 2, S, D],
    k: bf16[B, H, 2, S, D],
    v: bf16[B, H, S, 2*D],
    weight: f32[H]
) -> (o: bf16[B, H, S, 2*D]) {
    s = where(iota(S)[:, None] >= iota(S), (q @ k.T) * rsqrt(D), -inf);
    a = softmax(s) as bf16 @ v[:, :, None];
    o = a[:, :, 0] - weight[:, None, None] * a[:, :, 1];
}

@one_kernel
fn dilated[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, S, D]) {
    back = iota(S)[:, None] - iota(S);
    o = softmax(where(back >= 0 && back % 4 == 0, (q @ k.T) * rsqrt(D), -inf)) as bf16 @ v;
}

@one_kernel
fn retention[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D],
    decay: f32[H]
) -> (o: bf16[B, H, S, D]) {
    back = iota(S)[:, None] - iota(S);
    kept = where(back >= 0, exp2(decay[:, None, None] * (back as f32)), 0);
    o = ((q @ k.T) * kept) as bf16 @ v;
}
