// The backward of attention whose keys are longer than its values: dK and dV are kernels of their
// own, each with its own scores, and neither stores them.
// run: fusec %s --target=cuda -o %t.cu
// run: fusec run %s --check -D B=2 -D S=70 -D T=33 --fn backward --device=cpu
fn attention[B, S, T](
    q: bf16[B, S, 48],
    k: bf16[B, T, 48],
    v: bf16[B, T, 32]
) -> (o: bf16[B, S, 32]) {
    o = (softmax((q @ k.T) * rsqrt(48.0)) as bf16) @ v;
}

@max_kernels(5)
fn backward = vjp(attention);
