// Operands whose rows TMA cannot bring are copied to rows that it can, with zeros behind them: rows
// of k, rows of n, and rows that start within 16 bytes. What reads the operand elsewhere reads the
// original. A value and its transposition have one copy. What a kernel computes is stored in such rows.
// Short rows of k are copied, too, if the product is added to a longer one.
// run: fusec %s --arch=sm_90a --emit=plan
// run: fusec %s --fn along --arch=sm_90a -o %t.cu
// run: grep -A1 "const bool wide" %t.cu
fn along(a: bf16[2047, 2051], b: bf16[2049, 2051]) -> (y: bf16[2047, 2049]) {
    y = a @ b.T;
}

fn across(a: f16[2047, 2056], b: f16[2056, 2049], r: f16[2056, 2049]) -> (y: f16[2047, 2049],
                                                                         z: f16[2056, 2049]) {
    y = a @ b;
    z = b + r;
}

fn shifted(a: bf16[16, 1000, 260], b: bf16[16, 1000, 264]) -> (y: bf16[16, 1000, 1000]) {
    y = a[:, :, 2:258] @ b[:, :, :256].T;
}

fn shared(x: bf16[2047, 2051]) -> (y: bf16[2047, 2047], z: bf16[2051, 2051]) {
    y = x @ x.T;
    z = x.T @ x;
}

fn one(x: bf16[1, 2047, 2051], w: bf16[2051, 2048]) -> (y: bf16[1, 2047, 2048]) {
    y = x @ w;
}

fn computed(a: f32[2047, 2051], b: bf16[2049, 2051]) -> (y: f32[2047, 2049]) {
    y = (exp(a) as bf16) @ b.T;
}

