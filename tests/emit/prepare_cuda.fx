// run: fusec %s --target=cuda -o %t.h
// run: cat %t.h
// run: fusec %s --target=cuda -D D=8 -o %t.cu
// run: sed -n /^extern.*_prepared_size/,/^#endif/p %t.cu

// What is computed of s alone, and the scaled w, are prepared; b and s are read in place.
@constant(w, b, s)
fn scaled[N, D, E](x: bf16[N, D], w: bf16[E, D], b: f32[E], s: f32[D])
    -> (y: f32[N, E], z: f32[N, D]) {
    y = x @ ((w * s) as bf16).T + b;
    z = softmax(s) * (x as f32) + s;
}
// ---- expect
// /* out.h: for prepare_cuda.cu, made by fusec 0.1.0:  fusec prepare_cuda.fx --target=cuda -o out.h */
// #ifndef FUSEC_out_CUDA_H
// #define FUSEC_out_CUDA_H
//
// struct CUstream_st;
// typedef struct CUstream_st *cudaStream_t;
//
// #ifdef __cplusplus
// extern "C" {
// #endif
//
// /* scaled_prepare: computes what depends only on inputs that never change; call it once, first.
//  *   w         in   bf16[E, D]
//  *   s         in   f32[D]
//  *   D, E      sizes
//  *   prepared  out  scaled_prepared_size(D, E) bytes of device memory, 256-byte aligned
//  *   stream    the kernels are enqueued here; the call does not wait
//  * Returns a cudaError_t: 0, 1 (an invalid value) when the sizes break a condition of the
//  * model, or that of a launch. Calls only read the prepared memory: they may share it. */
// int scaled_prepare(const void *w, const void *s, long long D, long long E, void *prepared,
//                    cudaStream_t stream);
// long long scaled_prepared_size(long long D, long long E);
//
// /* scaled: tensors are row-major and contiguous, in device memory.
//  *   x          in   bf16[N, D]
//  *   b          in   f32[E]
//  *   s          in   f32[D]
//  *   y          out  f32[N, E]
//  *   z          out  f32[N, D]
//  *   N, D, E    sizes
//  *   prepared   filled by scaled_prepare for the same sizes
//  *   workspace  scaled_workspace(N, D, E) bytes of device memory,
//  *              256-byte aligned; may be NULL when that is 0
//  *   stream     the kernels are enqueued here; the call does not wait
//  * Returns a cudaError_t: 0, 1 (an invalid value) when the sizes break a condition of the
//  * model, or that of a launch. No two calls in flight may share outputs or workspace. */
// int scaled(const void *x, const void *b, const void *s, void *y, void *z, long long N,
//            long long D, long long E, const void *prepared, void *workspace, cudaStream_t stream);
// long long scaled_workspace(long long N, long long D, long long E);
//
// #ifdef __cplusplus
// }
// #endif
//
// #endif
// extern "C" long long scaled_prepared_size(long long E) {
//     return 256 * ceil_div(16*E, 256) + 256;
// }
//
// extern "C" int scaled_prepare(const void *w, const void *s, long long E, void *prepared,
//                               cudaStream_t stream) {
//     if (E < 1) return 1;
//     bf16 *const as_temp = (bf16 *)prepared;
//     float *const softmax = (float *)((char *)prepared + 256 * ceil_div(16*E, 256));
//     cudaError_t status;
//     scaled_0<<<ceil_div(8*E, 2048), 256, 0, stream>>>(
//         (const bf16 *)w, (const float *)s, as_temp, E);
//     if ((status = cudaGetLastError())) return status;
//     scaled_2<<<1, 2, 0, stream>>>((const float *)s, softmax);
//     return cudaGetLastError();
// }
//
// /* scaled: tensors are row-major and contiguous, in device memory.
//  *   x          in   bf16[N, 8]
//  *   b          in   f32[E]
//  *   s          in   f32[8]
//  *   y          out  f32[N, E]
//  *   z          out  f32[N, 8]
//  *   N, E       sizes
//  *   prepared   filled by scaled_prepare for the same sizes
//  *   workspace  scaled_workspace(N, E) bytes of device memory,
//  *              256-byte aligned; may be NULL when that is 0
//  *   stream     the kernels are enqueued here; the call does not wait
//  * Returns a cudaError_t: 0, 1 (an invalid value) when the sizes break a condition of the
//  * model, or that of a launch. No two calls in flight may share outputs or workspace. */
// extern "C" long long scaled_workspace(long long N, long long E) {
//     (void)N;
//     (void)E;
//     return 0;
// }
//
// extern "C" int scaled(const void *x, const void *b, const void *s, void *y, void *z, long long N,
//                       long long E, const void *prepared, void *workspace, cudaStream_t stream) {
//     (void)workspace;
//     if (N < 1) return 1;
//     if (E < 1) return 1;
//     const bf16 *const as_temp = (const bf16 *)prepared;
//     const float *const softmax =
//         (const float *)((const char *)prepared + 256 * ceil_div(16*E, 256));
//     cudaError_t status;
//     scaled_1<<<ceil_div(N, 128) * ceil_div(E, 64), 128, scaled_1_shared, stream>>>(
//         (const bf16 *)x, (const float *)b, (float *)y, as_temp, N, E);
//     if ((status = cudaGetLastError())) return status;
//     scaled_3<<<ceil_div(8*N, 2048), 256, 0, stream>>>(
//         (const bf16 *)x, (const float *)s, (float *)z, softmax, N);
//     return cudaGetLastError();
// }
//
// #endif
