/* wgmma_operand.cu: one operand of a wgmma kernel, where TMA cannot bring it. */
#include "prelude.cuh"
#define SLOT slot
#define ROWS 128
#define PANELS 1
#define EACH 8
#define INSIDE 100, 100
#define COPY_OF copy
#define IDX int
#define POSITIONS at_m = m_start + row, at_k = k_start + column
#define COPY copy_chunk
#define COUNT count
#define FROM from + at_m * 100 + at_k
__device__ void alone(unsigned char *slot, const bf16 *from, int m_start, int k_start) {
//@BEGIN
const auto COPY_OF = [&](void *to, int row, int column, int count) {
    const IDX POSITIONS;
    COPY(to, FROM, COUNT);
};
copy_panels<ROWS, PANELS, EACH>(SLOT, INSIDE, COPY_OF);
//@FINISH
}
