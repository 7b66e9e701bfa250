// Learned queries that all of a batch share, keys that it shares, and windows whose masks split the
// batch for a while are attentions: both contractions get one batch.
// run: fusec %s --target=c -o %t.c
// run: fusec %s --target=cuda --arch=sm_80 -D D=64 -o %t_80.cu
// run: fusec %s --target=cuda --arch=sm_90a -D D=64 -o %t_90.cu
@one_kernel
fn latents[B, H, M, S, D](
    q: bf16[M, H*D],
    k: bf16[B, S, H*D],
    v: bf16[B, S, H*D]
) -> (o: bf16[B, M, H*D]) {
    qs = permute(reshape(q, M, H, D), 1, 0, 2);
    ks = permute(reshape(k, B, S, H, D), 0, 2, 1, 3);
    vs = permute(reshape(v, B, S, H, D), 0, 2, 1, 3);
    o = reshape(permute(softmax((qs @ ks.T) * rsqrt(D)) as bf16 @ vs, 0, 2, 1, 3), B, M, H * D);
}

@one_kernel
fn shared_keys[B, H, M, S, D](
    q: f16[B, H, M, D],
    k: f16[H, S, D],
    v: f16[B, H, S, D]
) -> (o: f16[B, H, M, D]) {
    o = softmax((q @ k.T) * rsqrt(D)) as f16 @ v;
}

@one_kernel
fn shared_memory[B, H, M, S, D](q: bf16[B, H, M, D], k: bf16[H, S, D], v: bf16[H, S, D]) -> (o: bf16[B, H, M, D]) {
    o = softmax((q @ k.T) * rsqrt(D)) as bf16 @ v;
}

@one_kernel
fn batch_of_one[H, M, S, D](
    q: bf16[H, M, D],
    k: bf16[1, H, S, D],
    v: bf16[1, H, S, D]
) -> (o: bf16[1, H, M, D]) {
    o = softmax((q @ k.T) * rsqrt(D)) as bf16 @ v;
}

@one_kernel
fn windows[B, W, H, S, D](
    q: bf16[B*W, H, S, D],
    k: bf16[B*W, H, S, D],
    v: bf16[B*W, H, S, D],
    bias: f32[H, S, S],
    mask: f32[W, S, S]
) -> (o: bf16[B*W, S, H*D]) {
    s = reshape((q @ k.T) * rsqrt(D) + bias, B, W, H, S, S) + mask[:, None];
    p = reshape(softmax(s) as bf16, B * W, H, S, S);
    o = reshape(permute(p @ v, 0, 2, 1, 3), B * W, S, H * D);
}
