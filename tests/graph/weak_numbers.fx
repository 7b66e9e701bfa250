// run: fusec %s --emit=graph
// Numbers without a type take the type of what they meet; sizes stay exact.
const eps = 1e-5;
const root = 1 / sqrt(2.0);
const heads = 4 * 3;
const third = 1.0 / 3;
fn f[N, D](x: f32[N, D], h: f64[D], i: i32[N], b: i8[N])
    -> (y: f32[N, D], z: f64[D], j: i32[N], k: i32[N], s: f32, t: i64, u: f64, v: i32) {
    half = D / 2;
    y = x * rsqrt(D) + eps * root - 1 / (half * 2 as f32);
    z = h * third + 1;
    j = i * heads + N;
    k = b + 1;
    s = max(N, 4) * 0.5;
    t = N * D % 7;
    u = sqrt(N);
    v = 5;
}
// ---- expect
// // after lower
// fn f[N, D]
//   %1 = input x : f32[N, D]
//   %2 = input h : f64[D]
//   %3 = input i : i32[N]
//   %4 = input b : i8[N]
//   %5 = dim N : weak i64
//   %6 = dim D : weak i64
//   %7 = dim D/2 : weak i64
//   %8 = as %6 : weak f64
//   %9 = rsqrt %8 : weak f64
//   %10 = as %9 : f32
//   %11 = reshape %10 : f32[1, 1]
//   %12 = broadcast %11 : f32[N, D]
//   %13 = mul %1 %12 : f32[N, D]
//   %14 = const 7.071068012010073e-06 : f32
//   %15 = reshape %14 : f32[1, 1]
//   %16 = broadcast %15 : f32[N, D]
//   %17 = add %13 %16 : f32[N, D]
//   %18 = const 2.0 : f32
//   %19 = as %7 : f32
//   %20 = mul %18 %19 : f32
//   %21 = const 1.0 : f32
//   %22 = div %21 %20 : f32
//   %23 = reshape %22 : f32[1, 1]
//   %24 = broadcast %23 : f32[N, D]
//   %25 = sub %17 %24 : f32[N, D]
//   %26 = const 0.3333333333333333 : f64
//   %27 = reshape %26 : f64[1]
//   %28 = broadcast %27 : f64[D]
//   %29 = mul %2 %28 : f64[D]
//   %30 = const 1.0 : f64
//   %31 = reshape %30 : f64[1]
//   %32 = broadcast %31 : f64[D]
//   %33 = add %29 %32 : f64[D]
//   %34 = const 12 : i32
//   %35 = reshape %34 : i32[1]
//   %36 = broadcast %35 : i32[N]
//   %37 = mul %3 %36 : i32[N]
//   %38 = as %5 : i32
//   %39 = reshape %38 : i32[1]
//   %40 = broadcast %39 : i32[N]
//   %41 = add %37 %40 : i32[N]
//   %42 = as %4 : i32[N]
//   %43 = const 1 : i32
//   %44 = reshape %43 : i32[1]
//   %45 = broadcast %44 : i32[N]
//   %46 = add %42 %45 : i32[N]
//   %47 = const 4 : weak i64
//   %48 = max %5 %47 : weak i64
//   %49 = const 0.5 : weak f64
//   %50 = as %48 : weak f64
//   %51 = mul %49 %50 : weak f64
//   %52 = as %51 : f32
//   %53 = dim N*D % 7 : weak i64
//   %54 = as %53 : i64
//   %55 = as %5 : weak f64
//   %56 = sqrt %55 : weak f64
//   %57 = as %56 : f64
//   %58 = const 5 : i32
//   y = %25
//   z = %33
//   j = %41
//   k = %46
//   s = %52
//   t = %54
//   u = %57
//   v = %58
//   assert D % 2 == 0   // exact division
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
