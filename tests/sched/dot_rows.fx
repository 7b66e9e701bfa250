// Rows of a projection are normalised by the kernel that multiplies: the residual is added, two
// reductions follow each other, and nothing but the result is stored.
// run: fusec %s --target=c --emit=plan -D M=100
// run: fusec run %s --check -D M=100 > checks
fn block[M](x: bf16[M, 96], w: bf16[160, 96], r: bf16[M, 160], gain: f32[160], bias: f32[160])
    -> (y: bf16[M, 160]) {
    y = layer_norm(x @ w.T + r, gain, bias, eps = 1e-5);
}
// ---- expect
// plan block -O2
// kernel block_0 dot
//   reads x w r gain bias
//   writes y
//   over [100, 160] along 160
//     %6 matmul f32[100, 160]
//     %8 add f32[100, 160]
//     %9 sum f32[100, 1]
//     %13 div f32[100, 1]
//     %15 sub f32[100, 160]
//     %16 mul f32[100, 160]
//     %17 sum f32[100, 1]
//     %18 div f32[100, 1]
//     %22 add f32[100, 1]
//     %23 rsqrt f32[100, 1]
//     %25 mul f32[100, 160]
//     %28 mul f32[100, 160]
//     %31 add f32[100, 160]
//     %32 as bf16[100, 160] -> y
//   bytes_read 83200
//   bytes_written 32000
//   flops 3200400
// buffer x input bf16[9600] bytes 19200 live -1..1
// buffer w input bf16[15360] bytes 30720 live -1..1
// buffer r input bf16[16000] bytes 32000 live -1..1
// buffer gain input f32[160] bytes 640 live -1..1
// buffer bias input f32[160] bytes 640 live -1..1
// buffer y output bf16[16000] bytes 32000 live 0..1
// peak 115200
// fusec: remark: random inputs, seed 0: x, w, r, gain, bias
