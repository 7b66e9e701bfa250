/* dot_operand.cu: one operand of dot.cu, attention.cu or chain.cu: how it is fetched and kept, by
 * elements or by packs of VEC. Neighbouring threads take neighbours in memory. */
#include "prelude.cuh"
#define ITEMS 8
#define THREADS 256
#define THREAD thread
#define VEC 4
#define CHUNKS 512
#define OWN thread / 16
#define KK thread % 16
#define PART part
#define TILE tile[slot]
#define ELEMENT tile[slot][kk + l][own]
#define KEPT part[item]
#define KEPT_OF_PACK part[item + l]
#define X 0
__device__ void alone(float (*tile)[16][68], float *part, int thread, int slot, int k_start) {
//@BEGIN
//@IF IF_ELEMENTS
#pragma unroll
for (int item = 0; item < ITEMS; item++) {
    [[maybe_unused]] const int l = item * THREADS + THREAD, own = OWN, kk = KK;
    //@IF IF_FETCH
    //@HOLE AT
    //@HOLE LINES
    PART[item] = X;
    //@END
    //@IF IF_KEEP
    TILE[kk][own] = KEPT;
    //@END
}
//@END
//@IF IF_PACKS
#pragma unroll
for (int item = 0; item < ITEMS; item += VEC) {
    const int chunk = item / VEC * THREADS + THREAD;
    //@IF IF_RAGGED
    if (chunk >= CHUNKS) continue;
    //@END
    [[maybe_unused]] const int own = OWN, kk = KK;
    //@IF IF_FETCH
    //@HOLE AT
    //@HOLE LINES
    //@END
    //@IF IF_KEEP
#pragma unroll
    for (int l = 0; l < VEC; l++) ELEMENT = KEPT_OF_PACK;
    //@END
}
//@END
//@FINISH
}
