// run: fusec run %s --fn f --check -D M=450 -D N=801 --device=cpu
// run: fusec run %s --fn f --check -D M=801 -D N=450 --device=cpu --tile kind=transpose,m=32,n=128,stream=0
// run: fusec run %s --fn f --check -D M=3 -D N=5 --device=cpu --tile kind=transpose,m=16,n=128,stream=0
// run: fusec run %s --fn f --check -D M=263 -D N=66 --device=cpu --tile kind=transpose,m=16,n=256,stream=0
// run: fusec run %s --fn p --check -D M=333 -D N=777 --device=cpu --tile kind=transpose,m=64,n=256,stream=0
// run: fusec run %s --fn p --check -D M=257 -D N=64 --device=cpu --tile kind=transpose,m=64,n=256,stream=0
// Large results whose rows start within cache lines: blocks of rows are shifted, so that they fill lines.
fn f[M, N](x: f32[M, N], z: f32[N, M], h: f64[M, N]) -> (y: f32[N, M], w: f64[N, M], u: bf16[N, M]) {
    y = x.T * 2 + z;
    w = h.T + 1;
    u = (x.T as bf16);
}
fn p[M, N](x: f32[M, N], h: bf16[M, N], d: f64[M, N], i: i8[M, N])
    -> (y: f32[N, M], u: bf16[N, M], w: f64[N, M], j: i8[N, M]) {
    y = x.T;
    u = h.T;
    w = d.T;
    j = i.T;
}
