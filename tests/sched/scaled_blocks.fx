// Products of f8 with factors of blocks of 128 along k are one contraction where warpgroups multiply
// them: of rows and squares, and of rows of both operands; the result is reshaped. Elsewhere products
// of blocks are stored, and a remark says why.
// run: fusec %s --fn square --arch=sm_90a --emit=plan
// run: fusec %s --fn rows --arch=sm_90a --emit=plan
// run: fusec %s --fn square --arch=sm_80 --emit=plan -Wperf
// run: fusec %s --fn computed --arch=sm_90a --emit=plan -Wperf
// run: fusec %s --fn read_twice --arch=sm_90a --emit=plan -Wperf
// run: fusec run %s --fn square --check -D M=3 -D N=256 -D K=384
@precision(f8)
fn square[M, N, K](
    x: f8e4m3[M, K],
    w: f8e4m3[N, K],
    s: f32[M, K/128],
    t: f32[N/128, K/128]
) -> (y: bf16[M, N]) {
    a = reshape(x, M, K / 128, 128);
    b = reshape(w, N / 128, 128, K / 128, 128);
    p = einsum("mbk,nrbk->bmnr", a, b);
    y = reshape(sum(p * (s.T[:, :, None, None] * t.T[:, None, :, None]), axis = 0), M, N);
}

@precision(f8)
fn rows[E, M, N, K](
    x: f8e5m2[E, M, K],
    w: f8e5m2[E, N, K],
    s: f32[E, K/128, M],
    t: f32[E, K/128, N]
) -> (y: f32[E, M, N]) {
    a = permute(reshape(x, E, M, K / 128, 128), 0, 2, 1, 3);
    b = permute(reshape(w, E, N, K / 128, 128), 0, 2, 1, 3);
    y = sum(a @ b.T * s[:, :, :, None] * t[:, :, None], axis = 1);
}

@precision(f8)
fn computed[M, N, K](
    x: f8e4m3[K/128, M, 128],
    w: f8e4m3[N, K],
    s: f32[K/128, M]
) -> (y: f32[M, N]) {
    b = permute(reshape(w, N, K / 128, 128), 1, 0, 2);
    y = sum(x @ b.T * s[:, :, None], axis = 0);
}

