// run: fusec run %s --check --threads=2
// Columns that are split along their length, on a CPU: sums, extremes, products, variances and positions, of
// several types, over one and two outer axes, with work before and after, and lengths that no number of chunks divides.
fn f(a: f32[4099, 64], b: bf16[3, 5003, 50], c: i32[64, 130, 32], d: u8[20011, 17], e: f32[16411, 64],
     g: f64[2, 9001, 33])
    -> (sums: f32[64], least: f32[64], largest: bf16[3, 50], whole: i32[32], bytes: i32[17], parts: f32[64], spread: f32[64],
        normed: f32[16411, 64], at: i32[64], wide: f64[2, 33]) {
    sums = exp(sum(a * a, axis = 0) * 0.001);
    least = min(a, axis = 0);
    largest = max(b, axis = 1);
    whole = sum(c, axis = [0, 1]);
    bytes = sum(d as i32, axis = 0);
    parts = prod(1 + a * 0.001, axis = 0);
    spread = var(e, axis = 0);
    normed = (e - mean(e, axis = 0)) * rsqrt(var(e, axis = 0) + 0.001);
    at = argmax(e, axis = 0);
    wide = sum(g, axis = 1);
}
// ---- expect
// sums: f32[64]  mean 3.919  max 4.094  checksum 591c72874fff18b1
// least: f32[64]  mean -0.9995  max -0.998  checksum 122f995f48181529
// largest: bf16[3, 50]  mean 0.9961  max 0.9961  checksum ea0b344c649108ea
// whole: i32[32]  mean 3.745e+04  max 38013  checksum 1434535e51f68209
// bytes: i32[17]  mean 8.998e+04  max 90807  checksum 33a25347ed5713d8
// parts: f32[64]  mean 0.9997  max 1.103  checksum 8818dd09a8e2153c
// spread: f32[64]  mean 0.3333  max 0.3383  checksum 89b0ccb12a822520
// normed: f32[16411, 64]  mean -1.923e-10  max 1.747  checksum 2025ab2aa4d4e393
// at: i32[64]  mean 8513  max 15881  checksum eb3e66dd14672b35
// wide: f64[2, 33]  mean 8.838  max 128.6  checksum 7ce65e6982da2063
// sums: ok, largest error 1.67e-06 of 3.25e-05 allowed, mean 8.21e-07 of 1.41e-05, at [16]: got 3.86761856, want 3.86762023
// least: ok, largest error 0 of 4.77e-07 allowed, mean 0 of 4.77e-07, at [0]: got -0.999875426, want -0.999875426
// largest: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.00127, at [0, 0]: got 0.99609375, want 0.99609375
// whole: ok
// bytes: ok
// parts: ok, largest error 6.02e-06 of 1.98e-05 allowed, mean 2.29e-06 of 5.84e-06, at [52]: got 0.989616632, want 0.989622653
// spread: ok, largest error 1.19e-07 of 3.14e-06 allowed, mean 5.16e-08 of 1.5e-06, at [39]: got 0.334038615, want 0.334038734
// normed: ok, largest error 4.77e-07 of 8.94e-06 allowed, mean 1.01e-07 of 2.51e-06, at [18, 39]: got 1.67124987, want 1.67124939
// at: ok
// wide: ok, largest error 1.74e-13 of 1.54e-12 allowed, mean 6.14e-14 of 3.96e-13, at [0, 15]: got 14.557976440096184, want 14.557976440096358
// fusec: remark: random inputs, seed 0: a, b, c, d, e, g
