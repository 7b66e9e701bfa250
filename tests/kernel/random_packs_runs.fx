// run: fusec run %s --check -D N=16 -D D=64
// On a GPU, elements of a pack share the blocks of the generator.
fn f[N, D](x: bf16[N, D], seed: i64, w: f32[4*N]) -> (y: bf16[N, D], z: f32[N, D], s: f32[N], c: f32[4*N]) {
    y = dropout(x, 0.25, seed);
    z = random_uniform(seed, N + 1, D)[1:] + random_uniform(seed, N, 2 * D)[:, D:];
    s = sum(dropout(x, 0.5, 3));
    c = w + random_uniform(seed, 4 * N + 3)[3:];
}
