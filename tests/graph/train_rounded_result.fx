// What is rounded after its axes were put in another order is kept once, rounded: not o of f32, too.
// run: fusec %s --fn=fwd --emit=graph
fn attention[B, S, H, D](
    q: bf16[B, S, H, D],
    k: bf16[B, S, H, D],
    v: bf16[B, S, H, D],
    w: bf16[H*D, H*D]
) -> (y: bf16[B, S, H*D]) {
    p = softmax(einsum("bqhd,bkhd->bhqk", q, k) * rsqrt(D)) as bf16;
    o = einsum("bhqk,bkhd->bqhd", p, v) as bf16;
    y = reshape(o, B, S, H * D) @ w.T;
}

fn fwd, bwd = train(attention);
// ---- expect
// // after lower
// fn fwd[B, S, H, D]
//   %1 = input q : bf16[B, S, H, D]
//   %2 = input k : bf16[B, S, H, D]
//   %3 = input v : bf16[B, S, H, D]
//   %4 = input w : bf16[H*D, H*D]
//   %5 = dim D : weak i64
//   %6 = permute %1 axes=[0, 2, 1, 3] : bf16[B, H, S, D]
//   %7 = permute %2 axes=[0, 2, 1, 3] : bf16[B, H, S, D]
//   %8 = matmul %6 %7 batch=2 summed=1 : f32[B, H, S, S]
//   %9 = as %5 : weak f64
//   %10 = rsqrt %9 : weak f64
//   %11 = as %10 : f32
//   %12 = reshape %11 : f32[1, 1, 1, 1]
//   %13 = broadcast %12 : f32[B, H, S, S]
//   %14 = mul %8 %13 : f32[B, H, S, S]
//   %15 = softmax %14 axis=[3] : f32[B, H, S, S]
//   %16 = as %15 : bf16[B, H, S, S]
//   %17 = permute %3 axes=[0, 2, 3, 1] : bf16[B, H, D, S]
//   %18 = matmul %16 %17 batch=2 summed=1 : f32[B, H, S, D]
//   %19 = permute %18 axes=[0, 2, 1, 3] : f32[B, S, H, D]
//   %20 = as %19 : bf16[B, S, H, D]
//   %21 = reshape %20 : bf16[B, S, H*D]
//   %22 = permute %4 axes=[1, 0] : bf16[H*D, H*D]
//   %23 = permute %22 axes=[1, 0] : bf16[H*D, H*D]
//   %24 = matmul %21 %23 batch=0 summed=1 : f32[B, S, H*D]
//   %25 = as %24 : bf16[B, S, H*D]
//   %26 = logsumexp %14 axis=[3] : f32[B, H, S, 1]
//   %27 = const -inf : f32
//   %28 = reshape %27 : f32[1, 1, 1, 1]
//   %29 = broadcast %28 : f32[B, H, S, 1]
//   %30 = eq %26 %29 : bool[B, H, S, 1]
//   %31 = const inf : f32
//   %32 = reshape %31 : f32[1, 1, 1, 1]
//   %33 = broadcast %32 : f32[B, H, S, 1]
//   %34 = where %30 %33 %26 : f32[B, H, S, 1]
//   y = %25
//   keep_o = %20
//   keep_2 = %34
// // after defer
// fn fwd[B, S, H, D]
//   %1 = input q : bf16[B, S, H, D]
//   %2 = input k : bf16[B, S, H, D]
//   %3 = input v : bf16[B, S, H, D]
//   %4 = input w : bf16[H*D, H*D]
//   %5 = dim D : weak i64
//   %6 = permute %1 axes=[0, 2, 1, 3] : bf16[B, H, S, D]
//   %7 = permute %2 axes=[0, 2, 1, 3] : bf16[B, H, S, D]
//   %8 = matmul %6 %7 batch=2 summed=1 : f32[B, H, S, S]
//   %9 = as %5 : weak f64
//   %10 = rsqrt %9 : weak f64
//   %11 = as %10 : f32
//   %12 = reshape %11 : f32[1, 1, 1, 1]
//   %13 = broadcast %12 : f32[B, H, S, S]
//   %14 = mul %8 %13 : f32[B, H, S, S]
//   %15 = const 1.4426950216293335 : f32
//   %16 = max %14 axis=[3] : f32[B, H, S, 1]
//   %17 = const -1.48852224e+09 : f32
//   %18 = reshape %17 : f32[1, 1, 1, 1]
//   %19 = broadcast %18 : f32[B, H, S, 1]
//   %20 = lt %16 %19 : bool[B, H, S, 1]
//   %21 = reshape %15 : f32[1, 1, 1, 1]
//   %22 = broadcast %21 : f32[B, H, S, 1]
//   %23 = mul %16 %22 : f32[B, H, S, 1]
//   %24 = ceil %23 : f32[B, H, S, 1]
//   %25 = const 0.0 : f32
//   %26 = reshape %25 : f32[1, 1, 1, 1]
//   %27 = broadcast %26 : f32[B, H, S, 1]
//   %28 = where %20 %27 %24 : f32[B, H, S, 1]
//   %29 = broadcast %21 : f32[B, H, S, S]
//   %30 = mul %14 %29 : f32[B, H, S, S]
//   %31 = broadcast %28 : f32[B, H, S, S]
//   %32 = sub %30 %31 : f32[B, H, S, S]
//   %33 = exp2 %32 : f32[B, H, S, S]
//   %34 = sum %33 axis=[3] : f32[B, H, S, 1]
//   %35 = as %33 : bf16[B, H, S, S]
//   %36 = permute %3 axes=[0, 2, 3, 1] : bf16[B, H, D, S]
//   %37 = matmul %35 %36 batch=2 summed=1 : f32[B, H, S, D]
//   %38 = eq %27 %34 : bool[B, H, S, 1]
//   %39 = const 1.0 : f32
//   %40 = reshape %39 : f32[1, 1, 1, 1]
//   %41 = broadcast %40 : f32[B, H, S, 1]
//   %42 = where %38 %41 %34 : f32[B, H, S, 1]
//   %43 = div %41 %42 : f32[B, H, S, 1]
//   %44 = broadcast %43 : f32[B, H, S, D]
//   %45 = mul %37 %44 : f32[B, H, S, D]
//   %46 = permute %45 axes=[0, 2, 1, 3] : f32[B, S, H, D]
//   %47 = as %46 : bf16[B, S, H, D]
//   %48 = reshape %47 : bf16[B, S, H*D]
//   %49 = permute %4 axes=[1, 0] : bf16[H*D, H*D]
//   %50 = permute %49 axes=[1, 0] : bf16[H*D, H*D]
//   %51 = matmul %48 %50 batch=0 summed=1 : f32[B, S, H*D]
//   %52 = as %51 : bf16[B, S, H*D]
//   %53 = const inf : f32
//   %54 = reshape %53 : f32[1, 1, 1, 1]
//   %55 = broadcast %54 : f32[B, H, S, 1]
//   %56 = eq %16 %55 : bool[B, H, S, 1]
//   %57 = log2 %34 : f32[B, H, S, 1]
//   %58 = add %28 %57 : f32[B, H, S, 1]
//   %59 = const 0.6931471824645996 : f32
//   %60 = reshape %59 : f32[1, 1, 1, 1]
//   %61 = broadcast %60 : f32[B, H, S, 1]
//   %62 = mul %58 %61 : f32[B, H, S, 1]
//   %63 = where %56 %16 %62 : f32[B, H, S, 1]
//   %64 = const -inf : f32
//   %65 = reshape %64 : f32[1, 1, 1, 1]
//   %66 = broadcast %65 : f32[B, H, S, 1]
//   %67 = eq %63 %66 : bool[B, H, S, 1]
//   %68 = where %67 %55 %63 : f32[B, H, S, 1]
//   y = %52
//   keep_o = %47
//   keep_2 = %68
// // after decompose: (unchanged)
// // after lift
// fn fwd[B, S, H, D]
//   %1 = input q : bf16[B, S, H, D]
//   %2 = input k : bf16[B, S, H, D]
//   %3 = input v : bf16[B, S, H, D]
//   %4 = input w : bf16[H*D, H*D]
//   %5 = dim D : weak i64
//   %6 = permute %1 axes=[0, 2, 1, 3] : bf16[B, H, S, D]
//   %7 = permute %2 axes=[0, 2, 1, 3] : bf16[B, H, S, D]
//   %8 = matmul %6 %7 batch=2 summed=1 : f32[B, H, S, S]
//   %9 = as %5 : weak f64
//   %10 = rsqrt %9 : weak f64
//   %11 = as %10 : f32
//   %12 = reshape %11 : f32[1, 1, 1, 1]
//   %13 = broadcast %12 : f32[B, H, S, S]
//   %14 = mul %8 %13 : f32[B, H, S, S]
//   %15 = const 1.4426950216293335 : f32
//   %16 = max %14 axis=[3] : f32[B, H, S, 1]
//   %17 = const -1.48852224e+09 : f32
//   %18 = reshape %17 : f32[1, 1, 1, 1]
//   %19 = broadcast %18 : f32[B, H, S, 1]
//   %20 = lt %16 %19 : bool[B, H, S, 1]
//   %21 = reshape %15 : f32[1, 1, 1, 1]
//   %22 = broadcast %21 : f32[B, H, S, 1]
//   %23 = mul %16 %22 : f32[B, H, S, 1]
//   %24 = ceil %23 : f32[B, H, S, 1]
//   %25 = const 0.0 : f32
//   %26 = reshape %25 : f32[1, 1, 1, 1]
//   %27 = broadcast %26 : f32[B, H, S, 1]
//   %28 = where %20 %27 %24 : f32[B, H, S, 1]
//   %29 = broadcast %21 : f32[B, H, S, S]
//   %30 = mul %14 %29 : f32[B, H, S, S]
//   %31 = broadcast %28 : f32[B, H, S, S]
//   %32 = sub %30 %31 : f32[B, H, S, S]
//   %33 = exp2 %32 : f32[B, H, S, S]
//   %34 = sum %33 axis=[3] : f32[B, H, S, 1]
//   %35 = as %33 : bf16[B, H, S, S]
//   %36 = permute %3 axes=[0, 2, 3, 1] : bf16[B, H, D, S]
//   %37 = matmul %35 %36 batch=2 summed=1 : f32[B, H, S, D]
//   %38 = eq %27 %34 : bool[B, H, S, 1]
//   %39 = const 1.0 : f32
//   %40 = reshape %39 : f32[1, 1, 1, 1]
//   %41 = broadcast %40 : f32[B, H, S, 1]
//   %42 = where %38 %41 %34 : f32[B, H, S, 1]
//   %43 = div %41 %42 : f32[B, H, S, 1]
//   %44 = broadcast %43 : f32[B, H, S, D]
//   %45 = mul %37 %44 : f32[B, H, S, D]
//   %46 = as %45 : bf16[B, H, S, D]
//   %47 = permute %46 axes=[0, 2, 1, 3] : bf16[B, S, H, D]
//   %48 = reshape %47 : bf16[B, S, H*D]
//   %49 = permute %4 axes=[1, 0] : bf16[H*D, H*D]
//   %50 = permute %49 axes=[1, 0] : bf16[H*D, H*D]
//   %51 = matmul %48 %50 batch=0 summed=1 : f32[B, S, H*D]
//   %52 = as %51 : bf16[B, S, H*D]
//   %53 = const inf : f32
//   %54 = reshape %53 : f32[1, 1, 1, 1]
//   %55 = broadcast %54 : f32[B, H, S, 1]
//   %56 = eq %16 %55 : bool[B, H, S, 1]
//   %57 = log2 %34 : f32[B, H, S, 1]
//   %58 = add %28 %57 : f32[B, H, S, 1]
//   %59 = const 0.6931471824645996 : f32
//   %60 = reshape %59 : f32[1, 1, 1, 1]
//   %61 = broadcast %60 : f32[B, H, S, 1]
//   %62 = mul %58 %61 : f32[B, H, S, 1]
//   %63 = where %56 %16 %62 : f32[B, H, S, 1]
//   %64 = const -inf : f32
//   %65 = reshape %64 : f32[1, 1, 1, 1]
//   %66 = broadcast %65 : f32[B, H, S, 1]
//   %67 = eq %63 %66 : bool[B, H, S, 1]
//   %68 = where %67 %55 %63 : f32[B, H, S, 1]
//   y = %52
//   keep_o = %47
//   keep_2 = %68
// // after simplify
// fn fwd[B, S, H, D]
//   %1 = input q : bf16[B, S, H, D]
//   %2 = input k : bf16[B, S, H, D]
//   %3 = input v : bf16[B, S, H, D]
//   %4 = input w : bf16[H*D, H*D]
//   %5 = dim D : weak i64
//   %6 = permute %1 axes=[0, 2, 1, 3] : bf16[B, H, S, D]
//   %7 = permute %2 axes=[0, 2, 1, 3] : bf16[B, H, S, D]
//   %8 = matmul %6 %7 batch=2 summed=1 : f32[B, H, S, S]
//   %9 = as %5 : weak f64
//   %10 = rsqrt %9 : weak f64
//   %11 = as %10 : f32
//   %12 = reshape %11 : f32[1, 1, 1, 1]
//   %13 = broadcast %12 : f32[B, H, S, S]
//   %14 = mul %8 %13 : f32[B, H, S, S]
//   %15 = const 1.4426950216293335 : f32
//   %16 = max %14 axis=[3] : f32[B, H, S, 1]
//   %17 = const -1.48852224e+09 : f32
//   %18 = reshape %17 : f32[1, 1, 1, 1]
//   %19 = broadcast %18 : f32[B, H, S, 1]
//   %20 = lt %16 %19 : bool[B, H, S, 1]
//   %21 = reshape %15 : f32[1, 1, 1, 1]
//   %22 = broadcast %21 : f32[B, H, S, 1]
//   %23 = mul %16 %22 : f32[B, H, S, 1]
//   %24 = ceil %23 : f32[B, H, S, 1]
//   %25 = const 0.0 : f32
//   %26 = reshape %25 : f32[1, 1, 1, 1]
//   %27 = broadcast %26 : f32[B, H, S, 1]
//   %28 = where %20 %27 %24 : f32[B, H, S, 1]
//   %29 = broadcast %21 : f32[B, H, S, S]
//   %30 = mul %14 %29 : f32[B, H, S, S]
//   %31 = broadcast %28 : f32[B, H, S, S]
//   %32 = sub %30 %31 : f32[B, H, S, S]
//   %33 = exp2 %32 : f32[B, H, S, S]
//   %34 = sum %33 axis=[3] : f32[B, H, S, 1]
//   %35 = as %33 : bf16[B, H, S, S]
//   %36 = permute %3 axes=[0, 2, 3, 1] : bf16[B, H, D, S]
//   %37 = matmul %35 %36 batch=2 summed=1 : f32[B, H, S, D]
//   %38 = eq %27 %34 : bool[B, H, S, 1]
//   %39 = const 1.0 : f32
//   %40 = reshape %39 : f32[1, 1, 1, 1]
//   %41 = broadcast %40 : f32[B, H, S, 1]
//   %42 = where %38 %41 %34 : f32[B, H, S, 1]
//   %43 = div %41 %42 : f32[B, H, S, 1]
//   %44 = broadcast %43 : f32[B, H, S, D]
//   %45 = mul %37 %44 : f32[B, H, S, D]
//   %46 = as %45 : bf16[B, H, S, D]
//   %47 = permute %46 axes=[0, 2, 1, 3] : bf16[B, S, H, D]
//   %48 = reshape %47 : bf16[B, S, H*D]
//   %49 = matmul %48 %4 batch=0 summed=1 : f32[B, S, H*D]
//   %50 = as %49 : bf16[B, S, H*D]
//   %51 = const inf : f32
//   %52 = reshape %51 : f32[1, 1, 1, 1]
//   %53 = broadcast %52 : f32[B, H, S, 1]
//   %54 = eq %16 %53 : bool[B, H, S, 1]
//   %55 = log2 %34 : f32[B, H, S, 1]
//   %56 = add %28 %55 : f32[B, H, S, 1]
//   %57 = const 0.6931471824645996 : f32
//   %58 = reshape %57 : f32[1, 1, 1, 1]
//   %59 = broadcast %58 : f32[B, H, S, 1]
//   %60 = mul %56 %59 : f32[B, H, S, 1]
//   %61 = where %54 %16 %60 : f32[B, H, S, 1]
//   %62 = const -inf : f32
//   %63 = reshape %62 : f32[1, 1, 1, 1]
//   %64 = broadcast %63 : f32[B, H, S, 1]
//   %65 = eq %61 %64 : bool[B, H, S, 1]
//   %66 = where %65 %53 %61 : f32[B, H, S, 1]
//   y = %50
//   keep_o = %47
//   keep_2 = %66
// // after slices: (unchanged)
