// run: fusec run %s --check -D N=13 -D D=24 --seed 1
// Random numbers are those of an element's position, in whatever order and type it is computed.
fn f[N, D](x: f32[N, D], h: bf16[D], seed: i64, small: i32, p: f32) -> (
    b: i32[8],
    u: f32[N, D],
    n: f32[D, N-1],
    d: f32[N, D],
    e: bf16[D],
    s: f32[N],
    k: f32[3],
    t: f32[D, N],
    w: f32[N, 2],
    q: i32[N]
) {
    b = random_bits(0, 8);
    u = random_uniform(seed, N, D);
    n = random_normal(seed + 1, N, D)[1:].T * 2;
    d = dropout(x, 0.25, small);
    e = dropout(h, p, D);
    s = sum(dropout(x, 0.5, 3)) + sum(random_uniform(seed, N, D).T, axis = 0);
    k = dropout(full(inf, 3), 1, 3) + dropout(full(2.0, 3), 0, 3);
    t = flip(random_uniform(5, N, D)).T;
    w = dropout(softmax(x), 0.1, seed) @ random_normal(-1, D, 2);
    q = philox(iota(N) - 3, 1000000000000 + seed) + random_bits(seed, 1);
}
