fn f[N, T](r: f32[N, T], v: f32[N, T]) -> (y: f32[N, T], adv: f32[N, T]) {
    k = 0.99 ** (iota(T) as f32);
    y = cumsum(r * k, reverse = true) / k;
    a = y - v;
    adv = (a - mean(a, axis = [0, 1])) / (sqrt(var(a, axis = [0, 1])) + 1e-8);
}
