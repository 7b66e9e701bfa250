// The self-test of views, reductions, contractions, take and running sums.
// run: fusec %s -o %t.c
// run: cc -DFUSEC_MAIN -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas %t.c -o %t -lm
// run: ./%t B=3 N=5 K=17 V=2
// run: ./%t B=1 N=1 K=1 V=1
fn shapes[B, N, K, V](x: f32[B, N, K], y: f32[K, N], w: bf16[V, K], at: i64[B, N], p: f32, lab: i32[B, N], i: i8[N, K], j: i8[K, N])
    -> (a: f32[B, N, N], b: f32[B, N + 2, K], c: bf16[B, N, K], d: f32[K, B, N], e: f32[B, 2*K, N], f: f32, g: f32[B, N], h: i32[N, N], k: f32[N], l: f32[B*N, K], m: i32[B, N], n: f32[B, N]) {
    a = x @ y;
    b = pad(x, 1, 1, 1, value = 3);
    c = take(w, at, axis = 0) * p;
    d = permute(x, 2, 0, 1) + y[:, None, :];
    e = concat(x.T, -x.T, axis = 1);
    f = sum(x, axis = [0, 1, 2]) / mean(y * y, axis = [0, 1]);
    g = cumsum(prod(x * 1.5, axis = 2), axis = 0) + max(x) - min(x);
    h = i @ j;
    k = sum(x, axis = [0, 2]) + iota(N) as f32 + p;
    l = reshape(x, B*N, K) * 2;
    m = argmax(x, axis = 2) + iota(B)[:, None];
    n = cross_entropy(x, lab) + softmax(x[:, :, 0]) + x[:, -1:, 0];
}
