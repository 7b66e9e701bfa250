// Long rows of a product stay whole where more than their reductions is wanted: the product or its
// softmax, a position, a variance; where the length is open; and at -O1.
// run: fusec %s --target=c --emit=plan -D M=64 --fn stored
// run: fusec %s --target=c --emit=plan -D M=64 --fn weights
// run: fusec %s --target=c --emit=plan -D M=64 --fn position
// run: fusec %s --target=c --emit=plan -D M=64 --fn spread
// run: fusec %s --target=c --emit=plan -D M=64 --fn any_length
// run: fusec %s --target=c --emit=plan -D M=64 --fn wanted -O1
fn stored[M](x: f32[M, 8], w: f32[3000, 8]) -> (y: f32[M], z: f32[M, 3000]) {
    z = x @ w.T;
    y = logsumexp(z, axis = -1);
}
fn weights[M](x: f32[M, 8], w: f32[3000, 8]) -> (y: f32[M, 3000]) {
    y = softmax(x @ w.T);
}
fn position[M](x: f32[M, 8], w: f32[3000, 8]) -> (y: i32[M]) {
    y = argmax(x @ w.T, axis = -1);
}
fn spread[M](x: f32[M, 8], w: f32[3000, 8]) -> (y: f32[M]) {
    y = var(x @ w.T, axis = -1);
}
fn any_length[M, N](x: f32[M, 8], w: f32[N, 8]) -> (y: f32[M]) {
    y = logsumexp(x @ w.T, axis = -1);
}
fn wanted[M](x: f32[M, 8], w: f32[3000, 8]) -> (y: f32[M]) {
    y = logsumexp(x @ w.T, axis = -1);
}
// ---- expect
// plan stored -O2
// kernel stored_0 dot
//   reads x w
//   writes z
//   over [64, 3000]
//     %3 matmul f32[64, 3000] -> z
//   bytes_read 98048
//   bytes_written 768000
//   flops 3072000
// kernel stored_1 row
//   reads z
//   writes y
//   over [64, 3000] along 3000
//     %4 max f32[64, 1]
//     %8 eq bool[64, 1]
//     %12 where f32[64, 1]
//     %14 sub f32[64, 3000]
//     %15 exp f32[64, 3000]
//     %16 sum f32[64, 1]
//     %20 eq bool[64, 1]
//     %21 log f32[64, 1]
//     %22 add f32[64, 1]
//     %23 where f32[64, 1] -> y
//   bytes_read 768000
//   bytes_written 256
//   flops 768384
// buffer x input f32[512] bytes 2048 live -1..2
// buffer w input f32[24000] bytes 96000 live -1..2
// buffer y output f32[64] bytes 256 live 1..2
// buffer z output f32[192000] bytes 768000 live 0..2
// apart z | %14 sub: tile, 768000 bytes
// apart z | %4 max: tile, 768000 bytes
// peak 866304
// plan weights -O2
// kernel weights_0 dot
//   reads x w
//   writes matmul_temp
//   over [64, 3000]
//     %3 matmul f32[64, 3000] -> matmul_temp
//   bytes_read 98048
//   bytes_written 768000
//   flops 3072000
// kernel weights_1 row
//   reads matmul_temp
//   writes y
//   over [64, 3000] along 3000
//     %4 max f32[64, 1]
//     %8 eq bool[64, 1]
//     %12 where f32[64, 1]
//     %14 sub f32[64, 3000]
//     %15 exp f32[64, 3000]
//     %16 sum f32[64, 1]
//     %17 eq bool[64, 1]
//     %21 where f32[64, 1]
//     %22 div f32[64, 1]
//     %24 mul f32[64, 3000] -> y
//   bytes_read 768000
//   bytes_written 768000
//   flops 960320
// buffer x input f32[512] bytes 2048 live -1..2
// buffer w input f32[24000] bytes 96000 live -1..2
// buffer y output f32[192000] bytes 768000 live 1..2
// buffer matmul_temp temp f32[192000] bytes 768000 live 0..1 slot 0
// slot 0 bytes 768000
// apart %3 matmul | %14 sub: tile, 1536000 bytes
// apart %3 matmul | %4 max: tile, 1536000 bytes
// peak 1634048
// plan position -O2
// kernel position_0 dot
//   reads x w
//   writes matmul_temp
//   over [64, 3000]
//     %3 matmul f32[64, 3000] -> matmul_temp
//   bytes_read 98048
//   bytes_written 768000
//   flops 3072000
// kernel position_1 row
//   reads matmul_temp
//   writes y
//   over [64, 3000] along 3000
//     %4 argmax i32[64, 1] -> y
//   bytes_read 768000
//   bytes_written 256
//   flops 192000
// buffer x input f32[512] bytes 2048 live -1..2
// buffer w input f32[24000] bytes 96000 live -1..2
// buffer y output i32[64] bytes 256 live 1..2
// buffer matmul_temp temp f32[192000] bytes 768000 live 0..1 slot 0
// slot 0 bytes 768000
// apart %3 matmul | %4 argmax: tile, 1536000 bytes
// peak 866304
// plan spread -O2
// kernel spread_0 dot
//   reads x w
//   writes matmul_temp
//   over [64, 3000]
//     %3 matmul f32[64, 3000] -> matmul_temp
//   bytes_read 98048
//   bytes_written 768000
//   flops 3072000
// kernel spread_1 row
//   reads matmul_temp
//   writes y
//   over [64, 3000] along 3000
//     %4 sum f32[64, 1]
//     %8 div f32[64, 1]
//     %10 sub f32[64, 3000]
//     %11 mul f32[64, 3000]
//     %12 sum f32[64, 1]
//     %13 div f32[64, 1] -> y
//   bytes_read 768000
//   bytes_written 256
//   flops 768128
// buffer x input f32[512] bytes 2048 live -1..2
// buffer w input f32[24000] bytes 96000 live -1..2
// buffer y output f32[64] bytes 256 live 1..2
// buffer matmul_temp temp f32[192000] bytes 768000 live 0..1 slot 0
// slot 0 bytes 768000
// apart %3 matmul | %10 sub: tile, 1536000 bytes
// apart %3 matmul | %4 sum: tile, 1536000 bytes
// peak 866304
// plan any_length -O2
// kernel any_length_0 dot
//   reads x w
//   writes matmul_temp
//   over [64, N]
//     %3 matmul f32[64, N] -> matmul_temp
//   bytes_read 32*N + 2048
//   bytes_written 256*N
//   flops 1024*N
// kernel any_length_1 row
//   reads matmul_temp
//   writes y
//   over [64, N] along N
//     %4 max f32[64, 1]
//     %8 eq bool[64, 1]
//     %12 where f32[64, 1]
//     %14 sub f32[64, N]
//     %15 exp f32[64, N]
//     %16 sum f32[64, 1]
//     %20 eq bool[64, 1]
//     %21 log f32[64, 1]
//     %22 add f32[64, 1]
//     %23 where f32[64, 1] -> y
//   bytes_read 256*N
//   bytes_written 256
//   flops 256*N + 384
// buffer x input f32[512] bytes 2048 live -1..2
// buffer w input f32[8*N] bytes 32*N live -1..2
// buffer y output f32[64] bytes 256 live 1..2
// buffer matmul_temp temp f32[64*N] bytes 256*N live 0..1 slot 0
// slot 0 bytes 256*N
// apart %3 matmul | %14 sub: tile, 524288 bytes
// apart %3 matmul | %4 max: tile, 524288 bytes
// peak 288*N + 2304
// plan wanted -O1
// kernel wanted_0 dot
//   reads x w
//   writes matmul_temp
//   over [64, 3000]
//     %3 matmul f32[64, 3000] -> matmul_temp
//   bytes_read 98048
//   bytes_written 768000
//   flops 3072000
// kernel wanted_1 row
//   reads matmul_temp
//   writes y
//   over [64, 3000] along 3000
//     %4 max f32[64, 1]
//     %8 eq bool[64, 1]
//     %12 where f32[64, 1]
//     %14 sub f32[64, 3000]
//     %15 exp f32[64, 3000]
//     %16 sum f32[64, 1]
//     %20 eq bool[64, 1]
//     %21 log f32[64, 1]
//     %22 add f32[64, 1]
//     %23 where f32[64, 1] -> y
//   bytes_read 768000
//   bytes_written 256
//   flops 768384
// buffer x input f32[512] bytes 2048 live -1..2
// buffer w input f32[24000] bytes 96000 live -1..2
// buffer y output f32[64] bytes 256 live 1..2
// buffer matmul_temp temp f32[192000] bytes 768000 live 0..1 slot 0
// slot 0 bytes 768000
// apart %3 matmul | %14 sub: tile, 1536000 bytes
// apart %3 matmul | %4 max: tile, 1536000 bytes
// peak 866304
