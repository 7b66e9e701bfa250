/* mma_operand.cu: one operand of mma.cu: its part of a slot, in chunks of 16 bytes. Where rows of
 * the slot run along k, `row` counts along the operand's own axis, else along k. */
#include "prelude.cuh"
#define TYPE bf16
#define SLOT slot
#define ITEMS 4
#define UNROLL 4
#define ROW (int)(thread / 4) + 32 * item
#define CHUNK (int)(thread % 4)
#define WHICH row
#define MOST 128
#define ROW_BYTES 64
#define EACH 8
#define ARGUMENTS (const bf16 *)slot, 8
#define INSIDE true
#define FROM (const bf16 *)slot
#define VECTOR 8
#define X {0}
template <bool WIDE> __device__ void alone(unsigned char *slot, unsigned thread, int k_start) {
//@BEGIN
//@HOLE START
#pragma unroll (WIDE ? UNROLL : 1)
for (int item = 0; item < ITEMS; item++) {
    const int row = ROW, chunk = CHUNK;
    //@IF IF_PARTIAL
    if (WHICH >= MOST) break;
    //@END
    //@HOLE AT_OWN
    //@IF IF_COPIED
    //@HOLE AT_K
    copy_chunk<WIDE>(SLOT + swizzled<ROW_BYTES>(row, chunk), ARGUMENTS);
    //@HOLE NEXT
    //@END
    //@IF IF_PARTS
    if constexpr (WIDE) {
#pragma unroll
        for (int part = 0; part < EACH; part += VECTOR) {
            //@HOLE AT_K
            cp_async_part<VECTOR>((TYPE *)(SLOT + swizzled<ROW_BYTES>(row, chunk)) + part, FROM,
                                  INSIDE);
        }
        continue;
    }
    //@END
    //@IF IF_COMPUTED
    Pack<TYPE, EACH> elements = {};
    constexpr int VEC = WIDE ? VECTOR : 1;
#pragma unroll
    for (int part = 0; part < EACH; part += VEC) {
        //@HOLE AT_K
        //@IF IF_EDGE
        if (INSIDE) {
            //@HOLE ELEMENTS
        }
        //@END
        //@IF IF_WHOLE
        //@HOLE ELEMENTS
        //@END
    }
    store_pack((TYPE *)(SLOT + swizzled<ROW_BYTES>(row, chunk)), elements);
    //@END
}
//@FINISH
}
