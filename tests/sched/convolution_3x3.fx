// Nine products, of the shifts of an image, are one sum of one kernel.
// run: fusec %s --emit=plan --target=cuda --arch=sm_90a -D N=4 -D H=16 -D W=16 -D C=64 -D D=64
fn conv[N, H, W, C, D](x: bf16[N, H, W, C], w: bf16[3, 3, C, D], b: bf16[D]) -> (y: bf16[N, H, W, D]) {
    p = pad(pad(x, 1, 1, 1), 2, 1, 1);
    top = p[:, :H, :W] @ w[0, 0] + p[:, :H, 1:W+1] @ w[0, 1] + p[:, :H, 2:] @ w[0, 2];
    middle = p[:, 1:H+1, :W] @ w[1, 0] + p[:, 1:H+1, 1:W+1] @ w[1, 1] + p[:, 1:H+1, 2:] @ w[1, 2];
    bottom = p[:, 2:, :W] @ w[2, 0] + p[:, 2:, 1:W+1] @ w[2, 1] + p[:, 2:, 2:] @ w[2, 2];
    y = relu(top + middle + bottom + b);
}
// ---- expect
// plan conv -O2
// kernel conv_0 dot
//   reads x w b
//   writes y
//   over [4, 16, 16, 64]
//     %11 matmul f32[4, 16, 16, 64]
//     %16 matmul f32[4, 16, 16, 64]
//     %17 add f32[4, 16, 16, 64]
//     %22 matmul f32[4, 16, 16, 64]
//     %23 add f32[4, 16, 16, 64]
//     %28 matmul f32[4, 16, 16, 64]
//     %33 matmul f32[4, 16, 16, 64]
//     %34 add f32[4, 16, 16, 64]
//     %39 matmul f32[4, 16, 16, 64]
//     %40 add f32[4, 16, 16, 64]
//     %45 matmul f32[4, 16, 16, 64]
//     %50 matmul f32[4, 16, 16, 64]
//     %51 add f32[4, 16, 16, 64]
//     %56 matmul f32[4, 16, 16, 64]
//     %57 add f32[4, 16, 16, 64]
//     %58 add f32[4, 16, 16, 64]
//     %59 add f32[4, 16, 16, 64]
//     %63 add f32[4, 16, 16, 64]
//     %67 max f32[4, 16, 16, 64]
//     %68 as bf16[4, 16, 16, 64] -> y
//   bytes_read 204928
//   bytes_written 131072
//   flops 76152832
// buffer x input bf16[65536] bytes 131072 live -1..1
// buffer w input bf16[36864] bytes 73728 live -1..1
// buffer b input bf16[64] bytes 128 live -1..1
// buffer y output bf16[65536] bytes 131072 live 0..1
// peak 336000
