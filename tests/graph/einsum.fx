// run: fusec %s --emit=graph
fn f[B, H, I, J, K](q: bf16[B, H, I, K], k: bf16[B, H, J, K], x: bf16[I, J], y: f32[J, K],
                    z: f32[I, I], v: f32[I])
    -> (a: f32[B, H, I, J], b: f32[I, K], c: f32[K, I], d: f32[J], e: f32, g: f32[I], h: f32,
        l: f32[I, I], m: f32[I, J], n: bf16[J, I], o: f32[B, I], p: f32[I, K], r: f32[I]) {
    a = einsum("bhid,bhjd->bhij", q, k);
    b = einsum("ij,jk", x, y);
    c = einsum("ij, jk -> ki", x, y);
    d = einsum("ij->j", x);
    e = einsum("ij->", x);
    g = einsum("ii->i", z);
    h = einsum("ii", z);
    l = einsum("i,j->ij", v, v);
    m = einsum("ij,i->ij", x, v);
    n = einsum("ij->ji", x);
    o = einsum("bhid,bhjd->bi", q, k);
    p = einsum("i,ij,jk->ik", v, x, y);
    r = einsum("ii,i->i", z, v);
}
// ---- expect
// // after lower
// fn f[B, H, I, J, K]
//   %1 = input q : bf16[B, H, I, K]
//   %2 = input k : bf16[B, H, J, K]
//   %3 = input x : bf16[I, J]
//   %4 = input y : f32[J, K]
//   %5 = input z : f32[I, I]
//   %6 = input v : f32[I]
//   %7 = matmul %1 %2 batch=2 summed=1 : f32[B, H, I, J]
//   %8 = as %3 : f32[I, J]
//   %9 = permute %4 axes=[1, 0] : f32[K, J]
//   %10 = matmul %8 %9 batch=0 summed=1 : f32[I, K]
//   %11 = permute %10 axes=[1, 0] : f32[K, I]
//   %12 = sum %8 axis=[0] : f32[1, J]
//   %13 = reshape %12 : f32[J]
//   %14 = sum %8 axis=[0, 1] : f32[1, 1]
//   %15 = reshape %14 : f32
//   %16 = iota : i32[I]
//   %17 = reshape %16 : i32[I, 1]
//   %18 = reshape %16 : i32[1, I]
//   %19 = broadcast %17 : i32[I, I]
//   %20 = broadcast %18 : i32[I, I]
//   %21 = eq %19 %20 : bool[I, I]
//   %22 = const 0.0 : f32
//   %23 = reshape %22 : f32[1, 1]
//   %24 = broadcast %23 : f32[I, I]
//   %25 = where %21 %5 %24 : f32[I, I]
//   %26 = sum %25 axis=[1] : f32[I, 1]
//   %27 = reshape %26 : f32[I]
//   %28 = sum %27 axis=[0] : f32[1]
//   %29 = reshape %28 : f32
//   %30 = reshape %6 : f32[I, 1]
//   %31 = reshape %6 : f32[1, I]
//   %32 = broadcast %30 : f32[I, I]
//   %33 = broadcast %31 : f32[I, I]
//   %34 = mul %32 %33 : f32[I, I]
//   %35 = broadcast %30 : f32[I, J]
//   %36 = mul %8 %35 : f32[I, J]
//   %37 = permute %3 axes=[1, 0] : bf16[J, I]
//   %38 = as %2 : f32[B, H, J, K]
//   %39 = sum %38 axis=[2] : f32[B, H, 1, K]
//   %40 = reshape %39 : f32[B, H, K]
//   %41 = as %1 : f32[B, H, I, K]
//   %42 = permute %41 axes=[0, 2, 1, 3] : f32[B, I, H, K]
//   %43 = matmul %42 %40 batch=1 summed=2 : f32[B, I]
//   %44 = matmul %36 %9 batch=0 summed=1 : f32[I, K]
//   %45 = mul %6 %27 : f32[I]
//   a = %7
//   b = %10
//   c = %11
//   d = %13
//   e = %15
//   g = %27
//   h = %29
//   l = %34
//   m = %36
//   n = %37
//   o = %43
//   p = %44
//   r = %45
//   assert I <= 2147483647   // iota
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
