/* Contractions on the CPU: for each batch, c[m][n] = sum over k of a[m][k] b[n][k], for one or
 * several b (Goto & van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008; Van
 * Zee & van de Geijn, "BLIS", 2015). Each thread takes blocks of c. For each block of k it packs a
 * block of a into panels, which stay in L2, packs panels of b at their first use, and the
 * micro-kernel adds the products of two panels to a tile of c. After the last block of k the
 * epilogue runs on the sums while they are in the caches: element by element, or row by row if
 * GROUP holds whole rows. Panels of a constant operand (panels.c) are read in place, or widened. */
#include "tiles_narrow.h"
#define ELEMENT      float
#define TILE_SUMS_OF tile_sums_f32
#define BATCH        2
#define BLOCKS       BATCH * m_blocks * n_blocks
#define M_BLOCK      block / n_blocks % m_blocks
#define M_SIZE       3
#define N_SIZE       5
#define K_LENGTH     7
#define K_STEP       cut.k
#define K_SIZE       7
#define K_END        7
#define COUNT        1
#define COLUMNS      1
#define ROW_BLOCK    224 / MR * MR
#define GROUP_COLUMNS 32 * NR
#define PANEL_COLUMNS NR_OF(ELEMENT)
#define CUT          fx_cut_of(&example_tile, BATCH, M_SIZE, N_SIZE, K_SIZE, PRODUCTS, sizeof(ELEMENT), COLUMNS)
#define STEPS        k_end - k_first
#define OFFSET       128
#define PAIR_STEPS_A pair_steps
#define PAIR_STEPS_B pair_steps
#define LEFT_PANELS  a_packed
#define LEFT_SIZE    cut.a
#define RIGHT_PANELS b_group
#define RIGHT_SIZE   cut.b
#define SUMS         sum
#define TOGETHER     panels
static const fx_tile example_tile = {2048, 2048, 512, 224, 32, MR, 2, 100000};
static void example(char *packed) {
    //@BEGIN
    enum { NR = PANEL_COLUMNS, GROUP = GROUP_COLUMNS, BLOCK = ROW_BLOCK, PRODUCTS = COUNT };
    const fx_cut cut = CUT;
    //@HOLE panel_sizes
    //@HOLE k_size
    const idx m_blocks = (M_SIZE + cut.m - 1) / cut.m, n_blocks = (N_SIZE + cut.n - 1) / cut.n;
#pragma omp parallel for schedule(dynamic) num_threads((int)cut.threads)
    for (idx block = 0; block < BLOCKS; block++) {
        //@IF BATCHED
        const idx i0 = block / (m_blocks * n_blocks);
        //@END
        const idx m_first = M_BLOCK * cut.m, n_first = block % n_blocks * cut.n;
        const idx m_end = m_first + cut.m < M_SIZE ? m_first + cut.m : M_SIZE;
        const idx n_end = n_first + cut.n < N_SIZE ? n_first + cut.n : N_SIZE;
        //@IF TILES
        tiles_start();
        //@END
        ELEMENT *const a_packed = (ELEMENT *)(packed + fx_thread() * cut.bytes);
        ELEMENT *const b_packed = a_packed + cut.a_all, *const sums = b_packed + cut.b_all;
        for (idx k_first = 0; k_first < K_SIZE; k_first += K_STEP) {
            //@HOLE k_stop
            const idx k_end = K_END;
            for (idx m_start = m_first; m_start < m_end; m_start += BLOCK) {
                const idx m_stop = m_start + BLOCK < m_end ? m_start + BLOCK : m_end;
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
                for (idx n_start = n_first; n_start < n_end; n_start += GROUP) {
                    const idx n_stop = n_start + GROUP < n_end ? n_start + GROUP : n_end;
                    const idx panels = (n_stop - n_start + NR - 1) / NR * PRODUCTS;
                    //@IF FILLS_B
                    ELEMENT *const b_group = b_packed + (n_start - n_first) / NR * PRODUCTS * cut.b;
                    if (m_start == m_first) {
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
                        //@IF BYTES_B
                        for (idx panel = 0; panel < panels; panel++)
                            byte_steps_b(b_group + panel * cut.b, NR, k_end - k_first, OFFSET);
                        //@END
                    }
                    //@END
                    ELEMENT *sum = sums; /* sums of the group, one contraction after the other */
                    //@IF DEEP
                    if (cut.k < K_SIZE)
                        sum += (n_start - n_first) * PRODUCTS * cut.sum_rows +
                               (m_start - m_first) * NR;
                    //@END
                    //@IF ONE_BY_ONE
                    for (idx panel = 0; panel < panels; panel++)
                    //@END
                    TILE_SUMS_OF(STEPS, LEFT_PANELS, LEFT_SIZE, RIGHT_PANELS, RIGHT_SIZE,
                                 SUMS, cut.sum_rows * NR, NR, k_first > 0, m_stop - m_start,
                                 TOGETHER, M_SIZE % MR);
                    //@IF DEEP
                    if (k_end < K_SIZE) continue;
                    //@END
                    //@IF ROWS
                    const idx sum_panel = PRODUCTS * cut.sum_rows * NR;
                    //@IF PART
                    const idx i4 = n_start / GROUP;
                    //@END
                    for (idx i1 = m_start; i1 < m_stop; i1++) {
                        const ELEMENT *const row_sums = sum + (i1 - m_start) * NR;
                        //@HOLE row_stages
                    }
                    //@END
                    //@IF ELEMENTS
                    for (idx i1 = m_start; i1 < m_stop; i1++) {
                        for (idx i2 = n_start; i2 < n_stop; i2 += VL) {
                            //@IF LANES
                            const idx lanes = n_stop - i2 < VL ? n_stop - i2 : VL;
                            //@END
                            const ELEMENT *const at =
                                sum + (i1 - m_start) * NR + (i2 - n_start) % NR +
                                (i2 - n_start) / NR * (PRODUCTS * cut.sum_rows * NR);
                            //@HOLE finish
                        }
                    }
                    //@END
                }
            }
        }
        //@IF TILES
        tiles_end();
        //@END
    }
    //@FINISH
}
