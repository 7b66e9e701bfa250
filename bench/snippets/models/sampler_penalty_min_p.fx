// inputs: prev 0..V, temp 0.5..1
fn f[N, V, P](x: bf16[N, V], prev: i32[N, P], temp: f32[N]) -> (at: i32[N]) {
    flat = reshape(prev + V * iota(N)[:, None], N * P);
    seen = reshape(scatter(full(0, N * V), flat, 1, with = max), N, V) > 0;
    z = where(seen, where(x > 0, x / 1.2, x * 1.2), x) / temp[:, None];
    kept = where(z < max(z, keep = true) + log(0.05), -inf, z);
    at = argmax(kept - log(-log(random_uniform(7, N, V))));
}
