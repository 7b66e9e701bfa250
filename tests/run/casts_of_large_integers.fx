// Integers between two numbers of bf16 are rounded once, also those that f64 does not hold: most of these
// are just above or below the middle.
// inputs: zero 0..1
// run: fusec run %s --check
fn f(zero: i64) -> (y: bf16[3, 4, 60], z: f32[3, 4, 60], u: f16[3, 4, 60]) {
    power = (2 ** (iota(60) as i64 + 3) + zero)[None];
    half = power / 256 * (2 * iota(4) as i64 - 3)[:, None];
    x = power + half + (iota(3) as i64 - 1)[:, None, None];
    y = x as bf16;
    z = x as f32;
    u = x as f16;
}
