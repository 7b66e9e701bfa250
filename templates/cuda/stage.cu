/* stage.cu: one pass over the columns of a row: `items` of them unrolled, a loop, or steps that all
 * threads take together (running sums). */
#define IDX int
#define COLS 100
#define LAST 99
#define FIRST threadIdx.x
#define STEP 32
#define UNROLL 4
#define ITEM item * 32 + threadIdx.x
enum { items = 4 };
extern "C" __global__ void alone() {
    const int lane = threadIdx.x;
//@BEGIN
//@HOLE title
//@HOLE before
//@IF unrolled
#pragma unroll
for (int item = 0; item < items; item++) {
    //@IF position
    const IDX col = ITEM;
    //@END
    //@IF ragged
    if (col >= COLS) continue;
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
//@IF steps
for (IDX start = 0; start < COLS; start += STEP) {
    const bool active = start + lane < COLS;
    //@IF position
    const IDX col = active ? start + lane : LAST;
    //@END
    //@HOLE columns
}
//@END
//@IF unrolled_steps
#pragma unroll
for (int item = 0; item < items; item++) {
    const bool active = ITEM < COLS;
    //@IF position
    const IDX col = active ? ITEM : LAST;
    //@END
    //@HOLE columns
}
//@END
//@HOLE after
//@FINISH
}
