// run: fusec %s --emit=graph
// Flips of flips are one, along axes of one element there is none.
fn f[N](x: f32[N, 1, 3]) -> (a: f32[N, 1, 3], b: f32[N, 1, 3], c: f32[N, 1, 3], d: f32[2]) {
    a = flip(flip(x, axis = [0, 2]), axis = [-1, 1]);
    b = flip(flip(x, axis = 1));
    c = flip(flip(x)) + stop_gradient(x);
    d = flip(full(2.0, 2));
}
// ---- expect
// // after lower
// fn f[N]
//   %1 = input x : f32[N, 1, 3]
//   %2 = flip %1 axis=[0, 2] : f32[N, 1, 3]
//   %3 = flip %2 axis=[1, 2] : f32[N, 1, 3]
//   %4 = flip %1 axis=[1] : f32[N, 1, 3]
//   %5 = flip %4 axis=[2] : f32[N, 1, 3]
//   %6 = flip %1 axis=[2] : f32[N, 1, 3]
//   %7 = flip %6 axis=[2] : f32[N, 1, 3]
//   %8 = stop_gradient %1 : f32[N, 1, 3]
//   %9 = add %7 %8 : f32[N, 1, 3]
//   %10 = const 2.0 : f32
//   %11 = reshape %10 : f32[1]
//   %12 = broadcast %11 : f32[2]
//   %13 = flip %12 axis=[0] : f32[2]
//   a = %3
//   b = %5
//   c = %9
//   d = %13
// // after defer: (unchanged)
// // after decompose
// fn f[N]
//   %1 = input x : f32[N, 1, 3]
//   %2 = flip %1 axis=[0, 2] : f32[N, 1, 3]
//   %3 = flip %2 axis=[1, 2] : f32[N, 1, 3]
//   %4 = flip %1 axis=[1] : f32[N, 1, 3]
//   %5 = flip %4 axis=[2] : f32[N, 1, 3]
//   %6 = flip %1 axis=[2] : f32[N, 1, 3]
//   %7 = flip %6 axis=[2] : f32[N, 1, 3]
//   %8 = add %1 %7 : f32[N, 1, 3]
//   %9 = const 2.0 : f32
//   %10 = reshape %9 : f32[1]
//   %11 = broadcast %10 : f32[2]
//   %12 = flip %11 axis=[0] : f32[2]
//   a = %3
//   b = %5
//   c = %8
//   d = %12
// // after lift: (unchanged)
// // after simplify
// fn f[N]
//   %1 = input x : f32[N, 1, 3]
//   %2 = flip %1 axis=[0] : f32[N, 1, 3]
//   %3 = flip %1 axis=[2] : f32[N, 1, 3]
//   %4 = add %1 %1 : f32[N, 1, 3]
//   %5 = const 2.0 : f32
//   %6 = reshape %5 : f32[1]
//   %7 = broadcast %6 : f32[2]
//   a = %2
//   b = %3
//   c = %4
//   d = %7
// // after slices: (unchanged)
