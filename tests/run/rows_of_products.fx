// What reads rows of a product, while a tile has them: softmax, norms, reductions of every kind, with
// other tensors beside them, several products of one operand, batches, every type, and parts of rows;
// at sizes around those of tiles and vectors. K beyond 384 comes in steps.
// run: fusec run %s --check -D M=1 -D N=1 -D K=1
// run: fusec run %s --check -D M=19 -D N=64 -D K=40
// run: fusec run %s --check -D M=35 -D N=203 -D K=17
// run: fusec run %s --check -D M=31 -D N=64 -D K=390 --threads 3 > checks
// run: fusec run %s --check -D M=230 -D N=67 -D K=9 --threads 1 > checks
// run: fusec run %s --check -D M=15 -D N=600 -D K=16 --threads 1 > checks
fn rows[M, N, K](a: f32[M, K], b: f32[K, N], c: f32[N, K], h: bf16[M, K], g: bf16[N, K], p:
    f64[M, K], q: f64[N, K], i: i8[M, K], j: i8[N, K], e: f32[2, M, K], f: f32[2, K, N], r:
    bf16[M, N], gain: f32[N], bias: f32[N], heads: f32[3, 64, K], labels: i32[M]) -> (soft:
    bf16[M, N], norm: bf16[M, N], kept: f32[M, N], most: f32[M], least: f32[M], at: i32[M], loss:
    f32[M], two: f32[M, N], root: f64[M, N], total: i32[M, 1], batch: f32[2, M, N], part: f32[M,
    3, 64], crossed: f32[N, M], rounded: bf16[M, N], quotient: f32[M, N]) {
    soft = softmax(h @ g.T);
    kept = (a * 2) @ b + r;
    norm = layer_norm(kept, gain, bias, eps = 1e-5);
    x = (a * 3) @ b + bias;
    most = max(x, axis = -1);
    least = min(x * r, axis = -1);
    at = argmax(i @ j.T, axis = -1);
    loss = cross_entropy((a * 5) @ c.T, clamp(labels, 0, N - 1));
    u = (a * 7) @ b;
    v = (a * 7) @ c.T;
    two = u * rsqrt(mean(v * v, axis = -1, keep = true) + 1e-5);
    root = p @ q.T / sqrt(sum((p @ q.T) * (p @ q.T), axis = -1, keep = true) + 1);
    total = sum((i + 1) @ j.T, axis = -1, keep = true);
    batch = softmax(e @ f);
    y = einsum("mk,hdk->mhd", a * 11, heads);
    part = y * rsqrt(mean(y * y, axis = -1, keep = true) + 1e-6);
    crossed = softmax((a * 13) @ b).T;
    z = ((h * 2) @ g.T) as bf16;
    rounded = z / (sum(abs(z as f32), axis = -1, keep = true) + 1);
    w = (a * 17) @ b;
    quotient = w / (all(w < 1000, axis = -1, keep = true) as f32 + (sum(w, axis = -1, keep = true) > 0) as f32);
}
