// run: fusec %s --target=c -o %t.h
// run: cat %t.h
// run: fusec %s -o other.h
// exit: 2
// run: fusec %s --target=h
// exit: 2
fn scale[N, M](x: bf16[N, M], s: f32) -> (y: bf16[N, M], most: f32) {
    y = x * s;
    most = max(x as f32, axis = [0, 1]);
}
// ---- expect
// /* out.h: for header.c, made by fusec 0.1.0:  fusec header.fx --target=c -o out.h */
// #ifndef FUSEC_out_C_H
// #define FUSEC_out_C_H
//
// #include <stdint.h>
//
// typedef uint16_t bf16, f16;
// typedef uint8_t f8e4m3, f8e5m2, bool_t;
//
// #ifdef __cplusplus
// extern "C" {
// #endif
//
// /* scale: tensors are row-major and contiguous.
//  *   x          in   bf16[N, M]
//  *   s          in   f32, a pointer to one
//  *   y          out  bf16[N, M]
//  *   most       out  f32, a pointer to one
//  *   N, M       sizes
//  *   workspace  scale_workspace(N, M) bytes,
//  *              64-byte aligned; may be NULL when that is 0
//  * Returns 0, or 1 when the sizes break a condition of the model. Thread safe as long as
//  * no two calls share outputs or workspace. */
// int scale(const bf16 *x, const float *s, bf16 *y, float *most, int64_t N, int64_t M,
//           void *workspace);
// int64_t scale_workspace(int64_t N, int64_t M);
//
// #ifdef __cplusplus
// }
// #endif
//
// #endif
// fusec: error: a header is for C or for CUDA, whose functions differ: add --target=c or --target=cuda
// fusec: error: a header is for C or for CUDA, whose functions differ: add --target=c or --target=cuda
