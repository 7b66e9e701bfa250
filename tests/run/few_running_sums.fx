// Running sums of few long rows and columns, which a GPU has in chunks: from both ends, with pointwise work on both
// sides, and of lengths that nothing divides. Reductions of such rows, too.
// run: fusec run %s --check
fn sums(
    x: f32[131072],
    r: bf16[3, 65536],
    c: i32[16384, 5],
    m: f32[2, 20000, 3],
    p: f32[131071],
    q: bf16[2, 65537]
) -> (
    a: f32[131072],
    b: bf16[3, 65536],
    d: i32[16384, 5],
    e: f32[2, 20000, 3],
    f: f32[131071],
    g: f32[2, 65537],
    h: f32,
    i: bf16,
    j: f32
) {
    a = cumsum(abs(x)) * 2.0;
    b = (cumsum(r, reverse = true) - 1.0) as bf16;
    d = cumsum(c, axis = 0);
    e = cumsum(m, axis = 1, reverse = true) - m;
    f = sqrt(cumsum(p * p));
    g = cumsum(q) * q;
    h = sum(p);
    i = max(q, axis = [0, 1]);
    j = var(p);
}
// ---- expect
// a: f32[131072]  mean 6.549e+04  max 1.311e+05  checksum 3d6cc98a638d6985
// b: bf16[3, 65536]  mean -55.54  max 108  checksum a2c26773f1fcd146
// d: i32[16384, 5]  mean 3.685e+04  max 74050  checksum b39ec9cd8f8cc857
// e: f32[2, 20000, 3]  mean -17.68  max 117.6  checksum 641e936565d5bdc9
// f: f32[131071]  mean 138.9  max 208.6  checksum 5f1d3d3930c9f9ee
// g: f32[2, 65537]  mean 0.7411  max 378.9  checksum a75ca015a440efb1
// h: f32  mean -45.82  max -45.82  checksum 25a899c0b89c36fe
// i: bf16  mean 0.9961  max 0.9961  checksum d0f493b8daf33562
// j: f32  mean 0.3321  max 0.3321  checksum f4f07992f57c34d7
// a: ok, largest error 0.664 of 1.39 allowed, mean 0.25 of 0.536, at [126204]: got 126159.234, want 126158.57
// b: ok, largest error 0 of 0.5 allowed, mean 0 of 0.0702, at [0, 0]: got 83.5, want 83.5
// d: ok
// e: ok, largest error 0.000443 of 0.000954 allowed, mean 8.64e-05 of 0.000197, at [1, 33, 1]: got -142.429214, want -142.428772
// f: ok, largest error 0.00278 of 0.00565 allowed, mean 0.00122 of 0.0025, at [127056]: got 205.363297, want 205.366074
// g: ok, largest error 0 of 0.000181 allowed, mean 0 of 4.49e-05, at [0, 0]: got 0.0295410156, want 0.0295410156
// h: ok, largest error 0.000103 of 0.00343 allowed, at []: got -45.8161316, want -45.8160286
// i: ok, largest error 0 of 0.00391 allowed, at []: got 0.99609375, want 0.99609375
// j: ok, largest error 2.98e-08 of 2.22e-05 allowed, at []: got 0.33208558, want 0.33208555
// fusec: remark: random inputs, seed 0: x, r, c, m, p, q
