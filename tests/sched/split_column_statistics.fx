// run: fusec %s --target=cuda --arch=sm_90a --emit=plan
// Means and variances of few columns: a kernel of both would have 16 blocks; one has chunks of columns, and the next
// combines what it has found.
fn f(x: bf16[65536, 512]) -> (m: f32[512], v: f32[512]) {
    m = mean(x as f32, axis = 0);
    v = var(x as f32, axis = 0);
}
// ---- expect
// plan f -O2
// kernel f_0 row
//   reads x
//   writes sum_parts div_temp squares_parts
//   over [512, 128, 512] along 128
//     %4 sum f32[512, 1, 512] -> sum_parts
//     %8 div f32[512, 1, 512] -> div_temp
//     %18 sub f32[512, 128, 512]
//     %19 mul f32[512, 128, 512]
//     %20 sum f32[512, 1, 512] -> squares_parts
//   bytes_read 67108864
//   bytes_written 3145728
//   flops 134479872
// kernel f_1 row
//   reads sum_parts div_temp squares_parts
//   writes m v
//   over [512, 512] along 512
//     %9 sum f32[1, 1, 512]
//     %14 mul f32[1, 512] -> m
//     %22 sub f32[512, 1, 512]
//     %23 mul f32[512, 1, 512]
//     %24 sum f32[1, 1, 512]
//     %25 sum f32[1, 1, 512]
//     %27 mul f32[1, 1, 512]
//     %28 add f32[1, 1, 512]
//     %30 mul f32[1, 512] -> v
//   bytes_read 3145728
//   bytes_written 4096
//   flops 1312768
// buffer x input bf16[33554432] bytes 67108864 live -1..2
// buffer m output f32[512] bytes 2048 live 1..2
// buffer v output f32[512] bytes 2048 live 1..2
// buffer sum_parts temp f32[262144] bytes 1048576 live 0..1 slot 0
// buffer div_temp temp f32[262144] bytes 1048576 live 0..1 slot 1
// buffer squares_parts temp f32[262144] bytes 1048576 live 0..1 slot 2
// slot 0 bytes 1048576
// slot 1 bytes 1048576
// slot 2 bytes 1048576
// apart %20 sum | %25 sum: space, 6291456 bytes
// apart %4 sum | %9 sum: space, 6291456 bytes
// apart %8 div | %22 sub: space, 6291456 bytes
// apart %8 div | %9 sum: space, 6291456 bytes
// apart %18 sub | %22 sub: space, 6291456 bytes
// apart %8 div | %9 sum: bundle, 6291456 bytes
// apart %18 sub | %22 sub: bundle, 6291456 bytes
// peak 70258688
