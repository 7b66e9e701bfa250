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
