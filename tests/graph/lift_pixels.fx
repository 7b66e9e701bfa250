// The kernel of a reduction stores pixels of a few channels as planes: a warp has neighbours along the
// rows of each. Those of many channels are transposed by a kernel of their own.
// run: fusec %s --emit=plan --fn planes --target=cuda
// kernels: 1
// run: fusec %s --emit=plan --fn many --target=cuda
// run: fusec %s --emit=plan --fn planes --target=c
// run: fusec run %s --fn planes --check -D N=2 -D H=5 -D W=7 > checks
fn planes[N, H, W](x: u8[N, 2*H, 2*W, 3], m: f32[3]) -> (y: bf16[N, 3, H, W]) {
    y = permute(mean(reshape(x as f32, N, H, 2, W, 2, 3), axis = [2, 4]) - m, 0, 3, 1, 2);
}

fn many[N, H, W](x: u8[N, 2*H, 2*W, 64], m: f32[64]) -> (y: bf16[N, 64, H, W]) {
    y = permute(mean(reshape(x as f32, N, H, 2, W, 2, 64), axis = [2, 4]) - m, 0, 3, 1, 2);
}
// ---- expect
// plan planes -O2
// kernel planes_0 row
//   reads x m
//   writes y
//   over [N, H, 2, W, 2, 3] along 2, 2
//     %3 as f32[N, 2*H, 2*W, 3]
//     %5 sum f32[N, H, 1, W, 1, 3]
//     %9 mul f32[N, H, 1, W, 1, 3]
//     %13 sub f32[N, H, W, 3]
//     %14 as bf16[N, H, W, 3]
//     %15 permute bf16[N, 3, H, W] -> y
//   bytes_read 12*N*H*W + 12
//   bytes_written 6*N*H*W
//   flops 18*N*H*W
// buffer x input u8[12*N*H*W] bytes 12*N*H*W live -1..1
// buffer m input f32[3] bytes 12 live -1..1
// buffer y output bf16[3*N*H*W] bytes 6*N*H*W live 0..1
// peak 18*N*H*W + 12
// plan many -O2
// kernel many_0 row
//   reads x m
//   writes sub_temp
//   over [N, H, 2, W, 2, 64] along 2, 2
//     %3 as f32[N, 2*H, 2*W, 64]
//     %5 sum f32[N, H, 1, W, 1, 64]
//     %9 mul f32[N, H, 1, W, 1, 64]
//     %13 sub f32[N, H, W, 64] -> sub_temp
//   bytes_read 256*N*H*W + 256
//   bytes_written 256*N*H*W
//   flops 384*N*H*W
// kernel many_1 pointwise
//   reads sub_temp
//   writes y
//   over [N, 64, H, W]
//     %15 as bf16[N, 64, H, W] -> y
//   bytes_read 256*N*H*W
//   bytes_written 128*N*H*W
//   flops 0
// buffer x input u8[256*N*H*W] bytes 256*N*H*W live -1..2
// buffer m input f32[64] bytes 256 live -1..2
// buffer y output bf16[64*N*H*W] bytes 128*N*H*W live 1..2
// buffer sub_temp temp f32[64*N*H*W] bytes 256*N*H*W live 0..1 slot 0
// slot 0 bytes 256*N*H*W
// apart %13 sub | y: space, 549755813888 bytes
// peak 640*N*H*W + 256
// plan planes -O2
// kernel planes_0 row
//   reads x m
//   writes sub_temp
//   over [N, H, 2, W, 2, 3] along 2, 2
//     %3 as f32[N, 2*H, 2*W, 3]
//     %5 sum f32[N, H, 1, W, 1, 3]
//     %9 mul f32[N, H, 1, W, 1, 3]
//     %13 sub f32[N, H, W, 3] -> sub_temp
//   bytes_read 12*N*H*W + 12
//   bytes_written 12*N*H*W
//   flops 18*N*H*W
// kernel planes_1 pointwise
//   reads sub_temp
//   writes y
//   over [N, 3, H, W]
//     %15 as bf16[N, 3, H, W] -> y
//   bytes_read 12*N*H*W
//   bytes_written 6*N*H*W
//   flops 0
// buffer x input u8[12*N*H*W] bytes 12*N*H*W live -1..2
// buffer m input f32[3] bytes 12 live -1..2
// buffer y output bf16[3*N*H*W] bytes 6*N*H*W live 1..2
// buffer sub_temp temp f32[3*N*H*W] bytes 12*N*H*W live 0..1 slot 0
// slot 0 bytes 12*N*H*W
// apart %13 sub | y: space, 25769803776 bytes
// peak 30*N*H*W + 12
// fusec: remark: random inputs, seed 0: x, m
