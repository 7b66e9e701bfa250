// run: fusec run %s --check -D N=46 -D K=258
// run: fusec run %s --check -D N=39 -D K=77
// run: fusec run %s --check -D N=37 -D K=600
// One row times matrices whose sides packs do not divide.
fn f[N, K](x: f32[1, K], w: f32[K, N], v: f32[N, K], h: bf16[1, K], p: bf16[N, K]) ->
        (across: f32[1, N], along: f32[1, N], short: bf16[1, N]) {
    across = x @ w;
    along = x @ v.T + 1;
    short = relu(h @ p.T);
}
