// run: fusec %s --emit=graph
// Calls are inlined; dims follow from the arguments' shapes, arguments and results are rounded to
// their declared types.
fn scale[N](x: bf16[N], by: f32) -> (y: bf16[N]) { y = x * by; }
fn window[N, W](x: f32[N]) -> (y: f32[N - W + 1]) {
    assert W <= N;
    y = x[:N - W + 1] + x[W - 1:];
}
fn halves[D](x: f32[2*D]) -> (low: f32[D], high: f32[D]) { low, high = split(x, 2); }
fn outer[N, M](a: f32[N], b: f32[M]) -> (y: f32[N, M]) { y = a[:, None] * b; }
fn f[K](x: f32[4*K], k: i8[1]) -> (a: f32[4*K], b: f32[4*K - 2], c: f32[2*K], d: f32[2*K, 4*K]) {
    a = scale(x, 2) + scale(by = k[0] as f32, x = x);
    b = window(x, W = 3);
    low, high = halves(x);
    c = low - high;
    d = outer(c, x);
}
// ---- expect
// // after lower
// fn f[K]
//   %1 = input x : f32[4*K]
//   %2 = input k : i8[1]
//   %3 = as %1 : bf16[4*K]
//   %4 = const 2.0 : f32
//   %5 = as %3 : f32[4*K]
//   %6 = reshape %4 : f32[1]
//   %7 = broadcast %6 : f32[4*K]
//   %8 = mul %5 %7 : f32[4*K]
//   %9 = as %8 : bf16[4*K]
//   %10 = reshape %2 : i8
//   %11 = as %10 : f32
//   %12 = reshape %11 : f32[1]
//   %13 = broadcast %12 : f32[4*K]
//   %14 = mul %5 %13 : f32[4*K]
//   %15 = as %14 : bf16[4*K]
//   %16 = as %9 : f32[4*K]
//   %17 = as %15 : f32[4*K]
//   %18 = add %16 %17 : f32[4*K]
//   %19 = slice %1 start=[0] : f32[4*K - 2]
//   %20 = slice %1 start=[2] : f32[4*K - 2]
//   %21 = add %19 %20 : f32[4*K - 2]
//   %22 = slice %1 start=[0] : f32[2*K]
//   %23 = slice %1 start=[2*K] : f32[2*K]
//   %24 = sub %22 %23 : f32[2*K]
//   %25 = reshape %24 : f32[2*K, 1]
//   %26 = broadcast %25 : f32[2*K, 4*K]
//   %27 = reshape %1 : f32[1, 4*K]
//   %28 = broadcast %27 : f32[2*K, 4*K]
//   %29 = mul %26 %28 : f32[2*K, 4*K]
//   a = %18
//   b = %21
//   c = %24
//   d = %29
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
