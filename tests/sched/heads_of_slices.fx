// Queries, keys and values of one product: rope of queries is in the epilogue of their slice, as of a
// product of their own. Of few rows slices of different shapes are not worth kernels of their own.
// run: fusec %s --arch=sm_90a --emit=plan --fn=many
// run: fusec %s --arch=sm_90a --emit=plan --fn=few
fn rope[N, H, D](x: bf16[N, H, D], c: f32[N, D/2], s: f32[N, D/2]) -> (y: bf16[N, H, D]) {
    a, b = split(x, 2);
    y = concat(a * c[:, None] - b * s[:, None], b * c[:, None] + a * s[:, None]);
}
fn heads[N, H, G](x: bf16[N, 2048], w: bf16[(H + 2 * G) * 128, 2048], c: f32[N, 64], s: f32[N, 64])
    -> (q: bf16[N, H, 128], k: bf16[N, G, 128], v: bf16[N, G, 128]) {
    y = (x @ w.T) as bf16;
    q = rope(reshape(y[:, :H * 128], N, H, 128), c, s);
    k = rope(reshape(y[:, H * 128:(H + G) * 128], N, G, 128), c, s);
    v = reshape(y[:, (H + G) * 128:], N, G, 128);
}
fn many(x: bf16[2048, 2048], w: bf16[3072, 2048], c: f32[2048, 64], s: f32[2048, 64])
    -> (q: bf16[2048, 16, 128], k: bf16[2048, 4, 128], v: bf16[2048, 4, 128]) {
    q, k, v = heads(x, w, c, s, H = 16, G = 4);
}
fn few(x: bf16[16, 2048], w: bf16[3072, 2048], c: f32[16, 64], s: f32[16, 64])
    -> (q: bf16[16, 16, 128], k: bf16[16, 4, 128], v: bf16[16, 4, 128]) {
    q, k, v = heads(x, w, c, s, H = 16, G = 4);
}
// ---- expect
// plan many -O2
// kernel many_0 dot
//   reads x w c s
//   writes q
//   over [2048, 16, 128] along 128
//     %7 matmul f32[2048, 16, 128]
//     %8 as bf16[2048, 16, 128]
//     %14 mul f32[2048, 16, 64]
//     %18 mul f32[2048, 16, 64]
//     %19 sub f32[2048, 16, 64]
//     %20 mul f32[2048, 16, 64]
//     %21 mul f32[2048, 16, 64]
//     %22 add f32[2048, 16, 64]
//     %31 lt bool[1, 1, 128]
//     %33 where f32[2048, 16, 128]
//     %34 as bf16[2048, 16, 128] -> q
//   bytes_read 17825792
//   bytes_written 8388608
//   flops 17196646528
// kernel many_1 dot
//   reads x w
//   writes y v
//   over [2048, 4, 128]
//     %37 matmul f32[2048, 4, 128]
//     %38 as bf16[2048, 4, 128] -> y
//     %58 matmul f32[2048, 4, 128]
//     %59 as bf16[2048, 4, 128] -> v
//   bytes_read 12582912
//   bytes_written 4194304
//   flops 8589934592
// kernel many_2 pointwise
//   reads y c s
//   writes k
//   over [2048, 4, 128]
//     %31 lt bool[1, 1, 128]
//     %43 mul f32[2048, 4, 64]
//     %46 mul f32[2048, 4, 64]
//     %47 sub f32[2048, 4, 64]
//     %48 mul f32[2048, 4, 64]
//     %49 mul f32[2048, 4, 64]
//     %50 add f32[2048, 4, 64]
//     %54 where f32[2048, 4, 128]
//     %55 as bf16[2048, 4, 128] -> k
//   bytes_read 3145728
//   bytes_written 2097152
//   flops 4194432
// buffer x input bf16[4194304] bytes 8388608 live -1..3
// buffer w input bf16[6291456] bytes 12582912 live -1..3
// buffer c input f32[131072] bytes 524288 live -1..3
// buffer s input f32[131072] bytes 524288 live -1..3
// buffer q output bf16[4194304] bytes 8388608 live 0..3
// buffer k output bf16[1048576] bytes 2097152 live 2..3
// buffer v output bf16[1048576] bytes 2097152 live 1..3
// buffer y temp bf16[1048576] bytes 2097152 live 1..2 slot 0
// slot 0 bytes 2097152
// apart %38 as | %43 mul: slower, 4194304 bytes
// apart %38 as | %46 mul: slower, 4194304 bytes
// apart %38 as | %48 mul: slower, 4194304 bytes
// apart %38 as | %49 mul: slower, 4194304 bytes
// apart %7 matmul | %37 matmul: left, 20971520 bytes
// apart %7 matmul | %37 matmul: left, 20971520 bytes
// apart %20 mul | %43 mul: space, 1048576 bytes
// apart %21 mul | %46 mul: space, 1048576 bytes
// apart %33 where | %54 where: space, 1048576 bytes
// apart %7 matmul | %37 matmul: bundle, 20971520 bytes
// apart %7 matmul | %37 matmul: bundle, 20971520 bytes
// apart %20 mul | %43 mul: bundle, 1048576 bytes
// apart %21 mul | %46 mul: bundle, 1048576 bytes
// apart %33 where | %54 where: bundle, 1048576 bytes
// peak 36700160
// plan few -O2
// kernel few_0 dot
//   reads x w
//   writes y
//   over [16, 3072]
//     %5 matmul f32[16, 3072]
//     %6 as bf16[16, 3072] -> y
//   bytes_read 12648448
//   bytes_written 98304
//   flops 201326592
// kernel few_1 pointwise
//   reads y c s
//   writes q k v
//   over [16, 16, 128]
//     %14 mul f32[16, 16, 64]
//     %18 mul f32[16, 16, 64]
//     %19 sub f32[16, 16, 64]
//     %20 mul f32[16, 16, 64]
//     %21 mul f32[16, 16, 64]
//     %22 add f32[16, 16, 64]
//     %31 lt bool[1, 1, 128]
//     %33 where f32[16, 16, 128]
//     %34 as bf16[16, 16, 128] -> q
//   over [16, 4, 128]
//     %31 lt bool[1, 1, 128]
//     %41 mul f32[16, 4, 64]
//     %44 mul f32[16, 4, 64]
//     %45 sub f32[16, 4, 64]
//     %46 mul f32[16, 4, 64]
//     %47 mul f32[16, 4, 64]
//     %48 add f32[16, 4, 64]
//     %52 where f32[16, 4, 128]
//     %53 as bf16[16, 4, 128] -> k
//   over [16, 512]
//     %54 slice bf16[16, 512] -> v
//   bytes_read 106496
//   bytes_written 98304
//   flops 164096
// buffer x input bf16[32768] bytes 65536 live -1..2
// buffer w input bf16[6291456] bytes 12582912 live -1..2
// buffer c input f32[1024] bytes 4096 live -1..2
// buffer s input f32[1024] bytes 4096 live -1..2
// buffer q output bf16[32768] bytes 65536 live 1..2
// buffer k output bf16[8192] bytes 16384 live 1..2
// buffer v output bf16[8192] bytes 16384 live 1..2
// buffer y temp bf16[49152] bytes 98304 live 0..1 slot 0
// slot 0 bytes 98304
// apart %6 as | %14 mul: space, 98304 bytes
// apart %6 as | %18 mul: space, 98304 bytes
// apart %6 as | %20 mul: space, 98304 bytes
// apart %6 as | %21 mul: space, 98304 bytes
// apart %6 as | %41 mul: space, 98304 bytes
// apart %6 as | %44 mul: space, 98304 bytes
// apart %6 as | %46 mul: space, 98304 bytes
// apart %6 as | %47 mul: space, 98304 bytes
// apart %6 as | %54 slice: space, 98304 bytes
// peak 12853248
