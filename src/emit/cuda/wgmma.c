/* wgmma.c: a contraction by wgmma, through templates/cuda/wgmma.cu: the instruction for the tile's
 * columns, the loops, and what reads the results.
 * In: Kernel of family F_DOT, its DotForm, a Tile for wgmma. Out: text and launch. */
#include "emit/cuda/wgmma.h"

#include <stdlib.h>

enum {
    STEP = 32,       /* bytes along k of one instruction */
    ACROSS_STEP = 16 /* and elements, of an MN-major operand, whose elements have 16 bits */
};

static const char *number(const Wgmma *w, int64_t n) { return cuda_number(w->k->arena, n); }
static const char *dim(const Wgmma *w, int axis) {
    return cuda_dim(w->c, w->c->w.b->indices->extent[axis]);
}

static int consumer_warps(const Wgmma *w) { return 4 * wgmma_groups(&w->t); }
static bool halves(const Wgmma *w) { return wgmma_halves(w->form, &w->t); }

/* ---- the instruction ------------------------------------------------------------------------- */

static void put_instruction(const Wgmma *w, const char *name) {
    const WgmmaText text = {.name = name,
                            .comment = "a, b: see wgmma_descriptor",
                            .columns = w->t.n * w->form->count / (halves(w) ? 2 : 1),
                            .type = w->form->product->type,
                            .steps = 1,
                            .adds = wgmma_promotes(w->form),
                            .a_across = wgmma_left(w->form, 0) == OPERAND_MN_MAJOR,
                            .b_across = w->form->right[0] == OPERAND_MN_MAJOR};
    cuda_wgmma_text(&text, w->k->instructions);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static const char *tile_text(const Wgmma *w) {
    const Tile *t = &w->t;
    const WgmmaStrip strip = wgmma_strip(w->form, t);
    const char *slice = arena_printf(w->k->arena, ", strip_n = %d", strip.columns);
    const char *pitch = arena_printf(w->k->arena, ", pitch = %d", strip.pitch);
    const char *flags = "";
    const char *cluster = t->cluster == 1 ? ""
                                          : arena_printf(w->k->arena,
                                                         "constexpr int cluster = %d; /* blocks "
                                                         "that share tiles of b */\n",
                                                         t->cluster);
    if (t->stream_k)
        flags = arena_printf(w->k->arena, "constexpr int most_parts = %d, flag_bytes = %lld;\n",
                             t->stream_k, (long long)wgmma_parts(w->form, t).flags);
    if (t->split_k)
        flags = arena_printf(
            w->k->arena, "constexpr int parts = %d; /* along k, of the blocks of a cluster */\n",
            t->split_k);
    if (strip.box_columns)
        pitch = arena_printf(w->k->arena, ", pitch = %d, slice_n = %d, box_n = %d%s", strip.pitch,
                             strip.box_slice, strip.box_columns,
                             w->form->box_is_shifted
                                 ? ""
                                 : arena_printf(w->k->arena, ", sets = %d", strip.box_sets));
    return arena_printf(
        w->k->arena,
        "constexpr int products = %d; /* right operands that share the left one */\n"
        "constexpr int tile_m = %d, tile_n = %d, tile_k = %d;\n"
        "constexpr int stages = %d, group = %d%s%s;\n"
        "constexpr int blocks = %d; /* of 64 rows of a consumer warpgroup */\n"
        "%s"
        "constexpr int a_bytes = tile_m * 128, b_bytes = tile_n * 128;\n"
        "constexpr int stage_bytes = a_bytes + products * b_bytes, "
        "strip_bytes = %s;\n%s",
        w->form->count, t->m, t->n, t->k, t->stages, (t->group + t->cluster - 1) / t->cluster,
        w->form->columns ? "" : slice, pitch, wgmma_blocks(t), cluster,
        strip.box_columns ? number(w, strip.bytes)
                          : arena_printf(w->k->arena, "%d * pitch * 4", strip.rows),
        flags);
}

/* Blocks, of which a persistent kernel launches those that fit at once. With stream-K each needs
 * memory for the sums of a part: as many as the chip has multiprocessors that the text is for. */
static const char *grid_text(const Wgmma *w) {
    const Dim *extent = w->c->w.b->indices->extent;
    Arena *arena = w->k->arena;
    const int cluster = w->t.cluster;
    if (w->t.stream_k) return number(w, w->k->gpu->processors / cluster * cluster);
    const char *tiles = cuda_times(arena, cuda_blocks(w->k->names, extent[DOT_M], cluster * w->t.m),
                                   cuda_blocks(w->k->names, extent[DOT_N], w->t.n));
    tiles = cuda_times(arena, tiles, number(w, w->t.split_k ? w->t.split_k : cluster));
    return cuda_times(arena, cuda_size(w->k, extent[DOT_BATCH]), tiles);
}

static const char *how_text(const Wgmma *w) {
    const Tile *t = &w->t;
    return arena_printf(
        w->k->arena,
        "Tensor cores (wgmma), %s products; %d threads of about %d registers for each "
        "%d x %d tile, %d of k in each of %d stages%s%s",
        cuda_wgmma_type(w->form->product->type), t->threads,
        tile_wgmma_registers(w->form, t).launched, t->m, t->n, t->k, t->stages,
        t->ping_pong ? "; ping-pong" : "",
        t->stream_k               ? "; stream-K"
        : t->split_k              ? "; split-K"
        : wgmma_computes(w->form) ? "; producers compute operands"
                                  : "");
}

static void add_shared(Wgmma *w) {
    enum { BARRIER_BYTES = 8 };
    const Tile *t = &w->t;
    const int stage = (t->m + t->n * w->form->count) * SLOT_ROW;
    const int64_t all = tile_wgmma_shared(w->form, t);
    cuda_shared(w->k, t->stages, stage, "stages");
    if (!halves(w))
        cuda_shared(w->k, consumer_warps(w), wgmma_strip(w->form, t).bytes, "strips of warps");
    cuda_shared(w->k, 2 * t->stages, BARRIER_BYTES, "mbarriers");
    cuda_shared(w->k, 1, all - atoi(w->k->shared), w->form->blocks ? "factors" : "copies");
}

static void set_launch(Wgmma *w) {
    CudaKernel *k = w->k;
    k->threads = w->t.threads;
    k->blocks = w->t.blocks;
    k->cluster = w->t.split_k ? w->t.split_k : w->t.cluster;
    k->one_arch = true;
    k->block_x = number(w, w->t.threads);
    add_shared(w);
    k->grid = grid_text(w), k->persistent = w->t.persistent;
    k->how = how_text(w);
    if (!w->t.stream_k) return;
    const WgmmaParts parts = wgmma_parts(w->form, &w->t);
    w->c->w.used.scratch = true;
    k->scratch = (Scratch){parts.flags + parts.sums, parts.flags};
}

/* Bytes between the operands of one instruction and the next along k. */
static const char *step_text(const Wgmma *w, OperandLayout feed) {
    return number(w, feed == OPERAND_MN_MAJOR ? ACROSS_STEP * SLOT_ROW : STEP);
}

/* ---- the epilogue ---------------------------------------------------------------------------- */

/* Does each tile have all rows and segments that it could? */
static bool is_even(const Wgmma *w) {
    const Body *b = w->c->w.b;
    Dims *d = b->indices->dims;
    return dim_divides(d, dim_const(d, w->t.m), b->indices->extent[DOT_M]) &&
           (!w->form->has_segments || dim_divides(d, dim_const(d, w->t.n / w->form->columns),
                                                  b->indices->extent[DOT_SEGMENT]));
}

/* What reads a row in packs, whose elements the thread has. */
static const char *held_text(Wgmma *w, bool ragged, const char *segment) {
    CudaWriter *c = w->c;
    const int width = c->sum_width;
    c->holds_sums = true, c->sum_width = width / WGMMA_ROW_THREADS;
    const char *row = cuda_warp_row(w->k, c, true, ragged, segment, &w->alignments);
    c->holds_sums = false, c->sum_width = width;
    return arena_printf(w->k->arena, "constexpr int VEC = %d;\n%s", c->vector, row);
}

/* The others, where packs are not aligned. */
static const char *single_text(const Wgmma *w, bool ragged, const char *segment) {
    CudaWriter *c = w->c;
    const Tile tile = c->tile;
    c->tile.items *= tile.vector, c->tile.vector = 1;
    const char *row = cuda_warp_row(w->k, c, false, ragged, segment, NULL);
    c->tile = tile;
    return row;
}

/* Stages of a row, or of a segment of it. */
static void add_rows(Wgmma *w, Fills *fills) {
    CudaWriter *c = w->c;
    const bool even = is_even(w), segments = w->form->has_segments;
    const char *const count = segments ? dim(w, DOT_SEGMENT) : "";
    const char *valid = arena_printf(w->k->arena, "at_row < %s", dim(w, DOT_M));
    const char *segment = "segment";
    if (segments && !even) {
        segment = arena_printf(w->k->arena, "segment < %s ? segment : %s - 1", count, count);
        valid = arena_printf(w->k->arena, "%s && segment < %s", valid, count);
    }
    const int parts = segments ? w->t.n / w->form->columns : 1;
    c->sum_width = w->t.n / parts;
    const bool by_two = halves(w), holds = wgmma_holds_rows(w->form, &w->t);
    const char *held = holds ? held_text(w, !even, segment) : "";
    const char *row = holds ? single_text(w, !even, segment)
                            : cuda_warp_rows(w->k, c, !even, segment, &w->alignments);
    const Fill made[] = {
        {"ROW", row},
        {"HELD", held},
        {"FIRST_PIECE", holds ? "wide ? 2 * blocks * segments : 0" : "0"},
        {"IF_HELD", holds ? "1" : ""},
        {"STRIP", by_two ? "warp % 4" : "warp - PRODUCER_WARPS"},
        {"OWN_N", by_two ? "own_n" : "row_n"},
        {"OWN_COLUMN", by_two ? "consumer * own_n" : "c * row_n"},
        {"SYNC_ROWS", by_two ? "named_wait(1 + warp % 4, 64)" : "__syncwarp()"},
        {"FIRST_ROW", arena_printf(w->k->arena, "%slane / %d", by_two ? "4 * consumer + " : "",
                                   c->tile.row_threads)},
        {"END_ROW", by_two ? "4 * consumer + 4" : "8"},
        {"ROW_THREADS", number(w, c->tile.row_threads)},
        {"SEGMENTS", number(w, parts)},
        {"SEGMENT_COLUMNS", number(w, w->form->columns)},
        {"VALID", valid},
        {"IF_SEGMENTS", segments ? "1" : ""},
        {"IF_RAGGED", even ? "" : "1"},
        {"IF_EVEN", even ? "1" : ""}};
    FILLS_ADD(w->k->arena, fills, made);
}

/* Which tiles a block computes, or which parts of them. */
static void add_turns(Wgmma *w, Fills *fills) {
    Arena *arena = w->k->arena;
    const bool one = dim_is(w->c->w.b->indices->dims, w->c->w.b->indices->extent[DOT_BATCH], 1);
    const char *all = one ? "tiles" : arena_printf(arena, "%s * tiles", dim(w, DOT_BATCH));
    const char *producer =
        arena_printf(arena, "%s number = turn; number < %s; number += turns", w->c->index, all);
    const char *consumer =
        arena_printf(arena, "; number < %s; number += %sturns", all, w->t.ping_pong ? "2 * " : "");
    const char *stream = arena_printf(arena, "%s i = 0; i < pieces; i++", w->c->index);
    const bool is_stream = w->t.stream_k, is_split = w->t.split_k, is_part = is_stream || is_split;
    const Fill made[] = {{"ALL_TILES", all},
                         {"PRODUCER_TILES", is_stream ? stream : producer},
                         {"CONSUMER_TILES", is_stream ? stream : consumer},
                         {"FIRST_STEP", is_part ? "first_step" : "0"},
                         {"STEP", is_part ? "(tile - first_step)" : "tile"},
                         {"END_STEP", is_part ? "end_step" : "tiles_k"},
                         {"STEPS", is_part ? "steps" : "tiles_k"},
                         {"LATE", is_part
                                      ? "first_step + stages < end_step ? first_step + stages - 1 "
                                        ": end_step - 1"
                                      : "stages < tiles_k ? stages - 1 : tiles_k - 1"},
                         {"WHOLE_TILE", is_stream ? "first_step == 0 &&" : ""},
                         {"IF_STREAM", is_stream ? "1" : ""},
                         {"IF_SPLIT", is_split ? "1" : ""},
                         {"IF_TURNS", is_stream ? "" : "1"}};
    FILLS_ADD(arena, fills, made);
}

/* Where tiles are, and who shares them. */
static void add_tiles(const Wgmma *w, Fills *fills) {
    const Body *b = w->c->w.b;
    const bool is_batch = !dim_is(b->indices->dims, b->indices->extent[DOT_BATCH], 1);
    const bool is_cluster = w->t.cluster > 1;
    const char *warps = number(w, w->t.ping_pong ? 4 : consumer_warps(w));
    const char *of_cluster = is_cluster ? " / cluster" : w->t.split_k ? " / parts" : "";
    const char *starts = arena_printf(w->k->arena, "%s%s * tile_m, n_tile * tile_n",
                                      is_batch ? "number / tiles, " : "",
                                      is_cluster ? "(m_tile * cluster + rank)" : "m_tile");
    const char *behind =
        arena_printf(w->k->arena, "stages * stage_bytes + %d * strip_bytes", consumer_warps(w));
    const Fill made[] = {
        {"START", is_batch ? "at_batch, m_start, n_start" : "m_start, n_start"},
        {"STARTS", starts},
        {"AT_START", is_batch ? "at_batch = at.at_batch, m_start = at.m_start, n_start = at.n_start"
                              : "m_start = at.m_start, n_start = at.n_start"},
        {"NUMBER", is_batch ? "number" : "at"},
        {"IF_BATCH", is_batch ? "1" : ""},
        {"SIZES", tile_text(w)},
        {"IDX", w->c->index},
        {"DOT_M", dim(w, DOT_M)},
        {"DOT_N", dim(w, DOT_N)},
        {"TILES", cuda_tiles_text(w->c)},
        {"SYNC", is_cluster ? "cluster_sync" : "__syncthreads"},
        {"IF_ALONE", is_cluster ? "" : "1"},
        {"IF_CLUSTER", is_cluster ? "1" : ""},
        {"IF_PING_PONG", w->t.ping_pong ? "1" : ""},
        {"CONSUMER_WARPS", warps},
        {"RELEASES",
         is_cluster ? arena_printf(w->k->arena, "%s * (wide ? cluster : 1)", warps) : warps},
        {"ROWS_M", is_cluster ? "rows_m" : "tile_m"},
        {"TURN", arena_printf(w->k->arena, "blockIdx.x%s", of_cluster)},
        {"TURNS", arena_printf(w->k->arena, "gridDim.x%s", of_cluster)},
        {"BEHIND", halves(w) ? "stages * stage_bytes" : behind},
        {"B_FROM", halves(w) ? "slot + a_bytes + consumer * (b_bytes / 2)" : "slot + a_bytes"},
        {"FIRST_BLOCK", w->t.ping_pong || halves(w) ? "0" : "consumer * blocks"}};
    FILLS_ADD(w->k->arena, fills, made);
    cuda_wgmma_add_spared(w, fills);
}

/* The loops of the producer and of the consumers. */
static void add_main_loop(Wgmma *w, const WgmmaFetch *fetch, Fills *fills) {
    const DotForm *form = w->form;
    const WarpgroupRegisters registers = tile_wgmma_registers(form, &w->t);
    const char *instruction = arena_printf(w->k->arena, "%s_wgmma", w->k->k->name);
    const bool promotes = wgmma_promotes(form), ahead = wgmma_is_ahead(form, &w->t);
    const bool is_float = dtype_is_float(w->c->w.b->accs.at[0].type);
    put_instruction(w, instruction);
    const Fill made[] = {{"MULTIPLY", instruction},
                         {"SUM", is_float ? "float" : "int"},
                         {"TILE_SUMS", cuda_tile_sums(w->k->arena, form, &w->t)},
                         {"IF_PROMOTED", promotes ? "1" : ""},
                         {"IF_SUMMED", promotes ? "" : "1"},
                         {"PARTS", ahead ? "2" : "1"},
                         {"IF_AHEAD", ahead ? "1" : ""},
                         {"IF_BEHIND", ahead ? "" : "1"},
                         {"PRODUCER_REGISTERS", number(w, registers.producer)},
                         {"CONSUMER_REGISTERS", number(w, registers.consumer)},
                         {"A_STEP", step_text(w, wgmma_left(form, 0))},
                         {"B_STEP", step_text(w, form->right[0])},
                         {"COPIES", fetch->copies},
                         {"ELEMENTS", fetch->elements}};
    FILLS_ADD(w->k->arena, fills, made);
}

/* What reads the sums of an element, by way of shared memory: in packs, which TMA stores where
 * there are boxes, or one by one. */
static void add_elements(Wgmma *w, Fills *fills) {
    CudaWriter *c = w->c;
    const int columns = wgmma_strip(w->form, &w->t).columns;
    const bool boxes = wgmma_has_boxes(w->form, &w->t);
    const char *beyond = cuda_beyond(c, w->t.cluster * w->t.m, w->t.n);
    if (boxes) cuda_add_boxes(w->k, c, w->form, *beyond, &w->alignments, fills);
    const char *finish = boxes ? "" : cuda_finish(c, columns, &w->alignments);
    const char *vector = number(w, c->vector);
    const Fill made[] = {{"FINISH", finish},
                         {"FINISH_VECTOR", vector},
                         {"FINISH_UNROLL", number(w, w->t.unroll)},
                         {"FINISH_SINGLE", cuda_finish_single(c, columns)},
                         {"IF_PACKS", boxes ? "" : "1"},
                         {"BEYOND", beyond},
                         {"IF_BEYOND", beyond}};
    FILLS_ADD(w->k->arena, fills, made);
}

/* A part of the epilogue, with what has been filled so far; empty: it is not used. */
static const char *epilogue_text(const Wgmma *w, const char *name, bool is_used,
                                 const Fills *fills) {
    Text text = text_new(w->k->arena);
    if (is_used) template_fill(name, fills->at, fills->count, &text);
    return text_get(&text);
}

/* Parts of a split that are loaded at once: all, where registers hold them beside the sums. */
static int split_unroll(const Wgmma *w) {
    enum { SLICE = 16, HELD = 152 }; /* registers: of a slice of 32 columns; of all */
    const int sums = w->t.n * w->form->count / 2, others = w->t.split_k - 1;
    return sums + SLICE * w->form->count * others <= HELD ? others : 1;
}

/* After all other fills, which its templates read, too. */
static void add_epilogue(const Wgmma *w, Fills *fills) {
    if (w->t.split_k) {
        const Fill unroll[] = {{"SPLIT_UNROLL", number(w, split_unroll(w))}};
        FILLS_ADD(w->k->arena, fills, unroll);
    }
    const bool rows = w->form->columns > 0, boxes = !rows && wgmma_has_boxes(w->form, &w->t);
    const bool split = w->t.split_k;
    const Fill made[] = {{"ADD_PARTS", epilogue_text(w, "cuda/wgmma_split.cu", split, fills)},
                         {"BY_ROWS", epilogue_text(w, "cuda/wgmma_rows.cu", rows, fills)},
                         {"IN_BOXES", epilogue_text(w, "cuda/wgmma_boxes.cu", boxes, fills)},
                         {"BY_ELEMENTS", epilogue_text(w, "cuda/wgmma_elements.cu", !rows, fills)}};
    FILLS_ADD(w->k->arena, fills, made);
}

/* What reads the results, and whether by rows, in boxes or as elements. */
static void add_results(Wgmma *w, Fills *fills) {
    const bool rows = w->form->columns > 0, boxes = wgmma_has_boxes(w->form, &w->t);
    if (rows)
        add_rows(w, fills);
    else
        add_elements(w, fills);
    const Fill made[] = {{"IF_HALVES", halves(w) ? "1" : ""},
                         {"IF_WHOLE", halves(w) ? "" : "1"},
                         {"IF_TESTED", w->form->blocks ? "" : "1"},
                         {"IF_BOXES", boxes && !rows && !w->form->box_is_shifted ? "1" : ""}};
    FILLS_ADD(w->k->arena, fills, made);
}

static void add_producers(Wgmma *w, Fills *fills) {
    const bool computes = wgmma_computes(w->form);
    const int producers = wgmma_producers(w->form);
    const Fill made[] = {{"IF_COMPUTED", computes ? "1" : ""},
                         {"IF_LOADED", computes ? "" : "1"},
                         {"GROUPS", number(w, producers)},
                         {"PRODUCER_WARPS", number(w, 4 * producers)}};
    FILLS_ADD(w->k->arena, fills, made);
    if (computes) cuda_wgmma_computed(w->k, w->c, w->form, &w->alignments, fills);
}

void cuda_wgmma(CudaKernel *k, CudaWriter *c, const DotForm *form) {
    Wgmma w = {.k = k, .c = c, .form = form, .t = c->tile};
    const WgmmaFetch fetch = cuda_wgmma_fetch(&w);
    Fills fills = {0};
    cuda_add_parts(k, c, form, &fills);
    add_results(&w, &fills);
    add_tiles(&w, &fills);
    cuda_add_wgmma_prefetches(k, c, form, &w.alignments, &fills);
    add_producers(&w, &fills);
    add_main_loop(&w, &fetch, &fills);
    set_launch(&w);
    add_turns(&w, &fills);
    add_epilogue(&w, &fills);
    /* Factors take the registers that `wide` would stay in. */
    if (form->blocks)
        cuda_function_wide(k, c, "cuda/wgmma.cu", "tiles", &w.alignments, fills.at, fills.count);
    else
        cuda_function_tested(k, c, "cuda/wgmma.cu", &w.alignments, fills.at, fills.count);
}
