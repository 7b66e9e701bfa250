// run: fusec run %s --fn f --check -D A=5 -D M=70 -D N=133 --device=cpu
// run: fusec run %s --fn f --check -D A=2 -D M=300 -D N=1100 --device=cpu --tile f_3:n=64 --tile f_4:n=128
// run: fusec run %s --fn known --check --device=cpu
// Reductions of columns in strips: several at once, of values of rows and columns, with an epilogue.
fn f[A, M, N](x: f32[A, M, N], z: bf16[M, N], r: f32[M], c: f32[N], d: f64[M, N], i: i8[M, N])
    -> (y: f32[A, N], w: f32[N], m: f64[N], g: i32[N], a: i32[N], e: f32[N]) {
    y = sum(x * r[:, None] + exp(c), axis = 1) * c;
    w = sum(gelu(z as f32) * r[:, None], axis = 0) + mean(z as f32, axis = 0);
    m = max(d, axis = 0);
    g = sum(i as i32, axis = 0);
    a = argmax(i, axis = 0);
    e = logsumexp(z as f32, axis = 0);
}
fn known(x: f16[3, 40, 2, 96]) -> (y: f32[3, 2, 96], z: f16[96]) {
    y = sum(x as f32, axis = 1);
    z = max(x, axis = [0, 1, 2]);
}
