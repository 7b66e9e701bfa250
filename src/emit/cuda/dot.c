/* dot.c: a contraction as CUDA: the operands are evaluated while they are copied to shared
 * memory, by templates/cuda/dot.cu. In: Kernel of family F_DOT. Out: text and launch. */
#include "emit/cuda/cuda.h"

#include <string.h>

enum { THREADS = 256, SIDE = 16 }; /* of a block: along m, and along n */

/* Is the axis known to end where a tile does? */
static bool is_whole(const CudaWriter *c, int axis, int tile) {
    Dims *d = c->w.b->indices->dims;
    return dim_divides(d, dim_const(d, tile), c->w.b->indices->extent[axis]);
}

/* "const int at_m = m_start + own < M ? m_start + own : M - 1;" where `text` mentions the
 * position. */
static void put_position(CudaWriter *c, int axis, const char *at, int tile, const char *text,
                         Text *out) {
    const char *name = c->w.axis_name[axis], *n = cuda_dim(c, c->w.b->indices->extent[axis]);
    if (!text_mentions(text, name)) return;
    if (is_whole(c, axis, tile))
        text_printf(out, "const %s %s = %s;\n", c->index, name, at);
    else
        text_printf(out, "const %s %s = %s < %s ? %s : %s - 1;\n", c->index, name, at, n, at, n);
}

typedef struct Operand {
    int value, own, each;    /* own: DOT_M or DOT_N; each: elements of a thread along it */
    int summed;              /* DOT_K, or the axis of an added product */
    const char *part, *tile; /* registers, and shared memory */
} Operand;

/* Adds what fetching and keeping it takes. */
static void put_operand(CudaWriter *c, const Operand *o, Text *fetch, Text *keep) {
    Writer *w = &c->w;
    Text lines = text_new(w->arena), at = text_new(w->arena);
    w->out = &lines;
    writer_piece(w, (Piece){&o->value, 1, NULL, 0}, w->b->lane);
    declare_value(w, o->value);
    const char *value = value_text(w, o->value), *side = cuda_number(w->arena, SIDE * o->each);
    const char *text = arena_printf(w->arena, "%s%s", text_get(&lines), value);
    const bool along_k =
        value_contiguous(w->b, o->value, o->own) <= value_contiguous(w->b, o->value, o->summed);
    put_position(c, o->own, o->own == DOT_M ? "m_start + own" : "n_start + own", SIDE * o->each,
                 text, &at);
    put_position(c, o->summed, "k_start + kk", SIDE, text, &at);
    if (!is_whole(c, o->summed, SIDE))
        value = arena_printf(w->arena, "k_start + kk < %s ? %s : 0",
                             cuda_dim(c, w->b->indices->extent[o->summed]), value);
    for (int keeps = 0; keeps < 2; keeps++) {
        const Fill fills[] = {{"ITEMS", cuda_number(w->arena, o->each)},
                              {"OWN", along_k ? "l / 16" : arena_printf(w->arena, "l %% %s", side)},
                              {"KK", along_k ? "l % 16" : arena_printf(w->arena, "l / %s", side)},
                              {"PART", o->part},
                              {"TILE", o->tile},
                              {"X", value},
                              {"LINES", text_get(&lines)},
                              {"AT", text_get(&at)},
                              {"IF_FETCH", keeps ? "" : "1"},
                              {"IF_KEEP", keeps ? "1" : ""}};
        template_fill("cuda/dot_operand.cu", fills, (int)(sizeof fills / sizeof *fills),
                      keeps ? keep : fetch);
    }
}

static CudaWriter dot_writer(CudaKernel *k) {
    CudaWriter c = cuda_writer(k, 0);
    const Body *b = c.w.b;
    const Dims *d = b->indices->dims;
    static const char *const names[] = {"at_batch", "at_m", "at_n", "at_k"};
    c.is_32bit = true;
    for (int i = 0; i < 2 * RANK_MAX; i++) {
        const Dim extent = b->indices->extent[i];
        if (!extent) continue;
        c.w.axis_name[i] = names[i < DOT_AXES ? i : DOT_K];
        c.is_32bit = c.is_32bit && cuda_is_small(d, extent);
    }
    c.vector = 1;
    c.is_32bit = c.is_32bit && cuda_is_32bit(b, NULL);
    c.index = c.is_32bit ? "int" : "idx";
    return c;
}

