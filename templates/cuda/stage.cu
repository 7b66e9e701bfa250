/* stage.cu: one pass over the columns of a row: `items` of them unrolled, a loop, a loop over the
 * part of a block, or steps of `items` that all threads take together, or one (scans). */
#define IDX int
#define COLS 100
#define FIRST threadIdx.x
#define STEP 32
#define UNROLL 4
#define ITEM item * 32 + threadIdx.x
#define ITEMS 100
enum { items = 4, full = 3 };
extern "C" __global__ void alone() {
    const int thread = threadIdx.x;
//@BEGIN
//@HOLE title
//@HOLE before
//@IF unrolled
//@HOLE UNROLL_ITEMS
for (int item = 0; item < items; item++) {
    //@IF position
    const IDX col = ITEM;
    //@END
    //@IF ragged
    if (col >= COLS) continue;
    //@END
    //@IF ragged_last
    if (item >= full && col >= COLS) continue;
    //@END
    //@HOLE columns
}
//@END
//@IF loop
#pragma unroll UNROLL
for (IDX col = FIRST; col < COLS; col += STEP) {
    //@HOLE columns
}
//@END
//@IF IF_CLUSTER
#pragma unroll UNROLL
for (int item = thread; item < ITEMS; item += STEP) {
    //@IF position
    const IDX col = ITEM;
    //@END
    //@HOLE columns
}
//@END
//@IF steps
#pragma unroll 1
for (IDX start = 0; start < COLS; start += STEP) {
    //@HOLE columns
}
//@END
//@IF once
//@HOLE columns
//@END
//@HOLE after
//@FINISH
}
