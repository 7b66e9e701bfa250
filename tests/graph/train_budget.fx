// A memory budget: the product that saves most bytes for its work is computed again.
// run: fusec %s --emit=graph --fn fwd
// run: fusec %s --emit=graph --fn fwd --keep-bytes 1
fn f[N, D](x: f32[N, D], v: f32[D, D], w: f32[D, 4*D]) -> (y: f32[N], z: f32[N]) {
    a = x @ v;
    b = x @ w;
    y = sum(exp(a));
    z = sum(exp(b));
}

@memory_budget(0.5)
fn fwd, bwd = train(f);
// ---- expect
// // after lower
// fn fwd[N, D]
//   %1 = input x : f32[N, D]
//   %2 = input v : f32[D, D]
//   %3 = input w : f32[D, 4*D]
//   %4 = permute %2 axes=[1, 0] : f32[D, D]
//   %5 = matmul %1 %4 batch=0 summed=1 : f32[N, D]
//   %6 = permute %3 axes=[1, 0] : f32[4*D, D]
//   %7 = matmul %1 %6 batch=0 summed=1 : f32[N, 4*D]
//   %8 = exp %5 : f32[N, D]
//   %9 = sum %8 axis=[1] : f32[N, 1]
//   %10 = reshape %9 : f32[N]
//   %11 = exp %7 : f32[N, 4*D]
//   %12 = sum %11 axis=[1] : f32[N, 1]
//   %13 = reshape %12 : f32[N]
//   y = %10
//   z = %13
//   keep_1 = %8
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
// // after lower
// fn fwd[N, D]
//   %1 = input x : f32[N, D]
//   %2 = input v : f32[D, D]
//   %3 = input w : f32[D, 4*D]
//   %4 = permute %2 axes=[1, 0] : f32[D, D]
//   %5 = matmul %1 %4 batch=0 summed=1 : f32[N, D]
//   %6 = permute %3 axes=[1, 0] : f32[4*D, D]
//   %7 = matmul %1 %6 batch=0 summed=1 : f32[N, 4*D]
//   %8 = exp %5 : f32[N, D]
//   %9 = sum %8 axis=[1] : f32[N, 1]
//   %10 = reshape %9 : f32[N]
//   %11 = exp %7 : f32[N, 4*D]
//   %12 = sum %11 axis=[1] : f32[N, 1]
//   %13 = reshape %12 : f32[N]
//   y = %10
//   z = %13
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
