/* Contractions on the CPU: for each batch, c[m][n] = sum over k of a[m][k] b[n][k], for one or several
 * b. The operands are packed into panels, a into MR rows and b into NR columns side by side for each k
 * (Goto & van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008); threads share out
 * tiles of c, whose sums stay in a local array until the rest is computed from them. */
#include "rows.h"
#define ELEMENT float
#define TILE_SUMS_OF tile_sums_f32
#define BATCH 2
#define M_SIZE 3
#define N_SIZE 5
#define K_SIZE 7
#define COUNT 1
#define K_STEPS 256
static void example(char *packed)
{
//@BEGIN
    enum { M_TILE = 16, N_TILE = 4, K_BLOCK = K_STEPS }; /* panels of a tile at most; a step in k */
    const idx k_blocks = (K_SIZE + K_BLOCK - 1) / K_BLOCK;
    const idx m_panels = (M_SIZE + MR - 1) / MR, n_panels = (N_SIZE + NR - 1) / NR;
    const idx a_panel = MR * K_BLOCK * k_blocks, b_panel = NR * K_SIZE;
    ELEMENT *const a_packed = (ELEMENT *)packed;
    ELEMENT *const b_packed = a_packed + BATCH * m_panels * a_panel;
    idx m_tile = M_TILE, n_tile = N_TILE; /* smaller where there are few tiles for the threads */
    while (m_tile > 1 && BATCH * (m_panels / m_tile) * (n_panels / n_tile) < 2 * fx_threads())
        if (m_tile >= n_tile) m_tile /= 2;
        else n_tile /= 2;
    const idx m_tiles = (m_panels + m_tile - 1) / m_tile, n_tiles = (n_panels + n_tile - 1) / n_tile;
#pragma omp parallel if (BATCH * M_SIZE * N_SIZE >= 4096)
    {
#pragma omp for collapse(2) schedule(static) nowait
        for (idx i0 = 0; i0 < BATCH; i0++) {
            for (idx panel = 0; panel < m_panels; panel++) {
                ELEMENT *const to = a_packed + (i0 * m_panels + panel) * a_panel;
                const idx start = panel * MR, rest = M_SIZE - start, rows = rest < MR ? rest : MR;
                if (rows < MR) memset(to, 0, (size_t)a_panel * sizeof *to);
                //@HOLE pack_a
            }
        }
#pragma omp for collapse(2) schedule(static)
        for (idx i0 = 0; i0 < BATCH; i0++) {
            for (idx panel = 0; panel < n_panels; panel++) {
                ELEMENT *to = b_packed + (i0 * n_panels + panel) * COUNT * b_panel;
                const idx start = panel * NR, rest = N_SIZE - start, rows = rest < NR ? rest : NR;
                if (rows < NR) memset(to, 0, (size_t)(COUNT * b_panel) * sizeof *to);
                //@HOLE pack_b
            }
        }
#pragma omp for collapse(2) schedule(dynamic)
        for (idx i0 = 0; i0 < BATCH; i0++) {
            for (idx tile = 0; tile < m_tiles * n_tiles; tile++) {
                const idx m_first = tile / n_tiles * m_tile, n_first = tile % n_tiles * n_tile;
                const idx m_last = m_first + m_tile < m_panels ? m_first + m_tile : m_panels;
                const idx n_last = n_first + n_tile < n_panels ? n_first + n_tile : n_panels;
                ELEMENT sums[COUNT][M_TILE * MR][N_TILE * NR] __attribute__((aligned(64)));
                for (idx c = 0; c < COUNT; c++)
                    memset(sums[c], 0, (size_t)((m_last - m_first) * MR) * sizeof sums[c][0]);
                for (idx k = 0; k < K_SIZE; k += K_BLOCK) {
                    const idx steps = K_SIZE - k < K_BLOCK ? K_SIZE - k : K_BLOCK;
                    for (idx n = n_first; n < n_last; n++) {
                        for (idx c = 0; c < COUNT; c++) {
                            const ELEMENT *const right =
                                b_packed + ((i0 * n_panels + n) * COUNT + c) * b_panel + k * NR;
                            for (idx m = m_first; m < m_last; m++)
                                TILE_SUMS_OF(
                                    steps, a_packed + (i0 * m_panels + m) * a_panel + k * MR, K_BLOCK,
                                    right, &sums[c][(m - m_first) * MR][(n - n_first) * NR],
                                    N_TILE * NR);
                        }
                    }
                }
                const idx m_start = m_first * MR, n_start = n_first * NR;
                const idx m_end = m_last * MR < M_SIZE ? m_last * MR : M_SIZE;
                const idx n_end = n_last * NR < N_SIZE ? n_last * NR : N_SIZE;
                for (idx i1 = m_start; i1 < m_end; i1++) {
                    for (idx i2 = n_start; i2 < n_end; i2 += VL) {
                        const idx lanes = n_end - i2 < VL ? n_end - i2 : VL;
                        //@HOLE finish
                    }
                }
            }
        }
    }
//@FINISH
}
