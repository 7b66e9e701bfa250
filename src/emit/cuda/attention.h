/* attention.h: text of the pieces that both forms of an attention share. */
#ifndef FUSEC_EMIT_CUDA_ATTENTION_H
#define FUSEC_EMIT_CUDA_ATTENTION_H

#include "emit/cuda/fma.h"

/* Statements, and the expression of their result. */
typedef struct AttentionPiece {
    const char *lines, *value;
    uint32_t axes; /* whose positions they read */
} AttentionPiece;

/* Statements that store, and what they read of a row. */
typedef struct AttentionStores {
    const char *text;
    bool reads_max, reads_sum;
} AttentionStores;

/* ---- attention.c: what both families by fused multiply-adds share ---- */

CudaWriter attention_writer(CudaKernel *k);
/* Of an operand but for `inside` and `thread`. Adds to the condition under which packs are
 * aligned. */
FmaMove attention_load_tile(CudaKernel *k, CudaWriter *c, FmaOperand o, Alignments *needed);
/* "const int at_m = at < M ? at : M - 1;" where the piece reads the position, in the tile. */
const char *attention_clamped(CudaWriter *c, int axis, const char *at, AttentionPiece piece);
void attention_fma_sizes(const CudaKernel *k, const CudaWriter *c, Fills *fills);
const char *attention_fma_products(const CudaWriter *c, int columns); /* their type */
/* Which tiles are skipped; all others are masked element by element. */
void attention_fma_mask(const CudaKernel *k, CudaWriter *c, TileMask mask, Fills *fills);
void attention_fma_launch(CudaKernel *k, const CudaWriter *c);

/* ---- attention_order.c: which tile of rows a block computes ---- */

/* The tile that is `place`-th: long rows first, where later rows see more, of all heads that share
 * keys. */
const char *attention_row_at(const CudaWriter *c, const char *place);
void attention_fma_order(const CudaKernel *k, const CudaWriter *c, const MaskText *masked,
                         Fills *fills);
void attention_mma_order(const CudaKernel *k, const CudaWriter *c, const MaskText *masked,
                         Fills *fills);

/* ---- attention_pieces.c ---- */

/* A value that scores load, and that is loaded before the scores are there: what the text of a
 * score calls it. Of two keys at a time by wgmma: attention_pairs.c. */
typedef struct AttentionPair {
    int value;
    const char *name, *element;
} AttentionPair;

/* PIECE_SCORES or PIECE_UNMASKED, of the score that is called `score`. */
AttentionPiece attention_score(CudaWriter *c, PieceRole role, const char *score,
                               const AttentionPair *pairs, int pair_count);
/* The shift of a row with the maximum "largest"; on tensor cores of one that is not -Inf. */
AttentionPiece attention_shift(CudaWriter *c);
/* A row whose maximum is below that is masked: MASKED or MASKED_HALF of graph/pass/pass.h. */
double attention_masked_below(const CudaWriter *c);
/* The exponent of 2, from "x" and "shift"; x is not yet multiplied by `scale`. */
AttentionPiece attention_exponent(CudaWriter *c, double scale);
/* The weight of the exponential "e", without the rounding of its store. */
AttentionPiece attention_weight(CudaWriter *c);
/* In what stores them, a row's maximum and sum, and the result, which is called `out`. Returns
 * which of them the piece that was started reads. */
AttentionStores attention_names(CudaWriter *c, const AttentionValues *p, const char *out);
/* PIECE_ROWS or PIECE_RESULTS, of the result called `out`. */
AttentionStores attention_stores(CudaWriter *c, const AttentionValues *p, PieceRole role,
                                 const char *out);
/* What both read of a row, which `threads` neighbours share. */
const char *attention_row_values(CudaWriter *c, const AttentionStores *rows,
                                 const AttentionStores *elements, const char *sum, const char *max,
                                 int threads);
/* Start and end of the tile of queries and of `keys` keys, as far as a text reads them:
 * TileReads. */
