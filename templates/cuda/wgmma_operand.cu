/* wgmma_operand.cu: one operand of wgmma.cu, where TMA cannot bring it: its part of a
 * slot, boxes of 64 rows of 128 bytes, in chunks of 16 bytes. */
#include "prelude.cuh"
#define SLOT slot
#define ITEMS 1024
#define EACH 8
#define COPY copy_chunk<false>
#define IDX int
#define OWN at_m
#define AT_OWN m_start + 64 * box + row
#define AT_K k_start + 8 * chunk
#define FROM from
#define INSIDE at_m < 100
#define LENGTH 100
#define ALONG at_k
__device__ void alone(unsigned char *slot, unsigned thread, const bf16 *from, int m_start,
                      int k_start) {
//@BEGIN
#pragma unroll 1
for (int item = thread; item < ITEMS; item += 128) {
    const int box = item / 512, row = item / 8 % 64, chunk = item % 8;
    const IDX OWN = AT_OWN, at_k = AT_K;
    const int count = ALONG + EACH <= LENGTH ? EACH : (int)(LENGTH - ALONG);
    unsigned char *const to = SLOT + 8192 * box + swizzled<128>(row, chunk);
    COPY(to, FROM, INSIDE ? count : 0);
}
//@FINISH
}
