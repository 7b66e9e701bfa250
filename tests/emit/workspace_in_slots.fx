// Each slot begins where the one before it ends, a buffer in the slot of an earlier one is that one, and
// launches have no factor of 1.
// run: fusec %s --target=cuda --no-test -o %t.cu
// run: fusec %s --target=c --no-test -o %t.c
// run: grep -hE "workspace;|char \*\)|\*const .* = [a-z0-9_]+;|<<<" %t.cu %t.c
// run: fusec run %s --check -D N=5 -D D=7
// kernels: 6
fn f[N, D](x: f32[N, D], w: f32[D, D], v: f32[D]) -> (y: f32[N, D], z: f32[N]) {
    a = x @ w;
    b = softmax(a, axis = 0);
    c = b @ w;
    d = softmax(c, axis = 0);
    y = d @ w;
    z = x @ v;
}
// ---- expect
//     float *const a = (float *)workspace;
//     float *const b = (float *)((char *)workspace + 256 * ceil_div(4*N*D, 256));
//     float *const c = a;
//     float *const d = b;
//     f_0<<<ceil_div(N, 128) * ceil_div(D, 128), 128, f_0_shared, stream>>>(
//     f_1<<<ceil_div(D, 32), 256, 0, stream>>>(a, b, N, D);
//     f_0<<<ceil_div(N, 128) * ceil_div(D, 128), 128, f_0_shared, stream>>>(
//     f_1<<<ceil_div(D, 32), 256, 0, stream>>>(c, d, N, D);
//     f_0<<<ceil_div(N, 128) * ceil_div(D, 128), 128, f_0_shared, stream>>>(
//         f_5<<<D <= 1024 ? ceil_div(N, 8) : N, block, 0, stream>>>(
//     float *const a = (float *)workspace;
//     float *const b = (float *)((char *)workspace + fx_align(4*N*D));
//     float *const c = a;
//     float *const d = b;
//     char *const scratch = (char *)workspace + fx_align(4*N*D) + fx_align(4*N*D);
// y: f32[5, 7]  mean -0.1738  max 0.3025  checksum c86947be0fbb2c66
// z: f32[5]  mean -0.02888  max 1.811  checksum b74925e3b763cc67
// y: ok, largest error 5.96e-08 of 4.16e-07 allowed, at [2, 2]: got 0.302521378, want 0.302521318
// z: ok, largest error 1.19e-07 of 1.22e-06 allowed, at [2]: got -1.36156201, want -1.36156213
// fusec: remark: random inputs, seed 0: x, w, v