fn rank4(x: bf16[1232, 7936], w: bf16[664, 7936], t: bf16[1232, 4], b: bf16[664, 4]) -> (y: f32[1232, 664]) {
    y = x @ w.T + t @ b.T;
}
// ---- expect
// plan along -O2
// kernel along_0 pointwise
//   reads a
//   writes a_padded
//   over [2047, 2112]
//     %4 pad bf16[2047, 2112] -> a_padded
//   bytes_read 8396794
//   bytes_written 8646528
//   flops 0
// kernel along_1 pointwise
//   reads b
//   writes b_padded
//   over [2049, 2112]
//     %6 pad bf16[2049, 2112] -> b_padded
//   bytes_read 8404998
//   bytes_written 8654976
//   flops 0
// kernel along_2 dot
//   reads a_padded b_padded
//   writes y
//   over [2047, 2049]
//     %8 matmul f32[2047, 2049]
//     %9 as bf16[2047, 2049] -> y
//   bytes_read 16801792
//   bytes_written 8388606
//   flops 17205030906
// buffer a input bf16[4198397] bytes 8396794 live -1..3
// buffer b input bf16[4202499] bytes 8404998 live -1..3
// buffer y output bf16[4194303] bytes 8388606 live 2..3
// buffer a_padded temp bf16[4323264] bytes 8646528 live 0..2 slot 0
// buffer b_padded temp bf16[4327488] bytes 8654976 live 1..2 slot 1
// slot 0 bytes 8646528
// slot 1 bytes 8654976
// peak 42491902
//
// plan across -O2
// kernel across_0 pointwise
//   reads b r
//   writes b_padded z
//   over [2056, 2112]
//     %5 pad f16[2056, 2112] -> b_padded
//   over [2056, 2049]
//     %12 add f32[2056, 2049]
//     %13 as f16[2056, 2049] -> z
//   bytes_read 16850976
//   bytes_written 17110032
//   flops 4212744
// kernel across_1 dot
//   reads a b_padded
//   writes y
//   over [2047, 2049]
//     %8 matmul f32[2047, 2049]
//     %9 as f16[2047, 2049] -> y
//   bytes_read 16842752
//   bytes_written 8388606
//   flops 17246973936
// buffer a input f16[4208632] bytes 8417264 live -1..2
// buffer b input f16[4212744] bytes 8425488 live -1..2
// buffer r input f16[4212744] bytes 8425488 live -1..2
// buffer y output f16[4194303] bytes 8388606 live 1..2
// buffer z output f16[4212744] bytes 8425488 live 0..2
// buffer b_padded temp f16[4342272] bytes 8684544 live 0..1 slot 0
// slot 0 bytes 8684544
// peak 50766878
//
// plan shifted -O2
// kernel shifted_0 pointwise
//   reads a
//   writes a_padded
//   over [16, 1000, 256]
//     %6 pad bf16[16, 1000, 256] -> a_padded
//   bytes_read 8320000
//   bytes_written 8192000
//   flops 0
// kernel shifted_1 dot
//   reads a_padded b
//   writes y
//   over [16, 1000, 1000]
//     %7 matmul f32[16, 1000, 1000]
//     %8 as bf16[16, 1000, 1000] -> y
//   bytes_read 16384000
//   bytes_written 32000000
//   flops 8192000000
// buffer a input bf16[4160000] bytes 8320000 live -1..2
// buffer b input bf16[4224000] bytes 8448000 live -1..2
// buffer y output bf16[16000000] bytes 32000000 live 1..2
// buffer a_padded temp bf16[4096000] bytes 8192000 live 0..1 slot 0
// slot 0 bytes 8192000
// peak 56960000
//
// plan shared -O2
// kernel shared_0 pointwise
//   reads x
//   writes x_padded
//   over [2047, 2112]
//     %3 pad bf16[2047, 2112] -> x_padded
//   bytes_read 8396794
//   bytes_written 8646528
//   flops 0
// kernel shared_1 dot
//   reads x_padded
//   writes y
//   over [2047, 2047]
//     %5 matmul f32[2047, 2047]
//     %6 as bf16[2047, 2047] -> y
//   bytes_read 8396794
//   bytes_written 8380418
//   flops 17188237318
// kernel shared_2 dot
//   reads x_padded
//   writes z
//   over [2051, 2051]
//     %8 matmul f32[2051, 2051]
//     %9 as bf16[2051, 2051] -> z
//   bytes_read 8396794
//   bytes_written 8413202
//   flops 17221824494
// buffer x input bf16[4198397] bytes 8396794 live -1..3
// buffer y output bf16[4190209] bytes 8380418 live 1..3
// buffer z output bf16[4206601] bytes 8413202 live 2..3
// buffer x_padded temp bf16[4323264] bytes 8646528 live 0..2 slot 0
// slot 0 bytes 8646528
// apart %5 matmul | %8 matmul: left, 8646528 bytes
// apart %5 matmul | %8 matmul: bundle, 8646528 bytes
// peak 33836942
//
// plan one -O2
// kernel one_0 pointwise
//   reads x
//   writes x_padded
//   over [2047, 2112]
//     %5 pad bf16[1, 2047, 2112] -> x_padded
//   bytes_read 8396794
//   bytes_written 8646528
//   flops 0
// kernel one_1 dot
//   reads x_padded w
//   writes y
//   over [2047, 2048]
//     %7 matmul f32[1, 2047, 2048]
//     %8 as bf16[1, 2047, 2048] -> y
//   bytes_read 16797690
//   bytes_written 8384512
//   flops 17196634112
// buffer x input bf16[4198397] bytes 8396794 live -1..2
// buffer w input bf16[4200448] bytes 8400896 live -1..2
// buffer y output bf16[4192256] bytes 8384512 live 1..2
// buffer x_padded temp bf16[4323264] bytes 8646528 live 0..1 slot 0
// slot 0 bytes 8646528
// peak 33828730
//
// plan computed -O2
// kernel computed_0 pointwise
//   reads a
//   writes pad_temp
//   over [2047, 2112]
//     %3 exp f32[2047, 2051]
//     %4 as bf16[2047, 2051]
//     %6 pad bf16[2047, 2112] -> pad_temp
//   bytes_read 16793588
//   bytes_written 8646528
//   flops 4198397
// kernel computed_1 pointwise
//   reads b
//   writes b_padded
//   over [2049, 2112]
//     %8 pad bf16[2049, 2112] -> b_padded
//   bytes_read 8404998
//   bytes_written 8654976
//   flops 0
// kernel computed_2 dot
//   reads pad_temp b_padded
//   writes y
//   over [2047, 2049]
//     %10 matmul f32[2047, 2049] -> y
//   bytes_read 16801792
//   bytes_written 16777212
//   flops 17205030906
// buffer a input f32[4198397] bytes 16793588 live -1..3
// buffer b input bf16[4202499] bytes 8404998 live -1..3
// buffer y output f32[4194303] bytes 16777212 live 2..3
// buffer pad_temp temp bf16[4323264] bytes 8646528 live 0..2 slot 0
// buffer b_padded temp bf16[4327488] bytes 8654976 live 1..2 slot 1
// slot 0 bytes 8646528
// slot 1 bytes 8654976
// peak 59277302
//
// plan rank4 -O2
// kernel rank4_0 pointwise
//   reads t
//   writes t_padded
//   over [1232, 16]
//     %7 pad bf16[1232, 16] -> t_padded
//   bytes_read 9856
//   bytes_written 39424
//   flops 0
// kernel rank4_1 pointwise
//   reads b
//   writes b_padded
//   over [664, 16]
//     %9 pad bf16[664, 16] -> b_padded
//   bytes_read 5312
//   bytes_written 21248
//   flops 0
// kernel rank4_2 dot
//   reads x w t_padded b_padded
//   writes y
//   over [1232, 664]
//     %5 matmul f32[1232, 664]
//     %11 matmul f32[1232, 664]
//     %12 add f32[1232, 664] -> y
//   bytes_read 30108480
//   bytes_written 3272192
//   flops 12991420288
// buffer x input bf16[9777152] bytes 19554304 live -1..3
// buffer w input bf16[5269504] bytes 10539008 live -1..3
// buffer t input bf16[4928] bytes 9856 live -1..3
// buffer b input bf16[2656] bytes 5312 live -1..3
// buffer y output f32[818048] bytes 3272192 live 2..3
// buffer t_padded temp bf16[19712] bytes 39424 live 0..2 slot 0
// buffer b_padded temp bf16[10624] bytes 21248 live 1..2 slot 1
// slot 0 bytes 39424
// slot 1 bytes 21248
// peak 33441344
//     const bool wide = is_aligned(a_padded, 16) & is_aligned(b_padded, 16) & is_aligned(y, 2);
//     constexpr int products = 1; /* right operands that share the left one */
