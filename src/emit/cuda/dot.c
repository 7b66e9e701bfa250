/* dot.c: a contraction as CUDA without tensor cores: operands are evaluated while they are copied
 * to shared memory, by templates/cuda/dot.cu.
 * In: Kernel of family F_DOT. Out: text and launch. */
#include "emit/cuda/dot.h"

static CudaWriter dot_writer(CudaKernel *k) {
    CudaWriter c = cuda_writer(k, 0);
    const Body *b = c.w.b;
    static const char *const names[] = {"at_batch", "at_m", "at_n", "at_k"};
    for (int i = 0; i < 2 * RANK_MAX; i++)
        if (b->indices->extent[i]) c.w.axis_name[i] = names[i < DOT_AXES ? i : DOT_K];
    c.w.axis_name[DOT_BLOCK] = b->blocks.term ? "block" : c.w.axis_name[DOT_BLOCK];
    c.vector = 1;
    cuda_choose_index(&c, body_is_32bit(b));
    return c;
}

static const char *sum_type(Dtype type) {
    if (type == T_I64) return "unsigned long long";
    return type == T_I32 ? "unsigned" : cuda_register(type);
}

/* ---- results --------------------------------------------------------------------------------- */

/* The epilogue for an element of c, whose sums are at `column` of the thread's row. */
static void finish(CudaWriter *c, const char *column) {
    Writer *w = &c->w;
    const Body *b = w->b;
    for (int i = 0; i < b->dots; i++) {
        const Accumulator *a = &b->accs.at[i];
        const char *name = fresh(w, "matmul"), *type = cuda_register(a->type);
        write_line(w, "const %s %s = %srow_sums[%d][%s];", type, name,
                   dtype_is_float(a->type) ? "" : arena_printf(w->arena, "(%s)", type), i, column);
        w->name[a->result] = name;
    }
    for (int i = 0; i < b->stores.count; i++) declare_value(w, b->stores.at[i].value);
    for (int i = 0; i < b->stores.count; i++) cuda_store_element(w, i);
}

static const char *finish_pack(CudaWriter *c, int most, Alignments *alignments) {
    Text elements = text_new(c->w.arena);
    cuda_choose_pack(c, PIECE_RESULTS, 0, DOT_N, most, alignments);
    cuda_begin_elements(c, &elements);
    finish(c, "col + l");
    return cuda_end_elements(c, &elements);
}

static const char *finish_single(CudaWriter *c) {
    Text out = text_new(c->w.arena);
    c->wide = false;
    c->vector = 1;
    writer_piece(&c->w, PIECE_RESULTS, 0, c->w.b->lane);
    c->w.out = &out;
    Words *const outside = writer_open_block(&c->w);
    finish(c, "col");
    writer_close_block(&c->w, outside);
    return text_get(&out);
}

/* Neighbouring columns of a thread: 16 bytes of sums, as group_n of the template. */
static int group_of(const CudaWriter *c) {
    const int columns = c->tile.n / c->tile.threads_n;
    const int pack = 16 / (int)dtype_size(dtype_compute(c->w.b->accs.at[0].type));
    return columns < pack ? columns : pack;
}

static const char *results_text(const CudaWriter *c, int each, const char *finish) {
    Arena *arena = c->w.arena;
    Text out = text_new(arena);
    const char *within = each == group_of(c) ? "" : " + col % group_n";
    const Fill fills[] = {
        {"IDX", c->index},
        {"EACH", cuda_number(arena, each)},
        {"NEXT", each > 1 ? arena_printf(arena, "col += %d", each) : "col++"},
        {"AT_N",
         arena_printf(arena, "n_start + col / group_n * (threads_n * group_n) + tx%s", within)},
        {"DOT_N", cuda_dim(c, c->w.b->indices->extent[DOT_N])},
        {"IF_RAGGED", cuda_is_whole(c, DOT_N, c->tile.n) ? "" : "1"},
        {"IF_PACKS", each > 1 ? "1" : ""},
        {"FINISH", finish}};
    TEMPLATE_FILL("cuda/dot_results.cu", fills, &out);
    return text_get(&out);
}

/* The results of a row: by packs of its neighbours, where memory holds them so, else one by one.
 * Adds to `start` the test whether it does. */
static const char *put_results(CudaKernel *k, CudaWriter *c, Text *start) {
    Alignments alignments = {0};
    const char *packs = finish_pack(c, group_of(c), &alignments);
    const char *condition = cuda_condition(k, &c->w, &alignments);
    const bool has_packs = c->vector > 1 && alignments.count > 0;
    if (has_packs) packs = results_text(c, c->vector, packs);
    const char *single = results_text(c, 1, finish_single(c));
    if (!has_packs) return single;
    if (!*condition) return packs;
    const char *name = fresh(&c->w, "packed");
    text_printf(start, "const bool %s = %s;\n", name, condition);
    const Choice choices[] = {{"", name, packs}, {"", "", single}};
    return choice_text(k->arena, choices, 2);
}

