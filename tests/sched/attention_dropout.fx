// Dropout of the weights stays in the kernels of an attention, forward and backward: the mask is
// computed again. So are other scales of the weights.
// run: fusec %s --target=c -o %t.c
// run: fusec %s --target=cuda --arch=sm_80 -D D=64 -o %t_80.cu
// run: fusec %s --target=cuda --arch=sm_90a -D D=64 -o %t_90.cu
fn attention[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D],
    seed: i64
) -> (o: bf16[B, H, S, D]) {
    p = softmax(where(iota(S)[:, None] >= iota(S), q @ k.T * D ** -0.5, -inf));
    o = dropout(p, 0.1, seed) as bf16 @ v;
}

@one_kernel
fn halved[B, S, D](x: f32[B, S, D], m: bool[B, S, S]) -> (o: f32[B, S, D]) {
    o = where(m, 0, 0.5 * softmax(x @ x.T)) @ x;
}

@max_kernels(3)
fn forward, backward = train(attention);

@max_kernels(4)
fn both = vjp(attention);
