// C: where several lanes read each element, as those of a block of sparse weights its values and their
// places, the elements of a vector are loaded once and spread by one instruction. A remainder of the
// position by 4 is the same in all vectors.
// run: fusec %s --fn=sparse -D M=64 -D N=40 -D K=256 -o %t.c
// run: grep -A3 "LD_GROUPS(.32,\|index = " %t.c
// run: fusec %s --fn=spread -D N=5 -D K=64 -o %t.c
// run: grep "= LD_GROUPS(\|ld_even_twice_f16(h" %t.c
// run: fusec run %s --check --device=cpu --fn=sparse -D M=64 -D N=40 -D K=256
// run: fusec run %s --check --device=cpu --fn=sparse -D M=17 -D N=3 -D K=44
// run: fusec run %s --check --device=cpu --fn=spread -D N=5 -D K=64
// run: fusec run %s --check --device=cpu --fn=spread -D N=3 -D K=40
// inputs: at 0..4
fn sparse[M, N, K](x: bf16[M, K], v: bf16[N, K/4, 2], at: u8[N, K/4, 2]) -> (y: bf16[M, N]) {
    a = where((at[:, :, 0] as i32)[:, :, None] == iota(4), v[:, :, 0][:, :, None], 0);
    b = where((at[:, :, 1] as i32)[:, :, None] == iota(4), v[:, :, 1][:, :, None], 0);
    y = x @ (reshape(a + b, N, K) as bf16).T;
}
fn spread[N, K](x: f32[N, K/8], b: i8[N, K/4, 3], h: f16[N, K/2, 2], d: f64[N, K/4]) -> (y: f32[N, K], z: f64[N, K]) {
    u = reshape(x[:, :, None] + (iota(8) as f32), N, K);
    v = reshape((b[:, :, 2] as f32)[:, :, None] * (iota(4) as f32), N, K);
    t = reshape((h[:, :, 1] as f32)[:, :, None] - (iota(2) as f32), N, K);
    y = u + v + t;
    z = reshape(d[:, :, None] * (iota(4) as f64), N, K);
}
// ---- expect
//                                 const i32 at_1 = LD_GROUPS(i32, ld_u8,
//                                                            at_ + i2 * 128 + (i3 / 4) * 2, 4, 2,
//                                                            lanes);
//                                 const i32 index = lanes_i32(0) & 3;
//                                 const f32 v_1 = LD_GROUPS(f32, ld_bf16, v + i2 * 128 + (i3 / 4) * 2,
//                                                           4, 2, lanes);
//                                 const i32 at_2 = LD_GROUPS(i32, ld_u8,
//                                                            at_ + i2 * 128 + (i3 / 4) * 2 + 1, 4, 2,
//                                                            lanes);
//                                 const f32 v_2 = LD_GROUPS(f32, ld_bf16,
//                                                           v + i2 * 128 + (i3 / 4) * 2 + 1, 4, 2,
//                                                           lanes);
//                                 const f32 add = where_f32(eq_i32(at_1, index), v_1,
//             const f32 h_1 = ld_even_twice_f16(h + i0 * 64 + (i1 / 2) * 2 + 1, VL);
//             const f32 x_1 = LD_GROUPS(f32, ld_f32, x + i0 * 8 + i1 / 8, 8, 1, VL);
//             const i32 b_1 = LD_GROUPS(i32, ld_i8, b + i0 * 48 + (i1 / 4) * 3 + 2, 4, 3, VL);
// y: bf16[64, 40]  mean 0.07925  max 14.5  checksum 3d97a7314a44b499
// y: ok, largest error 0 of 0.0156 allowed, mean 0 of 0.00184, at [0, 0]: got 3.75, want 3.75
// fusec: remark: random inputs, seed 0: x, v, at
// y: bf16[17, 3]  mean 0.04223  max 4.125  checksum 33a8332cb0ff9a39
// y: ok, largest error 0 of 0.000124 allowed, at [0, 0]: got -0.0242919922, want -0.0242919922
// fusec: remark: random inputs, seed 0: x, v, at
// y: f32[5, 64]  mean 2.863  max 26.94  checksum 4d8be239734e5a55
// z: f64[5, 64]  mean -0.03527  max 2.984  checksum fd6c4e961f901105
// y: ok, largest error 1.91e-06 of 1.67e-05 allowed, mean 3.13e-07 of 4.69e-06, at [2, 11]: got 17.2290764, want 17.2290745
// z: ok, largest error 0 of 2.66e-15 allowed, mean 0 of 9.87e-16, at [0, 0]: got 0, want 0
// fusec: remark: random inputs, seed 0: x, b, h, d
// y: f32[3, 40]  mean 2.391  max 26.94  checksum afae8fb82252ddf3
// z: f64[3, 40]  mean 0.005691  max 2.984  checksum 4d9eab0faff781a5
// y: ok, largest error 9.54e-07 of 1.48e-05 allowed, mean 2.35e-07 of 4.58e-06, at [0, 1]: got -8.15216827, want -8.15216923
// z: ok, largest error 0 of 2.65e-15 allowed, mean 0 of 1.03e-15, at [0, 0]: got 0, want 0
// fusec: remark: random inputs, seed 0: x, b, h, d
