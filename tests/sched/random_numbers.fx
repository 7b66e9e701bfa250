// run: fusec %s --emit=plan -D N=512 -D D=512
// kernels: 4
// Random numbers are never stored: two kernels compute them again, normal ones too.
fn f[N, D](x: f32[N, D], w: f32[D, D], seed: i64) -> (y: f32[N], z: f32[D], a: f32[N, D], b: f32[D]) {
    noise = random_normal(seed, N, D);
    y = sum(x * noise);
    z = sum(x + noise, axis = 0);
    a = dropout(x, 0.1, seed) @ w;
    b = sum(dropout(x, 0.1, seed), axis = 0);
}
// ---- expect
// plan f -O2
// kernel f_0 row
//   reads seed x
//   writes y sum_parts where_temp sum_parts2
//   over [512, 512] along 512
//     %9 mul i64[512, 512]
//     %12 philox i32[512, 512]
//     %13 unit_float f32[512, 512]
//     %17 add i64[512, 512]
//     %18 philox i32[512, 512]
//     %19 unit_float f32[512, 512]
//     %23 sub f32[512, 512]
//     %24 log f32[512, 512]
//     %28 mul f32[512, 512]
//     %29 sqrt f32[512, 512]
//     %33 mul f32[512, 512]
//     %34 cos f32[512, 512]
//     %35 mul f32[512, 512]
//     %36 mul f32[512, 512]
//     %37 sum f32[512, 1] -> y
//     %39 add f32[512, 512]
//     %40 partial_sum f32[128, 512] -> sum_parts
//     %43 philox i32[512, 512]
//     %44 unit_float f32[512, 512]
//     %48 lt bool[512, 512]
//     %52 mul f32[512, 512]
//     %56 where f32[512, 512] -> where_temp
//     %67 partial_sum f32[128, 512] -> sum_parts2
//   bytes_read 1048584
//   bytes_written 1574912
//   flops 6029312
// kernel f_1 row
//   reads sum_parts sum_parts2
//   writes z b
//   over [128, 512] along 128
//     %41 sum f32[1, 512] -> z
//     %68 sum f32[1, 512] -> b
//   bytes_read 524288
//   bytes_written 4096
//   flops 131072
// kernel f_2 dot
//   reads where_temp w
//   writes a_parts
//   over [2, 512, 512]
//     %62 matmul f32[2, 512, 512] -> a_parts
//   bytes_read 2097152
//   bytes_written 2097152
//   flops 268435456
// kernel f_3 pointwise
//   reads a_parts
//   writes a
//   over [512, 512]
//     %65 add f32[1, 512, 512] -> a
//   bytes_read 2097152
//   bytes_written 1048576
//   flops 262144
// buffer x input f32[262144] bytes 1048576 live -1..4
// buffer w input f32[262144] bytes 1048576 live -1..4
// buffer seed input i64[1] bytes 8 live -1..4
// buffer y output f32[512] bytes 2048 live 0..4
// buffer z output f32[512] bytes 2048 live 1..4
// buffer a output f32[262144] bytes 1048576 live 3..4
// buffer b output f32[512] bytes 2048 live 1..4
// buffer sum_parts temp f32[65536] bytes 262144 live 0..1 slot 0
// buffer where_temp temp f32[262144] bytes 1048576 live 0..2 slot 1
// buffer sum_parts2 temp f32[65536] bytes 262144 live 0..1 slot 2
// buffer a_parts temp f32[524288] bytes 2097152 live 2..3 slot 0
// slot 0 bytes 2097152
// slot 1 bytes 1048576
// slot 2 bytes 262144
// apart %62 matmul | %65 add: space, 4194304 bytes
// apart %62 matmul | %65 add: space, 4194304 bytes
// apart %40 partial_sum | %41 sum: space, 524288 bytes
// apart %67 partial_sum | %68 sum: space, 524288 bytes
// apart %56 where | %62 matmul: operand, 2097152 bytes
// apart %62 matmul | %67 partial_sum: beside, 0 bytes
// apart %62 matmul | %67 partial_sum: bundle, 0 bytes
// peak 6559752
