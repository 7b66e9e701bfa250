/* chain_tiles.c: text that chains on tensor cores share: weights and results are in a warp's
 * registers in the layout of mma and wgmma accumulators. In: ChainForm, the template's names. Out:
 * fills of the template. */
#include "emit/cuda/chain.h"

#include <stdlib.h>

enum { PAIR = 2 }; /* adjacent elements of a result row in a thread */

static Dim extent(const ChainTiles *m, int axis) { return m->c->w.b->indices->extent[axis]; }

const char *chain_slot(const ChainTiles *m, const char *base, int bytes) {
    return bytes ? arena_printf(m->c->w.arena, "(%s + %d)", base, bytes) : base;
}

/* "const int at_n = .., at_m = ..": where a weight is, as far as its text reads it. */
static const char *weight_at(const ChainTiles *m, const ChainNames *names, uint32_t axes) {
    const int axis[] = {ATTENTION_QUERY, ATTENTION_KEY};
    const char *at[] = {names->row, names->column};
    Text text = text_new(m->c->w.arena);
    for (int i = 0; i < 2; i++) {
        const char *size = cuda_dim(m->c, extent(m, axis[i]));
        if (!attention_is_whole(&m->tiles, axis[i], i ? m->c->tile.n : m->c->tile.m))
            at[i] = arena_printf(m->c->w.arena, "%s < %s ? %s : %s - 1", at[i], size, at[i], size);
        text_str(&text, attention_position(&m->tiles, axes, axis[i], at[i]));
    }
    return text_get(&text);
}

const char *chain_column_tile(const CudaWriter *c, int i) {
    return i > 1 ? arena_printf(c->w.arena, "%d * tile_n + ", i) : i ? "tile_n + " : "";
}

/* Of the rows that a further result sums, are some beyond the last one? */
static bool sums_rows(const ChainTiles *m) {
    return m->form->has_across && !attention_is_whole(&m->tiles, ATTENTION_QUERY, m->c->tile.m);
}

/* The statement that gives a weight its value; beyond the last column, and row, it is 0. */
static void set_weight(const ChainTiles *m, const ChainNames *names, int i, const char *value,
                       Text *lines) {
    CudaWriter *c = m->c;
    Arena *arena = c->w.arena;
    if (!attention_is_whole(&m->tiles, ATTENTION_KEY, c->tile.n))
        value = arena_printf(arena, "%s < %s ? %s : 0", names->column,
                             cuda_dim(c, extent(m, ATTENTION_KEY)), value);
    if (sums_rows(m) && i == m->form->across_weights)
        value = arena_printf(arena, "%s < %s ? %s : 0", names->row,
                             cuda_dim(c, extent(m, ATTENTION_QUERY)), value);
    text_printf(lines, "two[%d][part] = %s;\n", i, value);
}

static void pack_weight(const ChainTiles *m, const ChainNames *names, int i, Text *packs) {
    const ChainForm *f = m->form;
    for (int part = 0; f->f32_products && part < 2; part++)
        text_printf(packs, "weight[%d][i][j][2 * half + %d] = two[%d][%d];\n", i, part, i, part);
    if (!f->f32_products)
        text_printf(packs, "weight[%d]%s = %s(two[%d][0], two[%d][1]);\n", i, names->weight,
                    f->values[i] == T_F16 ? "to_f16x2" : "to_bf16x2", i, i);
}

/* The fills of the loop that computes weights, all or those of one result; adds what it reads of
 * the tile. */
