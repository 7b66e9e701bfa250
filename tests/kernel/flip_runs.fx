// run: fusec run %s --check -D N=37 -D D=20
// Axes that are read backwards: in lanes, across them, under pads and reshapes, in products and sums.
fn f[N, D](x: f32[N, D], w: bf16[D, 5], i: i32[N]) -> (
    a: f32[N, D],
    b: f32[D, N],
    c: f32[N, 5],
    d: f32[N*D],
    e: f32[D],
    g: f32[N, D+3],
    h: f32[D, N-1],
    p: f32[N, N],
    t: f32[N, D]
) {
    a = exp(flip(x));
    b = flip(x.T, axis = [0, 1]) + 1;
    c = flip(x as bf16, axis = 0) @ flip(w, axis = 0);
    d = flip(reshape(flip(x, axis = 1), N * D)) * 2;
    e = sum(flip(stop_gradient(x)), axis = 0);
    g = flip(pad(x, 1, 1, 2, 3.0));
    h = flip(flip(x, axis = 0)[1:].T) + iota(N - 1) as f32;
    p = softmax(where(flip(iota(N))[:, None] >= iota(N), x @ x.T, -inf));
    t = softmax(where(flip(iota(N))[:, None] >= iota(N), x @ flip(x).T, -inf)) @ flip(x, axis = 0)
        + take(flip(x, axis = 0), clamp(i, 0, N - 1), axis = 0);
}
