// Products with at most 8 rows or columns read the wide operand in place, in either layout, whatever its
// type, plain or computed; sizes that no vector divides, and one element.
// run: fusec run %s --check -D N=37 -D K=53 > checks
// run: fusec run %s --check -D N=203 -D K=1031 > checks
// run: fusec run %s --check -D N=64 -D K=48 --threads 1 > checks
// run: fusec run %s --check -D N=1 -D K=1 > checks
// run: fusec run %s --check -D N=37 -D K=53 --tile n=16,k=3,rows=1 > checks
fn products[N, K](
    x: f32[5, K], a: f32[K, N], b: f32[N, K], v: f32[K],
    xb: bf16[8, K], ab: bf16[K, N], bb: bf16[N, K],
    xi: i8[4, K], ai: i8[K, N], bi: i8[N, K], xu: u8[2, K],
    xd: f64[K, 3], bd: f64[N, K], xl: i64[2, K], al: i64[K, N],
    bl: i64[N, K],
    xs: f32[3, 2, K], bs: f32[3, N, K], scale: f32[N], zero: f32[N]
) -> (
    across: f32[5, N], along: f32[5, N], row: f32[N], column: f32[N], turned: f32[N],
    across_bf16: bf16[8, N], along_bf16: bf16[8, N], across_i8: i32[4, N], along_i8: i32[4, N],
    across_u8: i32[2, N], columns: f64[N, 3], long: i64[2, N], batches: f32[3, 2, N],
    columns_computed: f64[N, 3], long_computed: i64[2, N],
    gated: f32[5, N], dequantised: f32[5, N], dequantised_across: bf16[8, N]
) {
    across = tanh(x @ a) + scale;
    along = x @ b.T;
    row = v @ a;
    column = b @ v + zero;
    turned = a.T @ v;
    across_bf16 = (xb @ ab) as bf16;
    normed = xb * rsqrt(mean(xb * xb, keep = true) + 1e-6);
    along_bf16 = (normed as bf16 @ bb.T + scale) as bf16;
    across_i8 = xi @ ai;
    along_i8 = xi @ bi.T;
    across_u8 = xu @ ai;
    columns = bd @ xd;
    long = xl @ al;
    columns_computed = tanh(bd) @ xd;
    long_computed = xl @ abs(bl).T;
    batches = einsum("bmk,bnk->bmn", xs, bs);
    gated = gelu(x @ b.T) * (x @ a);
    dequantised = x @ ((bi as f32) * scale[:, None] + zero[:, None]).T;
    dequantised_across = ((xb as f32) @ ((ai as f32) * scale)) as bf16;
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, a, b, v, xb, ab, bb, xi, ai, bi, xu, xd, bd, xl, al, bl, xs, bs, scale, zero
// fusec: remark: random inputs, seed 0: x, a, b, v, xb, ab, bb, xi, ai, bi, xu, xd, bd, xl, al, bl, xs, bs, scale, zero
// fusec: remark: random inputs, seed 0: x, a, b, v, xb, ab, bb, xi, ai, bi, xu, xd, bd, xl, al, bl, xs, bs, scale, zero
// fusec: remark: random inputs, seed 0: x, a, b, v, xb, ab, bb, xi, ai, bi, xu, xd, bd, xl, al, bl, xs, bs, scale, zero
// fusec: remark: random inputs, seed 0: x, a, b, v, xb, ab, bb, xi, ai, bi, xu, xd, bd, xl, al, bl, xs, bs, scale, zero
