// In a part of a concat, of which it is known that it is read, all lanes of a row that is scattered to
// go through its segment together.
// run: fusec %s --target=c --no-test -o %t.c
// run: grep "of_lane\|scatter\(_[0-9]\)* +*= \|cursor++" %t.c
// run: fusec run %s --check --device=cpu
// run: fusec run %s --check --device=cpu --threads 2 -O0 > checks
// inputs: dst 0..9
fn f(x: bf16[9, 23], e: f32[40, 23], dst: i32[40]) -> (y: f32[9, 69], z: bf16[9, 7]) {
    s = scatter(full(0.0, 9, 23), dst, e);
    n = scatter(full(0.0, 9), dst, 1.0);
    y = concat(x as f32, s / max(n, 1)[:, None], scatter(x as f32, dst, e * e));
    z = concat(s[:, :3] as bf16, x[:, :4]);
}
// ---- expect
//             f32 scatter = splat_f32(0.0f);
//             for (idx cursor = segments_temp_1[0]; cursor < end_1; cursor++) {
//                 scatter += e_1;
//             f32 scatter = ld_bf16(x + i0 * 23 + i1 - 46, lanes);
//             for (idx cursor = segments_temp_3[0]; cursor < end_1; cursor++) {
//                 scatter += e_1 * e_1;
// y: f32[9, 69]  mean 0.516  max 4.971  checksum 4518dc88d20658ac
// z: bf16[9, 7]  mean -0.09081  max 1.734  checksum 91f6f219261f4044
// y: ok, largest error 2.38e-07 of 2.85e-06 allowed, mean 4.15e-08 of 6.53e-07, at [1, 68]: got 2.46681023, want 2.46681046
// z: ok, largest error 0 of 0.00781 allowed, at [0, 0]: got -1.4609375, want -1.4609375
// fusec: remark: random inputs, seed 0: x, e, dst
// fusec: remark: random inputs, seed 0: x, e, dst
