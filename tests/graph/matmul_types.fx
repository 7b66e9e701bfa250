// run: fusec %s --emit=graph
fn plain[N](x: bf16[N, N], h: f16[N, N], f: f32[N, N], d: f64[N, N], b: i8[N, N], u: u8[N, N])
    -> (a: f32[N, N], c: f32[N, N], e: f32[N, N], g: f64[N, N], i: i32[N, N], j: i32[N, N]) {
    a = x @ x;
    c = x @ h;
    e = x @ f;
    g = f @ d;
    i = b @ b;
    j = b @ u;
}
@autocast(bf16)
fn cast[N](f: f32[N, N], h: f16[N, N], b: i8[N, N])
    -> (a: f32[N, N], c: f32[N, N], e: i32[N, N], g: f32[N, N]) {
    a = f @ f;
    c = h @ f;
    e = b @ b;
    g = inner(f);
}
fn inner[N](f: f32[N, N]) -> (y: f32[N, N]) { y = einsum("ij,kj", f, f); }
// ---- expect
// // after lower
// fn plain[N]
//   %1 = input x : bf16[N, N]
//   %2 = input h : f16[N, N]
//   %3 = input f : f32[N, N]
//   %4 = input d : f64[N, N]
//   %5 = input b : i8[N, N]
//   %6 = input u : u8[N, N]
//   %7 = permute %1 axes=[1, 0] : bf16[N, N]
//   %8 = matmul %1 %7 batch=0 summed=1 : f32[N, N]
//   %9 = as %1 : f32[N, N]
//   %10 = as %2 : f32[N, N]
//   %11 = permute %10 axes=[1, 0] : f32[N, N]
//   %12 = matmul %9 %11 batch=0 summed=1 : f32[N, N]
//   %13 = permute %3 axes=[1, 0] : f32[N, N]
//   %14 = matmul %9 %13 batch=0 summed=1 : f32[N, N]
//   %15 = as %3 : f64[N, N]
//   %16 = permute %4 axes=[1, 0] : f64[N, N]
//   %17 = matmul %15 %16 batch=0 summed=1 : f64[N, N]
//   %18 = permute %5 axes=[1, 0] : i8[N, N]
//   %19 = matmul %5 %18 batch=0 summed=1 : i32[N, N]
//   %20 = as %5 : i32[N, N]
//   %21 = as %6 : i32[N, N]
//   %22 = permute %21 axes=[1, 0] : i32[N, N]
//   %23 = matmul %20 %22 batch=0 summed=1 : i32[N, N]
//   a = %8
//   c = %12
//   e = %14
//   g = %17
//   i = %19
//   j = %23
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
//
// // after lower
// fn cast[N]
//   %1 = input f : f32[N, N]
//   %2 = input h : f16[N, N]
//   %3 = input b : i8[N, N]
//   %4 = as %1 : bf16[N, N]
//   %5 = permute %4 axes=[1, 0] : bf16[N, N]
//   %6 = matmul %4 %5 batch=0 summed=1 : f32[N, N]
//   %7 = as %2 : bf16[N, N]
//   %8 = matmul %7 %5 batch=0 summed=1 : f32[N, N]
//   %9 = permute %3 axes=[1, 0] : i8[N, N]
//   %10 = matmul %3 %9 batch=0 summed=1 : i32[N, N]
//   %11 = matmul %4 %4 batch=0 summed=1 : f32[N, N]
//   a = %6
//   c = %8
//   e = %10
//   g = %11
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
