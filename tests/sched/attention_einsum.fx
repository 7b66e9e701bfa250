// Heads between positions and depth, as a linear layer leaves them: read and stored where they are.
// run: fusec run %s --check -D B=2 -D S=140 -D H=3 -D D=16
// run: fusec run %s --check -D B=2 -D S=3 -D H=1 -D D=5
// kernels: 1
fn heads[B, S, H, D](
    q: bf16[B, S, H, D],
    k: bf16[B, S, H, D],
    v: bf16[B, S, H, D]
) -> (o: bf16[B, S, H*D]) {
    s = einsum("bqhd,bkhd->bhqk", q, k) * rsqrt(D);
    o = reshape(einsum("bhqk,bkhd->bqhd", softmax(s) as bf16, v), B, S, H*D);
}
