// A wide operand that is contiguous along its own axis is added in passes of several of its rows: whole passes are unrolled where
// narrow rows are few, and a loop takes the rest.
// run: fusec %s --fn whole --target=c --no-test -o %t.c
// run: sed -n '/^        for (idx k_first/,/^        }/p' %t.c
// run: fusec %s --fn cut --target=c --no-test -o %t.c
// run: sed -n '/^        for (idx k_first/,/^        }/p' %t.c
// run: fusec %s --fn many --target=c --no-test -o %t.c
// run: grep -c "EACH_OF(step, 8)" %t.c
// exit: 1
// run: fusec run %s --fn whole --check --threads 1 > checks
// run: fusec run %s --fn cut --check --threads 2 > checks
fn whole(x: f32[3, 4096], w: f32[4096, 1000]) -> (y: f32[3, 1000]) { y = x @ w; }
fn cut(x: f32[3, 4095], w: f32[4095, 1000]) -> (y: f32[3, 1000]) { y = x @ w; }
fn many(x: f32[8, 4096], w: f32[4096, 1000]) -> (y: f32[8, 1000]) { y = x @ w; }
// ---- expect
//         for (idx k_first = 0; k_first < 4096; k_first += 8) {
//             EACH_VECTOR(column, lanes, end - first) {
//                 const idx i2 = first + column;
//                 f32 sum[NARROW];
//                 EACH_OF(few, NARROW)
//                     sum[few] = k_first ? ld_f32(sums + few * cut.n + column, VL) : (f32){0};
//                 EACH_OF(step, 8) {
//                     const idx i3 = k_first + step;
//                     __builtin_prefetch(w + (i3 + 8) * 1000 + i2, 0, 2);
//                     const f32 wide = ld_f32(w + i3 * 1000 + i2, lanes);
//                     EACH_OF(few, NARROW) sum[few] += wide * narrow[few * narrow_row + i3];
//                 }
//                 EACH_OF(few, NARROW) st_f32(sums + few * cut.n + column, sum[few], VL);
//             }
//         }
//         for (idx k_first = 0; k_first < 4095; k_first += 8) {
//             const idx k_end = k_first + 8 < 4095 ? k_first + 8 : 4095;
//             EACH_VECTOR(column, lanes, end - first) {
//                 const idx i2 = first + column;
//                 f32 sum[NARROW];
//                 EACH_OF(few, NARROW)
//                     sum[few] = k_first ? ld_f32(sums + few * cut.n + column, VL) : (f32){0};
//                 if (k_end - k_first == 8) EACH_OF(step, 8) {
//                     const idx i3 = k_first + step;
//                     __builtin_prefetch(w + (i3 + 8) * 1000 + i2, 0, 2);
//                     const f32 wide = ld_f32(w + i3 * 1000 + i2, lanes);
//                     EACH_OF(few, NARROW) sum[few] += wide * narrow[few * narrow_row + i3];
//                 }
//                 else for (idx i3 = k_first; i3 < k_end; i3++) {
//                     __builtin_prefetch(w + (i3 + 8) * 1000 + i2, 0, 2);
//                     const f32 wide = ld_f32(w + i3 * 1000 + i2, lanes);
//                     EACH_OF(few, NARROW) sum[few] += wide * narrow[few * narrow_row + i3];
//                 }
//                 EACH_OF(few, NARROW) st_f32(sums + few * cut.n + column, sum[few], VL);
//             }
//         }
// 0
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
