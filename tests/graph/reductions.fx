// run: fusec %s --emit=graph
fn f[N, M, D](x: bf16[N, M, D], m: bool[N, D], i: u8[N, D])
    -> (a: f32[N, M], b: f32[N, 1, 1], c: bf16[M], d: f32, e: i32[N], g: bool[D], h: i32[N, 1, D],
        j: i32[N, D], k: f32[N, M], l: f32[N, M, D], n: bf16[N, M, D], o: f32[N, M], p: i32[N],
        q: bf16[N, M, D]) {
    a = sum(x);
    b = mean(x, axis = [1, 2], keep = true);
    c = max(x, axis = [0, -1]);
    d = var(x, axis = [0, 1, 2]);
    e = sum(m);
    g = any(m, axis = 0);
    h = argmax(x, 1, true);
    j = cumsum(i);
    k = logsumexp(x, -1, false);
    l = softmax(x, axis = [1, 2]);
    n = log_softmax(x, axis = 0);
    o = min(x, keep = false) * prod(x);
    p = max(i) as i32;
    q = cummin(x, axis = 1, reverse = true);
}
// ---- expect
// // after lower
// fn f[N, M, D]
//   %1 = input x : bf16[N, M, D]
//   %2 = input m : bool[N, D]
//   %3 = input i : u8[N, D]
//   %4 = as %1 : f32[N, M, D]
//   %5 = sum %4 axis=[2] : f32[N, M, 1]
//   %6 = reshape %5 : f32[N, M]
//   %7 = mean %4 axis=[1, 2] : f32[N, 1, 1]
//   %8 = max %1 axis=[0, 2] : bf16[1, M, 1]
//   %9 = reshape %8 : bf16[M]
//   %10 = var %4 axis=[0, 1, 2] : f32[1, 1, 1]
//   %11 = reshape %10 : f32
//   %12 = as %2 : i32[N, D]
//   %13 = sum %12 axis=[1] : i32[N, 1]
//   %14 = reshape %13 : i32[N]
//   %15 = any %2 axis=[0] : bool[1, D]
//   %16 = reshape %15 : bool[D]
//   %17 = argmax %1 axis=[1] : i32[N, 1, D]
//   %18 = as %3 : i32[N, D]
//   %19 = cumsum %18 axis=1 : i32[N, D]
//   %20 = logsumexp %4 axis=[2] : f32[N, M, 1]
//   %21 = reshape %20 : f32[N, M]
//   %22 = softmax %4 axis=[1, 2] : f32[N, M, D]
//   %23 = log_softmax %4 axis=[0] : f32[N, M, D]
//   %24 = as %23 : bf16[N, M, D]
//   %25 = min %1 axis=[2] : bf16[N, M, 1]
//   %26 = reshape %25 : bf16[N, M]
//   %27 = prod %4 axis=[2] : f32[N, M, 1]
//   %28 = reshape %27 : f32[N, M]
//   %29 = as %26 : f32[N, M]
//   %30 = mul %28 %29 : f32[N, M]
//   %31 = max %3 axis=[1] : u8[N, 1]
//   %32 = reshape %31 : u8[N]
//   %33 = as %32 : i32[N]
//   %34 = cummin %1 axis=1 reverse : bf16[N, M, D]
//   a = %6
//   b = %7
//   c = %9
//   d = %11
//   e = %14
//   g = %16
//   h = %17
//   j = %19
//   k = %21
//   l = %22
//   n = %24
//   o = %30
//   p = %33
//   q = %34
//   assert M <= 2147483647   // argmax
// // after defer: (unchanged)
// // after decompose
// fn f[N, M, D]
//   %1 = input x : bf16[N, M, D]
//   %2 = input m : bool[N, D]
//   %3 = input i : u8[N, D]
//   %4 = as %1 : f32[N, M, D]
//   %5 = sum %4 axis=[2] : f32[N, M, 1]
//   %6 = reshape %5 : f32[N, M]
//   %7 = sum %4 axis=[1, 2] : f32[N, 1, 1]
//   %8 = dim M*D : weak i64
//   %9 = as %8 : f32
//   %10 = reshape %9 : f32[1, 1, 1]
//   %11 = broadcast %10 : f32[N, 1, 1]
//   %12 = div %7 %11 : f32[N, 1, 1]
//   %13 = max %1 axis=[0, 2] : bf16[1, M, 1]
//   %14 = reshape %13 : bf16[M]
//   %15 = sum %4 axis=[0, 1, 2] : f32[1, 1, 1]
//   %16 = dim N*M*D : weak i64
//   %17 = as %16 : f32
//   %18 = reshape %17 : f32[1, 1, 1]
//   %19 = div %15 %18 : f32[1, 1, 1]
//   %20 = broadcast %19 : f32[N, M, D]
//   %21 = sub %4 %20 : f32[N, M, D]
//   %22 = mul %21 %21 : f32[N, M, D]
//   %23 = sum %22 axis=[0, 1, 2] : f32[1, 1, 1]
//   %24 = div %23 %18 : f32[1, 1, 1]
//   %25 = reshape %24 : f32
//   %26 = as %2 : i32[N, D]
//   %27 = sum %26 axis=[1] : i32[N, 1]
//   %28 = reshape %27 : i32[N]
//   %29 = any %2 axis=[0] : bool[1, D]
//   %30 = reshape %29 : bool[D]
//   %31 = argmax %1 axis=[1] : i32[N, 1, D]
//   %32 = as %3 : i32[N, D]
//   %33 = cumsum %32 axis=1 : i32[N, D]
//   %34 = max %4 axis=[2] : f32[N, M, 1]
//   %35 = const -inf : f32
//   %36 = reshape %35 : f32[1, 1, 1]
//   %37 = broadcast %36 : f32[N, M, 1]
//   %38 = eq %34 %37 : bool[N, M, 1]
//   %39 = const 0.0 : f32
//   %40 = reshape %39 : f32[1, 1, 1]
//   %41 = broadcast %40 : f32[N, M, 1]
//   %42 = where %38 %41 %34 : f32[N, M, 1]
//   %43 = broadcast %42 : f32[N, M, D]
//   %44 = sub %4 %43 : f32[N, M, D]
//   %45 = exp %44 : f32[N, M, D]
//   %46 = sum %45 axis=[2] : f32[N, M, 1]
//   %47 = const inf : f32
//   %48 = reshape %47 : f32[1, 1, 1]
//   %49 = broadcast %48 : f32[N, M, 1]
//   %50 = eq %34 %49 : bool[N, M, 1]
//   %51 = log %46 : f32[N, M, 1]
//   %52 = add %42 %51 : f32[N, M, 1]
//   %53 = where %50 %34 %52 : f32[N, M, 1]
//   %54 = reshape %53 : f32[N, M]
//   %55 = max %4 axis=[1, 2] : f32[N, 1, 1]
//   %56 = broadcast %36 : f32[N, 1, 1]
//   %57 = eq %55 %56 : bool[N, 1, 1]
//   %58 = broadcast %40 : f32[N, 1, 1]
//   %59 = where %57 %58 %55 : f32[N, 1, 1]
//   %60 = broadcast %59 : f32[N, M, D]
//   %61 = sub %4 %60 : f32[N, M, D]
//   %62 = exp %61 : f32[N, M, D]
//   %63 = sum %62 axis=[1, 2] : f32[N, 1, 1]
//   %64 = eq %58 %63 : bool[N, 1, 1]
//   %65 = const 1.0 : f32
//   %66 = reshape %65 : f32[1, 1, 1]
//   %67 = broadcast %66 : f32[N, 1, 1]
//   %68 = where %64 %67 %63 : f32[N, 1, 1]
//   %69 = div %67 %68 : f32[N, 1, 1]
//   %70 = broadcast %69 : f32[N, M, D]
//   %71 = mul %62 %70 : f32[N, M, D]
//   %72 = max %4 axis=[0] : f32[1, M, D]
//   %73 = broadcast %36 : f32[1, M, D]
//   %74 = eq %72 %73 : bool[1, M, D]
//   %75 = broadcast %40 : f32[1, M, D]
//   %76 = where %74 %75 %72 : f32[1, M, D]
//   %77 = broadcast %76 : f32[N, M, D]
//   %78 = sub %4 %77 : f32[N, M, D]
//   %79 = exp %78 : f32[N, M, D]
//   %80 = sum %79 axis=[0] : f32[1, M, D]
//   %81 = log %80 : f32[1, M, D]
//   %82 = broadcast %81 : f32[N, M, D]
//   %83 = sub %78 %82 : f32[N, M, D]
//   %84 = as %83 : bf16[N, M, D]
//   %85 = min %1 axis=[2] : bf16[N, M, 1]
//   %86 = reshape %85 : bf16[N, M]
//   %87 = prod %4 axis=[2] : f32[N, M, 1]
//   %88 = reshape %87 : f32[N, M]
//   %89 = as %86 : f32[N, M]
//   %90 = mul %88 %89 : f32[N, M]
//   %91 = max %3 axis=[1] : u8[N, 1]
//   %92 = reshape %91 : u8[N]
//   %93 = as %92 : i32[N]
//   %94 = cummin %1 axis=1 reverse : bf16[N, M, D]
//   a = %6
//   b = %12
//   c = %14
//   d = %25
//   e = %28
//   g = %30
//   h = %31
//   j = %33
//   k = %54
//   l = %71
//   n = %84
//   o = %90
//   p = %93
//   q = %94
//   assert M <= 2147483647   // argmax
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
