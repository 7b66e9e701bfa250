/* A contraction whose known sizes are one block for one thread: dot.c without the loops over blocks.
 * Operands are packed, all products are summed up, and the epilogue runs on the sums. */
#include "tiles.h"
#define ELEMENT       float
#define TILE_SUMS_OF  tile_sums_f32
#define BATCH         2
#define M_SIZE        3
#define REST          M_SIZE % MR
#define N_SIZE        5
#define K_SIZE        7
#define COUNT         1
#define PANEL_COLUMNS NR_OF(ELEMENT)
#define LEFT_PANELS   a_packed
#define LEFT_SIZE     cut.a
#define MARK_FINITE   mark_finite_f32
static void example(char *packed) {
    //@BEGIN
    enum { NR = PANEL_COLUMNS, PRODUCTS = COUNT, PANELS = (N_SIZE + NR - 1) / NR * PRODUCTS };
    enum { m_start = 0, m_stop = M_SIZE, n_start = 0, n_stop = N_SIZE };
    enum { k_first = 0, k_end = K_SIZE };
    const fx_cut cut = fx_cut_block(MR, NR, M_SIZE, N_SIZE, K_SIZE, PRODUCTS, sizeof(ELEMENT));
    ELEMENT *const a_packed = (ELEMENT *)packed, *const b_group = a_packed + cut.a_all;
    ELEMENT *const sum = b_group + cut.b_all; /* one contraction after the other */
    //@IF BATCHED
    for (idx i0 = 0; i0 < BATCH; i0++)
    //@END
    {
        //@IF PADS_A
        if (M_SIZE % MR) /* padding rows are 0 */
            memset(a_packed + M_SIZE / MR * cut.a, 0, (size_t)cut.a * sizeof(ELEMENT));
        //@END
        //@HOLE pack_a
        //@IF PADS_B
        if (N_SIZE % NR)
            memset(b_group + N_SIZE / NR * PRODUCTS * cut.b, 0,
                   (size_t)(PRODUCTS * cut.b) * sizeof(ELEMENT));
        //@END
        //@HOLE pack_b
        //@IF MARKS_B
        for (idx panel = 0; panel < PANELS; panel++)
            MARK_FINITE(b_group + panel * cut.b, cut.b, K_SIZE * NR);
        //@END
        const idx sums_size = cut.sum_rows * NR;
        TILE_SUMS_OF(k_end, LEFT_PANELS, LEFT_SIZE, b_group, cut.b, sum, sums_size, NR,
                     false, m_stop, PANELS, REST);
        //@IF ROWS
        const idx sum_panel = PRODUCTS * sums_size;
        for (idx i1 = 0; i1 < M_SIZE; i1++) {
            const ELEMENT *const row_sums = sum + i1 * NR;
            //@HOLE row_stages
        }
        //@END
        //@IF ELEMENTS
        for (idx i1 = 0; i1 < M_SIZE; i1++) {
            for (idx i2 = 0; i2 < N_SIZE; i2 += VL) {
                //@IF LANES
                const idx lanes = N_SIZE - i2 < VL ? N_SIZE - i2 : VL;
                //@END
                const ELEMENT *const of =
                    sum + i1 * NR + i2 % NR + i2 / NR * (PRODUCTS * sums_size);
                //@HOLE finish
            }
        }
        //@END
    }
    //@FINISH
}
