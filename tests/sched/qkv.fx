// Three products of one tensor, each with its bias.
// run: fusec run %s --check -D S=35 -D D=24
// kernels: 1
fn f[S, D](x: f32[S, D], wq: f32[D, D], wk: f32[D, D], wv: f32[D, D], bq: f32[D], bk: f32[D], bv: f32[D])
    -> (q: f32[S, D], k: f32[S, D], v: f32[S, D]) {
    q = x @ wq + bq;
    k = x @ wk + bk;
    v = x @ wv + bv;
}
