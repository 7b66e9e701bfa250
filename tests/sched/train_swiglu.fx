// SwiGLU for training: forward two kernels; backward five: dh with what comes before it, dx as one sum
// of products, and three products of transposed operands.
// run: fusec %s --target=cuda -o %t.cu
fn swiglu[N, D, F](
    x: bf16[N, D],
    gate: bf16[F, D],
    up: bf16[F, D],
    down: bf16[D, F]
) -> (y: bf16[N, D]) {
    a = x @ gate.T;
    b = x @ up.T;
    h = (silu(a) * b) as bf16;
    y = h @ down.T;
}

@max_kernels(5)
fn swiglu_fwd, swiglu_bwd = train(swiglu);
