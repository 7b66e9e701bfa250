// Rows of few positions at a time are counted: in four tallies where there are few rows, in one where
// there are many.
// run: fusec %s --fn few --target=c --no-test -o %t.c
// run: sed -n '/^static void few_0/,/^}/p' %t.c
// run: fusec %s --fn many --target=c --no-test -o %t.c
// run: grep "memset(\|tally_rows(row" %t.c
// run: fusec run %s --fn few --device=cpu --check -D N=1 > checks
// run: fusec run %s --fn few --device=cpu --check -D N=70001 > checks
// run: fusec run %s --fn many --device=cpu --check -D N=70001 > checks
// inputs: x 0..256, i 0..5000
fn few[N](x: u8[N]) -> (y: i32[256]) {
    y = scatter(full(0, 256), x as i32, 1);
}

fn many[N](i: i32[N]) -> (y: f32[5000]) {
    y = scatter(full(0.5, 5000), i, 0.25);
}
// ---- expect
// static void few_0(const uint8_t *restrict x, int32_t *restrict tally, idx N)
// {
//     const idx size = part_of_vectors(N, 16);
// #pragma omp parallel for schedule(static) if (N >= 32768)
//     for (idx part_1 = 0; part_1 < 16; part_1++) {
//         const idx start_1 = part_1 * size, stop_1 = fx_least(start_1 + size, N);
//         int32_t *const own_1 = tally + part_1 * 256;
//         int32_t four_1[4 * 256] = {0};
//         for (idx first_1 = start_1; first_1 < stop_1; first_1 += 512) {
//             int32_t row_1[512];
//             const idx end_1 = fx_least(first_1 + 512, stop_1);
//             for (idx i0 = first_1; i0 < end_1; i0 += VL) {
//                 const idx lanes = N - i0 < VL ? N - i0 : VL;
//                 __builtin_prefetch(x + i0 + 4096, 0, 2);
//                 const i32 x_1 = ld_u8(x + i0, lanes);
//                 st_i32(row_1 + i0 - first_1, min_i32(max_i32(x_1, splat_i32(0)), splat_i32(255)),
//                        lanes);
//             }
//             tally_rows(row_1, end_1 - first_1, four_1, 256);
//         }
//         add_tallies(four_1, 256, own_1);
//     }
// }
//         memset(own_1, 0, sizeof *own_1 * 5000);
//             tally_rows(row_1, end_1 - first_1, own_1, 0);
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: i
