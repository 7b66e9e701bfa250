// A transformer block, normalised before each half, as in GPT-2: attention, then a two-layer MLP, each
// added to what came in. C = H*D channels in H heads.
//
//     y = x + attention(layer_norm(x)) Wo + bo
//     z = y + gelu(layer_norm(y) W1 + b1) W2 + b2
//
// Seven kernels: a norm, the projections to queries, keys and values, attention, its projection with
// the residual, a norm, and the two layers of the MLP. A norm stays apart from the product that reads
// it, for each row would be normalised again for every tile of columns; an attention needs all of the
// keys of a head before its first row; and a product takes pointwise work only.
//
// try: -D B=1 -D S=1024 -D H=12 -D D=64
// small: -D B=2 -D S=9 -D H=3 -D D=5
// small: -D B=1 -D S=70 -D H=2 -D D=16
// small: -D B=1 -D S=1 -D H=1 -D D=8
// kernels: 7
fn linear[B, S, N, K](x: bf16[B, S, K], w: bf16[N, K], b: bf16[N]) -> (y: f32[B, S, N]) {
    y = x @ w.T + b;
}

fn attention[B, S, H, D](
    q: bf16[B, S, H, D],
    k: bf16[B, S, H, D],
    v: bf16[B, S, H, D]
) -> (o: bf16[B, S, H, D]) {
    s = einsum("bqhd,bkhd->bhqk", q, k) * rsqrt(D);
    p = softmax(where(iota(S)[:, None] >= iota(S), s, -inf)) as bf16;
    o = einsum("bhqk,bkhd->bqhd", p, v);
}

fn transformer_block[B, S, H, D](
    x: bf16[B, S, H*D],
    gain1: f32[H*D],
    bias1: f32[H*D],
    w_qkv: bf16[3*H*D, H*D],
    b_qkv: bf16[3*H*D],
    w_o: bf16[H*D, H*D],
    b_o: bf16[H*D],
    gain2: f32[H*D],
    bias2: f32[H*D],
    w_1: bf16[4*H*D, H*D],
    b_1: bf16[4*H*D],
    w_2: bf16[H*D, 4*H*D],
    b_2: bf16[H*D]
) -> (z: bf16[B, S, H*D]) {
    q, k, v = split(linear(layer_norm(x, gain1, bias1) as bf16, w_qkv, b_qkv) as bf16, 3);
    o = attention(reshape(q, B, S, H, D), reshape(k, B, S, H, D), reshape(v, B, S, H, D));
    y = (x + linear(reshape(o, B, S, H * D), w_o, b_o)) as bf16;
    h = gelu(linear(layer_norm(y, gain2, bias2) as bf16, w_1, b_1)) as bf16;
    z = y + linear(h, w_2, b_2);
}
