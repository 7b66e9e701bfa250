// inputs: g 0..G
fn f[N, G](x: f32[N], g: i32[N]) -> (y: f32[N]) {
    n = max(scatter(full(0.0, G), g, 1.0), 1);
    m = scatter(full(0.0, G), g, x) / n;
    v = scatter(full(0.0, G), g, x * x) / n - m * m;
    y = (x - take(m, g)) * take(rsqrt(max(v, 0) + 1e-6), g);
}
