// run: fusec explain %s --target=c -D N=512 -D K=512
// Of a product with few rows the right operand is packed in longer rows, at half the depth.
fn few[N, K](a: f32[100, K], b: f32[K, N]) -> (c: f32[100, N]) { c = a @ b; }
fn many[N, K](a: f32[200, K], b: f32[K, N]) -> (c: f32[200, N]) { c = a @ b; }
// ---- expect
// fn few at -O2: 1 op in 1 kernel
//
// kernel few_0: dot over [100, 512]
//   does      matmul
//   reads     1.2 MiB: a, b
//   writes    200.0 KiB: c
//   computes  52.4 Mflop, 35.96 for each byte moved
//   estimate  328 us, bound by arithmetic
//   tile      kind=blocks,m=2048,n=2048,k=256,group=64,block=224,rows=0,vectors=2,parallel=100000,sums=512
//
// total
//   moves     1.4 MiB
//   computes  52.4 Mflop
//   estimate  329 us on core, launches included
//   workspace 0 bytes in 0 slots
//   peak      1.4 MiB of inputs and outputs
//
// fn many at -O2: 1 op in 1 kernel
//
// kernel many_0: dot over [200, 512]
//   does      matmul
//   reads     1.4 MiB: a, b
//   writes    400.0 KiB: c
//   computes  104.9 Mflop, 56.14 for each byte moved
//   estimate  655 us, bound by arithmetic
//   tile      kind=blocks,m=2048,n=2048,k=512,group=32,block=224,rows=0,vectors=2,parallel=100000,sums=512
//
// total
//   moves     1.8 MiB
//   computes  104.9 Mflop
//   estimate  656 us on core, launches included
//   workspace 0 bytes in 0 slots
//   peak      1.8 MiB of inputs and outputs
