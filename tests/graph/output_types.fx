// run: fusec %s --emit=graph
fn f[N](x: f64[N], b: i8[N], m: bool[N])
    -> (a: f8e5m2[N], c: i32[N], d: i64[N], e: f32, g: u8, h: f32, i: bool[N], j: i64) {
    a = x;
    c = b;
    d = iota(N);
    e = 1;
    g = 255;
    h = N;
    i = m;
    j = N;
}
// ---- expect
// // after lower
// fn f[N]
//   %1 = input x : f64[N]
//   %2 = input b : i8[N]
//   %3 = input m : bool[N]
//   %4 = dim N : weak i64
//   %5 = as %1 : f8e5m2[N]
//   %6 = as %2 : i32[N]
//   %7 = iota : i32[N]
//   %8 = as %7 : i64[N]
//   %9 = const 1.0 : f32
//   %10 = const 255 : u8
//   %11 = as %4 : f32
//   %12 = as %4 : i64
//   a = %5
//   c = %6
//   d = %8
//   e = %9
//   g = %10
//   h = %11
//   i = %3
//   j = %12
//   assert N <= 2147483647   // iota
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
