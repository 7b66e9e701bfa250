// Models whose derivatives make_gradients.py knows from PyTorch: test_grad.c compares them. The order of
// dims and inputs is that of the script.
fn linear[N, K, M](x: f64[N, K], w: f64[M, K], b: f64[M]) -> (y: f64[N, M]) {
    y = x @ w.T + b;
}

fn mlp[N, D](x: f64[N, D], up: f64[2*D, D], down: f64[D, 2*D]) -> (y: f64[N, D]) {
    y = gelu(x @ up.T) @ down.T;
}

fn mlp_tanh[N, D](x: f64[N, D], up: f64[2*D, D], down: f64[D, 2*D]) -> (y: f64[N, D]) {
    y = gelu_tanh(x @ up.T) @ down.T;
}

fn geglu[N, D](x: f64[N, D], w: f64[4*D, D], b: f64[4*D]) -> (y: f64[N, 2*D]) {
    v, g = split(x @ w.T + b, 2);
    y = v * gelu(g);
}

fn swiglu[N, D](
    x: f64[N, D],
    gate: f64[2*D, D],
    up: f64[2*D, D],
    down: f64[D, 2*D]
) -> (y: f64[N, D]) {
    y = (silu(x @ gate.T) * (x @ up.T)) @ down.T;
}

fn lora[N, D, R](x: f64[N, D], w: f64[D, D], a: f64[R, D], b: f64[D, R]) -> (y: f64[N, D]) {
    y = x @ w.T + (x @ a.T) @ b.T;
}

fn softmax_rows[N, D](x: f64[N, D]) -> (y: f64[N, D]) {
    y = softmax(3 * x);
}

fn softmax_columns[N, D](x: f64[N, D]) -> (y: f64[N, D]) {
    y = log_softmax(x, axis = 0);
}

fn losses[N, C](x: f64[N, C], k: i32[N]) -> (l: f64) {
    l = mean(cross_entropy(x, k));
}

fn norm[N, D](x: f64[N, D], gain: f64[D], bias: f64[D]) -> (y: f64[N, D]) {
    y = layer_norm(x, gain, bias, eps = 1e-5);
}

fn rms[N, D](x: f64[N, D], gain: f64[D]) -> (y: f64[N, D]) {
    y = rms_norm(x, gain, eps = 1e-6);
}

fn batch_norm[N, C](x: f64[N, C], gain: f64[C], bias: f64[C]) -> (y: f64[N, C]) {
    y = (x - mean(x, axis = 0)) * rsqrt(var(x, axis = 0) + 1e-5) * gain + bias;
}

fn conv[N](x: f64[N, 4], w: f64[4, 3]) -> (y: f64[N, 4]) {
    p = pad(pad(x, 0, 1, 0), 0, 0, 1);
    y = p[:N] * w[:, 0] + p[1:N+1] * w[:, 1] + p[2:N+2] * w[:, 2];
}

fn bilinear[A, B](x: f64[A, B], w: f64[B, A, B], z: f64[A, B]) -> (y: f64[A, A]) {
    y = einsum("ab,bcd,ed->ae", x, w, z);
}

fn reductions[N, D](x: f64[N, D]) -> (y: f64[N], z: f64[D], p: f64[N]) {
    y = logsumexp(x) * max(x) + sqrt(var(x) + 0.25);
    z = min(x, axis = 0);
    p = prod(x);
}

fn sums[N, D](x: f64[N, D]) -> (y: f64[N, D]) {
    y = cumsum(tanh(x), axis = 0) * flip(x, axis = 1);
}

fn running[N, D](x: f64[N, D]) -> (y: f64[N, D]) {
    y = cummax(x * x) * sin(x) + flip(cummin(x, axis = 0, reverse = true), axis = 0);
}

fn products[N, D](x: f64[N, D]) -> (y: f64[N, D]) {
    row = iota(N)[:, None];
    column = iota(D);
    is_zero = (row == 1 && column == 2) || (row == 2 && column % 2 == 1);
    y = cumprod(x - stop_gradient(where(is_zero, x, 0)), axis = 1)
        + flip(cumprod(x + 1, axis = 0, reverse = true), axis = 0);
}

fn huber[N](a: f64[N], b: f64[N]) -> (l: f64) {
    e = abs(a - b);
    l = mean(where(e < 0.5, e * e / 2, 0.5 * (e - 0.25)));
}

fn divergence[N, D](a: f64[N, D], b: f64[N, D]) -> (l: f64[N]) {
    p = log_softmax(a);
    l = sum(exp(p) * (p - log_softmax(b)));
}

