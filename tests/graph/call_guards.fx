// run: fusec %s --emit=graph
fn quarter[D](x: f32[4*D]) -> (y: f32[D]) { y = x[:D]; }
fn after[D](x: f32[D + 2]) -> (y: f32[D]) { y = x[2:]; }
fn rows[D](x: f32[128 / D]) -> (y: f32[D]) { y = full(1.0, D) * sum(x); }
fn f[N](x: f32[N]) -> (y: f32[N / 4], z: f32[N - 2], w: f32[4]) {
    y = quarter(x);
    z = after(x);
    w = rows(full(1.0, 32));
}
// ---- expect
// // after lower
// fn f[N]
//   %1 = input x : f32[N]
//   %2 = slice %1 start=[0] : f32[N/4]
//   %3 = slice %1 start=[2] : f32[N - 2]
//   %4 = const 1.0 : f32
//   %5 = reshape %4 : f32[1]
//   %6 = broadcast %5 : f32[32]
//   %7 = broadcast %5 : f32[4]
//   %8 = sum %6 axis=[0] : f32[1]
//   %9 = reshape %8 : f32
//   %10 = reshape %9 : f32[1]
//   %11 = broadcast %10 : f32[4]
//   %12 = mul %7 %11 : f32[4]
//   y = %2
//   z = %3
//   w = %12
//   assert N % 4 == 0   // exact division
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify
// fn f[N]
//   %1 = input x : f32[N]
//   %2 = slice %1 start=[0] : f32[N/4]
//   %3 = slice %1 start=[2] : f32[N - 2]
//   %4 = const 1.0 : f32
//   %5 = reshape %4 : f32[1]
//   %6 = broadcast %5 : f32[32]
//   %7 = sum %6 axis=[0] : f32[1]
//   %8 = broadcast %7 : f32[4]
//   y = %2
//   z = %3
//   w = %8
//   assert N % 4 == 0   // exact division
// // after slices: (unchanged)
