// Causal attention is one kernel; tiles behind the diagonal are skipped, and those before it carry no mask.
// run: fusec run %s --check -D B=2 -D H=2 -D S=133 -D D=24
// run: fusec run %s --check -D B=1 -D H=1 -D S=2 -D D=1
// run: fusec run %s --check -D B=1 -D H=2 -D S=64 -D D=64
// run: fusec run %s --check -D B=1 -D H=1 -D S=65 -D D=300
// kernels: 1
fn causal[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, S, D]) {
    s = (q @ k.T) * rsqrt(D);
    p = softmax(where(iota(S)[:, None] >= iota(S), s, -inf)) as bf16;
    o = p @ v;
}
