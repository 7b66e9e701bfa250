// run: fusec run %s --check -D V=5 -D D=3 -D N=300
// run: fusec run %s --check --device=cpu --threads 3 -D V=700 -D D=18 -D N=40000
// kernels: 4
// Long segments, and parts of the rows for several threads; a sort that two scatters share; on a GPU the sums of few
// rows need none.
fn f[V, D, N](w: f32[V, D], i: i32[N], x: f32[N, D]) -> (y: f32[V, D], last: f32[V, D], c: i32[V]) {
    k = clamp(i + 1, 0, V - 1);
    y = scatter(w, k, x);
    last = scatter(w, k, x, with = set);
    c = scatter(full(0, V), k, 1);
}
