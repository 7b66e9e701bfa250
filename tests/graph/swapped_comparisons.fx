// run: fusec %s --emit=graph
fn f[N](x: f32[N], y: f32[N]) -> (a: bool[N], b: bool[N], c: bool[N], d: bool[N]) {
    a = x > y;
    b = x >= y;
    c = y < x;
    d = x > 0;
}
// ---- expect
// // after lower
// fn f[N]
//   %1 = input x : f32[N]
//   %2 = input y : f32[N]
//   %3 = lt %2 %1 : bool[N]
//   %4 = le %2 %1 : bool[N]
//   %5 = const 0.0 : f32
//   %6 = reshape %5 : f32[1]
//   %7 = broadcast %6 : f32[N]
//   %8 = lt %7 %1 : bool[N]
//   a = %3
//   b = %4
//   c = %3
//   d = %8
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
