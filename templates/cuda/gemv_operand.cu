/* gemv_operand.cu: what a thread of gemv.cu has of an operand: `each` elements along k, from at_k on.
 */
#include "prelude.cuh"
#define VECTOR 8
#define TYPE bf16
#define INSIDE at_k < 100
template <bool wide> __device__ void alone(Pack<bf16, 8> &elements, int k_start) {
    constexpr int each = 8;
//@BEGIN
constexpr int VEC = wide ? VECTOR : 1;
#pragma unroll
for (int part = 0; part < each; part += VEC) {
    const auto at_k = k_start + part;
    //@IF IF_EDGE
    if (INSIDE) {
        //@HOLE ELEMENTS
    }
    //@END
    //@IF IF_WHOLE
    //@HOLE ELEMENTS
    //@END
}
//@FINISH
}
