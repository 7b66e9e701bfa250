// Where all of k is one block, the micro-kernel of bf16 stores results itself: there is no epilogue.
// run: fusec %s -D M=200 -D K=64 --target=c -o %t.c
// run: grep -A 6 "^            tile_results" %t.c
// run: fusec %s -D M=200 -D K=4096 --target=c -o %t.c
// run: grep -c "^            tile_results" %t.c
// exit: 1
// run: fusec %s -D M=100 -D K=64 --target=c -o %t.c
// run: grep -c "^            tile_results" %t.c
// exit: 1
fn product[M, K](a: bf16[M, K], b: bf16[K, 300]) -> (y: bf16[M, 300]) { y = a @ b; }
// ---- expect
//             tile_results_left_bf16(k_end - k_first, a + m_start * 64 + k_first, 64, a_packed, cut.a,
//                                    b_group, cut.b,
//                                    sum, sums_size, y + m_start * 300 + n_start,
//                                    300, m_stop - m_start, n_stop - n_start, panels,
//                                    200 % SHARED_MR);
//         }
//         tiles_end();
// 0
// 0
