// Where all of k is one block, the micro-kernel stores sums as results itself: there is no epilogue.
// run: fusec %s --fn product -D M=300 -D K=64 --target=c -o %t.c
// run: grep -A 5 "^            tile_results" %t.c
// run: fusec %s --fn product -D M=300 -D K=4096 --target=c -o %t.c
// run: grep -c "^            tile_results" %t.c
// exit: 1
// run: fusec %s --fn product -D M=20 -D K=64 --target=c -o %t.c
// run: grep -c "^            tile_results" %t.c
// exit: 1
// run: fusec %s --fn narrow -D M=300 -D K=64 --target=c -o %t.c
// run: grep -A 3 "^            tile_results" %t.c
// run: fusec %s --fn single -D M=300 -D K=64 --target=c -o %t.c
// run: grep -A 7 "^static void single_0" %t.c
// run: fusec %s --fn bytes -D M=300 -D K=64 --target=c -o %t.c
// run: grep -A 3 "^            tile_results" %t.c
fn product[M, K](a: bf16[M, K], b: bf16[K, 300]) -> (y: bf16[M, 300]) { y = a @ b; }
fn narrow[M, K](a: bf16[M, K], b: bf16[K, 40]) -> (y: bf16[M, 40]) { y = a @ b; }
fn single[M, K](a: f32[M, K], b: f32[K, 300]) -> (y: f32[M, 300]) { y = a @ b; }
fn bytes[M, K](a: i8[M, K], b: i8[K, 300]) -> (y: i32[M, 300]) { y = (a as i32) @ (b as i32); }
// ---- expect
//             tile_results_left_bf16(k_end - k_first, a + m_start * 64 + k_first, 64, a_packed, cut.a,
//                                    b_group, cut.b, sum, sums_size, y + m_start * 300 + n_start, 300,
//                                    m_stop - m_start, n_stop - n_start, 300 % SHARED_MR,
//                                    FX_ENDS(300 % NR));
//         }
//         tiles_end();
// 0
// 0
//             tile_results_rows_bf16(k_end - k_first, a + m_start * 64 + k_first, 64, at.a, cut.a,
//                                    b_group, cut.b, sum, sums_size, y + m_start * 40 + n_start, 40,
//                                    m_stop - m_start, n_stop - n_start, 300 % SHARED_MR,
//                                    FX_ENDS(40 % NR));
// static void single_0(const float *restrict a, const float *restrict b, float *restrict y,
//                      char *packed)
// {
//     const fx_matrix left = {a, 64, 64, pack_along_f32};
//     const fx_matrix right = {b, 1, 300, pack_across_f32};
//     product_f32(&single_0_tile, 300, 300, 64, &left, &right, y, 300,
//                 300 % MR, FX_ENDS(300 % NR_OF(float)), packed);
// }
//             tile_results_bytes((k_end - k_first + FX_BYTES - 1) / FX_BYTES, a_packed, cut.a,
//                                b_group, cut.b, sum, sums_size, y + m_start * 300 + n_start, 300,
//                                m_stop - m_start, n_stop - n_start, 300 % SHARED_MR,
//                                FX_ENDS(300 % NR));
