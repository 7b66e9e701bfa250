fn f[N, D, E](x: bf16[N, D], w: bf16[E, D]) -> (share: f32[N, 2], at: i32[N, 2]) {
    s = (x @ w.T) as bf16;
    p = softmax(s);
    first = argmax(p);
    rest = where(first[:, None] == iota(E), -1, p);
    second = argmax(rest);
    a = max(p);
    b = max(rest);
    share = concat((a / (a + b))[:, None], (b / (a + b))[:, None]);
    at = concat(first[:, None], second[:, None]);
}
