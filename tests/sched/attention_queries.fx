// run: fusec run %s --check -D B=1 -D G=2 -D Q=1 -D S=300 -D D=64
// run: fusec run %s --check -D B=1 -D G=1 -D Q=5 -D S=150 -D D=128
// run: fusec run %s --check -D B=1 -D G=1 -D Q=9 -D S=129 -D D=200
// kernels: 1
// Few queries: heads of a group are rows of one tile, whose warps share out its keys or the queries.
fn decode[B, G, Q, S, D](
    q: bf16[B, G, 4, Q, D], k: bf16[B, G, S, D], v: bf16[B, G, S, D]
) -> (o: bf16[B, G, 4, Q, D]) {
    s = (q @ k[:, :, None].T) * rsqrt(D);
    seen = where(iota(S) <= iota(Q)[:, None] + S - Q, s, -inf);
    o = softmax(seen) as bf16 @ v[:, :, None];
}
