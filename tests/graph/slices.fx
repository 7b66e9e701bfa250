// run: fusec %s --emit=graph
// What is not known to be in range becomes a guard.
fn f[N, D](x: f32[N, 2*D, 8])
    -> (a: f32[N, 2*D, 8], b: f32[N, D, 8], c: f32[N, D], d: f32[2*D, 6], e: f32[N - 1, 2*D, 8],
        g: f32[1, N, 1, 2*D, 8], h: f32[N, 2*D], i: f32, j: f32[3, 2*D, 8], k: f32[2*D, 8],
        l: f32[N, 2, 8]) {
    a = x[:, ...];
    b = x[:, D:];
    c = x[:, :D, -1];
    d = x[-1, :, 1:-1];
    e = x[1:] - x[:-1];
    g = x[None, :, None];
    h = x[..., 3];
    i = x[0, 2*D - 1, 7];
    j = x[N - 4:N - 1];
    k = x[5];
    l = x[:, -2:];
}
// ---- expect
// // after lower
// fn f[N, D]
//   %1 = input x : f32[N, 2*D, 8]
//   %2 = slice %1 start=[0, D, 0] : f32[N, D, 8]
//   %3 = slice %1 start=[0, 0, 7] : f32[N, D, 1]
//   %4 = reshape %3 : f32[N, D]
//   %5 = slice %1 start=[N - 1, 0, 1] : f32[1, 2*D, 6]
//   %6 = reshape %5 : f32[2*D, 6]
//   %7 = slice %1 start=[1, 0, 0] : f32[N - 1, 2*D, 8]
//   %8 = slice %1 start=[0, 0, 0] : f32[N - 1, 2*D, 8]
//   %9 = sub %7 %8 : f32[N - 1, 2*D, 8]
//   %10 = reshape %1 : f32[1, N, 1, 2*D, 8]
//   %11 = slice %1 start=[0, 0, 3] : f32[N, 2*D, 1]
//   %12 = reshape %11 : f32[N, 2*D]
//   %13 = slice %1 start=[0, 2*D - 1, 7] : f32[1, 1, 1]
//   %14 = reshape %13 : f32
//   %15 = slice %1 start=[N - 4, 0, 0] : f32[3, 2*D, 8]
//   %16 = slice %1 start=[5, 0, 0] : f32[1, 2*D, 8]
//   %17 = reshape %16 : f32[2*D, 8]
//   %18 = slice %1 start=[0, 2*D - 2, 0] : f32[N, 2, 8]
//   a = %1
//   b = %2
//   c = %4
//   d = %6
//   e = %9
//   g = %10
//   h = %12
//   i = %14
//   j = %15
//   k = %17
//   l = %18
//   assert 1 <= N - 1   // size
//   assert 0 <= N - 4   // slice
//   assert 5 < N   // index
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
