// run: fusec run %s --check -D V=5 -D N=40 -D D=7
// run: fusec %s --target=cuda -o /dev/null
// What a scatter gives is computed once: it is stored where it is read by indices, in the loop of
// another scatter, or along an axis. A base, or a view that only moves, is fused.
// inputs: i 0..V, j 0..V
fn f[V, N, D](
    x: f32[N], i: i32[N], j: i32[N], h: f32[N, D], w: f32[V, D]
) -> (share: f32[N], y: f32[V, D], z: f32[V, D], chain: f32[V, D], ends: f32[V+2]) {
    m = scatter(full(-inf, V), i, x, with = max);
    e = exp(x - take(m, i));
    s = scatter(full(0.0, V), i, e);
    share = e / take(s, i);
    y = scatter(w, i, h * (e / take(s, i))[:, None]);
    z = w * tanh(s)[:, None];
    chain = scatter(scatter(w, i, h, with = min), j, 2 * h) + 1;
    ends = pad(s, 0, 1, 1);
}
// ---- expect
// share: f32[40]  mean 0.125  max 0.5261  checksum 30c90ca89fe0efb4
// y: f32[5, 7]  mean -0.0169  max 1.12  checksum d4fb704c96d2ad36
// z: f32[5, 7]  mean -0.01591  max 0.8902  checksum e0fb85a5cc3441d8
// chain: f32[5, 7]  mean 0.3431  max 5.726  checksum 5ded9f742517aa3a
// ends: f32[7]  mean 3.152  max 7.727  checksum 3dafc620eab22fc1
// share: ok, largest error 2.98e-08 of 3.4e-07 allowed, at [30]: got 0.298059255, want 0.298059225
// y: ok, largest error 1.19e-07 of 9.56e-07 allowed, at [3, 5]: got -1.25485873, want -1.25485885
// z: ok, largest error 5.96e-08 of 6.45e-07 allowed, at [2, 4]: got 0.625920653, want 0.625920713
// chain: ok, largest error 9.54e-07 of 5.73e-06 allowed, at [4, 2]: got -4.4257369, want -4.42573786
// ends: ok, largest error 9.54e-07 of 6.55e-06 allowed, at [4]: got 7.72734308, want 7.72734213
// fusec: remark: random inputs, seed 0: x, i, j, h, w
