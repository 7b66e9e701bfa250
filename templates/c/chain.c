/* A chain of contractions on the CPU: for each batch and row, sums over n of weights times values,
 * where weights are functions of scores, the products of the row with all n: the backward of
 * attention. The scores of a tile become weights in place, and are multiplied with the values at
 * once. Memory beyond the tensors: right operands, packed. */
#include "tiles.h"
#define BATCH 2
#define ROWS 3
#define COUNT_N 5
#define COLUMNS 6
#define TILES 2
#define M_PANELS 4
#define N_PANELS 4
#define PARALLEL 4096
#define THREAD_BYTES 1024
#define MASKED (n_start > m_last)
static void example(char *packed, char *scratch)
{
//@BEGIN
    enum { NR = NR_OF(float), M_TILE = M_PANELS * MR, N_TILE = N_PANELS * NR };
    const idx n_panels = (COUNT_N + NR - 1) / NR, column_panels = (COLUMNS + NR - 1) / NR;
    const idx out_row = column_panels * NR, tiles = (ROWS + M_TILE - 1) / M_TILE;
    //@HOLE packed_places
#pragma omp parallel if (BATCH * ROWS * COUNT_N >= PARALLEL)
    {
        //@HOLE pack_right
#pragma omp barrier
#pragma omp for collapse(2) schedule(dynamic)
        for (idx i0 = 0; i0 < BATCH; i0++) {
            for (idx tile = tiles - 1; tile >= 0; tile--) { /* causal: the longest rows first */
                const idx m_start = tile * M_TILE;
                const idx m_end = ROWS - m_start < M_TILE ? ROWS : m_start + M_TILE;
                const idx m_panels = (m_end - m_start + MR - 1) / MR;
                //@IF M_LAST
                const idx m_last = m_end - 1;
                //@END
                //@HOLE MASK_ROWS
                float scores[TILES][M_TILE][N_TILE] __attribute__((aligned(64)));
                float *const own = (float *)(scratch + fx_thread() * (THREAD_BYTES));
                //@HOLE own_places
                memset(own, 0, (size_t)(THREAD_BYTES));
                //@HOLE pack_left
                for (idx n_start = 0; n_start < COUNT_N; n_start += N_TILE) {
                    const idx n_end = COUNT_N - n_start < N_TILE ? COUNT_N : n_start + N_TILE;
                    //@IF N_LAST
                    const idx n_last = n_end - 1;
                    //@END
                    //@IF MASKED
                    if (MASKED) continue;
                    //@END
                    //@HOLE multiply_scores
                    for (idx i1 = m_start; i1 < m_end; i1++) {
                        const idx row = i1 - m_start;
                        for (idx i2 = n_start; i2 < n_end; i2 += VL) {
                            //@IF LANES
                            const idx lanes = n_end - i2 < VL ? n_end - i2 : VL;
                            //@END
                            //@HOLE weights
                        }
                    }
                    //@HOLE multiply_weights
                }
                for (idx i1 = m_start; i1 < m_end; i1++) {
                    const idx row = i1 - m_start;
                    for (idx i4 = 0; i4 < COLUMNS; i4 += VL) {
                        //@IF FINISH_LANES
                        const idx lanes = COLUMNS - i4 < VL ? COLUMNS - i4 : VL;
                        //@END
                        //@HOLE finish
                    }
                }
            }
        }
    }
//@FINISH
}
