// Products with all of k in one block, whose results the micro-kernel stores: whole tiles, edges of rows
// and columns, several threads, a batch, and results that are permuted.
// run: fusec run %s --fn plain --check -D M=140 -D N=256 -D K=2 > checks
// run: fusec run %s --fn plain --check -D M=500 -D N=1111 -D K=19 > checks
// run: fusec run %s --fn plain --check -D M=129 -D N=257 -D K=127 > checks
// run: fusec run %s --fn plain --check -D M=1000 -D N=261 -D K=33 > checks
// run: fusec run %s --fn plain --check -D M=131 -D N=33 -D K=64 > checks
// run: fusec run %s --fn plain --check -D M=300 -D N=79 -D K=128 --threads=2 > checks
// run: fusec run %s --fn plain --check -D M=40 -D N=7 -D K=18 > checks
// run: fusec run %s --fn plain --check -D M=600 -D N=64 -D K=512 > checks
// run: fusec run %s --fn permuted --check -D B=3 -D M=131 -D N=301 -D K=21 > checks
// run: fusec run %s --fn turned --check -D M=131 -D N=301 -D K=21 > checks
// run: fusec run %s --fn single --check -D M=500 -D N=1111 -D K=19 > checks
// run: fusec run %s --fn single --check -D M=28 -D N=32 -D K=300 > checks
// run: fusec run %s --fn single --check -D M=225 -D N=95 -D K=512 > checks
// run: fusec run %s --fn bytes --check -D M=500 -D N=1111 -D K=19 > checks
// run: fusec run %s --fn bytes --check -D M=29 -D N=33 -D K=300 > checks
// run: fusec %s --target=c -D M=200 -D N=300 -D K=63 -D B=2 -o %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: fusec %s --fn plain --target=c -D M=200 -D N=48 -D K=64 -o %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: cc -O1 -march=sapphirerapids -fopenmp -Wall -Wextra -Werror -Wno-psabi -S %t.c -o %t.s
fn plain[M, N, K](a: bf16[M, K], b: bf16[K, N], c: bf16[N, K]) -> (y: bf16[M, N], z: bf16[M, N]) {
    y = a @ b;
    z = (a @ c.T) as bf16;
}
fn permuted[B, M, N, K](a: bf16[B, M, K], b: bf16[B, K, N]) -> (y: bf16[M, B, N]) {
    y = permute(a @ b, 1, 0, 2);
}
fn turned[M, N, K](a: bf16[M, K], b: bf16[K, N]) -> (y: bf16[N, M]) { y = (a @ b).T; }
fn single[M, N, K](a: f32[M, K], b: f32[K, N], c: f32[2, N, K]) -> (y: f32[M, N], z: f32[M, 2, N]) {
    y = a @ b;
    z = permute(broadcast(a, 2, M, K) @ permute(c, 0, 2, 1), 1, 0, 2);
}
fn bytes[M, N, K](a: i8[M, K], b: i8[K, N], c: u8[M, K]) -> (y: i32[M, N], z: i32[M, N]) {
    y = (a as i32) @ (b as i32);
    z = (c as i32) @ (b as i32);
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
