// Parts side by side: each is read in its place alone. The same pad, elsewhere, is read beyond it.
// run: fusec run %s --check -D N=3 > checks
// run: fusec run %s --check --device=cpu -D N=40 > checks
// run: fusec %s --target=c --no-test -o %t.c
// run: grep "where_\|inside" %t.c
fn parts[N](x: f32[N], s: f32[2*N]) -> (y: f32[3*N], z: i32[3*N], w: i32[3*N], v: f32[4*N]) {
    y = concat(x, -x, x * 2);
    z = concat(iota(N), iota(2*N) * 3);
    w = pad(iota(N), 0, 0, 2*N) + 1;
    v = concat(concat(x, x + 1), s);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, s
// fusec: remark: random inputs, seed 0: x, s
// LANES i32 where_i32(b1 c, i32 a, i32 b) { return (c & a) ^ (~c & b); }
// LANES f32 where_f32(b1 c, f32 a, f32 b) { return (f32)where_i32(c, (i32)a, (i32)b); }
// LANES u32 ld_where_32(const void *from, b1 mask, idx m) {
// LANES f32 ld_where_f32(const float *p, b1 mask, idx m) { return (f32)ld_where_32(p, mask, m); }
//         const b1 inside = lt_i64(lanes_i64(i0), splat_i64(N));
//         const f32 x_1 = ld_where_f32(x + i0, inside, lanes);
//         const b1 inside_2 = lt_i64(lanes_i64(i0), splat_i64(2*N));
//         const b1 inside_3 = le_i64(splat_i64(N), lanes_i64(i0));
//         const f32 x_2 = ld_where_f32(x + i0 - N, and_b1(inside_3, inside_2), lanes);
//         const b1 inside_4 = le_i64(splat_i64(2*N), lanes_i64(i0));
//         const f32 x_3 = ld_where_f32(x + i0 - 2*N, and_b1(inside_3, inside_4), lanes);
//         out_f32(y + i0, where_f32(inside, x_1, where_f32(inside_2, -x_2, x_3 * 2.0f)), lanes,
//         out_i32(z + i0, where_i32(inside, index, mul_i32(index_2, splat_i32(3))), lanes, stream);
//         const b1 inside = lt_i64(lanes_i64(i0), splat_i64(2*N));
//         const b1 inside_2 = lt_i64(lanes_i64(i0), splat_i64(N));
//         const f32 x_1 = ld_where_f32(x + i0, and_b1(inside, inside_2), lanes);
//         const b1 inside_3 = le_i64(splat_i64(N), lanes_i64(i0));
//         const f32 x_2 = ld_where_f32(x + i0 - N, and_b1(inside, inside_3), lanes);
//         const b1 inside_4 = le_i64(splat_i64(2*N), lanes_i64(i0));
//         const f32 s_1 = ld_where_f32(s + i0 - 2*N, inside_4, lanes);
//         out_f32(v + i0, where_f32(inside, where_f32(inside_2, x_1, x_2 + 1.0f), s_1), lanes,
//         const b1 inside = lt_i64(lanes_i64(i0), splat_i64(N));
//         out_i32(w + i0, add_i32(where_i32(inside, index, splat_i32(0)), splat_i32(1)), lanes,
