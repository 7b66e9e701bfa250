// One kernel goes through the rows and adds up columns, the second adds its sums; nothing as large as
// the rows is stored between them.
// run: fusec %s --emit=plan --target=cuda --arch=sm_90a --fn norm_bwd -D N=8192 -D D=4096
// run: fusec %s --emit=plan --target=c --fn norm_bwd -D D=4096
// run: fusec %s --emit=kernel --target=c --fn norm_bwd -D D=4096
// run: fusec %s --target=cuda --fn both -o %t.cu
fn norm[N, D](x: bf16[N, D], gain: f32[D], bias: f32[D]) -> (y: bf16[N, D]) {
    y = layer_norm(x, gain, bias);
}

@max_kernels(2)
fn norm_bwd = vjp(norm);

// The rows come from a product, whose epilogue does not take what is summed.
fn after[N, K, D](
    x: bf16[N, K],
    w: bf16[K, D],
    gain: f32[D],
    g: f32[N, D]
) -> (s: f32[D], r: f32[N], h: f32[N, D]) {
    h = x @ w * g;
    s = sum(h * gain, axis = 0);
    r = sum(h, axis = 1);
}

@max_kernels(3)
fn both[N, K](
    x: bf16[N, K],
    w: bf16[K, 4096],
    gain: f32[4096],
    g: f32[N, 4096]
) -> (s: f32[4096], r: f32[N], h: f32[N, 4096]) {
    s, r, h = after(x, w, gain, g);
}
// ---- expect
// plan norm_bwd -O2
// kernel norm_bwd_0 row
//   reads x dy gain
//   writes sum_parts sum_parts2 dx
//   over [8192, 4096] along 4096
//     %7 sum f32[8192, 1]
//     %11 mul f32[8192, 1]
//     %13 sub f32[8192, 4096]
//     %14 mul f32[8192, 4096]
//     %15 sum f32[8192, 1]
//     %16 mul f32[8192, 1]
//     %20 add f32[8192, 1]
//     %21 rsqrt f32[8192, 1]
//     %24 mul f32[8192, 4096]
//     %25 mul f32[8192, 4096]
//     %26 sum f32[8192, 1]
//     %27 mul f32[8192, 1]
//     %28 mul f32[8192, 1]
//     %29 mul f32[8192, 1]
//     %31 mul f32[8192, 4096]
//     %32 sum f32[8192, 1]
//     %33 mul f32[8192, 1]
//     %35 sub f32[8192, 4096]
//     %36 sub f32[8192, 4096]
//     %38 mul f32[8192, 4096]
//     %39 mul f32[8192, 4096]
//     %40 mul f32[8192, 4096]
//     %41 partial_sum f32[256, 4096] -> sum_parts
//     %44 partial_sum f32[256, 4096] -> sum_parts2
//     %47 as bf16[8192, 4096] -> dx
//   bytes_read 134234112
//   bytes_written 75497472
//   flops 536936448
// kernel norm_bwd_1 row
//   reads sum_parts sum_parts2
//   writes dgain dbias
//   over [256, 4096] along 256
//     %42 sum f32[1, 4096] -> dgain
//     %45 sum f32[1, 4096] -> dbias
//   bytes_read 8388608
//   bytes_written 32768
//   flops 2097152
// buffer x input bf16[33554432] bytes 67108864 live -1..2
// buffer gain input f32[4096] bytes 16384 live -1..2
// buffer bias input f32[4096] bytes 16384 live -1..2
// buffer dy input bf16[33554432] bytes 67108864 live -1..2
// buffer dx output bf16[33554432] bytes 67108864 live 0..2
// buffer dgain output f32[4096] bytes 16384 live 1..2
// buffer dbias output f32[4096] bytes 16384 live 1..2
// buffer sum_parts temp f32[1048576] bytes 4194304 live 0..1 slot 0
// buffer sum_parts2 temp f32[1048576] bytes 4194304 live 0..1 slot 1
// slot 0 bytes 4194304
// slot 1 bytes 4194304
// apart %41 partial_sum | %42 sum: space, 8388608 bytes
// apart %44 partial_sum | %45 sum: space, 8388608 bytes
// peak 209780736
// plan norm_bwd -O2
// kernel norm_bwd_0 row
//   reads x dy gain
//   writes sum_parts sum_parts2 dx
//   over [N, 4096] along 4096
//     %7 sum f32[N, 1]
//     %11 mul f32[N, 1]
//     %13 sub f32[N, 4096]
//     %14 mul f32[N, 4096]
//     %15 sum f32[N, 1]
//     %16 mul f32[N, 1]
//     %20 add f32[N, 1]
//     %21 rsqrt f32[N, 1]
//     %24 mul f32[N, 4096]
//     %25 mul f32[N, 4096]
//     %26 sum f32[N, 1]
//     %27 mul f32[N, 1]
//     %28 mul f32[N, 1]
//     %29 mul f32[N, 1]
//     %31 mul f32[N, 4096]
//     %32 sum f32[N, 1]
//     %33 mul f32[N, 1]
//     %35 sub f32[N, 4096]
//     %36 sub f32[N, 4096]
//     %38 mul f32[N, 4096]
//     %39 mul f32[N, 4096]
//     %40 mul f32[N, 4096]
//     %41 partial_sum f32[64, 4096] -> sum_parts
//     %44 partial_sum f32[64, 4096] -> sum_parts2
//     %47 as bf16[N, 4096] -> dx
//   bytes_read 16384*N + 16384
//   bytes_written 8192*N + 2097152
//   flops 65544*N
// kernel norm_bwd_1 row
//   reads sum_parts sum_parts2
//   writes dgain dbias
//   over [64, 4096] along 64
//     %42 sum f32[1, 4096] -> dgain
//     %45 sum f32[1, 4096] -> dbias
//   bytes_read 2097152
//   bytes_written 32768
//   flops 524288
// buffer x input bf16[4096*N] bytes 8192*N live -1..2
// buffer gain input f32[4096] bytes 16384 live -1..2
// buffer bias input f32[4096] bytes 16384 live -1..2
// buffer dy input bf16[4096*N] bytes 8192*N live -1..2
// buffer dx output bf16[4096*N] bytes 8192*N live 0..2
// buffer dgain output f32[4096] bytes 16384 live 1..2
// buffer dbias output f32[4096] bytes 16384 live 1..2
// buffer sum_parts temp f32[262144] bytes 1048576 live 0..1 slot 0
// buffer sum_parts2 temp f32[262144] bytes 1048576 live 0..1 slot 1
// slot 0 bytes 1048576
// slot 1 bytes 1048576
// apart %41 partial_sum | %42 sum: space, 2097152 bytes
// apart %44 partial_sum | %45 sum: space, 2097152 bytes
// peak 24576*N + 2162688
// kernel norm_bwd_0: row
//   in  x: bf16
//   in  gain: f32
//   in  dy: bf16
//   out dx: bf16
//   out sum_parts: f32
//   out sum_parts2: f32
//   loops row i0 < N col i1 < 4096 (lanes); rows in 64 chunks i15; 3 stages
//     v1 = load dy[i0 * 4096 + i1] : bf16                   // element, stage 0, kept
//     v2 = load x[i0 * 4096 + i1] : bf16                    // element, stage 0, kept
//     v3 = acc 0 : f32                                      // row, stage 1
//     v4 = const 0x3f30000000000000 : f32                   // uniform, stage 0
//     v5 = mul v3 v4 : f32                                  // row, stage 1
//     v6 = sub v2 v5 : f32                                  // element, stage 1
//     v7 = mul v6 v6 : f32                                  // element, stage 1
//     v8 = acc 1 : f32                                      // row, stage 2
//     v9 = mul v4 v8 : f32                                  // row, stage 2
//     v10 = const 0x3ee4f8b580000000 : f32                  // uniform, stage 0
//     v11 = add v9 v10 : f32                                // row, stage 2
//     v12 = rsqrt v11 : f32                                 // row, stage 2
//     v13 = mul v6 v12 : f32                                // element, stage 2
//     v14 = mul v1 v13 : f32                                // element, stage 2
//     v15 = load gain[i1] : f32                             // element, stage 0, kept
//     v16 = mul v1 v15 : f32                                // element, stage 0
//     v17 = acc 2 : f32                                     // row, stage 1
//     v18 = mul v4 v17 : f32                                // row, stage 1
//     v19 = sub v16 v18 : f32                               // element, stage 1
//     v20 = mul v6 v16 : f32                                // element, stage 1
//     v21 = acc 3 : f32                                     // row, stage 2
//     v22 = mul v4 v21 : f32                                // row, stage 2
//     v23 = mul v12 v22 : f32                               // row, stage 2
//     v24 = mul v12 v23 : f32                               // row, stage 2
//     v25 = mul v6 v24 : f32                                // element, stage 2
//     v26 = sub v19 v25 : f32                               // element, stage 2
//     v27 = mul v26 v12 : f32                               // element, stage 2
//     acc 0 = sum v2  // stage 0
//     acc 1 = sum v7  // stage 1
//     acc 2 = sum v16  // stage 0
//     acc 3 = sum v20  // stage 1
//     sum_parts[i15 * 4096 + i1] += v14  // stage 2
//     sum_parts2[i15 * 4096 + i1] += v1  // stage 0
//     dx[i0 * 4096 + i1] = v27  // stage 2
// kernel norm_bwd_1: row
//   out dgain: f32
//   out dbias: f32
//   in  sum_parts: f32
//   in  sum_parts2: f32
//   loops row i0 < 4096 (lanes) col i1 < 64; 1 stage
//     v1 = load sum_parts[i1 * 4096 + i0] : f32             // element, stage 0
//     v2 = acc 0 : f32                                      // row, stage 1
//     v3 = load sum_parts2[i1 * 4096 + i0] : f32            // element, stage 0
//     v4 = acc 1 : f32                                      // row, stage 1
//     acc 0 = sum v1  // stage 0
//     acc 1 = sum v3  // stage 0
//     dgain[i0] = v2  // stage 1
//     dbias[i0] = v4  // stage 1
