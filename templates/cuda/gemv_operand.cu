/* gemv_operand.cu: what a thread of gemv.cu, or of gemv_fma.cu, has of an operand: elements that
 * follow each other along an axis. */
#include "prelude.cuh"
#define VECTOR wide ? 8 : 1
#define TYPE bf16
#define INSIDE at_k < 100
#define AXIS at_k
#define FIRST k_start
#define EACH each
template <bool wide> __device__ void alone(Pack<bf16, 8> &elements, int k_start) {
    constexpr int each = 8;
//@BEGIN
constexpr int VEC = VECTOR;
#pragma unroll
for (int part = 0; part < EACH; part += VEC) {
    const auto AXIS = FIRST + part;
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