@precision(f8)
fn read_twice[M, N, K](
    x: f8e4m3[M, K],
    w: f8e4m3[N, K],
    s: f32[K/128, M]
) -> (y: f32[M, N], z: f32[K/128, M, N]) {
    z = einsum("mbk,nbk->bmn", reshape(x, M, K / 128, 128), reshape(w, N, K / 128, 128));
    y = sum(z * s[:, :, None], axis = 0);
}
// ---- expect
// plan square -O2
// kernel square_0 dot
//   reads x w s t
//   writes y
//   over [M, N/128, 128]
//     %9 matmul f32[K/128, M, N/128, 128]
//     %16 mul f32[K/128, M, N/128, 1]
//     %18 mul f32[K/128, M, N/128, 128]
//     %19 sum f32[1, M, N/128, 128]
//     %20 as bf16[1, M, N/128, 128] -> y
//   bytes_read (4224*M*K + 4097*N*K)/4096
//   bytes_written 2*M*N
//   flops 33025*M*N*K/16384
// buffer x input f8e4m3[M*K] bytes M*K live -1..1
// buffer w input f8e4m3[N*K] bytes N*K live -1..1
// buffer s input f32[M*K/128] bytes M*K/32 live -1..1
// buffer t input f32[N*K/16384] bytes N*K/4096 live -1..1
// buffer y output bf16[M*N] bytes 2*M*N live 0..1
// peak (8192*M*N + 4224*M*K + 4097*N*K)/4096
// plan rows -O2
// kernel rows_0 dot
//   reads x w s t
//   writes y
//   over [E, M, N]
//     %9 matmul f32[E, K/128, M, N]
//     %12 mul f32[E, K/128, M, N]
//     %15 mul f32[E, K/128, M, N]
//     %16 sum f32[E, 1, M, N] -> y
//   bytes_read (33*E*M*K + 33*E*N*K)/32
//   bytes_written 4*E*M*N
//   flops 259*E*M*N*K/128
// buffer x input f8e5m2[E*M*K] bytes E*M*K live -1..1
// buffer w input f8e5m2[E*N*K] bytes E*N*K live -1..1
// buffer s input f32[E*M*K/128] bytes E*M*K/32 live -1..1
// buffer t input f32[E*N*K/128] bytes E*N*K/32 live -1..1
// buffer y output f32[E*M*N] bytes 4*E*M*N live 0..1
// peak (128*E*M*N + 33*E*M*K + 33*E*N*K)/32
// plan square -O2
// kernel square_0 dot
//   reads x w s t
//   writes mul_temp
//   over [K/128, M, N/128, 128]
//     %9 matmul f32[K/128, M, N/128, 128]
//     %16 mul f32[K/128, M, N/128, 1]
//     %18 mul f32[K/128, M, N/128, 128] -> mul_temp
//   bytes_read (4224*M*K + 4097*N*K)/4096
//   bytes_written M*N*K/32
//   flops 32897*M*N*K/16384
// kernel square_1 row
//   reads mul_temp
//   writes y
//   over [K/128, M, N/128, 128] along K/128
//     %19 sum f32[1, M, N/128, 128]
//     %20 as bf16[1, M, N/128, 128] -> y
//   bytes_read M*N*K/32
//   bytes_written 2*M*N
//   flops M*N*K/128
// buffer x input f8e4m3[M*K] bytes M*K live -1..2
// buffer w input f8e4m3[N*K] bytes N*K live -1..2
// buffer s input f32[M*K/128] bytes M*K/32 live -1..2
// buffer t input f32[N*K/16384] bytes N*K/4096 live -1..2
// buffer y output bf16[M*N] bytes 2*M*N live 1..2
// buffer mul_temp temp f32[M*N*K/128] bytes M*N*K/32 live 0..1 slot 0
// slot 0 bytes M*N*K/32
// apart %18 mul | %19 sum: axes, 67108864 bytes
// peak (128*M*N*K + 8192*M*N + 4224*M*K + 4097*N*K)/4096
// scaled_blocks.fx:19:9: remark: products of blocks are stored before they are scaled and added: the architecture has no wgmma
//       p = einsum("mbk,nrbk->bmnr", a, b);
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// plan computed -O2
// kernel computed_0 dot
//   reads x w s
//   writes mul_temp
//   over [K/128, M, N]
//     %6 matmul f32[K/128, M, N]
//     %9 mul f32[K/128, M, N] -> mul_temp
//   bytes_read (33*M*K + 32*N*K)/32
//   bytes_written M*N*K/32
//   flops 257*M*N*K/128
// kernel computed_1 row
//   reads mul_temp
//   writes y
//   over [K/128, M, N] along K/128
//     %10 sum f32[1, M, N] -> y
//   bytes_read M*N*K/32
//   bytes_written 4*M*N
//   flops M*N*K/128
// buffer x input f8e4m3[M*K] bytes M*K live -1..2
// buffer w input f8e4m3[N*K] bytes N*K live -1..2
// buffer s input f32[M*K/128] bytes M*K/32 live -1..2
// buffer y output f32[M*N] bytes 4*M*N live 1..2
// buffer mul_temp temp f32[M*N*K/128] bytes M*N*K/32 live 0..1 slot 0
// slot 0 bytes M*N*K/32
// apart %9 mul | %10 sum: axes, 67108864 bytes
// peak (M*N*K + 128*M*N + 33*M*K + 32*N*K)/32
// scaled_blocks.fx:42:13: remark: products of blocks are stored before they are scaled and added: the left operand has no rows of neighbouring blocks
//       y = sum(x @ b.T * s[:, :, None], axis = 0);
//               ^~~~~~~
// plan read_twice -O2
// kernel read_twice_0 dot
//   reads x w
//   writes z
//   over [K/128, M, N]
//     %8 matmul f32[K/128, M, N] -> z
//   bytes_read M*K + N*K
//   bytes_written M*N*K/32
//   flops 2*M*N*K
// kernel read_twice_1 row
//   reads z s
//   writes y
//   over [K/128, M, N] along K/128
//     %11 mul f32[K/128, M, N]
//     %12 sum f32[1, M, N] -> y
//   bytes_read (M*N*K + M*K)/32
//   bytes_written 4*M*N
//   flops M*N*K/64
// buffer x input f8e4m3[M*K] bytes M*K live -1..2
// buffer w input f8e4m3[N*K] bytes N*K live -1..2
// buffer s input f32[M*K/128] bytes M*K/32 live -1..2
// buffer y output f32[M*N] bytes 4*M*N live 1..2
// buffer z output f32[M*N*K/128] bytes M*N*K/32 live 0..2
// apart z | %11 mul: axes, 33554432 bytes
// peak (M*N*K + 128*M*N + 33*M*K + 32*N*K)/32
// scaled_blocks.fx:51:9: remark: products of blocks are stored before they are scaled and added: a value before the sum is read elsewhere, too
//       z = einsum("mbk,nbk->bmn", reshape(x, M, K / 128, 128), reshape(w, N, K / 128, 128));
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// y: bf16[3, 256]  mean -0.1492  max 10.31  checksum 8249f91779cdf682
// y: ok, largest error 0 of 0.0156 allowed, mean 0 of 0.00134, at [0, 0]: got -2.71875, want -2.71875
// fusec: remark: random inputs, seed 0: x, w, s, t
