fn f[P, T](s0: f32, k: f32) -> (price: f32) {
    path = s0 * exp(cumsum(0.0001 + 0.02 * random_normal(3, P, T)));
    price = 0.97 * mean(max(mean(path) - k, 0));
}
