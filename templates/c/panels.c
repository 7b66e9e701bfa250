/* Packs a constant operand of a contraction once: for each batch, panels of WIDTH rows of a
 * (columns of b), each over the full depth k. */
#include "tiles.h"
#define ELEMENT     float
#define PACKED      packed
#define WIDTH       NR
#define SUM         float
#define BATCH       2
#define SIZE        3
#define K_SIZE      7
static void example(float *packed) {
    //@BEGIN
    //@IF RIGHT
    enum { NR = NR_OF(SUM) };
    //@END
    const idx panel_size = fx_panel_size(WIDTH, K_SIZE), panels = (SIZE + WIDTH - 1) / WIDTH;
#pragma omp parallel for collapse(2) schedule(static)
    for (idx i0 = 0; i0 < BATCH; i0++) {
        for (idx panel = 0; panel < panels; panel++) {
            const idx first = panel * WIDTH, end = first + WIDTH < SIZE ? first + WIDTH : SIZE;
            ELEMENT *const at = PACKED + (i0 * panels + panel) * panel_size;
            if (end - first < WIDTH) /* padding is 0 */
                memset(at, 0, (size_t)panel_size * sizeof(ELEMENT));
            //@HOLE pack
        }
    }
    //@FINISH
}
