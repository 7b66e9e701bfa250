/* Part of chain.c: the results of a tile of rows. The scores of a tile become weights in place, and
 * are multiplied with the values at once. */
#include "tiles_weights.h"
#define ROWS      3
#define COUNT_N   5
#define COLUMNS   6
#define TILES     2
#define OWN_BYTES 1024
#define N_FIRST   0
#define N_STOP    COUNT_N
#define MASKED    (n_start > m_last)
static void example(idx tile, float *own, bool has_rows, bool has_across)
{
    enum { M_TILE = 56, N_TILE = 128 };
    for (;;) {
//@BEGIN
const idx m_start = tile * M_TILE;
const idx m_end = ROWS - m_start < M_TILE ? ROWS : m_start + M_TILE;
const idx m_panels = (m_end - m_start + MR - 1) / MR;
//@IF M_LAST
const idx m_last = m_end - 1;
//@END
//@HOLE MASK_ROWS
float scores[TILES][M_TILE][N_TILE] __attribute__((aligned(64)));
memset(own, 0, (size_t)(OWN_BYTES));
//@HOLE pack_left
for (idx n_start = N_FIRST; n_start < N_STOP; n_start += N_TILE) {
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
        //@HOLE pad_weights
    }
    //@IF ACROSS
    if (has_rows) {
        //@HOLE multiply_weights
    }
    if (has_across) {
        //@HOLE multiply_across
    }
    //@END
    //@IF ROWS_ALONE
    //@HOLE multiply_weights
    //@END
}
//@IF ACROSS
if (!has_rows) continue;
//@END
for (idx i1 = m_start; i1 < m_end; i1++) {
    const idx row = i1 - m_start;
    for (idx i4 = 0; i4 < COLUMNS; i4 += VL) {
        //@IF FINISH_LANES
        const idx lanes = COLUMNS - i4 < VL ? COLUMNS - i4 : VL;
        //@END
        //@HOLE finish
    }
}
//@FINISH
    }
}
