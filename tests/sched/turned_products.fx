// Products that are only reduced, along the innermost rows of their left operand: these are columns of the transposed
// product, in segments of a tile, and nothing but sums is stored. Not where the scores are an output, too, where an
// axis lies between, where they are gated by another product, or where segments would cross tiles.
// run: fusec %s --arch=sm_90a --emit=plan --fn=scores -D M=1024 -D N=4096 -D H=16 -D D=128
// run: fusec %s --arch=sm_90a --emit=plan --fn=stored -D M=1024 -D N=4096 -D H=16 -D D=128
// run: fusec %s --arch=sm_90a --emit=plan --fn=outer -D M=1024 -D N=4096 -D H=16 -D D=128
// run: fusec %s --arch=sm_90a --emit=plan --fn=gated -D M=1024 -D N=4096 -D H=16 -D D=128
// run: fusec %s --arch=sm_90a --emit=plan --fn=scores -D M=1024 -D N=4096 -D H=12 -D D=128
fn scores[M, N, H, D](q: bf16[M, H, D], k: bf16[N, D], w: f32[M, H]) -> (score: f32[M, N], top: f32[M, N]) {
    p = einsum("mhd,nd->mhn", q, k);
    score = where(iota(M)[:, None] >= iota(N), sum(relu(p) * w[:, :, None], axis = 1), 0);
    top = max(p, axis = 1);
}
fn stored[M, N, H, D](q: bf16[M, H, D], k: bf16[N, D]) -> (p: f32[M, H, N], s: f32[M, N]) {
    p = einsum("mhd,nd->mhn", q, k);
    s = sum(p, axis = 1);
}
fn outer[M, N, H, D](q: bf16[H, M, D], k: bf16[N, D]) -> (s: f32[M, N]) {
    s = sum(relu(einsum("hmd,nd->hmn", q, k)), axis = 0);
}
fn gated[M, N, H, D](q: bf16[M, H, D], k: bf16[N, D], c: bf16[N, D]) -> (s: f32[M, N]) {
    s = sum(relu(einsum("mhd,nd->mhn", q, k)) * einsum("mhd,nd->mhn", q, c), axis = 1);
}
// ---- expect
// plan scores -O2
// kernel scores_0 dot
//   reads k q w
//   writes score top
//   over [4096, 1024, 16] along 16
//     %10 le bool[1024, 4096]
//     %15 matmul f32[4096, 1024, 16]
//     %17 max f32[4096, 1024, 16]
//     %19 mul f32[4096, 1024, 16]
//     %20 sum f32[4096, 1024, 1]
//     %24 where f32[4096, 1024, 1]
//     %25 permute f32[1024, 1, 4096] -> score
//     %27 max f32[4096, 1024, 1]
//     %28 permute f32[1024, 1, 4096] -> top
//   bytes_read 5308416
//   bytes_written 33554432
//   flops 17456693248
// buffer q input bf16[2097152] bytes 4194304 live -1..1
// buffer k input bf16[524288] bytes 1048576 live -1..1
// buffer w input f32[16384] bytes 65536 live -1..1
// buffer score output f32[4194304] bytes 16777216 live 0..1
// buffer top output f32[4194304] bytes 16777216 live 0..1
// peak 38862848
// plan stored -O2
// kernel stored_0 dot
//   reads q k
//   writes p
//   over [1024, 16, 4096]
//     %3 matmul f32[1024, 16, 4096] -> p
//   bytes_read 5242880
//   bytes_written 268435456
//   flops 17179869184
// kernel stored_1 row
//   reads p
//   writes s
//   over [1024, 16, 4096] along 16
//     %4 sum f32[1024, 1, 4096] -> s
//   bytes_read 268435456
//   bytes_written 16777216
//   flops 67108864
// buffer q input bf16[2097152] bytes 4194304 live -1..2
// buffer k input bf16[524288] bytes 1048576 live -1..2
// buffer p output f32[67108864] bytes 268435456 live 0..2
// buffer s output f32[4194304] bytes 16777216 live 1..2
// apart p | %4 sum: axes, 268435456 bytes
// peak 290455552
// plan outer -O2
// kernel outer_0 dot
//   reads q k
//   writes relu
//   over [16, 1024, 4096]
//     %3 matmul f32[16, 1024, 4096]
//     %7 max f32[16, 1024, 4096] -> relu
//   bytes_read 5242880
//   bytes_written 268435456
//   flops 17246978048
// kernel outer_1 row
//   reads relu
//   writes s
//   over [16, 1024, 4096] along 16
//     %8 sum f32[1, 1024, 4096] -> s
//   bytes_read 268435456
//   bytes_written 16777216
//   flops 67108864
// buffer q input bf16[2097152] bytes 4194304 live -1..2
// buffer k input bf16[524288] bytes 1048576 live -1..2
// buffer s output f32[4194304] bytes 16777216 live 1..2
// buffer relu temp f32[67108864] bytes 268435456 live 0..1 slot 0
// slot 0 bytes 268435456
// apart %7 max | %8 sum: axes, 536870912 bytes
// peak 290455552
// plan gated -O2
// kernel gated_0 dot
//   reads q k c
//   writes mul_temp
//   over [1024, 16, 4096]
//     %4 matmul f32[1024, 16, 4096]
//     %8 max f32[1024, 16, 4096]
//     %9 matmul f32[1024, 16, 4096]
//     %10 mul f32[1024, 16, 4096] -> mul_temp
//   bytes_read 6291456
//   bytes_written 268435456
//   flops 34493956096
// kernel gated_1 row
//   reads mul_temp
//   writes s
//   over [1024, 16, 4096] along 16
//     %11 sum f32[1024, 1, 4096] -> s
//   bytes_read 268435456
//   bytes_written 16777216
//   flops 67108864
// buffer q input bf16[2097152] bytes 4194304 live -1..2
// buffer k input bf16[524288] bytes 1048576 live -1..2
// buffer c input bf16[524288] bytes 1048576 live -1..2
// buffer s output f32[4194304] bytes 16777216 live 1..2
// buffer mul_temp temp f32[67108864] bytes 268435456 live 0..1 slot 0
// slot 0 bytes 268435456
// apart %10 mul | %11 sum: axes, 536870912 bytes
// peak 291504128
// plan scores -O2
// kernel scores_0 dot
//   reads q k
//   writes p
//   over [1024, 12, 4096]
//     %4 matmul f32[1024, 12, 4096] -> p
//   bytes_read 4194304
//   bytes_written 201326592
//   flops 12884901888
// kernel scores_1 row
//   reads p w
//   writes score top
//   over [1024, 12, 4096] along 12
//     %11 le bool[1024, 4096]
//     %15 max f32[1024, 12, 4096]
//     %18 mul f32[1024, 12, 4096]
//     %19 sum f32[1024, 1, 4096]
//     %23 where f32[1024, 4096] -> score
//     %24 max f32[1024, 1, 4096] -> top
//   bytes_read 201375744
//   bytes_written 33554432
//   flops 209715200
// buffer q input bf16[1572864] bytes 3145728 live -1..2
// buffer k input bf16[524288] bytes 1048576 live -1..2
// buffer w input f32[12288] bytes 49152 live -1..2
// buffer score output f32[4194304] bytes 16777216 live 1..2
// buffer top output f32[4194304] bytes 16777216 live 1..2
// buffer p temp f32[50331648] bytes 201326592 live 0..1 slot 0
// slot 0 bytes 201326592
// apart %4 matmul | %15 max: axes, 201326592 bytes
// apart %4 matmul | %24 max: axes, 201326592 bytes
// peak 239124480
