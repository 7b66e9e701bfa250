// run: fusec %s --emit=graph
fn f[N, D](x: bf16[N, 4*D], i: i32[N], s: f32)
    -> (a: bf16[N, 4, D], b: bf16[2*N, 2*D], c: bf16[4*D, N], d: bf16[3, N, 4*D], e: bf16[N*D, 4],
        g: f32[N, D], h: bf16[4*D], k: bf16[N, 4*D], l: bf16[D, N, 4]) {
    a = reshape(x, N, 4, D);
    b = reshape(x, 2*N, -1);
    c = x.T;
    d = broadcast(x, 3, N, 4*D);
    e = reshape(x, -1, 4);
    g = full(s, N, D) + full(2, N, D) as f32;
    h = take(x, 0, axis = 0);
    k = take(x, i, axis = 0);
    l = permute(a, -1, 0, 1);
}
// ---- expect
// // after lower
// fn f[N, D]
//   %1 = input x : bf16[N, 4*D]
//   %2 = input i : i32[N]
//   %3 = input s : f32
//   %4 = reshape %1 : bf16[N, 4, D]
//   %5 = reshape %1 : bf16[2*N, 2*D]
//   %6 = permute %1 axes=[1, 0] : bf16[4*D, N]
//   %7 = reshape %1 : bf16[1, N, 4*D]
//   %8 = broadcast %7 : bf16[3, N, 4*D]
//   %9 = reshape %1 : bf16[N*D, 4]
//   %10 = reshape %3 : f32[1, 1]
//   %11 = broadcast %10 : f32[N, D]
//   %12 = const 2 : i32
//   %13 = reshape %12 : i32[1, 1]
//   %14 = broadcast %13 : i32[N, D]
//   %15 = as %14 : f32[N, D]
//   %16 = add %11 %15 : f32[N, D]
//   %17 = const 0 : i32
//   %18 = take %1 %17 axis=0 : bf16[4*D]
//   %19 = take %1 %2 axis=0 : bf16[N, 4*D]
//   %20 = permute %4 axes=[2, 0, 1] : bf16[D, N, 4]
//   a = %4
//   b = %5
//   c = %6
//   d = %8
//   e = %9
//   g = %16
//   h = %18
//   k = %19
//   l = %20
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify
// fn f[N, D]
//   %1 = input x : bf16[N, 4*D]
//   %2 = input i : i32[N]
//   %3 = input s : f32
//   %4 = reshape %1 : bf16[N, 4, D]
//   %5 = reshape %1 : bf16[2*N, 2*D]
//   %6 = permute %1 axes=[1, 0] : bf16[4*D, N]
//   %7 = reshape %1 : bf16[1, N, 4*D]
//   %8 = broadcast %7 : bf16[3, N, 4*D]
//   %9 = reshape %1 : bf16[N*D, 4]
//   %10 = reshape %3 : f32[1, 1]
//   %11 = broadcast %10 : f32[N, D]
//   %12 = const 2.0 : f32
//   %13 = reshape %12 : f32[1, 1]
//   %14 = broadcast %13 : f32[N, D]
//   %15 = add %11 %14 : f32[N, D]
//   %16 = const 0 : i32
//   %17 = take %1 %16 axis=0 : bf16[4*D]
//   %18 = take %1 %2 axis=0 : bf16[N, 4*D]
//   %19 = permute %4 axes=[2, 0, 1] : bf16[D, N, 4]
//   a = %4
//   b = %5
//   c = %6
//   d = %8
//   e = %9
//   g = %15
//   h = %17
//   k = %18
//   l = %19
// // after slices: (unchanged)
