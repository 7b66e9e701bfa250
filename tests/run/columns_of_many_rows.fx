// run: fusec run %s --fn columns --check -D B=3 -D M=19 -D N=1037
// run: fusec run %s --fn columns --check -D B=1 -D M=8 -D N=1024
// run: fusec run %s --fn columns --check -D B=2 -D M=5 -D N=70
// run: fusec run %s --check -D M=33 -D N=2050 --tile n=1024,rows=4 --device=cpu --fn one
// run: fusec run %s --fn narrow --check -D M=19 -D N=1037
// run: fusec run %s --fn narrow --check -D M=8 -D N=96
// run: fusec run %s --fn narrow --check -D M=11 -D N=70
// run: fusec run %s --fn turns --check -D M=19 -D N=1037
// run: fusec run %s --fn turns --check -D M=8 -D N=96
// run: fusec run %s --fn turns --check -D M=11 -D N=7
// run: fusec %s --fn narrow --target=c -D M=19 -D N=1037 -o %t.c
// run: grep -c "EACH_LINE(at, " %t.c
// Reductions of columns read several rows at a time, and one by one those that are left;
// of elements narrower than a lane, a cache line of each row.
fn columns[B, M, N](x: f32[B, M, N], h: bf16[M, N], i: i8[M, N], scale: f32[N], r: f32[M])
    -> (sums: f32[B, N], both: f32[N], most: i32[N], first: i32[N], every: bool[N]) {
    sums = sum(x * scale, axis = 1);
    both = sum(h * r[:, None], axis = 0);
    most = max(i as i32, axis = 0);
    first = argmax(h, axis = 0);
    every = all(i > -120, axis = 0);
}
// Only elements of bf16 differ from column to column: the even ones of a line come first.
fn turns[M, N](h: bf16[M, N], r: f32[M]) -> (sums: f32[N], most: bf16[N], products: f32[N]) {
    sums = sum(h, axis = 0);
    most = max(h, axis = 0);
    products = sum((h * r[:, None]) as bf16, axis = 0);
}
fn one[M, N](x: f32[M, N]) -> (y: f32[N], z: f32[N]) {
    y = sum(x, axis = 0);
    z = sum(x * x, axis = 0);
}
fn narrow[M, N](h: bf16[M, N], i: i8[M, N], r: f32[M]) -> (both: f32[N], squares: f32[N], most: i32[N]) {
    both = sum(h * r[:, None], axis = 0);
    squares = sum((h as f32) * h, axis = 0);
    most = max(i as i32, axis = 0);
}
