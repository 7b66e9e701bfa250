// run: fusec %s --emit=graph
fn f[N, D](x: bf16[N, D], gain: f32[D], bias: bf16[D], labels: i64[N], row: bf16[D])
    -> (a: bf16[N, D], b: f32[N, D], c: f32[N], d: f32) {
    a = layer_norm(x, gain, bias);
    b = rms_norm(x, bias, eps = 1e-3);
    c = cross_entropy(x, labels);
    d = cross_entropy(row, 3);
}
// ---- expect
// // after lower
// fn f[N, D]
//   %1 = input x : bf16[N, D]
//   %2 = input gain : f32[D]
//   %3 = input bias : bf16[D]
//   %4 = input labels : i64[N]
//   %5 = input row : bf16[D]
//   %6 = as %1 : f32[N, D]
//   %7 = as %3 : f32[D]
//   %8 = layer_norm %6 %2 %7 eps=1e-05 : f32[N, D]
//   %9 = as %8 : bf16[N, D]
//   %10 = rms_norm %6 %7 eps=0.001 : f32[N, D]
//   %11 = cross_entropy %6 %4 : f32[N]
//   %12 = as %5 : f32[D]
//   %13 = const 3 : i32
//   %14 = cross_entropy %12 %13 : f32
//   a = %9
//   b = %10
//   c = %11
//   d = %14
//   assert D <= 2147483647   // cross_entropy
// // after defer: (unchanged)
// // after decompose
// fn f[N, D]
//   %1 = input x : bf16[N, D]
//   %2 = input gain : f32[D]
//   %3 = input bias : bf16[D]
//   %4 = input labels : i64[N]
//   %5 = input row : bf16[D]
//   %6 = as %1 : f32[N, D]
//   %7 = as %3 : f32[D]
//   %8 = sum %6 axis=[1] : f32[N, 1]
//   %9 = dim D : weak i64
//   %10 = as %9 : f32
//   %11 = reshape %10 : f32[1, 1]
//   %12 = broadcast %11 : f32[N, 1]
//   %13 = div %8 %12 : f32[N, 1]
//   %14 = broadcast %13 : f32[N, D]
//   %15 = sub %6 %14 : f32[N, D]
//   %16 = mul %15 %15 : f32[N, D]
//   %17 = sum %16 axis=[1] : f32[N, 1]
//   %18 = div %17 %12 : f32[N, 1]
//   %19 = const 9.999999747378752e-06 : f32
//   %20 = reshape %19 : f32[1, 1]
//   %21 = broadcast %20 : f32[N, 1]
//   %22 = add %18 %21 : f32[N, 1]
//   %23 = rsqrt %22 : f32[N, 1]
//   %24 = broadcast %23 : f32[N, D]
//   %25 = mul %15 %24 : f32[N, D]
//   %26 = reshape %2 : f32[1, D]
//   %27 = broadcast %26 : f32[N, D]
//   %28 = mul %25 %27 : f32[N, D]
//   %29 = reshape %7 : f32[1, D]
//   %30 = broadcast %29 : f32[N, D]
//   %31 = add %28 %30 : f32[N, D]
//   %32 = as %31 : bf16[N, D]
//   %33 = mul %6 %6 : f32[N, D]
//   %34 = sum %33 axis=[1] : f32[N, 1]
//   %35 = div %34 %12 : f32[N, 1]
//   %36 = const 0.0010000000474974513 : f32
//   %37 = reshape %36 : f32[1, 1]
//   %38 = broadcast %37 : f32[N, 1]
//   %39 = add %35 %38 : f32[N, 1]
//   %40 = rsqrt %39 : f32[N, 1]
//   %41 = broadcast %40 : f32[N, D]
//   %42 = mul %6 %41 : f32[N, D]
//   %43 = mul %30 %42 : f32[N, D]
//   %44 = dim D - 1 : weak i64
//   %45 = as %44 : i64
//   %46 = const 0 : i64
//   %47 = reshape %46 : i64[1]
//   %48 = broadcast %47 : i64[N]
//   %49 = max %4 %48 : i64[N]
//   %50 = reshape %45 : i64[1]
//   %51 = broadcast %50 : i64[N]
//   %52 = min %49 %51 : i64[N]
//   %53 = as %52 : i32[N]
//   %54 = reshape %53 : i32[N, 1]
//   %55 = iota : i32[D]
//   %56 = reshape %55 : i32[1, D]
//   %57 = broadcast %56 : i32[N, D]
//   %58 = broadcast %54 : i32[N, D]
//   %59 = eq %57 %58 : bool[N, D]
//   %60 = const 0.0 : f32
//   %61 = reshape %60 : f32[1, 1]
//   %62 = broadcast %61 : f32[N, D]
//   %63 = where %59 %6 %62 : f32[N, D]
//   %64 = sum %63 axis=[1] : f32[N, 1]
//   %65 = max %6 axis=[1] : f32[N, 1]
//   %66 = const -inf : f32
//   %67 = reshape %66 : f32[1, 1]
//   %68 = broadcast %67 : f32[N, 1]
//   %69 = eq %65 %68 : bool[N, 1]
//   %70 = broadcast %61 : f32[N, 1]
//   %71 = where %69 %70 %65 : f32[N, 1]
//   %72 = broadcast %71 : f32[N, D]
//   %73 = sub %6 %72 : f32[N, D]
//   %74 = exp %73 : f32[N, D]
//   %75 = sum %74 axis=[1] : f32[N, 1]
//   %76 = sub %71 %64 : f32[N, 1]
//   %77 = const inf : f32
//   %78 = reshape %77 : f32[1, 1]
//   %79 = broadcast %78 : f32[N, 1]
//   %80 = eq %65 %79 : bool[N, 1]
//   %81 = log %75 : f32[N, 1]
//   %82 = where %80 %70 %81 : f32[N, 1]
//   %83 = add %76 %82 : f32[N, 1]
//   %84 = reshape %83 : f32[N]
//   %85 = as %5 : f32[D]
//   %86 = const 3 : i32
//   %87 = as %44 : i32
//   %88 = const 0 : i32
//   %89 = max %86 %88 : i32
//   %90 = min %87 %89 : i32
//   %91 = reshape %90 : i32[1]
//   %92 = broadcast %91 : i32[D]
//   %93 = eq %55 %92 : bool[D]
//   %94 = reshape %60 : f32[1]
//   %95 = broadcast %94 : f32[D]
//   %96 = where %93 %85 %95 : f32[D]
//   %97 = sum %96 axis=[0] : f32[1]
//   %98 = max %85 axis=[0] : f32[1]
//   %99 = reshape %66 : f32[1]
//   %100 = eq %98 %99 : bool[1]
//   %101 = where %100 %94 %98 : f32[1]
//   %102 = broadcast %101 : f32[D]
//   %103 = sub %85 %102 : f32[D]
//   %104 = exp %103 : f32[D]
//   %105 = sum %104 axis=[0] : f32[1]
//   %106 = sub %101 %97 : f32[1]
//   %107 = reshape %77 : f32[1]
//   %108 = eq %98 %107 : bool[1]
//   %109 = log %105 : f32[1]
//   %110 = where %108 %94 %109 : f32[1]
//   %111 = add %106 %110 : f32[1]
//   %112 = reshape %111 : f32
//   a = %32
//   b = %43
//   c = %84
//   d = %112
//   assert D <= 2147483647   // cross_entropy
// // after lift: (unchanged)
// // after simplify
// fn f[N, D]
//   %1 = input x : bf16[N, D]
//   %2 = input gain : f32[D]
//   %3 = input bias : bf16[D]
//   %4 = input labels : i64[N]
//   %5 = input row : bf16[D]
//   %6 = as %1 : f32[N, D]
//   %7 = as %3 : f32[D]
//   %8 = sum %6 axis=[1] : f32[N, 1]
//   %9 = dim D : weak i64
//   %10 = as %9 : f32
//   %11 = reshape %10 : f32[1, 1]
//   %12 = broadcast %11 : f32[N, 1]
//   %13 = div %8 %12 : f32[N, 1]
//   %14 = broadcast %13 : f32[N, D]
//   %15 = sub %6 %14 : f32[N, D]
//   %16 = mul %15 %15 : f32[N, D]
//   %17 = sum %16 axis=[1] : f32[N, 1]
//   %18 = div %17 %12 : f32[N, 1]
//   %19 = const 9.999999747378752e-06 : f32
//   %20 = reshape %19 : f32[1, 1]
//   %21 = broadcast %20 : f32[N, 1]
//   %22 = add %18 %21 : f32[N, 1]
//   %23 = rsqrt %22 : f32[N, 1]
//   %24 = broadcast %23 : f32[N, D]
//   %25 = mul %15 %24 : f32[N, D]
//   %26 = reshape %2 : f32[1, D]
//   %27 = broadcast %26 : f32[N, D]
//   %28 = mul %25 %27 : f32[N, D]
//   %29 = reshape %7 : f32[1, D]
//   %30 = broadcast %29 : f32[N, D]
//   %31 = add %28 %30 : f32[N, D]
//   %32 = as %31 : bf16[N, D]
//   %33 = mul %6 %6 : f32[N, D]
//   %34 = sum %33 axis=[1] : f32[N, 1]
//   %35 = div %34 %12 : f32[N, 1]
//   %36 = const 0.0010000000474974513 : f32
//   %37 = reshape %36 : f32[1, 1]
//   %38 = broadcast %37 : f32[N, 1]
//   %39 = add %35 %38 : f32[N, 1]
//   %40 = rsqrt %39 : f32[N, 1]
//   %41 = broadcast %40 : f32[N, D]
//   %42 = mul %6 %41 : f32[N, D]
//   %43 = mul %30 %42 : f32[N, D]
//   %44 = dim D - 1 : weak i64
//   %45 = as %44 : i64
//   %46 = const 0 : i64
//   %47 = reshape %46 : i64[1]
//   %48 = broadcast %47 : i64[N]
//   %49 = max %4 %48 : i64[N]
//   %50 = reshape %45 : i64[1]
//   %51 = broadcast %50 : i64[N]
//   %52 = min %49 %51 : i64[N]
//   %53 = as %52 : i32[N]
//   %54 = reshape %53 : i32[N, 1]
//   %55 = iota : i32[D]
//   %56 = reshape %55 : i32[1, D]
//   %57 = broadcast %56 : i32[N, D]
//   %58 = broadcast %54 : i32[N, D]
//   %59 = eq %57 %58 : bool[N, D]
//   %60 = const 0.0 : f32
//   %61 = reshape %60 : f32[1, 1]
//   %62 = broadcast %61 : f32[N, D]
//   %63 = where %59 %6 %62 : f32[N, D]
//   %64 = sum %63 axis=[1] : f32[N, 1]
//   %65 = max %6 axis=[1] : f32[N, 1]
//   %66 = const -inf : f32
//   %67 = reshape %66 : f32[1, 1]
//   %68 = broadcast %67 : f32[N, 1]
//   %69 = eq %65 %68 : bool[N, 1]
//   %70 = broadcast %61 : f32[N, 1]
//   %71 = where %69 %70 %65 : f32[N, 1]
//   %72 = broadcast %71 : f32[N, D]
//   %73 = sub %6 %72 : f32[N, D]
//   %74 = exp %73 : f32[N, D]
//   %75 = sum %74 axis=[1] : f32[N, 1]
//   %76 = sub %71 %64 : f32[N, 1]
//   %77 = const inf : f32
//   %78 = reshape %77 : f32[1, 1]
//   %79 = broadcast %78 : f32[N, 1]
//   %80 = eq %65 %79 : bool[N, 1]
//   %81 = log %75 : f32[N, 1]
//   %82 = where %80 %70 %81 : f32[N, 1]
//   %83 = add %76 %82 : f32[N, 1]
//   %84 = reshape %83 : f32[N]
//   %85 = as %5 : f32[D]
//   %86 = const 3 : i32
//   %87 = as %44 : i32
//   %88 = min %86 %87 : i32
//   %89 = reshape %88 : i32[1]
//   %90 = broadcast %89 : i32[D]
//   %91 = eq %55 %90 : bool[D]
//   %92 = reshape %60 : f32[1]
//   %93 = broadcast %92 : f32[D]
//   %94 = where %91 %85 %93 : f32[D]
//   %95 = sum %94 axis=[0] : f32[1]
//   %96 = max %85 axis=[0] : f32[1]
//   %97 = reshape %66 : f32[1]
//   %98 = eq %96 %97 : bool[1]
//   %99 = where %98 %92 %96 : f32[1]
//   %100 = broadcast %99 : f32[D]
//   %101 = sub %85 %100 : f32[D]
//   %102 = exp %101 : f32[D]
//   %103 = sum %102 axis=[0] : f32[1]
//   %104 = sub %99 %95 : f32[1]
//   %105 = reshape %77 : f32[1]
//   %106 = eq %96 %105 : bool[1]
//   %107 = log %103 : f32[1]
//   %108 = where %106 %92 %107 : f32[1]
//   %109 = add %104 %108 : f32[1]
//   %110 = reshape %109 : f32
//   a = %32
//   b = %43
//   c = %84
//   d = %110
//   assert D <= 2147483647   // cross_entropy
// // after slices: (unchanged)
