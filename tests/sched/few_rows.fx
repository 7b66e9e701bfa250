// Few rows or columns: on a CPU, the products read their other operand in place, so they share a kernel
// neither with a softmax of their rows nor with the other product of an attention. A promise of one
// kernel is kept. Products of two vectors are sums, and fused as such.
// run: fusec %s --fn decode --target=c --emit=plan -D H=4 -D S=500 -D D=64
// run: fusec %s --fn experts --target=c --emit=plan -D S=500 -D D=64
// run: fusec %s --fn promised --target=c --emit=plan -D H=4 -D S=500 -D D=64
// run: fusec %s --fn angles --target=c --emit=plan -D S=500 -D D=64
// run: fusec run %s --fn decode --check -D H=4 -D S=500 -D D=64
// run: fusec run %s --fn experts --check -D S=500 -D D=64
// run: fusec run %s --fn angles --check -D S=500 -D D=64
fn decode[H, S, D](q: bf16[H, 2, D], k: bf16[H, S, D], v: bf16[H, S, D]) -> (o: bf16[H, 2, D]) {
    o = softmax(q @ k.T * rsqrt(D)) as bf16 @ v;
}

fn experts[S, D](x: f32[S, D], w: f32[6, D]) -> (y: f32[S, 6]) {
    y = softmax(x @ w.T);
}

fn angles[S, D](x: f32[S, D], z: f32[S, D]) -> (y: f32[S]) {
    y = einsum("nd,nd->n", x, z) * rsqrt(sum(x * x) * sum(z * z));
}

