// run: fusec %s --target=cuda --arch=sm_90a --emit=plan
// Means and variances of few columns: a kernel of both would have 16 blocks.
fn f(x: bf16[65536, 512]) -> (m: f32[512], v: f32[512]) {
    m = mean(x as f32, axis = 0);
    v = var(x as f32, axis = 0);
}
// ---- expect
// plan f -O2
// kernel f_0 row
//   reads x
//   writes sum_parts
//   over [64, 1024, 512] along 1024
//     %4 sum f32[64, 1, 512] -> sum_parts
//   bytes_read 67108864
//   bytes_written 131072
//   flops 33554432
// kernel f_1 row
//   reads sum_parts
//   writes m
//   over [64, 512] along 64
//     %6 sum f32[1, 512]
//     %10 mul f32[1, 512] -> m
//   bytes_read 131072
//   bytes_written 2048
//   flops 33280
// kernel f_2 row
//   reads x m
//   writes squares_parts
//   over [64, 1024, 512] along 1024
//     %13 sub f32[65536, 512]
//     %14 mul f32[65536, 512]
//     %16 sum f32[64, 1, 512] -> squares_parts
//   bytes_read 67110912
//   bytes_written 131072
//   flops 100663296
// kernel f_3 row
//   reads squares_parts
//   writes v
//   over [64, 512] along 64
//     %18 sum f32[1, 512]
//     %19 mul f32[1, 512] -> v
//   bytes_read 131072
//   bytes_written 2048
//   flops 33280
// buffer x input bf16[33554432] bytes 67108864 live -1..4
// buffer m output f32[512] bytes 2048 live 1..4
// buffer v output f32[512] bytes 2048 live 3..4
// buffer sum_parts temp f32[32768] bytes 131072 live 0..1 slot 0
// buffer squares_parts temp f32[32768] bytes 131072 live 2..3 slot 0
// slot 0 bytes 131072
// apart %4 sum | %6 sum: space, 262144 bytes
// apart %16 sum | %18 sum: space, 262144 bytes
// apart %10 mul | %13 sub: space, 2048 bytes
// apart %4 sum | %13 sub: cycle, 67108864 bytes
// apart %4 sum | %13 sub: bundle, 67108864 bytes
// peak 67244032
