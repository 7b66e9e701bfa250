// run: fusec %s --target=cuda -o %t.h
// run: cat %t.h
// run: cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only %t.h
// run: c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only %t.h
// The prototypes are those of the .cu.
// run: fusec %s --target=cuda -o %t.cu
// run: grep -A2 -E ^extern.\"C\".*(scale|fixed) %t.cu
@max_kernels(3)
fn scale[N, M](x: bf16[N, M], s: f32) -> (y: bf16[N, M], most: f32) {
    y = x * s;
    most = max(x as f32, axis = [0, 1]);
}
fn fixed(x: f32[16]) -> (y: f32[16]) { y = exp(x); }
// ---- expect
// /* out.h: for header_cuda.cu, made by fusec 0.1.0:  fusec header_cuda.fx --target=cuda -o out.h */
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
// /* scale: tensors are row-major and contiguous, in device memory.
//  *   x          in   bf16[N, M]
//  *   s          in   f32, a pointer to one
//  *   y          out  bf16[N, M]
//  *   most       out  f32, a pointer to one
//  *   N, M       sizes
//  *   workspace  scale_workspace(N, M) bytes of device memory,
//  *              256-byte aligned; may be NULL when that is 0
//  *   stream     the kernels are enqueued here; the call does not wait
//  * Returns a cudaError_t: 0, 1 (an invalid value) when the sizes break a condition of the
//  * model, or that of a launch. No two calls in flight may share outputs or workspace. */
// int scale(const void *x, const void *s, void *y, void *most, long long N, long long M,
//           void *workspace, cudaStream_t stream);
// long long scale_workspace(long long N, long long M);
//
// /* fixed: tensors are row-major and contiguous, in device memory.
//  *   x          in   f32[16]
//  *   y          out  f32[16]
//  *   workspace  fixed_workspace() bytes of device memory,
//  *              256-byte aligned; may be NULL when that is 0
//  *   stream     the kernels are enqueued here; the call does not wait
//  * Returns a cudaError_t: 0, 1 (an invalid value) when the sizes break a condition of the
//  * model, or that of a launch. No two calls in flight may share outputs or workspace. */
// int fixed(const void *x, void *y, void *workspace, cudaStream_t stream);
// long long fixed_workspace(void);
//
// #ifdef __cplusplus
// }
// #endif
//
// #endif
// extern "C" long long scale_workspace(long long N, long long M) {
//     (void)N;
//     (void)M;
// --
// extern "C" int scale(const void *x, const void *s, void *y, void *most, long long N, long long M,
//                      void *workspace, cudaStream_t stream) {
//     (void)workspace;
// --
// extern "C" long long fixed_workspace() {
//     return 0;
// }
// --
// extern "C" int fixed(const void *x, void *y, void *workspace, cudaStream_t stream) {
//     (void)workspace;
//     fixed_0<<<1, 256, 0, stream>>>((const float *)x, (float *)y);
