// Running maxima and minima are NaN from the first NaN on; infinities are numbers like others. Every type, from both
// ends, along rows and columns, and of elements that the same kernel sums.
// run: fusec run %s --fn=floats --check -D B=9 -D T=50 > checks
// run: fusec run %s --fn=floats --check -D B=1 -D T=1 > checks
// run: fusec run %s --fn=integers --check -D B=9 -D T=50 > checks
// run: fusec %s --target=c -o %t.c
// run: cc -O1 -march=haswell -Wno-psabi -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t B=5 T=70 > checks
fn floats[B, T](a: f32[B, T], h: f16[B, T], d: f64[B, T], q: f8e4m3[B, T]) -> (
    y: f32[B, T],
    z: f32[B, T],
    r: f16[B, T],
    w: f32[B, T],
    v: f64[B, T],
    s: f64[B, T],
    e: f8e4m3[B, T],
    f: f32[B, T]
) {
    i = iota(B)[:, None] * 5 + iota(T);
    sum = iota(B)[:, None] + iota(T);
    x = where(i % 31 == 7, inf, where(i % 37 == 11, -inf, a));
    y = cummax(where(sum == T + 2, nan, x));
    z = cummin(x, axis = 0);
    r = cummin(where(sum == 4, nan as f16, h), reverse = true);
    w = cummax(where(i < 60, -inf, a), axis = 0, reverse = true);
    v = cummax(where(sum == T + 2, nan as f64, d), axis = 0);
    s = cummin(where(sum == T + 2, nan as f64, d));
    e = cummax(-q, axis = 0, reverse = true);
    f = cumsum(a) - cummax(a);
}

fn integers[B, T](
    a: i32[B, T],
    b: u8[B, T],
    c: i8[B, T],
    d: i64[B, T]
) -> (y: i32[B, T], z: u8[B, T], r: i8[B, T], w: i64[B, T], v: i32[B, T]) {
    y = cummax(a - 2147483647 - 1);
    z = cummin(b, axis = 0, reverse = true);
    r = cummax(-c, reverse = true) as i8;
    w = cummin(d - 4294967296, axis = 0);
    v = cumsum(a) + cummin(a);
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, h, d, q
// fusec: remark: random inputs, seed 0: a, h, d, q
// fusec: remark: random inputs, seed 0: a, b, c, d