static Fills weights(ChainTiles *m, const ChainNames *names, PieceRole role, int mask,
                     uint64_t *reads) {
    CudaWriter *c = m->c;
    const ChainForm *f = m->form;
    const ChainSplit *split = &f->split;
    Arena *arena = c->w.arena;
    const char *given[CHAIN_SCORES + CHAIN_COLUMNS + 1], *first = "";
    for (int i = 0; i < f->count; i++)
        given[i] = arena_printf(arena, "score[%d]%s", i, names->score);
    for (int i = 0; i < f->of_column.count; i++)
        given[f->count + i] =
            arena_printf(arena, "of_column[%s%s]", chain_column_tile(c, i), names->in_tile);
    if (role != PIECE_WEIGHTS) first = given[f->count + f->of_column.count] = given[split->score];
    const ChainWeights w =
        mask ? chain_clear_weights(c, role, given, mask) : chain_weights(c, role, given);
    Text lines = text_new(arena), packs = text_new(arena);
    if (w.axes >> ATTENTION_QUERY & 1 || sums_rows(m)) *reads |= READS_M_START;
    if (w.axes >> ATTENTION_KEY & 1 || !attention_is_whole(&m->tiles, ATTENTION_KEY, c->tile.n))
        *reads |= READS_N_START;
    text_str(&lines, w.lines);
    for (int i = 0, at = 0; i < f->out_count; i++) {
        if (role != PIECE_WEIGHTS && (i == split->first) != (role == PIECE_FIRST_WEIGHTS)) continue;
        set_weight(m, names, i, w.value[at++], &lines);
        if (role == PIECE_FIRST_WEIGHTS) text_printf(&lines, "%s = two[%d][part];\n", first, i);
        pack_weight(m, names, i, &packs);
    }
    Fills fills = {0};
    const Fill made[] = {{"WEIGHT_AT", weight_at(m, names, w.axes)},
                         {"WEIGHTS", text_get(&lines)},
                         {"PACK_WEIGHTS", text_get(&packs)},
                         {"OUTS", cuda_number(arena, f->out_count)}};
    FILLS_ADD(arena, &fills, made);
    return fills;
}

static const char *weights_loop(ChainTiles *m, const ChainNames *names, PieceRole role, int mask,
                                uint64_t *reads) {
    Text loop = text_new(m->c->w.arena);
    const Fills fills = weights(m, names, role, mask, reads);
    template_fill("cuda/chain_wgmma_weights.cu", fills.at, fills.count, &loop);
    return text_get(&loop);
}

/* The mask is asked once for each tile, in those where it changes something for each score. */
static const char *masked_weights(ChainTiles *m, const ChainNames *names, PieceRole role,
                                  uint64_t *reads) {
    CudaWriter *c = m->c;
    const char *masked = weights_loop(m, names, role, 0, reads);
    const MaskText is_clear = tile_mask_chain(&c->w).clear;
    int unmasked;
    if (!is_clear.text) return masked;
    const Choice choices[] = {
        {"", is_clear.text, weights_loop(m, names, role, chain_mask(c->w.b, &unmasked), reads)},
        {"", "", masked}};
    const MaskText rows = tile_mask_rows(&c->w, is_clear.reads);
    *reads |= is_clear.reads | rows.reads;
    return arena_printf(c->w.arena, "%s%s", rows.text, choice_text(c->w.arena, choices, 2));
}

static void add_weights(ChainTiles *m, const ChainNames *names, Fills *fills) {
    CudaWriter *c = m->c;
    uint64_t reads = 0;
    if (c->tile.kind != TILE_CHAIN_WGMMA) {
        const Fills all = weights(m, names, PIECE_WEIGHTS, 0, &reads);
        for (int i = 0; i < all.count; i++) vec_push(c->w.arena, fills, all.at[i]);
    } else if (tile_chain_splits(m->form, &c->tile)) {
        const Fill made[] = {
            {"FIRST_WEIGHTS", masked_weights(m, names, PIECE_FIRST_WEIGHTS, &reads)},
            {"SECOND_WEIGHTS", weights_loop(m, names, PIECE_SECOND_WEIGHTS, 0, &reads)},
            {"ALL_WEIGHTS", ""}};
        FILLS_ADD(c->w.arena, fills, made);
    } else {
        const Fill made[] = {{"ALL_WEIGHTS", masked_weights(m, names, PIECE_WEIGHTS, &reads)},
                             {"FIRST_WEIGHTS", ""},
                             {"SECOND_WEIGHTS", ""}};
        FILLS_ADD(c->w.arena, fills, made);
    }
    const Fill made[] = {{"AT_TILE", attention_tile_at(c, "tile_n", reads)}};
    FILLS_ADD(c->w.arena, fills, made);
}

/* What reads a pair of neighbouring results. */
static void add_stores(ChainTiles *m, const ChainNames *names, Fills *fills) {
    CudaWriter *c = m->c;
    Text elements = text_new(c->w.arena);
    cuda_choose_pack(c, PIECE_RESULTS, 0, ATTENTION_COLUMN, PAIR, &m->tiles.alignments);
    cuda_begin_elements(c, &elements);
    chain_stores(c, names->out);
    const Fill made[] = {
        {"STORES", cuda_end_elements(c, &elements)},
        {"VECTOR", cuda_number(c->w.arena, c->vector)},
        {"IS_PARTIAL", attention_is_whole(&m->tiles, ATTENTION_COLUMN, 16) ? "" : "1"}};
    c->wide = false;
    FILLS_ADD(c->w.arena, fills, made);
}

