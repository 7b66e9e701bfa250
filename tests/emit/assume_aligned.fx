// With --assume-aligned, kernels have no second path for tensors that are not aligned; sizes are
// tested all the same.
// run: fusec %s --target=cuda --assume-aligned -o %t.cu
// run: grep -E "is_aligned|scale_0_tile<|in device memory, |if \(D % " %t.cu
// run: fusec %s --target=cuda --assume-aligned -D D=64 -o %t.cu
// run: grep -E "is_aligned|scale_0_tile<|in device memory, |if \(D % " %t.cu
// run: fusec %s --target=cuda --assume-aligned -o %t.h
// run: grep "in device memory, " %t.h
fn scale[N, D](x: bf16[N, D], s: f32[D]) -> (y: bf16[N, D]) {
    y = x * s;
}
// ---- expect
//     if (D % 4 == 0) {
//         scale_0_tile<4>(x, s, y, N, D, blockIdx.x);
//         scale_0_tile<1>(x, s, y, N, D, 4 * (idx)blockIdx.x + l);
// /* scale: tensors are row-major and contiguous, in device memory, 16-byte aligned.
//     scale_0_tile<4>(x, s, y, N, blockIdx.x);
// /* scale: tensors are row-major and contiguous, in device memory, 16-byte aligned.
// /* scale: tensors are row-major and contiguous, in device memory, 16-byte aligned.
