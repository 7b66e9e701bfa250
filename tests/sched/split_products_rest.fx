// run: fusec %s --arch=sm_90a --emit=plan
// Split-K where no number of splits divides the terms: what they leave is a product of its own, whose
// epilogue adds the splits. Not where operands are copied to longer rows: `copied`.
fn prime(a: f32[154, 3547], b: f32[195, 3547]) -> (y: f32[154, 195]) {
    y = a @ b.T;
}

fn packs(a: bf16[384, 6088], b: bf16[512, 6088], c: f32[512]) -> (y: bf16[384, 512]) {
    y = relu(a @ b.T + c) as bf16;
}

fn copied(a: bf16[300, 4099], b: bf16[700, 4099]) -> (y: bf16[300, 700]) {
    y = a @ b.T;
}
// ---- expect
// plan prime -O2
// kernel prime_0 dot
//   reads a b
//   writes y_parts
//   over [13, 154, 195]
//     %9 matmul f32[13, 154, 195] -> y_parts
//   bytes_read 4936256
//   bytes_written 1561560
//   flops 212372160
// kernel prime_1 dot
//   reads y_parts a b
//   writes y
//   over [154, 195]
//     %12 add f32[1, 154, 195]
//     %14 add f32[1, 154, 195]
//     %16 add f32[1, 154, 195]
//     %18 add f32[1, 154, 195]
//     %20 add f32[1, 154, 195]
//     %22 add f32[1, 154, 195]
//     %24 add f32[1, 154, 195]
//     %26 add f32[1, 154, 195]
//     %28 add f32[1, 154, 195]
//     %30 add f32[1, 154, 195]
//     %32 add f32[1, 154, 195]
//     %34 add f32[1, 154, 195]
//     %38 matmul f32[154, 195]
//     %39 add f32[154, 195] -> y
//   bytes_read 1576916
//   bytes_written 120120
//   flops 1051050
// buffer a input f32[546238] bytes 2184952 live -1..2
// buffer b input f32[691665] bytes 2766660 live -1..2
// buffer y output f32[30030] bytes 120120 live 1..2
// buffer y_parts temp f32[390390] bytes 1561560 live 0..1 slot 0
// slot 0 bytes 1561560
// apart %9 matmul | %14 add: chain, 8074732 bytes
// apart %9 matmul | %16 add: chain, 8074732 bytes
// apart %9 matmul | %18 add: chain, 8074732 bytes
// apart %9 matmul | %20 add: chain, 8074732 bytes
// apart %9 matmul | %22 add: chain, 8074732 bytes
// apart %9 matmul | %24 add: chain, 8074732 bytes
// apart %9 matmul | %26 add: chain, 8074732 bytes
// apart %9 matmul | %28 add: chain, 8074732 bytes
// apart %9 matmul | %30 add: chain, 8074732 bytes
// apart %9 matmul | %32 add: chain, 8074732 bytes
// apart %9 matmul | %34 add: chain, 8074732 bytes
// apart %9 matmul | %12 add: chain, 8074732 bytes
// apart %9 matmul | %12 add: chain, 8074732 bytes
// apart %9 matmul | %38 matmul: chain, 8074732 bytes
// apart %9 matmul | %38 matmul: chain, 8074732 bytes
// apart %9 matmul | %38 matmul: bundle, 8074732 bytes
// apart %9 matmul | %38 matmul: bundle, 8074732 bytes
// peak 6633292
//
// plan packs -O2
// kernel packs_0 dot
//   reads a b c
//   writes y
//   over [384, 512]
//     %4 matmul f32[384, 512]
//     %7 add f32[384, 512]
//     %11 max f32[384, 512]
//     %12 as bf16[384, 512] -> y
//   bytes_read 10911744
//   bytes_written 393216
//   flops 2394292224
// buffer a input bf16[2337792] bytes 4675584 live -1..1
// buffer b input bf16[3117056] bytes 6234112 live -1..1
// buffer c input f32[512] bytes 2048 live -1..1
// buffer y output bf16[196608] bytes 393216 live 0..1
// peak 11304960
//
// plan copied -O2
// kernel copied_0 pointwise
//   reads a
//   writes a_padded
//   over [300, 4160]
//     %4 pad bf16[300, 4160] -> a_padded
//   bytes_read 2459400
//   bytes_written 2496000
//   flops 0
// kernel copied_1 pointwise
//   reads b
//   writes b_padded
//   over [700, 4160]
//     %6 pad bf16[700, 4160] -> b_padded
//   bytes_read 5738600
//   bytes_written 5824000
//   flops 0
// kernel copied_2 dot
//   reads a_padded b_padded
//   writes y
//   over [300, 700]
//     %8 matmul f32[300, 700]
//     %9 as bf16[300, 700] -> y
//   bytes_read 8198000
//   bytes_written 420000
//   flops 1721580000
// buffer a input bf16[1229700] bytes 2459400 live -1..3
// buffer b input bf16[2869300] bytes 5738600 live -1..3
// buffer y output bf16[210000] bytes 420000 live 2..3
// buffer a_padded temp bf16[1248000] bytes 2496000 live 0..2 slot 0
// buffer b_padded temp bf16[2912000] bytes 5824000 live 1..2 slot 1
// slot 0 bytes 2496000
// slot 1 bytes 5824000
// peak 16938000
