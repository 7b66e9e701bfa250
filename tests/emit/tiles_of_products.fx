// Products with all of k in one block and an epilogue: a tile's sums are read as soon as they are done,
// and rows of the results are prefetched. Where matrices are added, or of few columns, sums go through L2.
// run: fusec run %s --fn biased --check -D M=200 -D N=301 -D K=20 > checks
// run: fusec run %s --fn biased --check -D M=500 -D N=1111 -D K=64 --threads=2 > checks
// run: fusec run %s --fn biased --check -D M=129 -D N=40 -D K=100 > checks
// run: fusec run %s --fn scaled --check -D M=200 -D N=301 -D K=20 > checks
// run: fusec run %s --fn scaled --check -D M=129 -D N=45 -D K=300 > checks
// run: fusec run %s --fn gated --check -D M=130 -D N=301 -D K=33 > checks
// run: fusec %s --fn biased --target=c -D M=200 -D N=300 -D K=63 -o %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: grep -c "row_stop - row" %t.c
fn biased[M, N, K](a: f32[M, K], b: f32[K, N], c: f32[N]) -> (y: f32[M, N], z: f32[N, M], x: f32[M, N]) {
    y = relu(a @ b + c);
    z = gelu(a @ (b * 2)).T;
    x = a @ (b + 1) + y;
}
fn scaled[M, N, K](a: i8[M, K], b: i8[K, N], c: u8[M, K], s: f32[N]) -> (y: f32[M, N], z: bf16[M, N]) {
    y = ((a as i32) @ (b as i32)) as f32 * s;
    z = (((c as i32) @ (b as i32)) as f32 * s) as bf16;
}
fn gated[M, N, K](a: f32[M, K], b: f32[K, N], c: f32[K, N]) -> (y: f32[M, N]) {
    y = silu(a @ b) * (a @ c);
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, c, s
// fusec: remark: random inputs, seed 0: a, b, c, s
// fusec: remark: random inputs, seed 0: a, b, c
// 1
