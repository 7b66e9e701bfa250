// Rows of two elements that are pieces of a concat: a vector of each is computed, and stored in turn.
// Of an image of twice the size, the first and the last column are parts of their own.
// run: fusec run %s --check --fn complex -D B=3 -D N=77 > checks
// run: fusec run %s --check --fn complex -D B=1 -D N=16 --threads 1 > checks
// run: fusec run %s --check --fn halves -D N=35 > checks
// run: fusec run %s --check --fn types -D N=53 > checks
// run: fusec run %s --check --fn twice -D C=3 -D H=5 -D W=33 > checks
// run: fusec run %s --check --fn twice -D C=1 -D H=1 -D W=130 > checks
// run: fusec %s --fn twice -D C=3 -D H=5 -D W=64 -o %t.c
// run: grep -E "for .idx|IN_TURN_LOW|VL, IN_TURN_HIGH" %t.c
// run: fusec %s --fn types -D N=53 -o %t.c
// run: grep -E "st_.*IN_TURN_LOW" %t.c
fn complex[B, N](x: f32[B, N, 2], h: f32[N, 2]) -> (y: f32[B, N, 2]) {
    re = x[..., 0] * h[:, 0] - x[..., 1] * h[:, 1];
    im = x[..., 0] * h[:, 1] + x[..., 1] * h[:, 0];
    y = concat(re[..., None], im[..., None]);
}

fn halves[N](x: bf16[N], z: f16[N]) -> (y: bf16[N, 2], u: f16[N, 2]) {
    y = concat(exp(x)[:, None], (x as f32 * 2.0)[:, None] as bf16);
    u = concat((z + 1.0)[:, None], z[:, None]);
}

fn types[N](a: f64[N], b: i64[N], c: i32[N])
    -> (y: f64[N, 2], z: i64[N, 2], u: i32[N, 2], v: u8[N, 2], w: bool[N, 2]) {
    y = concat((a + 1)[:, None], (a * 2)[:, None]);
    z = concat((b + 1)[:, None], (b * 2)[:, None]);
    u = concat((c + 1)[:, None], full(7, N, 1));
    v = concat((c / 2)[:, None], (c % 16)[:, None]) as u8;
    w = concat((c > 3)[:, None], (c < 1)[:, None]);
}

fn twice[C, H, W](x: f32[C, H, W]) -> (y: f32[C, H, 2*W]) {
    side = concat(x[:, :, :1], x, x[:, :, -1:]);
    left = 0.25 * side[:, :, :W] + 0.75 * x;
    right = 0.75 * x + 0.25 * side[:, :, 2:];
    y = reshape(concat(left[..., None], right[..., None]), C, H, 2 * W);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, h
// fusec: remark: random inputs, seed 0: x, h
// fusec: remark: random inputs, seed 0: x, z
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
// #define IN_TURN_LOW(A, B)  __builtin_shufflevector(A, B, LANES_LOW)
//     for (idx i4 = 0; i4 < 15; i4++) {
//         for (idx i2 = 0; i2 < 1; i2 += VL) {
//             st_f32(y + i4 * 128 + i2 * 2, IN_TURN_LOW(column_2, column_1), fx_least(2 * lanes, VL));
//                 st_f32(y + i4 * 128 + i2 * 2 + VL, IN_TURN_HIGH(column_2, column_1),
//         for (idx i2 = 1; i2 < 63; i2 += VL) {
//             st_f32(y + i4 * 128 + i2 * 2, IN_TURN_LOW(column_4, column_3), fx_least(2 * lanes, VL));
//                 st_f32(y + i4 * 128 + i2 * 2 + VL, IN_TURN_HIGH(column_4, column_3),
//         for (idx i2 = 63; i2 < 64; i2 += VL) {
//             st_f32(y + i4 * 128 + i2 * 2, IN_TURN_LOW(column_6, column_5), fx_least(2 * lanes, VL));
//                 st_f32(y + i4 * 128 + i2 * 2 + VL, IN_TURN_HIGH(column_6, column_5),
//         st_f64(y + i0 * 2, IN_TURN_LOW(column_6, column_1), fx_least(2 * lanes, VL));
//         st_i64(z + i0 * 2, IN_TURN_LOW(column_7, column_2), fx_least(2 * lanes, VL));
//         st_i32(u_ + i0 * 2, IN_TURN_LOW(column_8, column_3), fx_least(2 * lanes, VL));
//         st_u8(v + i0 * 2, IN_TURN_LOW(column_9, column_4), fx_least(2 * lanes, VL));
//         st_bool(w + i0 * 2, IN_TURN_LOW(column_10, column_5), fx_least(2 * lanes, VL));
