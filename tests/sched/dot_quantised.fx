// An operand that is quantised on its way saturates, also where tensor cores multiply it.
// run: fusec run %s --check -D M=70 -D N=33 -D K=64
// run: fusec run %s --check -D M=9 -D N=20 -D K=37
// kernels: 1
fn quantised[M, N, K](x: bf16[M, K], w: i8[N, K]) -> (y: i32[M, N]) {
    y = ((x * 400) as i8) @ w.T;
}
