// Products of bf16, two to a lane where the processor has the instruction, and as f32 elsewhere: for odd
// and even depths, in several blocks of k, from each layout, computed, added up, packed once, and with
// @strict.
// run: fusec run %s --fn plain --check -D M=17 -D N=33 -D K=1 > checks
// run: fusec run %s --fn plain --check -D M=30 -D N=70 -D K=7 > checks
// run: fusec run %s --fn plain --check -D M=100 -D N=90 -D K=1031 > checks
// run: fusec run %s --fn plain --check -D M=137 -D N=48 -D K=2100 > checks
// run: fusec run %s --fn plain --check -D M=139 -D N=33 -D K=66 --threads 1 > checks
// run: fusec run %s --fn constant --check -D M=30 -D N=70 -D K=521 > checks
// run: fusec run %s --fn exact --check -D M=30 -D N=70 -D K=9 > checks
// run: fusec %s --fn exact --target=c -o %t.c
// run: grep -c vdpbf16ps %t.c
// exit: 1
// run: fusec %s --fn plain --target=c -o %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t M=30 N=70 K=7 > checks
fn plain[M, N, K](a: bf16[M, K], b: bf16[K, N], c: bf16[N, K], d: bf16[K, M]) -> (
    kn: bf16[M, N],
    nk: f32[M, N],
    turned: f32[M, N],
    added: f32[M, N],
    computed: bf16[M, N]
) {
    kn = (a @ b) as bf16;
    nk = a @ c.T;
    turned = d.T @ c.T;
    added = a @ b + d.T @ c.T;
    computed = (((a * 2) as bf16) @ (tanh(b) as bf16)) as bf16;
}
@constant(w)
fn constant[M, N, K](x: bf16[M, K], w: bf16[N, K]) -> (y: bf16[M, N]) {
    y = (x @ w.T) as bf16;
}
@strict
fn exact[M, N, K](a: bf16[M, K], b: bf16[K, N]) -> (c: bf16[M, N]) {
    c = (a @ b) as bf16;
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: a, b
// 0
