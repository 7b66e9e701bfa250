// run: fusec run %s --fn last --check -D N=33 -D C=38
// run: fusec run %s --fn last --check -D N=5 -D C=7
// run: fusec run %s --fn middle --check -D N=33 -D C=38 -D T=16
// run: fusec run %s --fn middle --check -D N=5 -D C=7 -D T=3
// run: fusec run %s --fn first --check -D N=33 -D C=38
// run: fusec run %s --fn first --check -D N=5 -D C=7
// run: fusec run %s --fn each --check -D N=33 -D C=38 -D T=16
// run: fusec run %s --fn each --check -D N=5 -D C=7 -D T=3
// run: fusec run %s --fn two --check -D N=33 -D C=38 -D D=37
// run: fusec run %s --fn two --check -D N=5 -D C=7 -D D=4
// run: fusec run %s --fn part --check -D N=33 -D C=38
// run: fusec run %s --fn part --check -D N=5 -D C=7
// kernels: 1
// Elements of inputs that nothing else reads are gathered: at one position for each row, or for each element of
// one, of functions of several inputs, one after the other. Indices beyond the axis find none.
// inputs: at -3..40, w -3..40, deep -3..40
fn last[N, C](x: f32[N, C], at: i32[N]) -> (y: f32[N]) {
    y = sum(where(at[:, None] == iota(C), x * 2 + 1, 0));
}
fn middle[N, C, T](x: bf16[N, C, T], at: i64[N]) -> (y: f32[N, T]) {
    y = sum(where((at[:, None] == iota(C))[:, :, None], exp(x as f32), 0), axis = 1);
}
fn first[N, C](x: i32[C, N], at: i32) -> (y: i32[N]) {
    y = sum(where((at == iota(C))[:, None], x, 0), axis = 0);
}
fn each[N, C, T](x: f32[N, C, T], z: f32[C, T], w: i32[N, T]) -> (y: f32[N, T]) {
    y = sum(where(iota(C)[:, None] == w[:, None, :], x * z, 0), axis = 1);
}
fn two[N, C, D](x: f32[N, C, D], at: i32[N], deep: i32[N]) -> (y: f32[N]) {
    rows = sum(where((at[:, None] == iota(C))[:, :, None], x, 0), axis = 1);
    y = sum(where(deep[:, None] == iota(D), rows, 0));
}
fn part[N, C](x: f32[N, 2*C], at: i32[N]) -> (y: f32[N]) {
    y = sum(where(at[:, None] == iota(C), x[:, C:], 0));
}
