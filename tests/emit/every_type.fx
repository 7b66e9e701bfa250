// run: fusec run %s --check
// run: fusec run %s --check -O0
fn f(a: f64[37], b: f32[37], c: f16[37], d: bf16[37], e: f8e4m3[37], g: f8e5m2[37], h: i64[37],
     i: i32[37], j: i8[37], k: u8[37], m: bool[37])
    -> (a2: f64[37], b2: f32[37], c2: f16[37], d2: bf16[37], e2: f8e4m3[37], g2: f8e5m2[37],
        h2: i64[37], i2: i32[37], j2: i8[37], k2: u8[37], m2: bool[37]) {
    a2 = a + b;
    b2 = b * c + d;
    c2 = a;
    d2 = a * 3;
    e2 = b * 100;
    g2 = b * 100;
    h2 = h * h + i;
    i2 = (a * 3) as i32 + j * k;
    j2 = i as i8;
    k2 = (b * 300) as u8;
    m2 = (b > 0) && !m || isnan(b);
}
// ---- expect
// a2: f64[37]  mean -0.001934  max 1.605  checksum d438c376996c2cbe
// b2: f32[37]  mean 0.04398  max 1.342  checksum 96eaf2dbfeeabe65
// c2: f16[37]  mean 0.06506  max 0.9839  checksum f769da64f1be8f83
// d2: bf16[37]  mean 0.1955  max 2.953  checksum acd7d2e1e455c48a
// e2: f8e4m3[37]  mean -7.27  max 96  checksum a1b161d3b6205371
// g2: f8e5m2[37]  mean -6.514  max 96  checksum b5c7a37b85f5dbaa
// h2: i64[37]  mean 32.16  max 89  checksum 65fb35d049d65359
// i2: i32[37]  mean -5.216  max 63  checksum 211e27ff63634762
// j2: i8[37]  mean 4.568  max 9  checksum a5945c2fbeb96473
// k2: u8[37]  mean 72.35  max 255  checksum d3dc2f635033aa05
// m2: bool[37]  mean 0.1351  max 1  checksum 06262534d9cdcc02
// a2: ok, largest error 0 of 1.43e-15 allowed, at [0]: got 1.5162640352779144, want 1.5162640352779144
// b2: ok, largest error 0 of 1.02e-06 allowed, at [0]: got 1.16047859, want 1.16047859
// c2: ok, largest error 0 of 0.000489 allowed, at [0]: got 0.879394531, want 0.879394531
// d2: ok, largest error 0 of 0.0156 allowed, at [0]: got 2.640625, want 2.640625
// e2: ok, largest error 0 of 8 allowed, at [0]: got 64, want 64
// g2: ok, largest error 0 of 16 allowed, at [0]: got 64, want 64
// h2: ok
// i2: ok
// j2: ok
// k2: ok
// m2: ok
// every_type.fx:3:55: warning: the input 'e' is never used
//   fn f(a: f64[37], b: f32[37], c: f16[37], d: bf16[37], e: f8e4m3[37], g: f8e5m2[37], h: i64[37],
//                                                         ^
// every_type.fx:3:70: warning: the input 'g' is never used
//   fn f(a: f64[37], b: f32[37], c: f16[37], d: bf16[37], e: f8e4m3[37], g: f8e5m2[37], h: i64[37],
//                                                                        ^
// fusec: remark: random inputs, seed 0: a, b, c, d, e, g, h, i, j, k, m
// a2: f64[37]  mean -0.001934  max 1.605  checksum d438c376996c2cbe
// b2: f32[37]  mean 0.04398  max 1.342  checksum 31e189cec62c4c21
// c2: f16[37]  mean 0.06506  max 0.9839  checksum f769da64f1be8f83
// d2: bf16[37]  mean 0.1955  max 2.953  checksum acd7d2e1e455c48a
// e2: f8e4m3[37]  mean -7.27  max 96  checksum a1b161d3b6205371
// g2: f8e5m2[37]  mean -6.514  max 96  checksum b5c7a37b85f5dbaa
// h2: i64[37]  mean 32.16  max 89  checksum 65fb35d049d65359
// i2: i32[37]  mean -5.216  max 63  checksum 211e27ff63634762
// j2: i8[37]  mean 4.568  max 9  checksum a5945c2fbeb96473
// k2: u8[37]  mean 72.35  max 255  checksum d3dc2f635033aa05
// m2: bool[37]  mean 0.1351  max 1  checksum 06262534d9cdcc02
// a2: ok, largest error 0 of 1.43e-15 allowed, at [0]: got 1.5162640352779144, want 1.5162640352779144
// b2: ok, largest error 1.19e-07 of 1.02e-06 allowed, at [4]: got 1.3423605, want 1.34236038
// c2: ok, largest error 0 of 0.000489 allowed, at [0]: got 0.879394531, want 0.879394531
// d2: ok, largest error 0 of 0.0156 allowed, at [0]: got 2.640625, want 2.640625
// e2: ok, largest error 0 of 8 allowed, at [0]: got 64, want 64
// g2: ok, largest error 0 of 16 allowed, at [0]: got 64, want 64
// h2: ok
// i2: ok
// j2: ok
// k2: ok
// m2: ok
// every_type.fx:3:55: warning: the input 'e' is never used
//   fn f(a: f64[37], b: f32[37], c: f16[37], d: bf16[37], e: f8e4m3[37], g: f8e5m2[37], h: i64[37],
//                                                         ^
// every_type.fx:3:70: warning: the input 'g' is never used
//   fn f(a: f64[37], b: f32[37], c: f16[37], d: bf16[37], e: f8e4m3[37], g: f8e5m2[37], h: i64[37],
//                                                                        ^
// fusec: remark: random inputs, seed 0: a, b, c, d, e, g, h, i, j, k, m
