/* A chain of contractions on the CPU: for each batch and row, sums over n of weights times values,
 * where weights are functions of scores, the products of the row with all n: the backward of
 * attention. Memory beyond the tensors: right operands, packed. */
#include "tiles_weights.h"
#define BATCH    2
#define ROWS     3
#define COUNT_N  5
#define COLUMNS  6
#define M_PANELS 4
#define N_PANELS 4
#define PARALLEL 4096
static void example(char *packed)
{
//@BEGIN
    enum { NR = NR_OF(float), M_TILE = M_PANELS * MR, N_TILE = N_PANELS * NR };
    const idx n_panels = (COUNT_N + NR - 1) / NR, column_panels = (COLUMNS + NR - 1) / NR;
    const idx out_row = column_panels * NR, tiles = (ROWS + M_TILE - 1) / M_TILE;
    //@HOLE packed_places
    //@IF ACROSS
    /* A thread takes a whole batch, and computes its scores once. Where that leaves others without
     * work it takes a tile of rows, or all rows for the sums of a tile of n, in the same order. */
    const idx threads = BATCH * ROWS * COUNT_N >= PARALLEL ? fx_threads() : 1;
    const bool is_whole = 5 * ((BATCH + threads - 1) / threads) * threads <= 7 * BATCH;
    const idx parts = is_whole ? 1 : tiles + (COUNT_N + N_TILE - 1) / N_TILE;
    //@END
//@IF THREADS
#pragma omp parallel if (BATCH * ROWS * COUNT_N >= PARALLEL)
//@END
    {
        //@HOLE pack_right
//@IF THREADS
#pragma omp barrier
//@END
        //@IF PAIRS
        tiles_start();
        //@END
        //@HOLE row_loops
        //@IF PAIRS
        tiles_end();
        //@END
    }
//@FINISH
}
