// Products of bf16 whose last panel has columns for one vector of 16 lanes: rows in place, packed and
// transposed, a right operand packed once, several blocks of k, and a rest of every number of rows.
// run: fusec run %s --fn in_place --check -D M=200 -D N=1 -D K=64 > checks
// run: fusec run %s --fn in_place --check -D M=197 -D N=15 -D K=1030 > checks
// run: fusec run %s --fn in_place --check -D M=129 -D N=48 -D K=2 > checks
// run: fusec run %s --fn packed --check -D M=30 -D N=1 -D K=1031 > checks
// run: fusec run %s --fn packed --check -D M=100 -D N=47 -D K=7 > checks
// run: fusec run %s --fn packed --check -D M=17 -D N=1040 -D K=9 > checks
// run: fusec run %s --fn constant --check -D M=33 -D N=79 -D K=521 > checks
// run: fusec %s --fn in_place --target=c -D M=200 -D N=48 -D K=64 -o %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: cc -O1 -march=sapphirerapids -fopenmp -Wall -Wextra -Werror -Wno-psabi -S %t.c -o %t.s
fn in_place[M, N, K](a: bf16[M, K], b: bf16[K, N], c: bf16[N, K]) -> (y: bf16[M, N], z: f32[M, N]) {
    y = a @ b;
    z = relu(a @ c.T);
}
fn packed[M, N, K](a: bf16[M, K], b: bf16[K, N], c: bf16[N, K], d: bf16[K, M]) -> (
    kn: bf16[M, N],
    turned: f32[M, N],
    added: f32[M, N],
    computed: bf16[M, N]
) {
    kn = a @ b;
    turned = d.T @ c.T;
    added = a @ b + d.T @ c.T;
    computed = (((a * 2) as bf16) @ (tanh(b) as bf16)) as bf16;
}
@constant(w)
fn constant[M, N, K](x: bf16[M, K], w: bf16[N, K]) -> (y: bf16[M, N]) { y = x @ w.T; }
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: a, b, c, d
// fusec: remark: random inputs, seed 0: x, w
