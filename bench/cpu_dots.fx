// The kernels that bench/cpu_dots.c times.

fn gemm_wide[M, N, K](a: f32[M, K], b: f32[K, N]) -> (y: f32[M, N]) {
    y = a @ b;
}

fn gemm_narrow[M, N, K](a: bf16[M, K], b: bf16[K, N]) -> (y: bf16[M, N]) {
    y = a @ b;
}

fn gemm_bytes[M, N, K](a: i8[M, K], b: i8[K, N]) -> (y: i32[M, N]) {
    y = a @ b;
}

// examples/geglu.fx, and the pass over [v g] that it takes where a matmul is a kernel of its own.
fn geglu_wide[N, D](x: f32[N, D], w: f32[8*D, D], b: f32[8*D]) -> (y: f32[N, 4*D]) {
    h = x @ w.T + b;
    v, g = split(h, 2, axis = -1);
    y = v * gelu(g);
}

fn geglu_narrow[N, D](x: bf16[N, D], w: bf16[8*D, D], b: bf16[8*D]) -> (y: bf16[N, 4*D]) {
    h = x @ w.T + b;
    v, g = split(h, 2, axis = -1);
    y = v * gelu(g);
}

fn pass_wide[N, D](h: f32[N, 8*D]) -> (y: f32[N, 4*D]) {
    v, g = split(h, 2, axis = -1);
    y = v * gelu(g);
}

fn pass_biased[N, D](h: f32[N, 8*D], b: f32[8*D]) -> (y: f32[N, 4*D]) {
    v, g = split(h + b, 2, axis = -1);
    y = v * gelu(g);
}

fn pass_narrow[N, D](h: bf16[N, 8*D]) -> (y: bf16[N, 4*D]) {
    v, g = split(h, 2, axis = -1);
    y = v * gelu(g);
}
