// Queries of a group share keys and values; the log of the sum of exponentials is a second output.
// run: fusec run %s --check -D B=2 -D K=2 -D G=3 -D S=70 -D D=24
// run: fusec run %s --check -D B=1 -D K=1 -D G=3 -D S=129 -D D=16
// run: fusec run %s --check -D B=1 -D K=2 -D G=1 -D S=13 -D D=1
// kernels: 1
fn groups[B, K, G, S, D](
    q: bf16[B, K, G, S, D],
    k: bf16[B, K, S, D],
    v: bf16[B, K, S, D]
) -> (o: bf16[B, K, G, S, D], lse: f32[B, K, G, S]) {
    s = (q @ k[:, :, None].T) * rsqrt(D);
    masked = where(iota(S)[:, None] >= iota(S), s, -inf);
    o = (softmax(masked) as bf16) @ v[:, :, None];
    lse = logsumexp(masked);
}
