/* Contractions on the CPU: for each batch, c[m][n] = sum over k of a[m][k] b[n][k], for one or
 * several b (Goto & van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008; Van
 * Zee & van de Geijn, "BLIS", 2015). Each thread takes blocks of c. For each block of k it packs a
 * block of a into panels, which stay in L2, packs panels of b at their first use, and the
 * micro-kernel adds the products of two panels to a tile of c. After the last block of k the
 * epilogue runs on the sums while they are in the caches: element by element, of one tile after the
 * other if all of k is one block, or row by row if GROUP holds whole rows. Panels of a constant
 * operand (panels.c) are read in place, or widened.
 * fx_next_block has the loops over blocks; for matrices that functions pack, product_next_f32. */
#include "tiles_weights.h"
#define ELEMENT      float
#define TILE_SUMS_OF tile_sums_f32
#define BATCH        2
#define M_SIZE       3
#define REST         M_SIZE % MR
#define N_SIZE       5
#define K_LENGTH     7
#define K_FIRST      at.k_first
#define K_SIZE       7
#define K_END        7
#define COUNT        1
#define COLUMNS      1
#define ROW_BLOCK    224 / MR * MR
#define GROUP_COLUMNS 32 * NR
#define PANEL_COLUMNS NR_OF(ELEMENT)
#define NEXT_BLOCK   fx_next_block(&blocks, &at)
#define STEPS        k_end - k_first
#define OFFSET       128
#define PAIR_STEPS_A pair_steps
#define PAIR_STEPS_B pair_steps
#define LEFT_PANELS  a_packed
#define LEFT_SIZE    cut.a
#define RIGHT_PANELS b_group
#define MARK_FINITE  mark_finite_f32
#define RIGHT_SIZE   cut.b
#define SUMS         sum
#define SUMS_SIZE    cut.sum_rows * NR
#define TOGETHER     panels
#define HALF_SUMS_OF tile_half_bf16
#define HALF_PANEL   FX_HALF
#define RESULTS_OF   tile_results_f32
#define RESULTS_FROM NULL
#define RESULTS_ACROSS N_SIZE
#define RESULT       (float *)NULL
#define ADDS_SUMS    FX_DEEP(k_first)
#define ENDS         FX_ENDS(N_SIZE % NR)
static const fx_tile example_tile = {2048, 2048, 512, 224, 32, MR, 2, 100000};
static fx_cut cut;
static fx_blocks blocks;
static void example(void) {
    //@BEGIN
    enum { NR = PANEL_COLUMNS, GROUP = GROUP_COLUMNS, BLOCK = ROW_BLOCK, PRODUCTS = COUNT };
    //@HOLE blocks
#pragma omp parallel num_threads((int)cut.threads)
    {
        //@IF TILES
        tiles_start();
        //@END
        for (fx_block at = {0}; NEXT_BLOCK;) {
            //@IF BATCHED
            const idx i0 = at.batch;
            //@END
            const idx m_start = at.m_start, m_stop = at.m_stop;
            const idx n_start = at.n_start, n_stop = at.n_stop;
            //@IF COUNTS_PANELS
            const idx panels = (n_stop - n_start + NR - 1) / NR * PRODUCTS;
            //@END
            const idx k_first = K_FIRST;
            //@HOLE k_stop
            const idx k_end = K_END;
            //@IF FILLS_A
            ELEMENT *const a_packed = at.a;
            if (at.packs_a) {
                //@IF PADS_A
                if ((m_stop - m_start) % MR) /* padding rows are 0 */
                    memset(a_packed + (m_stop - m_start) / MR * cut.a, 0,
                           (size_t)cut.a * sizeof(ELEMENT));
                //@END
                //@HOLE pack_a
                //@IF PAIRS_A
                for (idx row = m_start; row < m_stop; row += MR)
                    PAIR_STEPS_A(a_packed + (row - m_start) / MR * cut.a, MR, k_end - k_first);
                //@END
                //@IF BYTES_A
                for (idx row = m_start; row < m_stop; row += MR)
                    byte_steps_a(a_packed + (row - m_start) / MR * cut.a, MR, k_end - k_first,
                                 OFFSET);
                //@END
            }
            //@END
            //@IF FILLS_B
            ELEMENT *const b_group = at.b;
            //@IF PACKS_B
            if (at.packs_b) {
                //@IF PADS_B
                if ((n_stop - n_start) % NR)
                    memset(b_group + (n_stop - n_start) / NR * PRODUCTS * cut.b, 0,
                           (size_t)(PRODUCTS * cut.b) * sizeof(ELEMENT));
                //@END
                //@HOLE pack_b
                //@IF PAIRS_B
                for (idx panel = 0; panel < panels; panel++)
                    PAIR_STEPS_B(b_group + panel * cut.b, NR, k_end - k_first);
                //@END
                //@IF MARKS_B
                for (idx panel = 0; panel < panels; panel++)
                    MARK_FINITE(b_group + panel * cut.b, cut.b, (k_end - k_first) * NR);
                //@END
                //@IF BYTES_B
                for (idx panel = 0; panel < panels; panel++)
                    byte_steps_b(b_group + panel * cut.b, NR, k_end - k_first, OFFSET);
                //@END
            }
            //@END
            //@END
            ELEMENT *const sum = at.sum; /* one contraction after the other */
            const idx sums_size = SUMS_SIZE;
            //@IF RESULTS
            RESULTS_OF(STEPS, LEFT_PANELS, LEFT_SIZE, RIGHT_PANELS, RIGHT_SIZE,
                       sum, sums_size, RESULTS_FROM, RESULTS_ACROSS,
                       m_stop - m_start, n_stop - n_start, REST, ENDS);
            //@END
            //@IF ADDS
            //@IF HALF
            const idx full = panels - (HALF_PANEL(N_SIZE) && n_stop == N_SIZE);
            //@END
            //@IF ONE_BY_ONE
            for (idx panel = 0; panel < panels; panel++)
            //@END
            TILE_SUMS_OF(STEPS, LEFT_PANELS, LEFT_SIZE, RIGHT_PANELS, RIGHT_SIZE,
                         SUMS, sums_size, NR, ADDS_SUMS, m_stop - m_start,
                         TOGETHER, REST);
            //@IF HALF
            if (full < panels) /* the last has one vector of columns */
                HALF_SUMS_OF(STEPS, LEFT_PANELS, LEFT_SIZE, RIGHT_PANELS + full * RIGHT_SIZE,
                             RIGHT_SIZE, SUMS + full * sums_size, sums_size, NR, ADDS_SUMS,
                             m_stop - m_start, 1, REST);
            //@END
            //@END
            //@IF DEEP
            if (k_end < K_SIZE) continue;
            //@END
            //@IF ROWS
            const idx sum_panel = PRODUCTS * sums_size;
            //@IF PART
            const idx i4 = n_start / GROUP;
            //@END
            for (idx i1 = m_start; i1 < m_stop; i1++) {
                const ELEMENT *const row_sums = sum + (i1 - m_start) * NR;
                //@HOLE row_stages
            }
            //@END
            //@IF BY_TILES
            for (idx panel = n_start; panel < n_stop; panel += NR)
                for (idx row = m_start; row < m_stop; row += MR) { /* a tile, while it is in L1 */
                    const idx row_stop = fx_least(row + MR, m_stop);
                    //@IF FETCHES
                    for (idx i1 = row; i1 < row_stop; i1++)
                        for (idx i2 = panel; i2 < panel + NR; i2 += VL)
                            __builtin_prefetch(RESULT, 1);
                    //@END
                    TILE_SUMS_OF(STEPS, LEFT_PANELS + (row - m_start) / MR * LEFT_SIZE, LEFT_SIZE,
                                 RIGHT_PANELS + (panel - n_start) / NR * PRODUCTS * RIGHT_SIZE,
                                 RIGHT_SIZE, sum, sums_size, NR, false, row_stop - row, PRODUCTS,
                                 REST);
                    for (idx i2 = panel; i2 < panel + NR && i2 < n_stop; i2 += VL) {
                        //@IF LANES
                        const idx lanes = n_stop - i2 < VL ? n_stop - i2 : VL;
                        //@END
                        for (idx i1 = row; i1 < row_stop; i1++) {
                            const ELEMENT *const of = sum + (i1 - row) * NR + i2 - panel;
                            //@HOLE finish
                        }
                    }
                }
            //@END
            //@IF ELEMENTS
            for (idx i1 = m_start; i1 < m_stop; i1++) {
                for (idx i2 = n_start; i2 < n_stop; i2 += VL) {
                    //@IF LANES
                    const idx lanes = n_stop - i2 < VL ? n_stop - i2 : VL;
                    //@END
                    const ELEMENT *const of = sum + (i1 - m_start) * NR + (i2 - n_start) % NR +
                                              (i2 - n_start) / NR * (PRODUCTS * sums_size);
                    //@HOLE finish
                }
            }
            //@END
        }
        //@IF TILES
        tiles_end();
        //@END
    }
    //@FINISH
}
