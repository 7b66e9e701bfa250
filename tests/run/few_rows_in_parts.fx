// More than 8 rows, or columns, of f32 are multiplied in parts, in blocks of k: k of no whole
// vectors, a last part, strip and group that are shorter; two products of the same rows, a batch.
// run: fusec run %s --fn rows --check -D M=16 -D N=101 -D K=700 > checks
// run: fusec run %s --fn rows --check -D M=17 -D N=49 -D K=1029 --threads 2 > checks
// run: fusec run %s --fn rows --check -D M=48 -D N=3 -D K=512 > checks
// run: fusec run %s --fn rows --check -D M=11 -D N=33 -D K=131 > checks
// run: fusec %s --fn rows --target=c -D M=16 -D N=101 -D K=700 -o %t.c
// run: grep -c "few_from < 16" %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
fn rows[M, N, K](x: f32[M, K], y: f32[2, M, K], a: f32[N, K], b: f32[N, K], c: f32[2, N, K])
    -> (both: f32[M, N], batched: f32[2, M, N], columns: f32[N, M]) {
    both = gelu(x @ a.T) * (x @ b.T);
    batched = y @ c.T;
    columns = a @ x.T;
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, y, a, b, c
// fusec: remark: random inputs, seed 0: x, y, a, b, c
// fusec: remark: random inputs, seed 0: x, y, a, b, c
// fusec: remark: random inputs, seed 0: x, y, a, b, c
// 7
