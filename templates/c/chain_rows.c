/* Part of chain.c: threads share the tiles of rows. */
#include "tiles.h"
#define BATCH        2
#define OWN_SCRATCH  scratch + fx_thread() * 1024
static void example(idx tiles, char *scratch)
{
//@BEGIN
//@IF THREADS
#pragma omp for collapse(2) schedule(dynamic)
//@END
for (idx i0 = 0; i0 < BATCH; i0++) {
    for (idx tile = tiles - 1; tile >= 0; tile--) { /* causal: the longest rows first */
        float *const own = (float *)(OWN_SCRATCH);
        //@HOLE own_places
        //@HOLE row_tile
    }
}
//@FINISH
}