@one_kernel
fn promised[H, S, D](q: bf16[H, 2, D], k: bf16[H, S, D], v: bf16[H, S, D]) -> (o: bf16[H, 2, D]) {
    o = softmax(q @ k.T * rsqrt(D)) as bf16 @ v;
}
// ---- expect
// plan decode -O2
// kernel decode_0 dot
//   reads q k
//   writes mul_temp
//   over [4, 2, 500]
//     %4 matmul f32[4, 2, 500]
//     %8 mul f32[4, 2, 500] -> mul_temp
//   bytes_read 257024
//   bytes_written 16000
//   flops 516000
// kernel decode_1 row
//   reads mul_temp
//   writes sum_temp as_temp
//   over [4, 2, 500] along 500
//     %10 max f32[4, 2, 1]
//     %14 lt bool[4, 2, 1]
//     %17 mul f32[4, 2, 1]
//     %18 ceil f32[4, 2, 1]
//     %22 where f32[4, 2, 1]
//     %24 mul f32[4, 2, 500]
//     %26 sub f32[4, 2, 500]
//     %27 exp2 f32[4, 2, 500]
//     %28 sum f32[4, 2, 1] -> sum_temp
//     %29 as bf16[4, 2, 500] -> as_temp
//   bytes_read 16000
//   bytes_written 8032
//   flops 20032
// kernel decode_2 dot
//   reads as_temp v sum_temp
//   writes o
//   over [4, 2, 64]
//     %31 matmul f32[4, 2, 64]
//     %32 eq bool[4, 2, 1]
//     %36 where f32[4, 2, 1]
//     %37 div f32[4, 2, 1]
//     %39 mul f32[4, 2, 64]
//     %40 as bf16[4, 2, 64] -> o
//   bytes_read 264032
//   bytes_written 1024
//   flops 512536
// buffer q input bf16[512] bytes 1024 live -1..3
// buffer k input bf16[128000] bytes 256000 live -1..3
// buffer v input bf16[128000] bytes 256000 live -1..3
// buffer o output bf16[512] bytes 1024 live 2..3
// buffer mul_temp temp f32[4000] bytes 16000 live 0..1 slot 0
// buffer sum_temp temp f32[8] bytes 32 live 1..2 slot 1
// buffer as_temp temp bf16[4000] bytes 8000 live 1..2 slot 2
// slot 0 bytes 16000
// slot 1 bytes 32
// slot 2 bytes 8000
// apart %8 mul | %10 max: slower, 32000 bytes
// apart %8 mul | %24 mul: slower, 32000 bytes
// apart %28 sum | %32 eq: operand, 16064 bytes
// apart %28 sum | %36 where: operand, 16064 bytes
// apart %29 as | %31 matmul: operand, 16064 bytes
// peak 538080
// plan experts -O2
// kernel experts_0 dot
//   reads x w
//   writes matmul_temp
//   over [500, 6]
//     %3 matmul f32[500, 6] -> matmul_temp
//   bytes_read 129536
//   bytes_written 12000
//   flops 384000
// kernel experts_1 row
//   reads matmul_temp
//   writes y
//   over [500, 6] along 6
//     %4 max f32[500, 1]
//     %8 eq bool[500, 1]
//     %12 where f32[500, 1]
//     %14 sub f32[500, 6]
//     %15 exp f32[500, 6]
//     %16 sum f32[500, 1]
//     %17 eq bool[500, 1]
//     %21 where f32[500, 1]
//     %22 div f32[500, 1]
//     %24 mul f32[500, 6] -> y
//   bytes_read 12000
//   bytes_written 12000
//   flops 17500
// buffer x input f32[32000] bytes 128000 live -1..2
// buffer w input f32[384] bytes 1536 live -1..2
// buffer y output f32[3000] bytes 12000 live 1..2
// buffer matmul_temp temp f32[3000] bytes 12000 live 0..1 slot 0
// slot 0 bytes 12000
// apart %3 matmul | %14 sub: slower, 24000 bytes
// apart %3 matmul | %4 max: slower, 24000 bytes
// peak 153536
// plan promised -O2
// kernel promised_0 attention
//   reads q k v
//   writes o
//   over [4, 2, 64] along 64
//     %4 matmul f32[4, 2, 500]
//     %8 mul f32[4, 2, 500]
//     %10 max f32[4, 2, 1]
//     %14 lt bool[4, 2, 1]
//     %17 mul f32[4, 2, 1]
//     %18 ceil f32[4, 2, 1]
//     %22 where f32[4, 2, 1]
//     %24 mul f32[4, 2, 500]
//     %26 sub f32[4, 2, 500]
//     %27 exp2 f32[4, 2, 500]
//     %28 sum f32[4, 2, 1]
//     %29 as bf16[4, 2, 500]
//     %31 matmul f32[4, 2, 64]
//     %32 eq bool[4, 2, 1]
//     %36 where f32[4, 2, 1]
//     %37 div f32[4, 2, 1]
//     %39 mul f32[4, 2, 64]
//     %40 as bf16[4, 2, 64] -> o
//   bytes_read 513024
//   bytes_written 1024
//   flops 1048568
// buffer q input bf16[512] bytes 1024 live -1..1
// buffer k input bf16[128000] bytes 256000 live -1..1
// buffer v input bf16[128000] bytes 256000 live -1..1
// buffer o output bf16[512] bytes 1024 live 0..1
// peak 514048
// plan angles -O2
// kernel angles_0 row
//   reads x z
//   writes y
//   over [500, 64] along 64
//     %3 mul f32[500, 64]
//     %4 sum f32[500, 1]
//     %6 mul f32[500, 64]
//     %7 sum f32[500, 1]
//     %9 mul f32[500, 64]
//     %10 sum f32[500, 1]
//     %12 mul f32[500]
//     %13 rsqrt f32[500]
//     %14 mul f32[500] -> y
//   bytes_read 256000
//   bytes_written 2000
//   flops 193500
// buffer x input f32[32000] bytes 128000 live -1..1
// buffer z input f32[32000] bytes 128000 live -1..1
// buffer y output f32[500] bytes 2000 live 0..1
// peak 258000
// o: bf16[4, 2, 64]  mean -0.001312  max 0.0791  checksum 2d0fd2eac0932894
// o: ok, largest error 0 of 1.95e-06 allowed, mean 0 of 1.79e-05, at [0, 0, 0]: got 0.000368118286, want 0.000368118286
// fusec: remark: random inputs, seed 0: q, k, v
// y: f32[500, 6]  mean 0.1667  max 0.9985  checksum 90d05becf7303907
// y: ok, largest error 2.98e-07 of 1.31e-06 allowed, mean 3.04e-08 of 2.66e-07, at [11, 2]: got 0.470389634, want 0.470389336
// fusec: remark: random inputs, seed 0: x, w
// y: f32[500]  mean -0.0087  max 0.3574  checksum 56d28b203253fc4a
// y: ok, largest error 5.96e-08 of 4.19e-07 allowed, mean 1.11e-08 of 9.5e-08, at [237]: got 0.357363284, want 0.357363343
// fusec: remark: random inputs, seed 0: x, z
