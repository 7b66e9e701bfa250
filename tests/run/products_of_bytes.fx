// Bytes of the whole range, signed and not, in every pairing and as sums of products: exact whether four
// or two products share a lane, for all rests of k by 4, and where k is 1.
// run: fusec run %s --check -D M=17 -D N=40 -D K=1 > checks
// run: fusec run %s --check -D M=3 -D N=5 -D K=2 --threads 1 > checks
// run: fusec run %s --check -D M=15 -D N=33 -D K=7 --threads 1 > checks
// run: fusec run %s --check -D M=130 -D N=150 -D K=900 > checks
// run: fusec run %s --check -D M=5 -D N=70 -D K=385 --threads 1 > checks
fn bytes[M, N, K](a: i32[M, K], b: i32[K, N], c: i32[M, K], d: i32[K, N]) -> (
    ss: i32[M, N],
    us: i32[M, N],
    su: i32[M, N],
    uu: i32[M, N],
    added: i32[M, N],
    mixed: i32[M, N],
    pair: i32[M, N]
) {
    left = where(a > 1, -128, a * 77) as i8;
    right = where(b > 1, -128, b * 59 + 127) as i8;
    left2 = where(c > 1, -128, c * 41) as i8;
    right2 = where(d > 1, 127, d * 83) as i8;
    plain = where(a > 1, 255, a * 77) as u8;
    plain2 = where(b > 1, 255, b * 91) as u8;
    ss = left @ right;
    us = plain @ right;
    su = left @ plain2;
    uu = plain @ plain2;
    added = left @ right + left2 @ right2;
    mixed = left @ right + plain @ right2;
    pair = (left2 @ right) * 3 + (left2 @ right2);
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: a, b, c, d
