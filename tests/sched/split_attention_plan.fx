// run: fusec %s --emit=plan --arch sm_80
// kernels: 2
// 27 chunks of the keys, one behind the other, make two blocks for each of 108 multiprocessors.
fn decode[S](q: bf16[1, 8, 4, 128], k: bf16[1, 8, S, 128], v: bf16[1, 8, S, 128]) -> (o: bf16[1, 8, 4, 128]) {
    o = softmax((q @ k.T) * rsqrt(128.0)) as bf16 @ v;
}
// ---- expect
// plan decode -O2
// kernel decode_0 attention
//   reads q k v
//   writes partial_max partial_shift partial_sum partial_out
//   over [8, 27, 4, 128] along 128
//     %8 matmul f32[1, 8, 27, 4, S]
//     %14 mul f32[1, 8, 27, 4, S]
//     %31 as i64[27, 1, 1]
//     %32 as i64[27, 1, 1]
//     %33 mul i64[27, 1, 1]
//     %34 add i64[27, 1, 1]
//     %36 as i64[S]
//     %40 lt bool[27, 1, S]
//     %42 le bool[27, 1, S]
//     %43 and bool[27, 1, S]
//     %48 where f32[1, 8, 27, 4, S]
//     %50 max f32[1, 8, 27, 4, 1] -> partial_max
//     %59 lt bool[1, 8, 27, 4, 1]
//     %66 mul f32[1, 8, 27, 4, 1]
//     %69 ceil f32[1, 8, 27, 4, 1]
//     %76 where f32[1, 8, 27, 4, 1] -> partial_shift
//     %82 mul f32[1, 8, 27, 4, S]
//     %84 sub f32[1, 8, 27, 4, S]
//     %85 exp2 f32[1, 8, 27, 4, S]
//     %86 sum f32[1, 8, 27, 4, 1] -> partial_sum
//     %100 as bf16[1, 8, 27, 4, S]
//     %104 matmul f32[1, 8, 27, 4, 128] -> partial_out
//   bytes_read 4096*S + 8192
//   bytes_written 452736
//   flops 16689*S + 182
// kernel decode_1 row
//   reads partial_max partial_shift partial_sum partial_out
//   writes o
//   over [8, 27, 4, 128] along 27
//     %52 max f32[1, 8, 1, 4, 128]
//     %61 lt bool[1, 8, 4, 128]
//     %68 mul f32[1, 8, 4, 128]
//     %70 ceil f32[1, 8, 4, 128]
//     %78 where f32[1, 8, 4, 128]
//     %90 sub f32[1, 8, 27, 4, 128]
//     %94 eq bool[1, 8, 27, 4, 128]
//     %95 exp2 f32[1, 8, 27, 4, 128]
//     %96 where f32[1, 8, 27, 4, 128]
//     %97 mul f32[1, 8, 27, 4, 128]
//     %98 sum f32[1, 8, 1, 4, 128]
//     %105 mul f32[1, 8, 27, 4, 128]
//     %106 sum f32[1, 8, 1, 4, 128]
//     %108 eq bool[1, 8, 4, 128]
//     %113 where f32[1, 8, 4, 128]
//     %114 div f32[1, 8, 4, 128]
//     %115 mul f32[1, 8, 4, 128]
//     %116 as bf16[1, 8, 4, 128] -> o
//   bytes_read 452736
//   bytes_written 8192
//   flops 1028096
// buffer q input bf16[4096] bytes 8192 live -1..2
// buffer k input bf16[1024*S] bytes 2048*S live -1..2
// buffer v input bf16[1024*S] bytes 2048*S live -1..2
// buffer o output bf16[4096] bytes 8192 live 1..2
// buffer partial_max temp f32[864] bytes 3456 live 0..1 slot 0
// buffer partial_shift temp f32[864] bytes 3456 live 0..1 slot 1
// buffer partial_sum temp f32[864] bytes 3456 live 0..1 slot 2
// buffer partial_out temp f32[110592] bytes 442368 live 0..1 slot 3
// slot 0 bytes 3456
// slot 1 bytes 3456
// slot 2 bytes 3456
// slot 3 bytes 442368
// apart %104 matmul | %105 mul: attention, 905472 bytes
// apart %76 where | %90 sub: attention, 905472 bytes
// apart %50 max | %52 max: attention, 905472 bytes
// apart %86 sum | %97 mul: attention, 905472 bytes
// apart %86 sum | %94 eq: attention, 905472 bytes
// apart %84 sub | %90 sub: attention, 905472 bytes
// apart %52 max | %59 lt: attention, 0 bytes
// apart %84 sub | %90 sub: bundle, 905472 bytes
// apart %52 max | %59 lt: bundle, 0 bytes
// peak 4096*S + 469120