static const char *sum_type(Dtype type) {
    if (type == T_I64) return "unsigned long long";
    return type == T_I32 ? "unsigned" : cuda_register(type);
}

/* What reads the results, for one element of c. */
static const char *finish(CudaWriter *c) {
    Writer *w = &c->w;
    const Body *b = w->b;
    Text out = text_new(w->arena);
    int *roots = arena_array(w->arena, int, b->stores.count);
    for (int i = 0; i < b->stores.count; i++) roots[i] = b->stores.at[i].value;
    writer_piece(w, (Piece){roots, b->stores.count, NULL, 0}, b->lane);
    w->out = &out;
    for (int i = 0; i < b->dots; i++) {
        const Accumulator *a = &b->accs.at[i];
        const char *name = fresh(w, "matmul"), *type = cuda_register(a->type);
        write_line(w, "const %s %s = %ssums[%d][col];", type, name,
                   dtype_is_float(a->type) ? "" : arena_printf(w->arena, "(%s)", type), i);
        w->name[a->result] = name;
    }
    for (int i = 0; i < b->stores.count; i++) declare_value(w, roots[i]);
    for (int i = 0; i < b->stores.count; i++) {
        const KernelBuffer *buffer = &w->k->buffers.at[b->stores.at[i].buffer];
        write_line(w, "%s[%s] = %s;", buffer_name(w, b->stores.at[i].buffer),
                   index_text(w, b->stores.at[i].ix),
                   cuda_stored(c, buffer->type, value_text(w, roots[i])));
    }
    return text_get(&out);
}

/* Along the sum; products that are added up follow each other, each from a multiple of 16 on. */
static const char *length_text(const CudaWriter *c, int from) {
    const Body *b = c->w.b;
    const char *last = cuda_dim(c, b->indices->extent[body_summand(b, from).axis]);
    if (from + 1 == body_summand_count(b)) return last;
    return arena_printf(c->w.arena, "(%s + 15) / 16 * 16 + %s", last, length_text(c, from + 1));
}

/* What fetch and keep do for product i of those that are added up. */
static void put_summand(CudaWriter *c, int i, int rows, int cols, Text *fetch, Text *keep) {
    const Body *b = c->w.b;
    Arena *arena = c->w.arena;
    const Summand s = body_summand(b, i);
    Operand left = {s.left, DOT_M, rows, s.axis, "a_part", "a_tile[slot]"};
    put_operand(c, &left, fetch, keep);
    for (int j = 0; j < b->dots; j++) {
        Operand right = {i ? s.right : b->accs.at[j].index,
                         DOT_N,
                         cols,
                         s.axis,
                         arena_printf(arena, "b_part[%d]", j),
                         arena_printf(arena, "b_tile[slot][%d]", j)};
        put_operand(c, &right, fetch, keep);
    }
}

typedef struct Movement {
    const char *fetch, *keep;
    bool keeps_alike; /* whichever product the tile is of */
} Movement;

static Movement movement(CudaWriter *c, int rows, int cols) {
    const Body *b = c->w.b;
    Arena *arena = c->w.arena;
    Choice fetches[DOTS_MAX], keeps[DOTS_MAX];
    const int count = body_summand_count(b);
    const char *before = "";
    bool alike = true;
    for (int i = 0; i < count; i++) {
        Text fetch = text_new(arena), keep = text_new(arena);
        const char *size = cuda_dim(c, b->indices->extent[body_summand(b, i).axis]);
        const char *condition = arena_printf(arena, "k_start < %s", size);
        put_summand(c, i, rows, cols, &fetch, &keep);
        fetches[i] = (Choice){before, condition, text_get(&fetch)};
        keeps[i] = (Choice){before, condition, text_get(&keep)};
        alike = alike && !strcmp(keeps[i].text, keeps->text);
        before = arena_printf(arena, "k_start -= (%s + 15) / 16 * 16;\n", size);
    }
    return (Movement){choice_text(arena, fetches, count),
                      choice_text(arena, keeps, alike ? 1 : count), alike};
}

