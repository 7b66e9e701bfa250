// run: fusec run %s --fn f --check -D A=3 -D M=70 -D N=33 --device=cpu
// run: fusec run %s --fn f --check -D A=2 -D M=3 -D N=150 --device=cpu --tile kind=transpose,m=32,n=128,stream=0
// run: fusec run %s --fn whole --check --device=cpu
// Transposes in registers: elements of 1, 2, 4 and 8 bytes, other loads and rows beside them.
fn f[A, M, N](x: f32[M, N], z: f32[N, M], r: f32[N], h: bf16[M, N], d: f64[A, M, N], b: bool[M, N],
              i: i8[A, M, N])
    -> (y: f32[N, M], w: f64[A, N, M], u: i8[N, M, A]) {
    y = where(b.T, gelu(x.T + z) * r[:, None], h.T as f32);
    w = permute(d, 0, 2, 1) * 2;
    u = permute(i, 2, 1, 0);
}
fn whole(x: f16[2, 64, 3, 128], i: i64[2, 64, 3, 128]) -> (y: f16[2, 128, 3, 64], j: i64[128, 64, 3, 2]) {
    y = permute(x, 0, 3, 2, 1);
    j = permute(i, 3, 1, 2, 0);
}
