/* dot_right.cu: one right operand of dot.cu: a tile of 64 in n and 16 in k goes to shared memory. */
#define NN l / 16
#define KK l % 16
#define DOT_K 16
#define NUMBER 0
#define B 0
__device__ void alone(float (*b_tile)[16][68], int thread, int k_start) {
//@BEGIN
#pragma unroll
for (int i = 0; i < 4; i++) {
    const int l = i * 256 + thread, nn = NN, kk = KK;
    //@HOLE at
    //@HOLE lines
    b_tile[NUMBER][kk][nn] = k_start + kk < DOT_K ? B : 0;
}
//@FINISH
}
