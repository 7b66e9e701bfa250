// What combines the sums of chunks that one kernel leaves is one kernel, although each reads other ones.
// run: fusec %s --emit=plan --machine=h200
// kernels: 2
fn sums(x: f32[4194304], y: f32[4194304]) -> (a: f32, b: f32, c: f32) {
    a = sum(x * x);
    b = sum(x * y);
    c = max(y);
}
// ---- expect
// plan sums -O2
// kernel sums_0 row
//   reads x y
//   writes sum_parts sum_parts2 max_parts
//   over [1024, 4096] along 4096
//     %3 mul f32[4194304]
//     %5 sum f32[1024, 1] -> sum_parts
//     %9 mul f32[4194304]
//     %11 sum f32[1024, 1] -> sum_parts2
//     %16 max f32[1024, 1] -> max_parts
//   bytes_read 33554432
//   bytes_written 12288
//   flops 20971520
// kernel sums_1 row
//   reads sum_parts sum_parts2 max_parts
//   writes a b c
//   over [1024] along 1024
//     %7 sum f32[1] -> a
//     %13 sum f32[1] -> b
//     %18 max f32[1] -> c
//   bytes_read 12288
//   bytes_written 12
//   flops 3072
// buffer x input f32[4194304] bytes 16777216 live -1..2
// buffer y input f32[4194304] bytes 16777216 live -1..2
// buffer a output f32[1] bytes 4 live 1..2
// buffer b output f32[1] bytes 4 live 1..2
// buffer c output f32[1] bytes 4 live 1..2
// buffer sum_parts temp f32[1024] bytes 4096 live 0..1 slot 0
// buffer sum_parts2 temp f32[1024] bytes 4096 live 0..1 slot 1
// buffer max_parts temp f32[1024] bytes 4096 live 0..1 slot 2
// slot 0 bytes 4096
// slot 1 bytes 4096
// slot 2 bytes 4096
// apart %5 sum | %7 sum: space, 8192 bytes
// apart %11 sum | %13 sum: space, 8192 bytes
// apart %16 max | %18 max: space, 8192 bytes
// peak 33566732
