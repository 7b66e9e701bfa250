// run: fusec run %s --check -D N=128 -D D=64 -D M=136
// kernels: 1
// Products of bytes wrap in i32 as their sum does.
fn bytes[N, D, M](x: i8[N, D], w: i8[M, D], t: i8[N, 48], b: i8[M, 48]) -> (y: i32[N, M]) {
    y = (x as i32) @ (w as i32).T + (t as i32) @ (b as i32).T;
}
