// A matrix times a vector is a sum of each of its rows on a GPU: one kernel with what makes the rows, and
// with what works on them. Columns that lie apart in memory, and sums of products, stay products.
// run: fusec explain %s --target=cuda --arch=sm_90a -o %t.txt
// run: grep -E "^(fn|kernel)" %t.txt
fn value_head[N, D](x: bf16[N, D], w: bf16[D, 128], b: f32[128], v: bf16[128]) -> (y: f32[N]) {
    y = tanh(relu(x @ w + b) as bf16 @ v);
}

fn normalised[N, D](x: bf16[N, D], w: bf16[D, 64], g: f32[64], v: bf16[64]) -> (y: f32[N]) {
    y = rms_norm(x @ w, g) as bf16 @ v;
}

fn logistic[N, D](x: f32[N, D], w: f32[D], b: f32, y: f32[N]) -> (p: f32[N], loss: f32[N]) {
    z = x @ w + b;
    p = sigmoid(z);
    loss = softplus(z) - y * z;
}

fn normaliser[B, S, D](q: f32[B, S, D], z: f32[B, D]) -> (f: f32[B, S, D], n: f32[B, S]) {
    f = exp(q);
    n = einsum("bsd,bd->bs", f, z);
}

fn columns[N, D](x: f32[D, N], w: f32[D]) -> (y: f32[N]) {
    y = x.T @ w;
}

fn sums[N, D](x: f32[N, D], h: f32[N, 8], w: f32[D], u: f32[8]) -> (y: f32[N]) {
    y = x @ w + h @ u;
}
// ---- expect
// fn value_head at -O2: 7 ops in 1 kernel
// kernel value_head_0: dot over [N, 128] along 128
// fn normalised at -O2: 11 ops in 1 kernel
// kernel normalised_0: dot over [N, 64] along 64
// fn logistic at -O2: 15 ops in 1 kernel
// kernel logistic_0: row over [N, D] along D
// fn normaliser at -O2: 3 ops in 1 kernel
// kernel normaliser_0: row over [B, S, D] along D
// fn columns at -O2: 1 op in 1 kernel
// kernel columns_0: dot over [N]
// fn sums at -O2: 3 ops in 1 kernel
// kernel sums_0: dot over [N]
