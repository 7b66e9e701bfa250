// run: fusec run %s --fn moments --check -D B=3 -D M=37 -D N=1037
// run: fusec run %s --fn moments --check -D B=1 -D M=8 -D N=1024
// run: fusec run %s --fn moments --check -D B=2 -D M=19 -D N=33
// run: fusec run %s --fn others --check -D M=29 -D N=130
// run: fusec run %s --fn others --check -D M=1 -D N=5
// run: fusec run %s --fn narrow --check -D M=100
// run: fusec %s --fn moments --target=c -o %t.c
// run: grep -q "EACH_ROW_BLOCK(first, block_rows, 8, whole_[1-9], " %t.c
// run: grep -q "mean_of\[.*\] = sum" %t.c
// run: grep -q "if (M <= 16 || N <= VL) {" %t.c
// run: grep -q "fx_strip(N, 1, M <= 256 && N <= 16384 && N % 1024 ? 256 : [12]" %t.c
// run: fusec %s --target=c -o %t_open.c
// run: cc -O1 -march=x86-64 -fopenmp -DFUSEC_MAIN -Wno-psabi %t_open.c -o %t_open -lm
// run: ./%t_open B=3 M=5 N=1037
// run: ./%t_open B=2 M=37 N=3
// run: ./%t_open B=2 M=37 N=1037
// run: fusec %s --fn narrow --target=c -o %t_narrow.c
// run: grep -q "for (idx i1 = 0; i1 < M; i1++) {" %t_narrow.c
// Reductions of columns that need others of the same columns read rows in order, once for each;
// rows of one vector, and few rows, by loops. No size of a model has the name of a variable of these.
fn moments[B, M, N](x: f32[B, M, N], h: bf16[M, N]) -> (d: f32[B, N], v: f32[N], w: f32[N]) {
    d = sqrt(var(x, axis = 1) + 0.5);
    v = var(x, axis = [0, 1]);
    w = var(h, axis = 0);
}
fn others[M, N](x: f32[M, N], y: f64[M, N], g: f64[N], i: i32[M, N])
    -> (l: f32[N], k: f64[N], far: i64[N], below: i32[N], above: f32[N]) {
    m = max(x, axis = 0, keep = true);
    l = log(sum(exp(x - m), axis = 0));
    c = (y - mean(y, axis = 0, keep = true)) * g;
    e = c * rsqrt(mean(c * c, axis = 0, keep = true) + 1e-6);
    k = mean(e * e * e * e, axis = 0);
    mean_x = mean(x, axis = 0, keep = true);
    far = argmax(abs(x - mean_x), axis = 0);
    below = sum(max(i, axis = 0, keep = true) - i, axis = 0);
    above = sum(where(x > mean_x, x * mean_x, mean_x), axis = 0);
}
fn narrow[M](x: f32[M, 16]) -> (v: f32[16]) {
    v = var(x, axis = 0);
}
fn named[M, N](x: f32[M, N], g: f32[N], h: bf16[M, N], vectors: f32) -> (v: f32[N], w: f32[N]) {
    count = M as f32;
    v = sum(x * (g / count) / count, axis = 0);
    w = sum(h as f32 / count * vectors, axis = 0);
}
