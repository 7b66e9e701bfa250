// Rows of a large array that are found by their position are prefetched eight rows ahead; short rows,
// and those of an array that stays in L2, are not.
// run: fusec %s -D N=8192 -D V=50000 -D D=256 -D E=32 -D W=100 -o %t.c
// run: grep -A 2 "const idx ahead" %t.c
fn rows[N, V, D](t: f32[V, D], at: i32[N]) -> (y: f32[N, D]) { y = take(t, at, axis = 0); }
fn rows_short[N, V, E](t: f32[V, E], at: i32[N]) -> (y: f32[N, E]) { y = take(t, at, axis = 0); }
fn rows_near[N, W, D](t: f32[W, D], at: i32[N]) -> (y: f32[N, D]) { y = take(t, at, axis = 0); }
// ---- expect
//             const idx ahead2 = fx_least(fx_most(at_[fx_least(i0 + 8, 8192 - 1)], 0), 50000 - 1);
//             for (idx i1 = 0; i1 < 256; i1 += 16)
//                 __builtin_prefetch(t + ahead2 * 256 + i1, 0, 3);
