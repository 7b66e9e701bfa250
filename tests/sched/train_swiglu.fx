// SwiGLU for training: forward two kernels; backward five: dh with what comes before it, dx as one sum
// of products, and three products of transposed operands.
// run: fusec %s --target=cuda -o %t.cu
// run: fusec %s --target=c -o %t.c
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

// The MLP of GEGLU: db is summed where dv and dg become the operand of two products.
fn geglu[N, D](
    x: bf16[N, D],
    w: bf16[8*D, D],
    b: bf16[8*D],
    down: bf16[D, 4*D]
) -> (y: bf16[N, D]) {
    v, g = split(x @ w.T + b, 2);
    y = (v * gelu(g)) as bf16 @ down.T;
}

@max_kernels(5)
fn geglu_fwd, geglu_bwd = train(geglu);
