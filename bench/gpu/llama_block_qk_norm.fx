// A Llama block with norms of queries and keys: attention, then a SwiGLU; each reads an RMS norm,
// and is added to what came in. Queries and keys are rotated by their positions; R heads of queries
// share each of G heads of keys and values.
fn rope[B, S, H, D](
    x: bf16[B, S, H, D],
    cosine: f32[S, D/2],
    sine: f32[S, D/2]
) -> (y: bf16[B, S, H, D]) {
    a, b = split(x, 2);
    c = cosine[:, None];
    s = sine[:, None];
    y = concat(a * c - b * s, b * c + a * s);
}

fn attention[B, S, G, R, D](
    q: bf16[B, S, G, R, D],
    k: bf16[B, S, G, D],
    v: bf16[B, S, G, D]
) -> (o: bf16[B, S, G, R, D]) {
    s = einsum("bqgrd,bkgd->bgrqk", q, k) * rsqrt(D);
    p = softmax(where(iota(S)[:, None] >= iota(S), s, -inf)) as bf16;
    o = einsum("bgrqk,bkgd->bqgrd", p, v);
}

fn linear[B, S, N, K](x: bf16[B, S, K], w: bf16[N, K]) -> (y: bf16[B, S, N]) {
    y = x @ w.T;
}

fn llama_block_qk_norm[B, S, G, R, D, F](
    x: bf16[B, S, G*R*D],
    gain1: bf16[G*R*D],
    w_q: bf16[G*R*D, G*R*D],
    w_k: bf16[G*D, G*R*D],
    w_v: bf16[G*D, G*R*D],
    gain_q: bf16[D],
    gain_k: bf16[D],
    cosine: f32[S, D/2],
    sine: f32[S, D/2],
    w_o: bf16[G*R*D, G*R*D],
    gain2: bf16[G*R*D],
    w_gate: bf16[F, G*R*D],
    w_up: bf16[F, G*R*D],
    w_down: bf16[G*R*D, F]
) -> (z: bf16[B, S, G*R*D]) {
    h = rms_norm(x, gain1) as bf16;
    q = reshape(linear(h, w_q), B, S, G * R, D);
    k = reshape(linear(h, w_k), B, S, G, D);
    v = reshape(linear(h, w_v), B, S, G, D);
    o = attention(reshape(rope(rms_norm(q, gain_q) as bf16, cosine, sine), B, S, G, R, D),
        rope(rms_norm(k, gain_k) as bf16, cosine, sine), v);
    y = (x + linear(reshape(o, B, S, G * R * D), w_o)) as bf16;
    n = rms_norm(y, gain2) as bf16;
    f = (silu(n @ w_gate.T) * (n @ w_up.T)) as bf16;
    z = y + linear(f, w_down);
}
