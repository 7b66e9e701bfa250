// Rows of a concat or a pad that are copied from positions which are computed: of each row, of rows
// of several axes, of one row that threads share; in one part, in several, in parts within parts.
// run: fusec run %s --fn forms --check -D B=21 > checks
// run: fusec run %s --fn forms --check -D B=1 > checks
// run: fusec run %s --fn sizes --check -D B=9 -D V=14 -D N=3 > checks
// run: fusec run %s --fn sizes --check -D B=1 -D V=1 -D N=1 > checks
// run: fusec run %s --fn types --check > checks
// run: fusec run %s --fn nested --check > checks
// run: fusec run %s --fn beams --check -D B=6 > checks
// run: fusec run %s --fn axes --check > checks
// run: fusec run %s --fn shared --check --threads=2 > checks
// run: fusec run %s --fn drawn --check -D B=12 > checks
// run: fusec %s --target=c -D B=21 --no-test -o %t.c
// run: grep -c "copy_row(.*\[0\]" %t.c
// run: fusec %s --fn sizes --target=c --no-test -o %t.c
// run: grep -c "copy_row(.*\[0\]" %t.c
// inputs: p 0..4, q 0..9, two 0..2
fn forms[B](t: f32[40, 8], p: i32[B], q: i32[B]) -> (
    a: f32[B, 9],
    b: f32[B, 10],
    c: f32[B, 16],
    d: f32[B, 17],
    e: f32[B, 24],
    f: f32[B, 16],
    g: f32[B, 9]
) {
    a = pad(take(t, p + 1, axis = 0), 1, 1, 0);
    b = pad(take(t, 2 * p, axis = 0), 1, 1, 1);
    c = concat(take(t, clamp(q, 0, 4), axis = 0), take(t, q % 3, axis = 0));
    d = pad(concat(take(t, p + 1, axis = 0), take(t, p + 1, axis = 0)), 1, 0, 1);
    e = concat(take(t, p + iota(B), axis = 0), take(t, q, axis = 0), take(t, 20 - q, axis = 0));
    f = concat(take(t, where(p < q, p, 0), axis = 0), take(t, (q as i64) + 1, axis = 0));
    g = concat(take(t, min(p, q) * 3, axis = 0), t[:1, :1] * 0 + (p as f32)[:, None]);
}
fn sizes[B, V, N](
    t: bf16[V, N, 40],
    x: bf16[B, 1],
    p: i32[B]
) -> (y: bf16[B, 41], z: bf16[B, N, 96]) {
    first = take(t, clamp(p + 1, 0, V - 1), axis = 0);
    y = concat(first[:, 0], x);
    z = pad(concat(first, take(t, clamp(2 * p, 0, V - 1), axis = 0)), 2, 7, 9);
}
fn types(
    a: i32[40, 8],
    b: bf16[40, 8],
    c: i8[40, 32],
    d: f64[40, 1],
    p: i32[13]
) -> (w: i32[13, 11], x: bf16[13, 10], y: i8[13, 65], z: f64[13, 2]) {
    w = pad(take(a, p + 1, axis = 0), 1, 1, 2);
    x = pad(take(b, p * p, axis = 0), 1, 1, 1);
    y = pad(concat(take(c, p + 1, axis = 0), take(c, p + 2, axis = 0)), 1, 1, 0);
    z = concat(take(d, 3 * p, axis = 0), take(d, p + 1, axis = 0));
}
fn nested(t: f32[40, 24], p: i32[19]) -> (y: f32[19, 107], z: f32[24, 40]) {
    one = pad(take(t, p + 1, axis = 0), 1, 3, 5);
    y = pad(concat(one, concat(one[:, 2:], take(t, p * 2, axis = 0))), 1, 11, 10);
    z = take(pad(take(t, p + 1, axis = 0), 1, 8, 8), iota(24) % 19, axis = 0);
}
fn beams[B](history: i32[B, 1], x: i32[B], two: i32[B]) -> (y: i32[B, 2]) {
    y = concat(take(history, 2 * two, axis = 0), x[:, None]);
}
fn axes(t: f32[40, 64], p: i32[7, 5], q: i32[5]) -> (y: f32[7, 5, 80], z: f32[8, 5, 96]) {
    y = pad(take(t, p + q, axis = 0), 2, 16, 0);
    z = pad(pad(take(t, p * 2, axis = 0), 2, 16, 16), 0, 1, 0);
}
fn shared(t: f32[9, 70000], p: i32[1]) -> (y: f32[70100]) {
    y = pad(reshape(take(t, p + 1, axis = 0), 70000), 0, 48, 52);
}
fn drawn[B](t: f32[40, 64], key: i64) -> (z: f32[B, 144]) {
    first = take(t, abs(random_bits(key, B) % 40), axis = 0);
    second = take(t, abs(random_bits(key + 1, B) % 40), axis = 0);
    z = pad(concat(first, second), 1, 16, 0);
}
// ---- expect
// fusec: remark: random inputs, seed 0: t, p, q
// fusec: remark: random inputs, seed 0: t, p, q
// fusec: remark: random inputs, seed 0: t, x, p
// fusec: remark: random inputs, seed 0: t, x, p
// fusec: remark: random inputs, seed 0: a, b, c, d, p
// fusec: remark: random inputs, seed 0: t, p
// fusec: remark: random inputs, seed 0: history, x, two
// fusec: remark: random inputs, seed 0: t, p, q
// fusec: remark: random inputs, seed 0: t, p
// fusec: remark: random inputs, seed 0: t, key
// 23
// 2
