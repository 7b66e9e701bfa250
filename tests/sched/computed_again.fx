// run: fusec %s --emit=plan --fn=bwd --arch=sm_90a
// Batch normalisation of columns: no kernel stores x - m, or products of it, for the next ones: they are computed again
// from x and dy, which are fewer bytes. Values that are outputs, or operands of products, stay.
fn norm(x: bf16[8192, 1024], g: f32[1024], b: f32[1024]) -> (y: bf16[8192, 1024]) {
    f = x as f32;
    m = mean(f, axis = 0);
    c = f - m;
    y = (c * rsqrt(mean(c * c, axis = 0) + 0.00001) * g + b) as bf16;
}
fn fwd, bwd = train(norm);
// ---- expect
// plan bwd -O2
// kernel bwd_0 row
//   reads x keep_1 g dy
//   writes sum_parts
//   over [32, 256, 1024] along 256
//     %23 sub f32[8192, 1024]
//     %24 mul f32[8192, 1024]
//     %25 mul f32[8192, 1024]
//     %27 sum f32[32, 1, 1024] -> sum_parts
//   bytes_read 33562624
//   bytes_written 131072
//   flops 33554432
// kernel bwd_1 row
//   reads sum_parts keep_2
//   writes mul_temp
//   over [32, 1024] along 32
//     %29 sum f32[1, 1024]
//     %31 mul f32[1024]
//     %32 mul f32[1024]
//     %36 mul f32[1024]
//     %37 mul f32[1024]
//     %42 mul f32[1, 1024] -> mul_temp
//   bytes_read 135168
//   bytes_written 4096
//   flops 37888
// kernel bwd_2 row
//   reads x keep_1 g dy keep_2 mul_temp
//   writes sum_parts2
//   over [32, 256, 1024] along 256
//     %44 sub f32[8192, 1024]
//     %45 mul f32[8192, 1024]
//     %46 mul f32[8192, 1024]
//     %47 mul f32[8192, 1024]
//     %48 add f32[8192, 1024]
//     %49 add f32[8192, 1024]
//     %50 neg f32[8192, 1024]
//     %52 sum f32[32, 1, 1024] -> sum_parts2
//   bytes_read 33570816
//   bytes_written 131072
//   flops 67108864
// kernel bwd_3 row
//   reads sum_parts2
//   writes mul_temp2
//   over [32, 1024] along 32
//     %54 sum f32[1, 1024]
//     %55 mul f32[1, 1024] -> mul_temp2
//   bytes_read 131072
//   bytes_written 4096
//   flops 33792
// kernel bwd_4 row
//   reads x keep_1 keep_2 dy g mul_temp mul_temp2
//   writes sum_parts3 sum_parts4 dx
//   over [8192, 1024] along 1024
//     %9 sub f32[8192, 1024]
//     %12 mul f32[8192, 1024]
//     %16 partial_sum f32[2048, 1024] -> sum_parts3
//     %19 mul f32[8192, 1024]
//     %20 partial_sum f32[2048, 1024] -> sum_parts4
//     %57 sub f32[8192, 1024]
//     %58 mul f32[8192, 1024]
//     %59 mul f32[8192, 1024]
//     %60 mul f32[8192, 1024]
//     %61 add f32[8192, 1024]
//     %62 add f32[8192, 1024]
//     %63 add f32[8192, 1024]
//     %64 as bf16[8192, 1024] -> dx
//   bytes_read 33574912
//   bytes_written 33554432
//   flops 100663296
// kernel bwd_5 row
//   reads sum_parts3 sum_parts4
//   writes db dg
//   over [2048, 1024] along 2048
//     %17 sum f32[1, 1024] -> db
//     %21 sum f32[1, 1024] -> dg
//   bytes_read 16777216
//   bytes_written 8192
//   flops 4194304
// buffer x input bf16[8388608] bytes 16777216 live -1..6
// buffer g input f32[1024] bytes 4096 live -1..6
// buffer b input f32[1024] bytes 4096 live -1..6
// buffer keep_1 input f32[1024] bytes 4096 live -1..6
// buffer keep_2 input f32[1024] bytes 4096 live -1..6
// buffer dy input bf16[8388608] bytes 16777216 live -1..6
// buffer dx output bf16[8388608] bytes 16777216 live 4..6
// buffer dg output f32[1024] bytes 4096 live 5..6
// buffer db output f32[1024] bytes 4096 live 5..6
// buffer sum_parts temp f32[32768] bytes 131072 live 0..1 slot 0
// buffer mul_temp temp f32[1024] bytes 4096 live 1..4 slot 1
// buffer sum_parts2 temp f32[32768] bytes 131072 live 2..3 slot 0
// buffer mul_temp2 temp f32[1024] bytes 4096 live 3..4 slot 2
// buffer sum_parts3 temp f32[2097152] bytes 8388608 live 4..5 slot 0
// buffer sum_parts4 temp f32[2097152] bytes 8388608 live 4..5 slot 3
// slot 0 bytes 8388608
// slot 1 bytes 4096
// slot 2 bytes 4096
// slot 3 bytes 8388608
// apart %16 partial_sum | %17 sum: space, 16777216 bytes
// apart %20 partial_sum | %21 sum: space, 16777216 bytes
// apart %27 sum | %29 sum: space, 262144 bytes
// apart %52 sum | %54 sum: space, 262144 bytes
// apart %55 mul | %63 add: space, 8192 bytes
// apart %42 mul | %47 mul: space, 8192 bytes
// apart %42 mul | %60 mul: space, 8192 bytes
// apart %44 sub | %57 sub: space, 33570816 bytes
// apart %44 sub | %57 sub: space, 33570816 bytes
// apart %45 mul | %58 mul: space, 33570816 bytes
// apart %45 mul | %58 mul: space, 33570816 bytes
// apart %46 mul | %59 mul: space, 33570816 bytes
// apart %47 mul | %60 mul: space, 33570816 bytes
// apart %23 sub | %44 sub: cycle, 33562624 bytes
// apart %23 sub | %44 sub: cycle, 33562624 bytes
// apart %24 mul | %45 mul: cycle, 33562624 bytes
// apart %24 mul | %45 mul: cycle, 33562624 bytes
// apart %9 sub | %23 sub: space, 33562624 bytes
// apart %9 sub | %23 sub: space, 33562624 bytes
// apart %19 mul | %24 mul: space, 33562624 bytes
// apart %32 mul | %46 mul: space, 8192 bytes
// apart %12 mul | %31 mul: space, 4096 bytes
// apart %44 sub | %57 sub: bundle, 33570816 bytes
// apart %44 sub | %57 sub: bundle, 33570816 bytes
// apart %45 mul | %58 mul: bundle, 33570816 bytes
// apart %45 mul | %58 mul: bundle, 33570816 bytes
// apart %46 mul | %59 mul: bundle, 33570816 bytes
// apart %47 mul | %60 mul: bundle, 33570816 bytes
// apart %9 sub | %23 sub: bundle, 33562624 bytes
// apart %9 sub | %23 sub: bundle, 33562624 bytes
// apart %19 mul | %24 mul: bundle, 33562624 bytes
// apart %23 sub | %44 sub: bundle, 33562624 bytes
// apart %23 sub | %44 sub: bundle, 33562624 bytes
// apart %24 mul | %45 mul: bundle, 33562624 bytes
// apart %24 mul | %45 mul: bundle, 33562624 bytes
// apart %32 mul | %46 mul: bundle, 8192 bytes
// apart %12 mul | %31 mul: bundle, 4096 bytes
// peak 67141632
