/* mma_operand.cu: one operand of mma.cu: its part of a slot, in chunks of 16 bytes. Where rows of
 * the slot run along k, `row` counts along the operand's own axis, else along k. IF_ASYNC: aligned
 * chunks. IF_ENDS: the same of rows that end anywhere. IF_PARTS: chunks of smaller aligned
 * accesses. IF_COPIED: elements. IF_COMPUTED: elements that are computed; IF_EDGE: tests where they
 * are inside; IF_ZERO: those beyond the end are computed at a position inside, and then 0. */
#include "prelude.cuh"
#define TYPE bf16
#define SLOT slot
#define FIRST 0
#define ITEMS 4
#define NEXT_ITEM item++
#define UNROLL 4
#define ROW (int)(thread / 4) + 32 * item
#define CHUNK (int)(thread % 4)
#define WHICH row
#define MOST 128
#define ROW_BYTES 64
#define EACH 8
#define WHOLE 8
#define CHUNK_FROM (const bf16 *)slot
#define COUNT 8
#define INSIDE true
#define ZERO chunk > 2
#define CHUNK_INSIDE true
#define FROM (const bf16 *)slot
#define VECTOR 8
#define X {0}
template <class> __device__ void alone(unsigned char *slot, unsigned thread, int k_start) {
//@BEGIN
//@HOLE START
#pragma unroll UNROLL
for (int item = FIRST; item < ITEMS; NEXT_ITEM) {
    const int row = ROW, chunk = CHUNK;
    //@IF IF_PARTIAL
    if (WHICH >= MOST) break;
    //@END
    //@HOLE AT_OWN
    //@IF IF_ASYNC
    //@HOLE AT_K
    cp_async(SLOT + swizzled<ROW_BYTES>(row, chunk), CHUNK_FROM, CHUNK_INSIDE);
    //@HOLE NEXT
    //@END
    //@IF IF_ENDS
    //@HOLE AT_K
    cp_async_first(SLOT + swizzled<ROW_BYTES>(row, chunk), CHUNK_FROM, COUNT);
    //@HOLE NEXT
    //@END
    //@IF IF_COPIED
    //@HOLE AT_K
    copy_chunk(SLOT + swizzled<ROW_BYTES>(row, chunk), CHUNK_FROM, COUNT);
    //@HOLE NEXT
    //@END
    //@IF IF_PARTS
#pragma unroll
    for (int part = 0; part < EACH; part += VECTOR) {
        //@HOLE AT_K
        cp_async_part<VECTOR>((TYPE *)(SLOT + swizzled<ROW_BYTES>(row, chunk)) + part, FROM,
                              INSIDE);
    }
    //@END
    //@IF IF_COMPUTED
    Pack<TYPE, EACH> elements = {};
    constexpr int VEC = VECTOR;
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
    //@IF IF_ZERO
    if (ZERO) elements = {};
    //@END
    //@IF IF_ONE
    store_pack((TYPE *)(SLOT + swizzled<ROW_BYTES>(row, chunk)), elements);
    //@END
    //@IF IF_SEVERAL
#pragma unroll
    for (int part = 0; part < EACH; part += WHOLE)
        store_pack((TYPE *)(SLOT + swizzled<ROW_BYTES>(row, (chunk * EACH + part) / WHOLE)),
                   pack_part<WHOLE>(elements, part));
    //@END
    //@END
}
//@FINISH
}
