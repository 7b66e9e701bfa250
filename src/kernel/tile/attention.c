/* attention.c: attentions on tensor cores: may it be, and in which tiles. In: Body, Machine.
 * Out: AttentionForm with a legal Tile, good without having measured. */
#include "kernel/tile/tile.h"

enum { SHORT_ROW = 32, LONG_ROW = 64 };

/* Rows in shared memory are 64 bytes, or a multiple of 128: what swizzled() takes. */
static int row_elements(int64_t n) {
    if (n <= SHORT_ROW) return SHORT_ROW;
    return (int)((n + LONG_ROW - 1) / LONG_ROW * LONG_ROW);
}

static bool narrow_pair(const Body *b, const Accumulator *dot, Dtype *type) {
    *type = b->values.at[dot->value].type;
    return (*type == T_BF16 || *type == T_F16) && b->values.at[dot->index].type == *type;
}

static bool known_length(const Body *b, int axis, int64_t *n) {
    return dim_is_const(b->indices->dims, b->indices->extent[axis], n) && *n <= ATTENTION_LONGEST;
}

int tile_attention_shared(const AttentionForm *f) {
    return 2 * (f->tile.m * f->depth_row + f->tile.n * (f->depth_row + f->column_row));
}

/* Scores and results, and what goes along with them; the compiler has no more than 255. */
int tile_attention_registers(const AttentionForm *f) {
    enum { OTHERS = 70, MOST = 255 };
    const Tile *t = &f->tile;
    int sums = t->m / t->warps_m * (t->n / t->warps_n + 16 * f->column_steps) / 32;
    return sums + OTHERS < MOST ? sums + OTHERS : MOST;
}

/* Up to so many columns and queries, 0: any: queries and keys of a tile, warps along both, blocks
 * of a multiprocessor. Few queries leave warps that share out the keys; wider rows leave fewer
 * registers for each query. The last of each width fits every device. */
static const struct {
    int columns, queries, m, n, warps_m, warps_n, blocks;
} tiles[] = {
    {64, 16, 16, 128, 1, 4, 4}, {64, 32, 32, 128, 2, 2, 3},  {64, 64, 64, 128, 4, 1, 3},
    {64, 0, 128, 128, 4, 1, 2}, {128, 16, 16, 128, 1, 4, 3}, {128, 32, 32, 128, 2, 2, 3},
    {128, 64, 64, 64, 4, 1, 3}, {128, 0, 128, 64, 4, 1, 2},  {256, 16, 16, 64, 1, 4, 2},
    {256, 0, 64, 64, 4, 1, 1},  {256, 0, 64, 32, 4, 1, 1},
};

bool attention_form(const Body *b, const Machine *gpu, AttentionForm *f) {
    const AttentionParts p = b->attention;
    int64_t depth, columns, queries;
    *f = (AttentionForm){.parts = p};
    f->is_narrow = narrow_pair(b, &b->accs.at[p.scores], &f->scores) &&
                   narrow_pair(b, &b->accs.at[p.out], &f->values);
    if (!known_length(b, ATTENTION_COLUMN, &columns)) f->long_axis = ATTENTION_COLUMN;
    if (!known_length(b, ATTENTION_DEPTH, &depth)) f->long_axis = ATTENTION_DEPTH;
    if (!machine_has_mma(gpu) || !f->is_narrow || f->long_axis) return false;
    f->depth_row = row_elements(depth);
    f->column_row = row_elements(columns);
    f->depth_steps = (int)(depth + 15) / 16;
    f->column_steps = (int)(columns + 15) / 16;
    int64_t widest = depth > columns ? depth : columns;
    if (!dim_is_const(b->indices->dims, b->indices->extent[ATTENTION_QUERY], &queries))
        queries = INT64_MAX;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        if (tiles[i].columns < widest || (tiles[i].queries && tiles[i].queries < queries)) continue;
        f->tile = (Tile){.m = tiles[i].m,
                         .n = tiles[i].n,
                         .warps_m = tiles[i].warps_m,
                         .warps_n = tiles[i].warps_n,
                         .threads = 32 * tiles[i].warps_m * tiles[i].warps_n,
                         .blocks = tiles[i].blocks};
        if (tile_attention_shared(f) <= gpu->shared_block) return true;
    }
    return false;
}
