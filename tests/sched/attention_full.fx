// Attention to every key: nothing to skip, and only the last tile of keys may end early.
// run: fusec run %s --check -D B=2 -D H=1 -D S=140 -D D=64
// run: fusec run %s --check -D B=1 -D H=3 -D S=128 -D D=128
// run: fusec run %s --check -D B=1 -D H=1 -D S=65 -D D=256
// run: fusec run %s --check -D B=1 -D H=1 -D S=65 -D D=192
// kernels: 1
fn everywhere[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, S, D]) {
    o = (softmax((q @ k.T) * rsqrt(D)) as bf16) @ v;
}
