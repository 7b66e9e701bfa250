/* dot_operand.cu: one operand of dot.cu: its code in fetch and keep. Neighbouring threads take
 * neighbouring elements in memory. */
#define ITEMS 8
#define THREADS 256
#define OWN l / 16
#define KK l % 16
#define PART part
#define TILE tile[slot]
#define X 0
__device__ void alone(float (*tile)[16][68], float *part, int thread, int slot, int k_start) {
//@BEGIN
#pragma unroll
for (int item = 0; item < ITEMS; item++) {
    [[maybe_unused]] const int l = item * THREADS + thread, own = OWN, kk = KK;
    //@IF IF_FETCH
    //@HOLE AT
    //@HOLE LINES
    PART[item] = X;
    //@END
    //@IF IF_KEEP
    TILE[kk][own] = PART[item];
    //@END
}
//@FINISH
}
