// Results of bf16 whose left operand is packed, as columns of memory or computed, are stored by the
// micro-kernel where all of k is one block: for all ends of rows, columns and k.
// run: fusec run %s --check --device=cpu -D M=28 -D N=64 -D K=80 > checks
// run: fusec run %s --check --device=cpu -D M=37 -D N=33 -D K=7 --threads 1 > checks
// run: fusec run %s --check --device=cpu -D M=43 -D N=49 -D K=1 > checks
// run: fusec run %s --check --device=cpu -D M=600 -D N=70 -D K=131 > checks
// run: fusec %s --target=c -D M=37 -D N=33 -D K=7 --no-test -o %t.c
// run: grep -c "^ *tile_results_packed_bf16(" %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -Wno-psabi -c %t.c -o %t.o
fn packed[M, N, K](a: bf16[K, M], b: bf16[K, N], c: bf16[N, K], d: bf16[M, K], e: bf16[K, M]) ->
    (ab: bf16[M, N], ac: bf16[M, N], computed: bf16[M, N]) {
    ab = (a.T @ b) as bf16;
    ac = (e.T @ c.T) as bf16;
    computed = (((d * 2) as bf16) @ b) as bf16;
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, c, d, e
// fusec: remark: random inputs, seed 0: a, b, c, d, e
// fusec: remark: random inputs, seed 0: a, b, c, d, e
// fusec: remark: random inputs, seed 0: a, b, c, d, e
// 3
