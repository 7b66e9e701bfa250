// run: fusec %s --target=c -o %t.h
// run: cat %t.h
@constant(up, b, table)
fn mlp[N, D, V](x: bf16[N, D], up: bf16[4*D, D], b: bf16[4*D], table: f32[V], ids: i32[N])
    -> (y: bf16[N, 4*D]) {
    y = x @ up.T + b + take(table, ids)[:, None];
}
// ---- expect
// /* out.h: for header_constant.c, made by fusec 0.1.0:  fusec header_constant.fx --target=c -o out.h */
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
// /* mlp_prepare: prepares the inputs that never change; call it once, first.
//  *   up        in   bf16[4*D, D]
//  *   b         in   bf16[4*D]
//  *   table     in   f32[V]
//  *   D, V      sizes
//  *   prepared  out  mlp_prepared_size(D, V) bytes, 64-byte aligned
//  * Returns 0, or 1 when the sizes break a condition of the model. After it the inputs
//  * are not needed. Calls only read the prepared memory: threads may share it. */
// int mlp_prepare(const bf16 *up, const bf16 *b, const float *table, int64_t D, int64_t V,
//                 void *prepared);
// int64_t mlp_prepared_size(int64_t D, int64_t V);
//
// /* mlp: tensors are row-major and contiguous.
//  *   x          in   bf16[N, D]
//  *   ids        in   i32[N]
//  *   y          out  bf16[N, 4*D]
//  *   N, D, V    sizes
//  *   prepared   filled by mlp_prepare for the same sizes
//  *   workspace  mlp_workspace(N, D, V) bytes,
//  *              64-byte aligned; may be NULL when that is 0
//  * Returns 0, 1 when the sizes break a condition of the model, or 2 when prepared was not made for
//  * them. Thread safe as long as no two calls share outputs or workspace. */
// int mlp(const bf16 *x, const int32_t *ids, bf16 *y, int64_t N, int64_t D, int64_t V,
//         const void *prepared, void *workspace);
// int64_t mlp_workspace(int64_t N, int64_t D, int64_t V);
//
// #ifdef __cplusplus
// }
// #endif
//
// #endif
