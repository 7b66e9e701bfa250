/* dot_copies.cu: one operand of dot.cu that is copied: where a thread starts, and its copies of a
 * part of a stage, by packs of EACH. Neighbouring threads take neighbours in memory. */
#include "prelude.cuh"
#define IDX int
#define TYPE float
#define OWN own
#define OWN_START thread / 8
#define KK kk
#define KK_START thread % 8
#define FROM from
#define SOURCE source
#define LEFT left
#define LINE line
#define REST 10 - own
#define COUNT 128
#define STEP 16
#define STRIDE 16 * 10
#define DEPTH 16
#define DEPTH_STEP 8
#define OFFSET source
#define ELEMENT tile[slot][kk][own + i]
#define EACH 1
#define INSIDE true
#define BEGIN_PART part * 16
#define END_PART (part + 1) * 16
#define LAST 7
#define TURN 16 - 128 * 10
__device__ void alone(float (*tile)[16][132], float *source, int thread, int slot, int part, int k_start) {
//@BEGIN
//@IF IF_START
const int OWN = OWN_START, KK = KK_START;
//@IF IF_POINTER
const TYPE *FROM = SOURCE;
//@END
//@IF IF_LEFT
const IDX LEFT = REST;
//@END
//@END
//@IF IF_FETCH
//@IF IF_LINE
const TYPE *LINE = FROM;
//@END
#pragma unroll
for (int i = BEGIN_PART; i < END_PART; i += STEP) {
    //@IF IF_FEW
    if (i >= COUNT) continue;
    //@END
    //@IF ALONG_K
#pragma unroll
    for (int j = 0; j < DEPTH; j += DEPTH_STEP) {
        //@HOLE AT
        cp_async_part<EACH>(&ELEMENT, OFFSET, INSIDE);
    }
    //@END
    //@IF ACROSS_K
    //@HOLE AT
    cp_async_part<EACH>(&ELEMENT, OFFSET, INSIDE);
    //@END
    //@IF IF_POINTER
    LINE += STRIDE;
    //@END
}
//@IF IF_TURN
if (part == LAST) FROM += TURN;
//@END
//@IF IF_WHOLE_TURN
FROM += TURN;
//@END
//@END
//@FINISH
}
