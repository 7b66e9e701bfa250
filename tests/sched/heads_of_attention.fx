// The cotangent of an attention is a product whose heads are summed, and which products read: no head
// is computed by itself, so that the backward of the attention is found.
// run: fusec %s --fn=backward
// kernels: 10
fn block[B, S, H, D](x: f32[B, S, H*D], wq: f32[3*H*D, H*D], wo: f32[H*D, H*D])
    -> (y: f32[B, S, H*D]) {
    q, k, v = split(x @ wq.T, 3);
    heads_q = permute(reshape(q, B, S, H, D), 0, 2, 1, 3);
    heads_k = permute(reshape(k, B, S, H, D), 0, 2, 1, 3);
    heads_v = permute(reshape(v, B, S, H, D), 0, 2, 1, 3);
    o = softmax(heads_q @ heads_k.T / 8) @ heads_v;
    y = reshape(permute(o, 0, 2, 1, 3), B, S, H*D) @ wo.T;
}
fn backward = vjp(block);
