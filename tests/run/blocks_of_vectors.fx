// Positions along which elements lie in blocks of whole vectors, or of half of one: patches of an
// image that are packed, results in blocks, and what all lanes of a vector have in common.
// run: fusec run %s --check --fn patches -D N=7 -D H=48 -D M=19 > checks
// run: fusec run %s --check --fn patches -D N=1 -D H=80 -D M=200 > checks
// run: fusec run %s --check --fn results -D S=37 -D R=5 -D C=32 > checks
// run: fusec run %s --check --fn results -D S=130 -D R=9 -D C=16 > checks
// run: fusec run %s --check --fn results -D S=37 -D R=7 -D C=8 > checks
// run: fusec run %s --check --fn groups -D M=33 -D L=21 -D K=384 > checks
// run: fusec %s -D N=7 -D H=48 -D M=19 -D S=37 -D R=5 -D C=32 -D L=21 -D K=384 -o %t.c
// run: grep -E " = ld_f32.x |st_f32.y|put_f32.y|z_. = " %t.c
fn patches[N, H, M](x: f32[N, 3, H, H], w: f32[M, 768]) -> (y: f32[N, H/16*(H/16), M]) {
    p = permute(reshape(x, N, 3, H / 16, 16, H / 16, 16), 0, 2, 4, 1, 3, 5);
    y = reshape(p, N, H / 16 * (H / 16), 768) @ w.T;
}

fn results[S, R, C](a: f32[S, R, C], b: f32[S, R, C]) -> (y: f32[R, R, C, C]) {
    y = einsum("sic,sjd->ijcd", a, b) / S;
}

fn groups[M, L, K](x: f32[M, K], w: f32[L, K], z: u8[L, K/128]) -> (y: f32[M, L]) {
    q = reshape(concat(((z % 16) as f32)[:, :, None], ((z / 16) as f32)[:, :, None]), L, K / 64);
    y = x @ reshape(reshape(w, L, K / 64, 64) - q[:, :, None], L, K).T;
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: x, w, z
//                                 square[i1 - from] = ld_f32(x + (i1 / 9) * 6912 + (i3 / 256) * 2304 +
//                             st_f32(y + i1 * 19 + i2, y_1, lanes);
//                             st_f32(y + (i1 / 32) * 5120 + (i2 / 32) * 1024 + (i1 % 32) * 32 +
//                                 const i32 z_1 = lds_where_u8(z + i2 * 3 + i3 / 128, inside);
//                                 const i32 z_2 = lds_where_u8(z + i2 * 3 + i3 / 128, inside_2);
//                             st_f32(y + i1 * 21 + i2, y_1, lanes);
