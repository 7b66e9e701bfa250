// A small GPT for characters, and one step of its training as one model: the loss, its gradient,
// and AdamW. char_model.c trains it, char_model_torch.py compares that with PyTorch.
//
// All parameters are rows of one matrix w, C = H*D numbers each, so that AdamW is one call:
//
//     V     the characters, which also are the columns of the last product, as in GPT-2
//     S     the positions
//     12*C  of each of two blocks: 3*C to queries, keys and values, C back from the heads, 4*C into
//           the MLP and 4*C out of it
//     5     the gains of the norms
//
// try: -D B=8 -D S=32 -D H=2 -D D=16 -D V=64
// small: -D B=2 -D S=9 -D H=3 -D D=5 -D V=11
// kernels: 60
// inputs: text 0..V, next 0..V, w -0.5..0.5, v 0..0.01, lr 0.0001..0.001, step 1..1000
fn attention[B, S, H, D](
    q: f32[B, S, H, D],
    k: f32[B, S, H, D],
    v: f32[B, S, H, D]
) -> (o: f32[B, S, H, D]) {
    s = einsum("bqhd,bkhd->bhqk", q, k) * rsqrt(D);
    p = softmax(where(iota(S)[:, None] >= iota(S), s, -inf));
    o = einsum("bhqk,bkhd->bqhd", p, v);
}

fn block[B, S, H, D](
    x: f32[B, S, H*D],
    w: f32[12*H*D, H*D],
    gains: f32[2, H*D]
) -> (z: f32[B, S, H*D]) {
    C = H * D;
    q, k, v = split(rms_norm(x, gains[0]) @ w[:3*C].T, 3);
    o = attention(reshape(q, B, S, H, D), reshape(k, B, S, H, D), reshape(v, B, S, H, D));
    y = x + reshape(o, B, S, C) @ w[3*C:4*C].T;
    z = y + gelu(rms_norm(y, gains[1]) @ w[4*C:8*C].T) @ w[8*C:];
}

fn loss_of[B, S, H, D, V](
    text: i32[B, S],
    next: i32[B, S],
    w: f32[V+S+24*H*D+5, H*D]
) -> (loss: f32) {
    C = H * D;
    blocks = w[V+S:V+S+24*C];
    gains = w[V+S+24*C:];
    x = take(w[:V], text, axis = 0) + w[V:V+S];
    y = block(x, blocks[:12*C], gains[:2], H = H, D = D);
    z = block(y, blocks[12*C:], gains[2:4], H = H, D = D);
    logits = rms_norm(z, gains[4]) @ w[:V].T;
    loss = mean(cross_entropy(logits, next), axis = [0, 1]);
}

fn derived = value_and_grad(loss_of);

fn char_model[B, S, H, D, V](
    text: i32[B, S],
    next: i32[B, S],
    w: f32[V+S+24*H*D+5, H*D],
    m: f32[V+S+24*H*D+5, H*D],
    v: f32[V+S+24*H*D+5, H*D],
    lr: f32,
    step: i32
) -> (
    loss: f32,
    w_next: f32[V+S+24*H*D+5, H*D],
    m_next: f32[V+S+24*H*D+5, H*D],
    v_next: f32[V+S+24*H*D+5, H*D]
) {
    loss, dw = derived(text, next, w, H = H, D = D, V = V);
    t = step as f32;
    m_next = 0.9 * m + 0.1 * dw;
    v_next = 0.99 * v + 0.01 * dw * dw;
    m_hat = m_next / (1 - 0.9 ** t);
    v_hat = v_next / (1 - 0.99 ** t);
    w_next = w - lr * (m_hat / (sqrt(v_hat) + 1e-8) + 0.01 * w);
}