const char *chain_add_across(ChainTiles *m) {
    CudaWriter *c = m->c;
    const AcrossValues *a = &c->w.b->chain.across;
    const char *buffer = buffer_name(&c->w, a->buffer), *at = index_text(&c->w, a->ix);
    const char *columns = cuda_dim(c, extent(m, ATTENTION_COLUMN));
    const char *pair = m->tiles.k->gpu->wgmma ? "add_pair" : "add_two";
    const char *by_two = arena_printf(c->w.arena, "%s(%s + %s, even, odd);", pair, buffer, at);
    axes_taken(&c->w);
    if (attention_is_whole(&m->tiles, ATTENTION_COLUMN, 16)) return by_two;
    if (attention_is_whole(&m->tiles, ATTENTION_COLUMN, PAIR))
        return arena_printf(c->w.arena, "if (at_c < %s) %s", columns, by_two);
    return arena_printf(c->w.arena,
                        "if (at_c < %s) atomicAdd(%s + %s, even);\n"
                        "if (at_c + 1 < %s) atomicAdd(%s + %s + 1, odd);",
                        columns, buffer, at, columns, buffer, at);
}

static void add_mask(const ChainTiles *m, Fills *fills) {
    CudaWriter *c = m->c;
    const TileMask mask = tile_mask_chain(&c->w);
    const MaskText rows = tile_mask_rows(&c->w, mask.masked.reads);
    const char *lines =
        arena_printf(c->w.arena, "%s%s", attention_tile_at(c, "tile_n", rows.reads), rows.text);
    const Fill made[] = {{"MASKED", mask.masked.text ? mask.masked.text : ""},
                         {"MASKED_AT", attention_tile_at(c, "tiles * tile_n", mask.masked.reads)},
                         {"MASK_ROWS", lines}};
    FILLS_ADD(c->w.arena, fills, made);
    attention_next_tile(c, &mask.masked, false, fills);
    attention_mma_order(m->tiles.k, c, &mask.masked, fills);
}

static void add_sizes(const ChainTiles *m, Fills *fills) {
    const ChainForm *f = m->form;
    CudaWriter *c = m->c;
    const Fill made[] = {{"IDX", c->index},
                         {"TO_IDX", c->to_index},
                         {"TO_INT", c->to_int},
                         {"ROWS_M", cuda_dim(c, extent(m, ATTENTION_QUERY))},
                         {"COUNT_N", cuda_dim(c, extent(m, ATTENTION_KEY))},
                         {"COLUMNS", cuda_dim(c, extent(m, ATTENTION_COLUMN))},
                         {"SCORES", cuda_number(c->w.arena, f->count)},
                         {"OUTS", cuda_number(c->w.arena, f->out_count)}};
    FILLS_ADD(c->w.arena, fills, made);
}

void chain_fills(ChainTiles *m, const ChainNames *names, Fills *fills) {
    add_sizes(m, fills);
    add_stores(m, names, fills);
    add_mask(m, fills);
    add_weights(m, names, fills);
}

static void add_shared(ChainTiles *m) {
    enum { BARRIER_BYTES = 8 };
    CudaKernel *k = m->tiles.k;
    const ChainForm *f = m->form;
    const Tile *t = &m->c->tile;
    const bool has_groups = t->kind == TILE_CHAIN_WGMMA;
    const int stages = has_groups ? t->stages : 2, all = tile_chain_shared(f, t);
    cuda_shared(k, 1, tile_chain_left(f, t, f->count), "left operands");
    cuda_shared(k, stages, tile_chain_values(f, t, f->out_count), "stages");
    if (has_groups) cuda_shared(k, stages, tile_chain_of_column(f, t), "of columns");
    cuda_shared(k, 1, tile_chain_across(f, t), "weights");
    cuda_shared(k, (all - atoi(k->shared)) / BARRIER_BYTES, BARRIER_BYTES, "mbarriers");
}

void chain_launch(ChainTiles *m, const char *how) {
    CudaKernel *k = m->tiles.k;
    const Tile *t = &m->c->tile;
    k->threads = t->threads;
    k->blocks = t->blocks;
    k->block_x = cuda_number(k->arena, t->threads);
    add_shared(m);
    k->grid = cuda_times(k->arena, cuda_size(k, extent(m, ATTENTION_BATCH)),
                         cuda_blocks(k->names, extent(m, ATTENTION_QUERY), t->m));
    k->how = how;
    if (m->form->has_across) k->zeroed = 1 + m->c->w.b->chain.across.buffer;
}