const char *attention_tile_at(const CudaWriter *c, const char *keys, uint64_t reads);
/* Adds NEXT_TILE, which skips masked tiles of keys: from IDX, MASKED, MASKED_AT and MASK_ROWS.
 * by_lanes: all lanes of a warp call it, and have registers for tests of their own. */
void attention_next_tile(const CudaWriter *c, const MaskText *masked, bool by_lanes, Fills *fills);

/* ---- attention_tiles.c: what the two ways on tensor cores share ---- */

enum { ATTENTION_PAIRS = 2 }; /* at most */

typedef struct AttentionTiles {
    CudaKernel *k;
    CudaWriter *c;
    const AttentionForm *form;
    Alignments alignments;   /* under which 16 bytes are moved at a time */
    bool by_quads;           /* attention_fills: do lanes of four exchange results first? */
    bool is_skipped_by_data; /* attention_fills: does data decide which tiles are skipped? */
    bool changes_scores;     /* attention_fills: is a score a function of the product? */
    AttentionPair pairs[ATTENTION_PAIRS];
    int pair_count;
} AttentionTiles;

/* The template's names of a score, its query and key, those of a weight, a result, and the sum and
 * maximum of its row; quad_out: that of a result which four lanes have exchanged; NULL: they do
 * not. */
typedef struct AttentionNames {
    const char *score, *query, *key, *weight_query, *weight_key, *out, *quad_out, *sum, *max;
    bool scales_late; /* scale scores later, if that changes nothing */
    bool skips_apart; /* tiles are skipped outside the scope of their scores */
} AttentionNames;

bool attention_is_whole(const AttentionTiles *m, int axis, int64_t tile);
/* "const int at_n = n_start + row;" of an axis among these. */
const char *attention_position(const AttentionTiles *m, uint32_t axes, int axis, const char *at);
/* Adds what both templates have. After the operands, since it adds to the condition. */
void attention_fills(AttentionTiles *m, const AttentionNames *names, Fills *fills);

/* The position of the query of [2 * j + half]. */
const char *attention_row_of_pair(const AttentionTiles *m, const AttentionNames *names);

/* ---- attention_pairs.c: of wgmma; before attention_fills ---- */

void attention_add_pairs(AttentionTiles *m, const AttentionNames *names, Fills *fills);

/* ---- attention_mma.c ---- */

/* Rows of an operand in shared memory: `rows` from `start` on along the axis `across`, and all of
 * the axis `along`, padded. raw: what a computed one is computed from; NULL: from memory. */
typedef struct AttentionOperand {
    int value, across, along;
    Dtype type;
    int rows, row_elements;
    const char *start, *slot;
    const RawLoads *raw;
} AttentionOperand;

/* How operands of f32 are multiplied: the name of the products, and of the functions that round or
 * split operands in shared memory, multiply scores, and multiply results. "": there is no such
 * function; scores of MULTIPLY_TF32 are multiplied by the text that halves have, too. */
typedef struct F32Text {
    const char *products, *settle, *rows, *columns;
} F32Text;

const F32Text *attention_f32_text(Multiply products);

/* Statements that bring it there. */
const char *attention_fetch(AttentionTiles *m, const AttentionOperand *o);

/* ---- attention_wgmma.c ---- */

/* Rows of a tile: from `start` on along the axis `own`, elements along the axis `along`. */
typedef struct AttentionBox {
    int value, own, along;
    int rows, panels; /* panels of 64 elements */
    const char *start, *slot, *barrier;
} AttentionBox;

const char *attention_copies(AttentionTiles *m, const AttentionBox *o);   /* by TMA */
const char *attention_elements(AttentionTiles *m, const AttentionBox *o); /* the same without it */

/* ---- attention_mma.c, attention_wgmma.c: on tensor cores, by warps or warpgroups ---- */

void cuda_attention_mma(CudaKernel *k, CudaWriter *c, const AttentionForm *form);
void cuda_attention_wgmma(CudaKernel *k, CudaWriter *c, const AttentionForm *form);

#endif
