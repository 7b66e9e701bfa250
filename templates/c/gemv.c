/* Contractions on the CPU with few rows (columns) NARROW: for each batch, the sums along k of the
 * NARROW rows with each row of the wide operand, which is read once, as it is stored: memory bounds
 * such a product. Each thread takes strips of the wide operand. It packs the narrow operand, or
 * part after part of it, which stays in L1 or L2, adds up the sums of its strip (gemv_along.c, gemv_across.c), and finishes
 * them. */
#include "gemv.h"
#define ELEMENT      float
#define BATCH        2
#define BLOCKS       BATCH * cut.count
#define FIRST        block % cut.count
#define WIDE_SIZE    5
#define STRIPS       fx_strips_of(2048, 100000, BATCH, 3, WIDE_SIZE, 7, 1, sizeof(ELEMENT))
#define K_SIZE       7
#define FEW          3
#define ALL_FEW      NARROW
#define WIDE         i2
#define FEW_AXIS     i1
static void example(char *packed) {
    //@BEGIN
    enum { NARROW = FEW };
    const fx_strips cut = STRIPS;
    //@IF ROWS
    const idx narrow_row = FX_ROUND(K_SIZE, VL);
    //@END
#pragma omp parallel for schedule(dynamic) num_threads((int)cut.threads)
    for (idx block = 0; block < BLOCKS; block++) {
        //@IF BATCHED
        const idx i0 = block / cut.count;
        //@END
        const idx first = FIRST * cut.n;
        const idx end = first + cut.n < WIDE_SIZE ? first + cut.n : WIDE_SIZE;
        ELEMENT *const narrow = (ELEMENT *)(packed + fx_thread() * cut.bytes);
        ELEMENT *const sums = narrow + cut.narrow;
        //@HOLE pack
        //@HOLE products
        for (idx FEW_AXIS = 0; FEW_AXIS < ALL_FEW; FEW_AXIS++) {
            for (idx WIDE = first; WIDE < end; WIDE += VL) {
                //@IF LANES
                const idx lanes = end - WIDE < VL ? end - WIDE : VL;
                //@END
                const ELEMENT *const at = sums + FEW_AXIS * cut.n + WIDE - first;
                //@HOLE finish
            }
        }
    }
    //@FINISH
}
