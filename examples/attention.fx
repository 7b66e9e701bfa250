// Causal attention: position i looks at the positions j <= i. The core of every transformer.
//
//     o = softmax(mask(q kᵀ / sqrt(D))) v
//
// Nothing below names an algorithm or a kind of mask: both are found in the structure. One kernel sees
// the keys once, leaves out what is masked, and stores no scores.
// Tensor cores need a known depth: `fusec attention.fx -D D=128 --arch=sm_90a -o attention.cu`.
//
// try: -D B=1 -D H=12 -D S=512 -D D=64
// small: -D B=2 -D H=3 -D S=7 -D D=5
// small: -D B=1 -D H=1 -D S=1 -D D=1
// small: -D B=1 -D H=2 -D S=33 -D D=16
// small: -D B=1 -D H=2 -D S=130 -D D=72
// kernels: 1
fn attention[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, S, D]) {
    s = (q @ k.T) * rsqrt(D);
    masked = where(iota(S)[:, None] >= iota(S), s, -inf);
    p = softmax(masked, axis = -1) as bf16;
    o = p @ v;
}