fn elementwise[N](a: f64[N], b: f64[N]) -> (y: f64[N]) {
    y = softplus(a) ** sigmoid(b) + atan2(a, 2 + b) * erf(b) - expm1(a) / (1 + cosh(b))
        + max(a, 2 * b);
}

fn causal[S, D](q: f32[S, D], k: f32[S, D], v: f32[S, D]) -> (o: f32[S, D]) {
    s = where(iota(S)[:, None] >= iota(S), (q @ k.T) * rsqrt(D), -inf);
    o = softmax(s) @ v;
}

fn windowed[S, D](q: f32[S, D], k: f32[S, D], v: f32[S, D]) -> (o: f32[S, D]) {
    age = iota(S)[:, None] - iota(S);
    s = where(age >= 0 && age < 2, (q @ k.T) * rsqrt(D), -inf);
    o = softmax(s) @ v;
}

fn capped[S, D](q: f32[S, D], k: f32[S, D], v: f32[S, D], cap: f32) -> (o: f32[S, D]) {
    s = (q @ k.T) * rsqrt(D);
    t = (cap + 2) * tanh(s / (cap + 2));
    o = softmax(where(iota(S)[:, None] >= iota(S), t, -inf)) @ v;
}

fn alibi[H, S, D](
    q: f32[H, S, D],
    k: f32[H, S, D],
    v: f32[H, S, D],
    slope: f32[H]
) -> (o: f32[H, S, D]) {
    age = (iota(S)[:, None] - iota(S)) as f32;
    s = (q @ k.T) * rsqrt(D) - slope[:, None, None] * age;
    o = softmax(where(age >= 0, s, -inf)) @ v;
}

fn grouped[H, S, D](q: f32[2, H, S, D], k: f32[H, S, D], v: f32[H, S, D]) -> (o: f32[2, H, S, D]) {
    o = softmax(einsum("ghqd,hkd->ghqk", q, k) * rsqrt(D)) @ v;
}

fn biased[S, D](
    q: f32[S, D],
    k: f32[S, D],
    v: f32[S, D],
    bias: f32[S, S]
) -> (o: f32[S, D], l: f32[S]) {
    s = (q @ k.T) * rsqrt(D) + bias;
    o = softmax(s) @ v;
    l = logsumexp(s);
}

fn block[S, D](
    x: f64[S, 2*D],
    g: f64[2*D],
    qkv: f64[6*D, 2*D],
    w: f64[2*D, 2*D]
) -> (y: f64[S, 2*D]) {
    h = reshape(rms_norm(x, g) @ qkv.T, S, 6, D);
    q, k, v = split(permute(h, 1, 0, 2), 3, axis = 0);
    s = where(iota(S)[:, None] >= iota(S), (q @ k.T) * rsqrt(D), -inf);
    o = reshape(permute(softmax(s) @ v, 1, 0, 2), S, 2 * D);
    y = x + o @ w.T;
}

fn embedded[N, V, D](k: i32[N], table: f64[V, D]) -> (y: f64[N, D]) {
    y = tanh(take(table, k, axis = 0));
}

fn energy[N](x: f64[N]) -> (e: f64) {
    e = sum(sin(x) * x ** 2) + logsumexp(x);
}

fn slope = grad(energy);

fn hessian_product[N](x: f64[N], t: f64[N]) -> (y: f64) {
    y = sum(slope(x) * t);
}

fn dropped[S, D](q: f64[S, D], k: f64[S, D], v: f64[S, D]) -> (o: f64[S, D]) {
    o = dropout(softmax((q @ k.T) * rsqrt(D)), 0.25, 7) @ v;
}

fn fit_error[N, D](w: f64[D], x: f64[N, D], y: f64[N]) -> (l: f64) {
    l = mean((tanh(x @ w) - y) ** 2);
}

fn fit_slope = grad(fit_error, wrt = [w]);

fn adapted[N, D](w: f64[D], x: f64[N, D], y: f64[N], rate: f64) -> (l: f64) {
    l = fit_error(w - rate * fit_slope(w, x, y), x, y);
}

fn segments[V, E](base: f64[V, 2], dst: i32[E], e: f64[E], x: f64[E, 2]) -> (y: f64[V, 2]) {
    m = scatter(full(-inf as f64, V), dst, e, with = max);
    p = exp(e - take(m, dst));
    z = scatter(full(0 as f64, V), dst, p);
    y = scatter(base, dst, (p / take(z, dst))[:, None] * x);
}
