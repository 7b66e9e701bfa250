// Backward passes of rows: a kernel for dx, and one for the sums over the rows.
// run: fusec %s --target=c -o %t.c
// run: fusec %s --target=cuda -o %t.cu
fn softmax_rows[N, D](x: bf16[N, D]) -> (y: bf16[N, D]) {
    y = softmax(x);
}

@one_kernel
fn softmax_bwd = vjp(softmax_rows);

fn losses[N, D](x: bf16[N, D], k: i32[N]) -> (l: f32[N]) {
    l = cross_entropy(x, k);
}

@one_kernel
fn losses_bwd = vjp(losses);

fn rms[N, D](x: bf16[N, D], gain: bf16[D]) -> (y: bf16[N, D]) {
    y = rms_norm(x, gain);
}

@max_kernels(2)
fn rms_bwd = vjp(rms);

fn norm[N, D](x: bf16[N, D], gain: f32[D], bias: f32[D]) -> (y: bf16[N, D]) {
    y = layer_norm(x, gain, bias);
}

@max_kernels(2)
fn norm_bwd = vjp(norm);

// The products again, dh with da and db in its epilogue, dx as one sum of products, three products of
// transposed operands.
fn swiglu[N, D, F](
    x: bf16[N, D],
    gate: bf16[F, D],
    up: bf16[F, D],
    down: bf16[D, F]
) -> (y: bf16[N, D]) {
    h = (silu(x @ gate.T) * (x @ up.T)) as bf16;
    y = h @ down.T;
}

@max_kernels(7)
fn swiglu_bwd = vjp(swiglu);
