// Words of one block are computed together: both of a normal number, and those of neighbours.
// run: fusec %s --fn noise --target=c --no-test -o %t.c
// run: grep "philox_two_from_i64(add\|philox_two.first\|kept_philox.* =" %t.c
// run: fusec %s --fn kept --target=c --no-test -o %t.c
// run: grep "= philox_from_i64(seed" %t.c
// run: fusec %s --fn turned --target=c --no-test -o %t.c
// run: grep "philox_two_i64(" %t.c
// run: fusec run %s --fn noise --device=cpu --check -D B=3 -D N=37 > checks
// run: fusec run %s --fn noise --device=cpu --check -D B=3 -D N=1 > checks
// run: fusec run %s --fn kept --device=cpu --check -D N=21 -D D=35 > checks
// run: fusec run %s --fn turned --device=cpu --check -D N=21 -D D=35 > checks
// run: fusec run %s --fn moved --device=cpu --check -D N=70 > checks
// run: fusec run %s --fn seeds --device=cpu --check -D N=37 > checks
fn noise[B, N](x: bf16[B, N], seed: i64) -> (y: bf16[B, N], n: f32[B, N]) {
    n = random_normal(seed + 1, B, N);
    y = x + n;
}

fn kept[N, D](x: f32[N, D], seed: i64) -> (y: f32[N, D]) {
    z = x + random_uniform(seed, N, D) * (1 + random_normal(5, N, D));
    y = softmax(z) + random_uniform(seed, N, D);
}

fn turned[N, D](x: f32[N, D]) -> (y: f32[D, N]) {
    y = (x + random_normal(7, N, D)).T;
}

fn moved[N](x: i32[N]) -> (y: i32[N], z: i32[N], u: i32[N]) {
    y = philox(3, 2 * (iota(N) - 9) + 1) + x;
    z = philox(3, iota(N) - 5) + philox(3, 4 * iota(N) + 2) + x;
    u = philox(3, 2 * iota(N)) + philox(4, 2 * iota(N) + 1) + x;
}

fn seeds[N](seed: i64[N]) -> (y: i32[N]) {
    y = philox(seed, 2 * iota(N)) + philox(seed, 2 * iota(N) + 1) + philox(seed, iota(N));
}
// ---- expect
//             const i32_pair philox = philox_two_from_i64(add, i2);
//             kept_philox[u] = philox.second;
//             const i32 philox = philox_from_i64(seed_1, i0 * D + i1);
//             const i32 philox_3 = philox_from_i64(seed_1, i0 * D + i1);
//             const i32 philox_4 = philox_from_i64(seed_1, i0 * D + i1);
// LANES i32_pair philox_two_i64(i64 seed, i64 index) {
//                     const i32_pair philox = philox_two_i64(splat_i64(7), index);
// fusec: remark: random inputs, seed 0: x, seed
// fusec: remark: random inputs, seed 0: x, seed
// fusec: remark: random inputs, seed 0: x, seed
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: seed
