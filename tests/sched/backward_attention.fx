// The backward of attention: what is of the scores' shape is computed again, from contractions of its
// own, so that the forward part is one kernel, too.
// run: fusec %s --target=cuda -o %t.cu
// run: fusec run %s --check -D B=2 -D H=1 -D S=70 -D D=16 --fn backward --device=cpu
fn attention[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, S, D]) {
    s = where(iota(S)[:, None] >= iota(S), (q @ k.T) * rsqrt(D), -inf);
    o = (softmax(s) as bf16) @ v;
}

@max_kernels(4)
fn backward = vjp(attention);