/* All stages of one row. */
static const char *row_text(CudaKernel *k, CudaWriter *c, int rows, int cols) {
    Text none = text_new(k->arena);
    c->sum_width = SIDE * cols;
    const char *text = cuda_warp_row(k, c, false, !is_whole(c, DOT_M, SIDE * rows), &none);
    if (!text_mentions(text, "at_part")) return text;
    return arena_printf(k->arena, "const %s at_part = n_start / tile_n;\n%s", c->index, text);
}

static void set_launch(CudaKernel *k, const CudaWriter *c) {
    const Dim *extent = c->w.b->indices->extent;
    const Tile *t = &c->tile;
    k->static_shared = tile_fma_shared(c->w.b, t);
    k->threads = THREADS;
    k->blocks = c->is_32bit ? 2 : 1; /* more registers where addresses take two */
    k->block_x = cuda_number(k->arena, THREADS);
    k->grid = arena_printf(k->arena, "%s * %s * %s", cuda_size(k, extent[DOT_BATCH]),
                           cuda_blocks(k->names, extent[DOT_M], t->m),
                           cuda_blocks(k->names, extent[DOT_N], t->n));
    k->how = arena_printf(k->arena, "256 threads for each %d x %d elements", t->m, t->n);
}

/* One fused multiply-add at a time. */
static void by_fma(CudaKernel *k, CudaWriter c, const DotForm *form) {
    const Body *body = c.w.b;
    const Dim *extent = body->indices->extent;
    Arena *arena = k->arena;
    const int rows = c.tile.m / SIDE, cols = c.tile.n / SIDE;
    const Movement moves = movement(&c, rows, cols);
    const char *batch = arena_printf(
        arena, "const %s at_batch = (%s)blockIdx.x / tiles_n / tiles_m;\n", c.index, c.index);
    if (dim_is(body->indices->dims, extent[DOT_BATCH], 1)) batch = "";
    const char *finish_text = form->columns ? "" : finish(&c);
    const char *row = form->columns ? row_text(k, &c, rows, cols) : "";
    const bool is_ragged = !is_whole(&c, DOT_M, SIDE * rows);
    const Fill fills[] = {
        {"IDX", c.index},
        {"SUM", sum_type(body->accs.at[0].type)},
        {"DOT_M", cuda_dim(&c, extent[DOT_M])},
        {"DOT_N", cuda_dim(&c, extent[DOT_N])},
        {"DOT_K", length_text(&c, 0)},
        {"COUNT", cuda_number(arena, body->dots)},
        {"ROWS", cuda_number(arena, rows)},
        {"COLS", cuda_number(arena, cols)},
        {"AT_BATCH", batch},
        {"FETCH", moves.fetch},
        {"KEEP", moves.keep},
        {"KEEP_START", moves.keeps_alike ? c.index : arena_printf(arena, "%s k_start", c.index)},
        {"ROW", row},
        {"ROW_THREADS", cuda_number(arena, c.tile.row_threads)},
        {"IF_ROWS", form->columns ? "1" : ""},
        {"IF_RAGGED", is_ragged ? "1" : ""},
        {"AT_M", is_ragged ? arena_printf(arena, "valid ? from + own * group_m : %s - 1",
                                          cuda_dim(&c, extent[DOT_M]))
                           : "from + own * group_m"},
        {"IF_ELEMENTS", form->columns ? "" : "1"},
        {"FINISH", finish_text}};
    set_launch(k, &c);
    cuda_function(k, &c, "cuda/dot.cu", "", false, fills, (int)(sizeof fills / sizeof *fills));
}

void cuda_dot(CudaKernel *k) {
    CudaWriter c = dot_writer(k);
    const DotForm form = dot_form(k->k, c.w.b, k->gpu);
    switch (c.tile.kind) {
    case TILE_WGMMA: cuda_wgmma(k, &c, &form); break;
    case TILE_MMA:
    case TILE_MMA_ROWS: cuda_mma(k, &c, &form); break;
    default: by_fma(k, c, &form);
    }
}
