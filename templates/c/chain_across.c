/* Part of chain.c: threads share batches, or tiles of rows and of n. */
#include "tiles.h"
#define BATCH        2
#define COUNT_N      5
#define COLUMNS      6
#define OWN_SCRATCH  scratch + fx_thread() * 1024
static void example(idx tiles, idx parts, bool is_whole, idx out_row, char *scratch,
                    float *across)
{
    enum { N_TILE = 64 };
//@BEGIN
//@IF THREADS
#pragma omp for collapse(2) schedule(dynamic)
//@END
for (idx i0 = 0; i0 < BATCH; i0++) {
    for (idx part = 0; part < parts; part++) {
        const bool has_rows = is_whole || part < tiles, has_across = is_whole || !has_rows;
        const idx n_first = has_rows ? 0 : (part - tiles) * N_TILE;
        const idx n_stop = has_rows ? COUNT_N : fx_least(n_first + N_TILE, COUNT_N);
        const idx first =
            has_across ? tiles - 1 : tiles - 1 - part; /* causal: the longest first */
        const idx last = has_across ? 0 : first;
        float *const own = (float *)(OWN_SCRATCH);
        //@HOLE own_places
        if (has_across)
            memset(across, 0, (size_t)((n_stop - n_first) * out_row) * sizeof *across);
        for (idx tile = first; tile >= last; tile--) {
            //@HOLE row_tile
        }
        for (idx i2 = n_first; has_across && i2 < n_stop; i2++) {
            for (idx i4 = 0; i4 < COLUMNS; i4 += VL) {
                const idx lanes = COLUMNS - i4 < VL ? COLUMNS - i4 : VL;
                //@HOLE store_across
            }
        }
    }
}
//@FINISH
}
