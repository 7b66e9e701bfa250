// Micro-kernels of 4, 6 and 14 rows, whose last panel has fewer: a block that ends with a whole panel
// inside the matrix computes all of its rows.
// run: fusec %s --target=c -o %t.c
// run: cc -Og -march=x86-64 -fopenmp -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t M=61 N=70 K=35 > checks
// run: grep -c ok checks
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t M=61 N=70 K=35 > checks
// run: grep -c ok checks
// run: ./%t M=1003 N=70 K=3 > checks
// run: grep -c ok checks
// run: cc -O0 -march=x86-64 -DVL=16 -fopenmp -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t M=61 N=70 K=35 > checks
// run: grep -c ok checks
// run: ./%t M=18 N=70 K=3 > checks
// run: grep -c ok checks
fn f32_product[M, N, K](a: f32[M, K], b: f32[K, N]) -> (c: f32[M, N]) { c = a @ b; }
fn f64_product[M, N, K](a: f64[M, K], b: f64[K, N]) -> (c: f64[M, N]) { c = a @ b; }
fn i8_product[M, N, K](a: i8[M, K], b: i8[K, N]) -> (c: i32[M, N]) { c = a @ b; }
// ---- expect
// 3
// 3
// 3
// 3
// 3
