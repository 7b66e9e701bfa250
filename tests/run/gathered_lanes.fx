// Lanes that read elements at positions of their own: 32-bit lanes compute where these are, unless
// sizes are open or positions have 64 bits. What is proven to be within the axis is not clamped.
// run: fusec %s --fn=gathers --target=c --no-test -o %t.c
// run: grep "const i[36][24] \(at\|of\)_*[0-9]\|\[l\] =" %t.c
// run: fusec run %s --fn=gathers -D H=9 --check --device=cpu
// run: fusec run %s --fn=gathers -D H=9 --check --device=cpu --threads 2 -O0 > checks
// run: fusec %s --fn=one_of_many --target=c --no-test -o %t.c
// run: cc -Og -fopenmp -c %t.c -o %t.o
// inputs: k 0..33, j 0..41, p 0..20, i -128..127
fn gathers[H](x: f32[3, 77], k: i32[3, 53], u: u8[41], v: bf16[256], w: f16[5, 90], j: i64[41], z: f64[H, 41],
        i: i8[41], p: i32[H, 37])
    -> (a: f32[7, 3, 53], b: bf16[41], c: i64[41], d: f64[H, 37], e: f32[41], g: f16[5, 3, 53], h: f32[3, 53]) {
    turned = reshape(permute(reshape(x, 3, 7, 11), 1, 0, 2), 7, 33);
    a = take(turned, k, axis = 1);
    b = take(v, u, axis = 0);
    c = take(j, take(j, u as i32 % 41, axis = 0), axis = 0);
    d = take(z, p[0] * 2, axis = 1);
    e = take(v, i as i32 + 128, axis = 0) as f32 + take(v, max(min(j as i32, 255), 0), axis = 0);
    g = take(w, clamp(k, 0, 44) * 2 + 1, axis = 1);
    h = where(k > 4, take(x[2, 5:60], k - min(k, 5), axis = 0), 2.5);
}
fn one_of_many(x: u8[1, 3000000000], k: i32[53]) -> (y: u8[8, 53]) {
    y = take(x[:, 5:13], k, axis = 0).T;
}
// ---- expect
//     _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) if (l < m) some[l] = p[l * n];
//                 const i32 at_1 = add_i32(mul, splat_i32(1));
//                 const i32 of_1 = (int32_t)i0 * 90 + at_1;
//                 for (idx l = 0; l < lanes; l++) w_1[l] = get_f16(w + of_1[l]);
//                 const i32 at_1 = min_i32(max_i32(k_1, splat_i32(0)), splat_i32(33 - 1));
//                 const i32 of_1 = ((at_1) / 11) * 77 + (int32_t)i0 * 11 + ((at_1) % 11);
//                 for (idx l = 0; l < lanes; l++) x_1[l] = get_f32(x + of_1[l]);
//             const i32 at_1 = min_i32(max_i32(sub_i32(k_1, min_i32(k_1, splat_i32(5))),
//             const i32 of_1 = at_1 + 159;
//             for (idx l = 0; l < lanes; l++) x_1[l] = get_f32(x + of_1[l]);
//         const i32 at_1 = u_1;
//         for (idx l = 0; l < lanes; l++) v_1[l] = get_bf16(v + at_1[l]);
//         const i32 at_2 = mod_i32(u_1, splat_i32(41));
//         for (idx l = 0; l < lanes; l++) j_1[l] = get_i64(j_ + at_2[l]);
//         const i64 at_3 = min_i64(max_i64(j_1, splat_i64(0)), splat_i64(41 - 1));
//         for (idx l = 0; l < lanes; l++) j_2[l] = get_i64(j_ + at_3[l]);
//         const i32 at_4 = add_i32(i_1, splat_i32(128));
//         for (idx l = 0; l < lanes; l++) v_2[l] = get_bf16(v + at_4[l]);
//         const i32 at_5 = max_i32(min_i32(i32_i64(j_3), splat_i32(255)), splat_i32(0));
//         for (idx l = 0; l < lanes; l++) v_3[l] = get_bf16(v + at_5[l]);
//             const i32 at_1 =
// a: f32[7, 3, 53]  mean -0.01469  max 0.9977  checksum a51463b66d7869a7
// b: bf16[41]  mean 0.005431  max 0.9805  checksum c03542b116ae1cfa
// c: i64[41]  mean 18.9  max 39  checksum 2627d0bf012a0169
// d: f64[9, 37]  mean -0.1026  max 0.9812  checksum 9d611e09f3e04819
// e: f32[41]  mean 0.162  max 1.734  checksum 88f95b0c1a3d7636
// g: f16[5, 3, 53]  mean -0.1022  max 0.9912  checksum 9725597ab7ccf601
// h: f32[3, 53]  mean 0.4192  max 2.5  checksum acd5aeb1949cd1ce
// a: ok, largest error 0 of 4.76e-07 allowed, mean 0 of 2.83e-07, at [0, 0, 0]: got -0.858907819, want -0.858907819
// b: ok, largest error 0 of 0.00195 allowed, at [0]: got -0.328125, want -0.328125
// c: ok
// d: ok, largest error 0 of 8.87e-16 allowed, mean 0 of 5.41e-16, at [0, 0]: got -0.35225078027608248, want -0.35225078027608248
// e: ok, largest error 0 of 8.27e-07 allowed, at [0]: got -0.47265625, want -0.47265625
// g: ok, largest error 0 of 0.000489 allowed, mean 0 of 3.94e-05, at [0, 0, 0]: got 0.758300781, want 0.758300781
// h: ok, largest error 0 of 1.19e-06 allowed, mean 0 of 5.81e-07, at [0, 0]: got 0.756448925, want 0.756448925
// fusec: remark: random inputs, seed 0: x, k, u, v, w, j, z, i, p
// fusec: remark: random inputs, seed 0: x, k, u, v, w, j, z, i, p
