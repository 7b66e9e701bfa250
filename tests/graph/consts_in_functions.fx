// run: fusec %s --emit=graph
const width = 16;
const most = width * width - 1;
fn f[N](x: f32[N, width]) -> (y: f32[N, most]) {
    y = broadcast(x[:, :1], N, most) * most;
}
// ---- expect
// // after lower
// fn f[N]
//   %1 = input x : f32[N, 16]
//   %2 = slice %1 start=[0, 0] : f32[N, 1]
//   %3 = broadcast %2 : f32[N, 255]
//   %4 = const 255.0 : f32
//   %5 = reshape %4 : f32[1, 1]
//   %6 = broadcast %5 : f32[N, 255]
//   %7 = mul %3 %6 : f32[N, 255]
//   y = %7
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
