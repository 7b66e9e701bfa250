// Constants may be named as members of what the emitted text declares: b is one of fx_cut.
// run: fusec run %s --check -D M=40 -D N=70 -D K=33 > checks
@constant(b)
fn product[M, N, K](a: i8[M, K], b: i8[K, N]) -> (y: i32[M, N]) {
    y = a @ b;
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, b
