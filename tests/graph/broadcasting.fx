// run: fusec %s --emit=graph
fn f[N, D](x: f32[N, D], r: f32[D], c: f32[N, 1], s: f32, t: f32[1, 1, 1], m: bool[D])
    -> (a: f32[N, D], b: f32[N, D], d: f32[N, D], e: f32[1, N, D], g: f32[N, D]) {
    a = x + r;
    b = x * c - s;
    d = c / r;
    e = x + t;
    g = where(m, s, c);
}
// ---- expect
// // after lower
// fn f[N, D]
//   %1 = input x : f32[N, D]
//   %2 = input r : f32[D]
//   %3 = input c : f32[N, 1]
//   %4 = input s : f32
//   %5 = input t : f32[1, 1, 1]
//   %6 = input m : bool[D]
//   %7 = reshape %2 : f32[1, D]
//   %8 = broadcast %7 : f32[N, D]
//   %9 = add %1 %8 : f32[N, D]
//   %10 = broadcast %3 : f32[N, D]
//   %11 = mul %1 %10 : f32[N, D]
//   %12 = reshape %4 : f32[1, 1]
//   %13 = broadcast %12 : f32[N, D]
//   %14 = sub %11 %13 : f32[N, D]
//   %15 = div %10 %8 : f32[N, D]
//   %16 = reshape %1 : f32[1, N, D]
//   %17 = broadcast %5 : f32[1, N, D]
//   %18 = add %16 %17 : f32[1, N, D]
//   %19 = reshape %6 : bool[1, D]
//   %20 = broadcast %19 : bool[N, D]
//   %21 = where %20 %13 %10 : f32[N, D]
//   a = %9
//   b = %14
//   d = %15
//   e = %18
//   g = %21
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
