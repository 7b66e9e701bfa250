// run: fusec run %s --check --threads=2
// Reductions of columns that are fewer than the lanes of a vector, of several rows at a time: lengths that nothing divides,
// one column less than a vector, several types, outer axes, work before and after, several of one loop.
fn f(a: f32[20011, 3], b: bf16[3, 70, 301, 10], c: i32[5000, 15], d: u8[2, 4099, 2], e: f64[8191, 5], w: f32[20011])
    -> (sums: f32[3], least: f32[3], weighed: f32[3], largest: bf16[3, 10], whole: i32[15], bytes: i32[2, 2], parts: f64[5]) {
    sums = exp(sum(a, axis = 0) * 0.001);
    least = min(a, axis = 0);
    weighed = sum(tanh(a) * w[:, None], axis = 0);
    largest = max(b, axis = [1, 2]);
    whole = sum(c, axis = 0);
    bytes = sum(d as i32, axis = 1);
    parts = prod(1 + e * 0.001, axis = 0);
}
// ---- expect
// sums: f32[3]  mean 0.9672  max 1.022  checksum e66c90377448e790
// least: f32[3]  mean -0.9999  max -0.9998  checksum c571f82f0cb2af7e
// weighed: f32[3]  mean -47.68  max -19.49  checksum 74bf4038f86b9be8
// largest: bf16[3, 10]  mean 0.9961  max 0.9961  checksum 437427ac7d9b152b
// whole: i32[15]  mean 2.248e+04  max 22727  checksum 62759f7b6640a973
// bytes: i32[2, 2]  mean 1.845e+04  max 18659  checksum 618e5799d7c6a275
// parts: f64[5]  mean 0.9717  max 1.052  checksum cb93546b12457fd2
// sums: ok, largest error 5.96e-08 of 1.2e-06 allowed, at [1]: got 0.894169986, want 0.894169927
// least: ok, largest error 0 of 4.77e-07 allowed, at [0]: got -0.999956787, want -0.999956787
// weighed: ok, largest error 1.91e-05 of 0.000725 allowed, at [2]: got -55.0065689, want -55.006588
// largest: ok, largest error 0 of 0.00391 allowed, at [0, 0]: got 0.99609375, want 0.99609375
// whole: ok
// bytes: ok
// parts: ok, largest error 8.44e-15 of 1.63e-14 allowed, at [2]: got 1.0132601682746856, want 1.0132601682746771
// fusec: remark: random inputs, seed 0: a, b, c, d, e, w
