// Attention whose scores a function of a header caps, as Gemma 2 does: still one kernel, which never
// stores them.
// small: -D B=1 -D H=2 -D S=7 -D D=16
// small: -D B=1 -D H=1 -D S=40 -D D=64
// try: -D B=4 -D H=16 -D S=2048 -D D=128
// kernels: 1
import "activations.h";

@one_kernel
fn softcap_attention[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, S, D]) {
    s = softcap((q @ k.T) * rsqrt(D), 50.0);
    masked = where(iota(S)[:, None] >= iota(S), s, -inf);
    p = softmax(masked) as bf16;
    o = p @ v;
}
