// The backward of attention of f32 on tensor cores, with long heads: a kernel's registers hold dK or
// dV, so each has a kernel of its own, with its own scores, and neither stores them.
// run: fusec %s --target=cuda -o %t.cu
// run: fusec run %s --check -D B=2 -D S=70 -D T=33 --fn backward --device=cpu
@precision(tf32)
fn attention[B, S, T](
    q: f32[B, S, 128],
    k: f32[B, T, 128],
    v: f32[B, T, 128]
) -> (o: f32[B, S, 128]) {
    o = softmax((q @ k.T) * rsqrt(128.0)) @ v;
}

@max_kernels(5)
@precision(tf32)
fn backward = vjp(attention);
