// Running products along rows and columns, from both ends, with zeros and infinities, and of few long rows, which a GPU
// has in chunks; those from the end of a row that nothing divides have padding of ones.
// run: fusec run %s --fn=products --check -D B=9 -D T=50 > checks
// run: fusec run %s --fn=products --check -D B=1 -D T=1 > checks
// run: fusec run %s --fn=few --check > checks
// run: fusec %s --target=c -o %t.c
// run: cc -O1 -march=haswell -Wno-psabi -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t B=5 T=70 > checks
fn products[B, T](
    a: f32[B, T],
    h: bf16[B, T],
    d: f64[B, T],
    n: i32[B, T],
    l: i64[B, T]
) -> (y: f32[B, T], z: f32[B, T], r: f32[B, T], w: f64[B, T], m: i32[B, T], k: i64[B, T]) {
    i = iota(B)[:, None] * 5 + iota(T);
    y = cumprod(where(i % 61 == 40, 0, 1 + a / 4));
    z = cumprod(where(i % 61 == 40, inf, 1 + a / 4), axis = 0);
    r = cumprod(1 - h / 4, reverse = true);
    w = cumprod(d * 2, axis = 0, reverse = true);
    m = cumprod(n + 1);
    k = cumprod(l + 1, axis = 0);
}

fn few(a: f32[1, 131071], c: f32[9001, 3]) -> (y: f32[1, 131071], z: f32[9001, 3]) {
    y = cumprod(1 + a / 512, reverse = true);
    z = cumprod(1 - c / 64, axis = 0);
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, h, d, n, l
// fusec: remark: random inputs, seed 0: a, h, d, n, l
// fusec: remark: random inputs, seed 0: a, c
