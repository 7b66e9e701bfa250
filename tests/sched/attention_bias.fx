// Scores with something added that is read at each place, without a mask.
// run: fusec run %s --check -D H=2 -D S=64 -D D=16
// run: fusec run %s --check -D H=1 -D S=70 -D D=8
// kernels: 1
fn bias[H, S, D](
    q: bf16[H, S, D],
    k: bf16[H, S, D],
    v: bf16[H, S, D],
    b: f32[H, S, S]
) -> (o: bf16[H, S, D]) {
    o = (softmax((q @ k.T) * rsqrt(D) + b) as bf16) @ v;
}
