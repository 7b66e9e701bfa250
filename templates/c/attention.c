/* Attention on the CPU: for each batch and query, softmax(scores of the keys) times the values.
 * Keys are processed in tiles: the scores of a tile become weights in a local array, and are
 * multiplied with the values at once; a running maximum and sum rescale the earlier results (Dao,
 * "FlashAttention-2", 2023). Shifts are whole powers of 2, so rescaling is exact. Memory beyond the
 * tensors: the packed keys and values. */
#include "tiles_weights.h"
#define BATCH 2
#define QUERIES 3
#define KEYS 5
#define DEPTH 7
#define COLUMNS 6
#define M_PANELS 4
#define N_PANELS 4
#define PARALLEL 4096
#define THREAD_BYTES 1024
#define OWN_SCRATCH  scratch + fx_thread() * thread_bytes
#define QUERY_STEPS  DEPTH /* of a panel of queries, keys, columns */
#define KEY_STEPS    DEPTH
#define COLUMN_STEPS KEYS
#define SCORE_STEPS  DEPTH /* of the products of a tile; and columns' first */
#define FIRST_STEP   n_start
#define WEIGHT_STEPS n_end - n_start
#define SCORES_OF    tile_sums_f32
#define SUMS_OF      tile_sums_across_f32
#define MASKED (n_start > m_last)
#define CLEAR (n_last <= m_start)
static f32 shift;
static void example(char *packed, char *scratch)
{
//@BEGIN
    enum { NR = NR_OF(float), M_TILE = M_PANELS * MR, N_TILE = N_PANELS * NR }; /* queries, keys */
    const idx key_panels = (KEYS + NR - 1) / NR, column_panels = (COLUMNS + NR - 1) / NR;
    const idx query_panel = MR * QUERY_STEPS + VL, key_panel = NR * KEY_STEPS;
    const idx column_panel = NR * COLUMN_STEPS;
    const idx out_row = column_panels * NR, tiles = (QUERIES + M_TILE - 1) / M_TILE;
    //@IF THREADS
    /* The queries of a tile, and its accumulators. */
    const idx thread_bytes = THREAD_BYTES;
    //@END
    float *const keys = (float *)packed;
    float *const columns = keys + BATCH * key_panels * key_panel;
//@IF THREADS
#pragma omp parallel if (BATCH * QUERIES * KEYS >= PARALLEL)
//@END
    {
//@IF THREADS
#pragma omp for collapse(2) schedule(static)
//@END
        for (idx i0 = 0; i0 < BATCH; i0++) {
            for (idx each = 0; each < key_panels + column_panels; each++) {
                const bool is_keys = each < key_panels;
                const idx panel = is_keys ? each : each - key_panels, first = panel * NR;
                if (is_keys) {
                    float *const keys_at = keys + (i0 * key_panels + panel) * key_panel;
                    const idx end = first + NR < KEYS ? first + NR : KEYS;
                    //@IF PADS_KEYS
                    if (end - first < NR) memset(keys_at, 0, (size_t)key_panel * sizeof *keys_at);
                    //@END
                    //@HOLE pack_keys
                    //@IF PAIRS_KEYS
                    bf16_steps_b(keys_at, NR, DEPTH);
                    //@END
                } else {
                    float *const columns_at = columns + (i0 * column_panels + panel) * column_panel;
                    const idx end = first + NR < COLUMNS ? first + NR : COLUMNS;
                    //@IF PADS_COLUMNS
                    if (end - first < NR)
                        memset(columns_at, 0, (size_t)column_panel * sizeof *columns_at);
                    //@END
                    //@HOLE pack_columns
                    //@IF PAIRS_COLUMNS
                    bf16_steps_b(columns_at, NR, KEYS);
                    //@END
                }
            }
        }
        //@IF TILES
        tiles_start();
        //@END
//@IF THREADS
#pragma omp for collapse(2) schedule(dynamic)
//@END
        for (idx i0 = 0; i0 < BATCH; i0++) {
            for (idx tile = tiles - 1; tile >= 0; tile--) { /* causal: the longest rows first */
                const idx m_start = tile * M_TILE;
                const idx m_end = QUERIES - m_start < M_TILE ? QUERIES : m_start + M_TILE;
                const idx m_panels = (m_end - m_start + MR - 1) / MR;
                //@IF M_LAST
                const idx m_last = m_end - 1;
                //@END
                //@HOLE MASK_ROWS
                float scores[M_TILE][N_TILE] __attribute__((aligned(64)));
                enum { M_VECTORS = FX_ROUND(M_TILE, VL) };
                float maxima[M_VECTORS], shifts[M_VECTORS], sums[M_VECTORS];
                float *const queries = (float *)(OWN_SCRATCH);
                float *const out_tile = queries + M_TILE / MR * query_panel;
                //@IF PADS_QUERIES
                memset(queries, 0, (size_t)(m_panels * query_panel) * sizeof *queries);
                //@END
                memset(out_tile, 0, (size_t)(m_panels * MR * out_row) * sizeof *out_tile);
                for (idx row = 0; row < M_VECTORS; row++)
                    maxima[row] = -INFINITY, shifts[row] = sums[row] = 0;
                //@HOLE pack_queries
                //@IF PAIRS_QUERIES
                for (idx panel = 0; panel < m_panels; panel++)
                    bf16_steps_a(queries + panel * query_panel, MR, DEPTH);
                //@END
                for (idx n_start = 0; n_start < KEYS; n_start += N_TILE) {
                    const idx n_end = KEYS - n_start < N_TILE ? KEYS : n_start + N_TILE;
                    //@IF N_LAST
                    const idx n_last = n_end - 1;
                    //@END
                    //@IF MASKED
                    if (MASKED) continue;
                    //@END
                    //@IF CLEAR
                    const bool clear = CLEAR;
                    //@END
                    SCORES_OF(SCORE_STEPS, queries, query_panel,
                              keys + (i0 * key_panels + n_start / NR) * key_panel, key_panel,
                              scores[0], NR, N_TILE, false, m_panels * MR,
                              (n_end - n_start + NR - 1) / NR, 0);
                    /* VL rows at a time: their maxima, shifts, and weights. */
                    for (idx first = m_start; first < m_end; first += VL) {
                        const idx end = fx_least(first + VL, m_end);
                        for (idx i1 = first; i1 < end; i1++) {
                            const idx row = i1 - m_start;
                            f32 largest = splat_f32(maxima[row]);
                            //@IF CLEAR
                            if (clear) {
                                for (idx i2 = n_start; i2 < n_end; i2 += VL) {
                                    //@IF KEY_LANES
                                    const idx lanes = n_end - i2 < VL ? n_end - i2 : VL;
                                    //@END
                                    //@HOLE clear_score
                                }
                            } else {
                                for (idx i2 = n_start; i2 < n_end; i2 += VL) {
                                    //@IF KEY_LANES
                                    const idx lanes = n_end - i2 < VL ? n_end - i2 : VL;
                                    //@END
                                    //@HOLE score
                                }
                            }
                            //@END
                            //@IF PLAIN
                            for (idx i2 = n_start; i2 < n_end; i2 += VL) {
                                //@IF KEY_LANES
                                const idx lanes = n_end - i2 < VL ? n_end - i2 : VL;
                                //@END
                                //@HOLE score
                            }
                            //@END
                            maxima[row] = max_lanes_f32(largest)[0];
                        }
                        float factors[VL];
                        {
                            const idx i1 = first, row = i1 - m_start;
                            //@IF SHIFT_LANES
                            const idx lanes = end - first;
                            //@END
                            const f32 largest = ld_f32(maxima + row, VL);
                            //@HOLE row_shift
                            const f32 sum = ld_f32(sums + row, VL);
                            const f32 factor =
                                where_f32(eq_f32(sum, splat_f32(0)), splat_f32(0),
                                          exp2_f32(ld_f32(shifts + row, VL) - shift));
                            st_f32(shifts + row, shift, VL);
                            st_f32(sums + row, sum * factor, VL);
                            st_f32(factors, factor, VL);
                        }
                        for (idx i1 = first; i1 < end; i1++) {
                            const idx row = i1 - m_start;
                            const float factor = factors[i1 - first];
                            if (factor != 1)
                                for (idx col = 0; col < COLUMNS; col++)
                                    out_tile[row * out_row + col] *= factor;
                            const f32 shift = splat_f32(shifts[row]);
                            f32 sum = splat_f32(0);
                            for (idx i2 = n_start; i2 < n_end; i2 += VL) {
                                //@IF KEY_LANES
                                const idx lanes = n_end - i2 < VL ? n_end - i2 : VL;
                                //@END
                                //@HOLE weight
                            }
                            //@IF PADS_WEIGHTS
                            end_weights(scores[row], n_end - n_start);
                            //@END
                            sums[row] += sum_lanes_f32(sum)[0];
                        }
                    }
                    SUMS_OF(WEIGHT_STEPS, scores[0], N_TILE, 1,
                            columns + i0 * column_panels * column_panel + FIRST_STEP * NR,
                            column_panel, out_tile, NR, out_row, m_panels * MR, column_panels);
                }
                for (idx i1 = m_start; i1 < m_end; i1++) {
                    const idx row = i1 - m_start;
                    //@HOLE row_results
                    for (idx i4 = 0; i4 < COLUMNS; i4 += VL) {
                        //@IF FINISH_LANES
                        const idx lanes = COLUMNS - i4 < VL ? COLUMNS - i4 : VL;
                        //@END
                        //@HOLE finish
                    }
                }
            }
        }
        //@IF TILES
        tiles_end();
        //@END
    }
//@FINISH
}
