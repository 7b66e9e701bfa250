// run: fusec %s --emit=graph
// Axes that only one operand has are rows or columns of one product; a batch axis of size 1 goes
// with any.
fn f[B, H, M, K, N](v: f32[K], w: f32[K, N], x: f32[M, K], a: f32[B, H, M, K], b: f32[B, H, K, N],
                    o: f32[B, 1, K, N], g: f32[H, K, N])
    -> (p: f32, q: f32[N], r: f32[M], s: f32[M, N], t: f32[B, H, M, N], u: f32[B, H, M, N],
        z: f32[B, H, M, N], y: f32[B, H, M, N], c: f32[B, H, N]) {
    p = v @ v;
    q = v @ w;
    r = x @ v;
    s = x @ w;
    t = a @ w;
    u = x @ b;
    z = a @ o;
    y = a @ g;
    c = v @ b;
}
// ---- expect
// // after lower
// fn f[B, H, M, K, N]
//   %1 = input v : f32[K]
//   %2 = input w : f32[K, N]
//   %3 = input x : f32[M, K]
//   %4 = input a : f32[B, H, M, K]
//   %5 = input b : f32[B, H, K, N]
//   %6 = input o : f32[B, 1, K, N]
//   %7 = input g : f32[H, K, N]
//   %8 = matmul %1 %1 batch=0 summed=1 : f32
//   %9 = permute %2 axes=[1, 0] : f32[N, K]
//   %10 = matmul %1 %9 batch=0 summed=1 : f32[N]
//   %11 = matmul %3 %1 batch=0 summed=1 : f32[M]
//   %12 = matmul %3 %9 batch=0 summed=1 : f32[M, N]
//   %13 = matmul %4 %9 batch=0 summed=1 : f32[B, H, M, N]
//   %14 = permute %5 axes=[0, 1, 3, 2] : f32[B, H, N, K]
//   %15 = matmul %3 %14 batch=0 summed=1 : f32[M, B, H, N]
//   %16 = permute %15 axes=[1, 2, 0, 3] : f32[B, H, M, N]
//   %17 = reshape %6 : f32[B, K, N]
//   %18 = permute %17 axes=[0, 2, 1] : f32[B, N, K]
//   %19 = matmul %4 %18 batch=1 summed=1 : f32[B, H, M, N]
//   %20 = permute %4 axes=[1, 0, 2, 3] : f32[H, B, M, K]
//   %21 = permute %7 axes=[0, 2, 1] : f32[H, N, K]
//   %22 = matmul %20 %21 batch=1 summed=1 : f32[H, B, M, N]
//   %23 = permute %22 axes=[1, 0, 2, 3] : f32[B, H, M, N]
//   %24 = matmul %1 %14 batch=0 summed=1 : f32[B, H, N]
//   p = %8
//   q = %10
//   r = %11
//   s = %12
//   t = %13
//   u = %16
//   z = %19
//   y = %23
//   c = %24
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
