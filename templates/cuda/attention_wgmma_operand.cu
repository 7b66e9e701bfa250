/* attention_wgmma_operand.cu: one operand of attention_wgmma.cu, where TMA cannot bring
 * it: panels of 64 columns, in chunks of 16 bytes. */
#include "prelude.cuh"
#define SLOT slot
#define PANELS 2
#define ROWS 128
#define IDX int
#define OWN at_n
#define AT_OWN n_start + row
#define ALONG at_k
#define FROM from
#define OWN_SIZE 100
#define LENGTH 100
__device__ void alone(unsigned char *slot, unsigned thread, const bf16 *from, int n_start) {
//@BEGIN
#pragma unroll 1
for (int item = thread; item < PANELS * ROWS * 8; item += 128) {
    const int row = item / 8 % ROWS, panel = item / 8 / ROWS, chunk = item % 8;
    const IDX OWN = AT_OWN, ALONG = 64 * panel + 8 * chunk;
    const int count = ALONG + 8 <= LENGTH ? 8 : (int)(LENGTH - ALONG);
    unsigned char *const to = SLOT + panel * (ROWS * 128) + swizzled<128>(row, chunk);
    copy_chunk<false>(to, FROM, OWN < OWN_SIZE ? count : 0);
}
//@FINISH
}