/* All stages of one row. */
static const char *row_text(CudaKernel *k, CudaWriter *c) {
    Alignments none = {0};
    c->sum_width = c->tile.n;
    return cuda_warp_row(k, c, false, !cuda_is_whole(c, DOT_M, c->tile.m), "n_start / tile_n",
                         &none);
}

static void set_launch(CudaKernel *k, const CudaWriter *c) {
    const Dim *extent = c->w.b->indices->extent;
    const Tile *t = &c->tile;
    cuda_shared(k, 1, tile_fma_shared(c->w.b, t), "stages, later rows of results");
    k->threads = t->threads;
    k->blocks = t->blocks;
    k->block_x = cuda_number(k->arena, t->threads);
    k->grid = cuda_times(k->arena, cuda_blocks(k->names, extent[DOT_M], t->m),
                         cuda_blocks(k->names, extent[DOT_N], t->n));
    k->grid = cuda_times(k->arena, cuda_size(k, extent[DOT_BATCH]), k->grid);
    k->how = arena_printf(k->arena, "%d threads for each %d x %d elements", t->threads, t->m, t->n);
}

/* Threads, their accumulators, and the elements that each fetches. */
static void add_sizes(const CudaWriter *c, Fills *fills) {
    Arena *arena = c->w.arena;
    const Tile *t = &c->tile;
    const Dim *extent = c->w.b->indices->extent;
    const Fill own[] = {
        {"IDX", c->index},
        {"SUM", sum_type(c->w.b->accs.at[0].type)},
        {"DOT_M", cuda_dim(c, extent[DOT_M])},
        {"DOT_N", cuda_dim(c, extent[DOT_N])},
        {"COUNT", cuda_number(arena, c->w.b->dots)},
        {"THREADS_M", cuda_number(arena, t->threads_m)},
        {"THREADS_N", cuda_number(arena, t->threads_n)},
        {"THREADS", cuda_number(arena, t->threads)},
        {"DEPTH", cuda_number(arena, t->k)},
        {"STAGES", cuda_number(arena, t->stages)},
        {"ROWS", cuda_number(arena, t->m / t->threads_m)},
        {"COLS", cuda_number(arena, t->n / t->threads_n)},
        {"A_ITEMS", cuda_number(arena, fma_items(t, t->m))},
        {"B_ITEMS", cuda_number(arena, fma_items(t, t->n))},
    };
    FILLS_ADD(arena, fills, own);
}

static void add_results(CudaKernel *k, CudaWriter *c, const DotForm *form, Fills *fills) {
    const bool is_ragged = !cuda_is_whole(c, DOT_M, c->tile.m), rows = form->columns > 0;
    Text start = text_new(k->arena);
    const char *results = rows ? "" : put_results(k, c, &start), *row = rows ? row_text(k, c) : "";
    const Fill own[] = {
        {"ROW", row},
        {"ROW_THREADS", cuda_number(k->arena, c->tile.row_threads)},
        {"IF_ROWS", rows ? "1" : ""},
        {"IF_RAGGED", is_ragged ? "1" : ""},
        {"AT_M", is_ragged ? arena_printf(k->arena, "valid ? from + own * group_m : %s - 1",
                                          cuda_dim(c, c->w.b->indices->extent[DOT_M]))
                           : "from + own * group_m"},
        {"IF_ELEMENTS", rows ? "" : "1"},
        {"RESULTS_START", text_get(&start)},
        {"RESULTS", results}};
    FILLS_ADD(k->arena, fills, own);
}

static void by_fma(CudaKernel *k, CudaWriter c, const DotForm *form) {
    const Body *body = c.w.b;
    Fills fills = {0};
    const DotMovement moves = dot_add_movement(k, &c, &fills);
    const char *batch = arena_printf(
        k->arena, "const %s at_batch = (%s)blockIdx.x / tiles_n / tiles_m;\n", c.index, c.index);
    if (dim_is(body->indices->dims, body->indices->extent[DOT_BATCH], 1)) batch = "";
    add_results(k, &c, form, &fills);
    add_sizes(&c, &fills);
    const Fill own[] = {{"AT_BATCH", batch}};
    FILLS_ADD(k->arena, &fills, own);
    set_launch(k, &c);
    fma_function(k, &c, "cuda/dot.cu", &moves.alignments, &fills);
}

void cuda_dot(CudaKernel *k) {
    CudaWriter c = dot_writer(k);
    const DotForm form = dot_form(k->k, c.w.b, k->gpu);
    switch (c.tile.kind) {
    case TILE_WGMMA:
    case TILE_WGMMA_ROWS: cuda_wgmma(k, &c, &form); break;
    case TILE_MMA:
    case TILE_MMA_ROWS: cuda_mma(k, &c, &form); break;
    case TILE_GEMV: cuda_gemv(k, &c, &form); break;
    case TILE_GEMV_FMA: cuda_gemv_fma(k, &c); break;
    default: by_fma(k, c, &form);
    }
}
