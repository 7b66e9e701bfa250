// The last panel of bf16 is multiplied by a micro-kernel of one vector if it has 1 to 16 of 32 columns.
// run: fusec %s -D N=48 --target=c -o %t.c
// run: grep -A 9 "FX_HALF(48)" %t.c
// run: fusec %s -D N=49 --target=c -o %t.c
// run: grep -c tile_half %t.c
// exit: 1
// run: fusec %s -D N=64 --target=c -o %t.c
// run: grep -c tile_half %t.c
// exit: 1
fn product[N](a: bf16[200, 64], b: bf16[64, N]) -> (y: bf16[200, N]) { y = relu(a @ b); }
// ---- expect
//             const idx full = panels - (FX_HALF(48) && n_stop == 48);
//             tile_sums_rows_bf16(k_end - k_first, a + m_start * 64 + k_first, 64, at.a, cut.a,
//                                 b_group, cut.b, sum, sums_size, NR, false, m_stop - m_start, full,
//                                 200 % SHARED_MR);
//             if (full < panels) /* the last has one vector of columns */
//                 tile_half_rows_bf16(k_end - k_first, a + m_start * 64 + k_first, 64, at.a, cut.a,
//                                     b_group + full * cut.b,
//                                     cut.b, sum + full * sums_size, sums_size, NR, false,
//                                     m_stop - m_start, 1, 200 % SHARED_MR);
//             for (idx i1 = m_start; i1 < m_stop; i1++) {
// 0
// 0
