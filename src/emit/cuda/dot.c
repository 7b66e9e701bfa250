/* dot.c: a contraction as CUDA without tensor cores: operands are evaluated while they are copied
 * to shared memory, by templates/cuda/dot.cu.
 * In: Kernel of family F_DOT. Out: text and launch. */
#include "emit/cuda/cuda.h"

#include <string.h>

/* Does the axis provably end at the end of a tile? */
static bool is_whole(const CudaWriter *c, int axis, int tile) {
    Dims *d = c->w.b->indices->dims;
    return dim_divides(d, dim_const(d, tile), c->w.b->indices->extent[axis]);
}

/* "const int at_m = m_start + own < M ? m_start + own : M - 1;" of an axis among these. */
static void put_position(CudaWriter *c, uint32_t axes, int axis, const char *at, int tile,
                         Text *out) {
    if (!(axes >> axis & 1)) return;
    const char *name = c->w.axis_name[axis], *n = cuda_dim(c, c->w.b->indices->extent[axis]);
    if (is_whole(c, axis, tile))
        text_printf(out, "const %s %s = %s;\n", c->index, name, at);
    else
        text_printf(out, "const %s %s = %s < %s ? %s : %s - 1;\n", c->index, name, at, n, at, n);
}

typedef struct Operand {
    int value, own;          /* own: DOT_M or DOT_N */
    int side;                /* of the tile along it */
    int summed;              /* DOT_K, or the axis of an added product */
    const char *part, *tile; /* registers, and shared memory */
} Operand;

enum { PACK = 4 }; /* elements of an operand that a thread loads at once, if memory holds them so */

static bool is_along_k(const Body *b, const Operand *o) {
    return value_contiguous(b, o->value, o->own) <= value_contiguous(b, o->value, o->summed);
}

static const char *start_of(const Operand *o) {
    return o->own == DOT_M ? "m_start + own" : "n_start + own";
}

static bool is_sum(const Body *b) { return body_summand_count(b) > 1; }

/* Is `kk` of a step inside the summed axis? The first step of a product takes what whole steps
 * leave; of products that are added, the last step of each does. */
static const char *inside(const CudaWriter *c, const Operand *o) {
    if (!is_sum(c->w.b)) return "whole || kk < first";
    return arena_printf(c->w.arena, "k_start + kk < %s",
                        cuda_dim(c, c->w.b->indices->extent[o->summed]));
}

/* Outside the summed axis an operand is 0: where it is stored to shared memory, since a test of
 * what is loaded waits for it. On an H200 the product of 4096 x 4096 x 4096 f32 with open sizes
 * took 1.8 times as long as with known ones when it was tested before the products of the step
 * before. */
static const char *or_zero(const CudaWriter *c, const Operand *o, const char *value) {
    if (is_whole(c, o->summed, c->tile.k)) return value;
    return arena_printf(c->w.arena, "%s ? %s : 0", inside(c, o), value);
}

/* "const int at_k = k_start + (whole || kk < first ? kk : 0);": outside, any element will do. */
static void put_summed_position(CudaWriter *c, uint32_t axes, const Operand *o, Text *out) {
    if (!(axes >> o->summed & 1)) return;
    const char *kk = is_whole(c, o->summed, c->tile.k)
                         ? "kk"
                         : arena_printf(c->w.arena, "(%s ? kk : 0)", inside(c, o));
    text_printf(out, "const %s %s = k_start + %s;\n", c->index, c->w.axis_name[o->summed], kk);
}

static void fill_operand(const CudaWriter *c, const Operand *o, const Fill *more, int count,
                         Text *fetch, Text *keep) {
    Arena *arena = c->w.arena;
    for (int keeps = 0; keeps < 2; keeps++) {
        Fills fills = {0};
        const Fill own[] = {
            {"ITEMS", cuda_number(arena, o->side * c->tile.k / c->tile.threads)},
            {"THREADS", cuda_number(arena, c->tile.threads)},
            {"THREAD", "thread"},
            {"PART", o->part},
            {"TILE", o->tile},
            {"KEPT", or_zero(c, o, arena_printf(arena, "%s[item]", o->part))},
            {"KEPT_OF_PACK", or_zero(c, o, arena_printf(arena, "%s[item + l]", o->part))},
            {"IF_FETCH", keeps ? "" : "1"},
            {"IF_KEEP", keeps ? "1" : ""},
        };
        FILLS_ADD(arena, &fills, own);
        for (int i = 0; i < count; i++) vec_push(arena, &fills, more[i]);
        template_fill("cuda/dot_operand.cu", fills.at, fills.count, keeps ? keep : fetch);
    }
}

/* Element by element. */
static void put_elements(CudaWriter *c, const Operand *o, Text *fetch, Text *keep) {
    Writer *w = &c->w;
    Text lines = text_new(w->arena), at = text_new(w->arena);
    w->out = &lines;
    writer_piece(w, PIECE_OPERAND, o->value, w->b->lane);
    declare_value(w, o->value);
    const char *value = value_text(w, o->value);
    const uint32_t axes = axes_taken(w);
    const int along = is_along_k(w->b, o) ? c->tile.k : o->side;
    put_position(c, axes, o->own, start_of(o), o->side, &at);
    put_summed_position(c, axes, o, &at);
    const char *const fast = arena_printf(w->arena, "l %% %d", along);
    const char *const slow = arena_printf(w->arena, "l / %d", along);
    const Fill fills[] = {{"OWN", is_along_k(w->b, o) ? slow : fast},
                          {"KK", is_along_k(w->b, o) ? fast : slow},
                          {"X", value},
                          {"LINES", text_get(&lines)},
                          {"AT", text_get(&at)},
                          {"IF_ELEMENTS", "1"},
                          {"IF_PACKS", ""}};
    fill_operand(c, o, fills, (int)(sizeof fills / sizeof *fills), fetch, keep);
}

/* The position of a pack: the last one instead of one behind the end. */
static void put_pack_position(CudaWriter *c, uint32_t axes, int axis, const char *at, int tile,
                              Text *out) {
    if (!(axes >> axis & 1)) return;
    const char *name = c->w.axis_name[axis], *n = cuda_dim(c, c->w.b->indices->extent[axis]);
    if (is_whole(c, axis, tile) || axis != c->w.s->lane)
        put_position(c, axes, axis, at, tile, out);
    else
        text_printf(out, "const %s %s = %s < %s ? %s : %s - %d;\n", c->index, name, at, n, at, n,
                    PACK);
}

/* By packs, if the operand allows them; *alignments: what they need. Neighbouring threads load
 * neighbouring packs, and along k two of them, 32 bytes, of a row. */
static bool put_packs(CudaWriter *c, const Operand *o, Alignments *alignments, Text *fetch,
                      Text *keep) {
    Writer *w = &c->w;
    const bool along_k = is_along_k(w->b, o);
    const int lane = along_k ? o->summed : o->own;
    Text elements = text_new(w->arena), at = text_new(w->arena);
    if (o->side * c->tile.k / c->tile.threads % PACK || o->side % PACK) return false;
    const Piece *piece = cuda_choose_pack(c, PIECE_OPERAND, o->value, lane, PACK, alignments);
    const int value = piece->roots[0];
    if (c->vector < PACK || !value_contiguous(w->b, o->value, lane)) return false;
    cuda_begin_elements(c, &elements);
    declare_value(w, value);
    write_line(w, "%s[item + l] = %s;", o->part, value_text(w, value));
    const char *text = cuda_end_elements(c, &elements);
    const uint32_t axes = axes_taken(w);
    put_pack_position(c, axes, o->own, start_of(o), o->side, &at);
    put_summed_position(c, axes, o, &at);
    const char *side = cuda_number(w->arena, along_k ? o->side : o->side / PACK);
    const Fill fills[] = {
        {"OWN", arena_printf(w->arena, along_k ? "chunk / 2 %% %s" : "chunk %% %s * VEC", side)},
        {"KK",
         arena_printf(w->arena, along_k ? "chunk / 2 / %s * 8 + chunk %% 2 * VEC" : "chunk / %s",
                      side)},
        {"ELEMENT",
         arena_printf(w->arena, "%s%s", o->tile, along_k ? "[kk + l][own]" : "[kk][own + l]")},
        {"LINES", text},
        {"AT", text_get(&at)},
        {"IF_ELEMENTS", ""},
        {"IF_PACKS", "1"}};
    fill_operand(c, o, fills, (int)(sizeof fills / sizeof *fills), fetch, keep);
    return true;
}

typedef struct Test {
    const char *name, *condition;
} Test;

/* Whether operands are loaded by packs, and what these ask for: of each, and of all together. */
typedef struct Tests {
    bool has_packs;
    Vec(Test) each;
    Alignments all;
} Tests;

/* Adds the text that fetches the operand and stores it to shared memory, and what its packs ask
 * for. */
static void put_operand(CudaKernel *k, CudaWriter *c, const Operand *o, Tests *tests, Text *fetch,
                        Text *keep) {
    Arena *arena = k->arena;
    Text packs[2] = {text_new(arena), text_new(arena)},
         single[2] = {text_new(arena), text_new(arena)};
    Alignments alignments = {0};
    const bool packed = put_packs(c, o, &alignments, &packs[0], &packs[1]);
    const char *condition = packed ? cuda_condition(k, &c->w, &alignments) : "";
    tests->has_packs = tests->has_packs || packed;
    c->wide = false;
    c->vector = 1;
    put_elements(c, o, &single[0], &single[1]);
    const char *name = arena_printf(arena, "%s_aligned", value_stem(&c->w, o->value));
    if (*condition) {
        name = fresh(&c->w, name);
        vec_push(arena, &tests->each, ((Test){name, condition}));
        for (int i = 0; i < alignments.count; i++) vec_push(arena, &tests->all, alignments.at[i]);
    }
    for (int i = 0; i < 2; i++) {
        const Choice choices[] = {{"", name, text_get(&packs[i])}, {"", "", text_get(&single[i])}};
        text_str(i ? keep : fetch, choice_text(arena, choices + !packed, *condition ? 2 : 1));
    }
}

/* "const bool a_aligned = wide || (K % 4 == 0 && is_aligned(a, 16));" */
static const char *tests_text(const Tests *tests, Arena *arena) {
    Text out = text_new(arena);
    if (tests->has_packs) text_printf(&out, "constexpr int VEC = %d;\n", PACK);
    for (int i = 0; i < tests->each.count; i++) {
        const Test *t = &tests->each.at[i];
        const char *format = tests->each.count == 1         ? "const bool %s = wide;\n"
                             : strstr(t->condition, " && ") ? "const bool %s = wide || (%s);\n"
                                                            : "const bool %s = wide || %s;\n";
        text_printf(&out, format, t->name, t->condition);
    }
    return text_get(&out);
}

static CudaWriter dot_writer(CudaKernel *k) {
    CudaWriter c = cuda_writer(k, 0);
    const Body *b = c.w.b;
    static const char *const names[] = {"at_batch", "at_m", "at_n", "at_k"};
    for (int i = 0; i < 2 * RANK_MAX; i++)
        if (b->indices->extent[i]) c.w.axis_name[i] = names[i < DOT_AXES ? i : DOT_K];
    c.w.axis_name[DOT_BLOCK] = b->blocks.term ? "block" : c.w.axis_name[DOT_BLOCK];
    c.vector = 1;
    c.is_32bit = body_is_32bit(b);
    c.index = c.is_32bit ? "int" : "idx";
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
    finish(c, "col");
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
    const Tile *t = &c->tile;
    Text out = text_new(arena);
    const char *within = each == group_of(c) ? "" : " + col % group_n";
    const Fill fills[] = {
        {"IDX", c->index},
        {"COLS", cuda_number(arena, t->n / t->threads_n)},
        {"EACH", cuda_number(arena, each)},
        {"NEXT", each > 1 ? arena_printf(arena, "col += %d", each) : "col++"},
        {"THREADS_N", cuda_number(arena, t->threads_n)},
        {"AT_N", arena_printf(arena, "n_start + col / group_n * (%d * group_n) + tx%s",
                              t->threads_n, within)},
        {"DOT_N", cuda_dim(c, c->w.b->indices->extent[DOT_N])},
        {"IF_PACKS", each > 1 ? "1" : ""},
        {"FINISH", finish}};
    template_fill("cuda/dot_results.cu", fills, (int)(sizeof fills / sizeof *fills), &out);
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

/* "(K + 15) / 16 * 16" */
static const char *whole_steps(const CudaWriter *c, const char *size) {
    const int k = c->tile.k;
    return arena_printf(c->w.arena, "(%s + %d) / %d * %d", size, k - 1, k, k);
}

/* The depth; products that are added follow each other, each starting at a multiple of the step. */
static const char *length_text(const CudaWriter *c, int from) {
    const Body *b = c->w.b;
    const char *last = cuda_dim(c, b->indices->extent[body_summand(b, from).axis]);
    if (from + 1 == body_summand_count(b)) return last;
    return arena_printf(c->w.arena, "%s + %s", whole_steps(c, last), length_text(c, from + 1));
}

/* The fetch and store texts of product i of a sum. */
static void put_summand(CudaKernel *k, CudaWriter *c, int i, Tests *tests, Text *fetch,
                        Text *keep) {
    const Body *b = c->w.b;
    Arena *arena = c->w.arena;
    const Summand s = body_summand(b, i);
    Operand left = {s.left, DOT_M, c->tile.m, s.axis, "a_part", "a_tile[slot]"};
    put_operand(k, c, &left, tests, fetch, keep);
    for (int j = 0; j < b->dots; j++) {
        Operand right = {s.right[j],
                         DOT_N,
                         c->tile.n,
                         s.axis,
                         arena_printf(arena, "b_part[%d]", j),
                         arena_printf(arena, "b_tile[slot][%d]", j)};
        put_operand(k, c, &right, tests, fetch, keep);
    }
}

typedef struct Movement {
    const char *fetch, *keep;
    Tests tests;
    bool is_ragged;      /* summed axes end within a step */
    bool keeps_by_start; /* what is stored depends on the place along the summed axes */
} Movement;

static Movement movement(CudaKernel *k, CudaWriter *c) {
    const Body *b = c->w.b;
    Arena *arena = c->w.arena;
    Choice fetches[DOTS_MAX], keeps[DOTS_MAX];
    const int count = body_summand_count(b);
    const char *before = "";
    Movement m = {0};
    bool alike = true;
    for (int i = 0; i < count; i++) {
        Text fetch = text_new(arena), keep = text_new(arena);
        const char *size = cuda_dim(c, b->indices->extent[body_summand(b, i).axis]);
        const char *condition = arena_printf(arena, "k_start < %s", size);
        put_summand(k, c, i, &m.tests, &fetch, &keep);
        fetches[i] = (Choice){before, condition, text_get(&fetch)};
        keeps[i] = (Choice){before, condition, text_get(&keep)};
        alike = alike && !strcmp(keeps[i].text, keeps->text);
        m.is_ragged = m.is_ragged || !is_whole(c, body_summand(b, i).axis, c->tile.k);
        before = arena_printf(arena, "k_start -= %s;\n", whole_steps(c, size));
    }
    m.keeps_by_start = count > 1 && (m.is_ragged || !alike);
    m.fetch = choice_text(arena, fetches, count);
    m.keep = choice_text(arena, keeps, m.keeps_by_start ? count : 1);
    return m;
}

/* How many elements along k the first step has: what whole steps leave, so that the main loop does
 * not test where they end. */
static const char *first_text(const CudaWriter *c) {
    const Body *b = c->w.b;
    int64_t n;
    if (is_sum(b) || is_whole(c, DOT_K, c->tile.k)) return cuda_number(c->w.arena, c->tile.k);
    if (dim_is_const(b->indices->dims, b->indices->extent[DOT_K], &n))
        return cuda_number(c->w.arena, n % c->tile.k);
    return arena_printf(c->w.arena, "(int)((%s - 1) %% %d + 1)",
                        cuda_dim(c, b->indices->extent[DOT_K]), c->tile.k);
}

/* The parameters of fetch and keep, and the arguments for the first step and those after it. */
static void add_movement(const CudaWriter *c, const Movement *m, Fills *fills) {
    Arena *arena = c->w.arena;
    const bool first = m->is_ragged && !is_sum(c->w.b);
    const Fill own[] = {
        {"START", tests_text(&m->tests, arena)},
        {"FETCH", m->fetch},
        {"KEEP", m->keep},
        {"FIRST", first_text(c)},
        {"FETCH_STEP", arena_printf(arena, "%s k_start%s", c->index, first ? ", bool whole" : "")},
        {"FETCH_FIRST", first ? "0, false" : "0"},
        {"FETCH_NEXT", first ? "k_start, true" : "k_start"},
        {"KEEP_STEP", first               ? "int slot, bool whole"
                      : m->keeps_by_start ? arena_printf(arena, "int slot, %s k_start", c->index)
                                          : "int slot"},
        {"KEEP_FIRST", first               ? "0, false"
                       : m->keeps_by_start ? "0, 0"
                                           : "0"},
        {"KEEP_NEXT", first               ? "slot, true"
                      : m->keeps_by_start ? "slot, k_start"
                                          : "slot"},
    };
    FILLS_ADD(arena, fills, own);
}

/* All stages of one row. */
static const char *row_text(CudaKernel *k, CudaWriter *c) {
    Alignments none = {0};
    c->sum_width = c->tile.n;
    return cuda_warp_row(k, c, false, !is_whole(c, DOT_M, c->tile.m), "n_start / tile_n", &none);
}

static void set_launch(CudaKernel *k, const CudaWriter *c) {
    const Dim *extent = c->w.b->indices->extent;
    const Tile *t = &c->tile;
    k->shared = cuda_number(k->arena, tile_fma_shared(c->w.b, t));
    k->threads = t->threads;
    k->blocks = t->blocks;
    k->block_x = cuda_number(k->arena, t->threads);
    k->grid = arena_printf(k->arena, "%s * %s * %s", cuda_size(k, extent[DOT_BATCH]),
                           cuda_blocks(k->names, extent[DOT_M], t->m),
                           cuda_blocks(k->names, extent[DOT_N], t->n));
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
        {"DOT_K", length_text(c, 0)},
        {"COUNT", cuda_number(arena, c->w.b->dots)},
        {"THREADS_M", cuda_number(arena, t->threads_m)},
        {"THREADS_N", cuda_number(arena, t->threads_n)},
        {"THREADS", cuda_number(arena, t->threads)},
        {"DEPTH", cuda_number(arena, t->k)},
        {"ROWS", cuda_number(arena, t->m / t->threads_m)},
        {"COLS", cuda_number(arena, t->n / t->threads_n)},
        {"A_ITEMS", cuda_number(arena, t->m * t->k / t->threads)},
        {"B_ITEMS", cuda_number(arena, t->n * t->k / t->threads)},
    };
    FILLS_ADD(arena, fills, own);
}

static void add_results(CudaKernel *k, CudaWriter *c, const DotForm *form, Fills *fills) {
    const bool is_ragged = !is_whole(c, DOT_M, c->tile.m), rows = form->columns > 0;
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

/* By fused multiply-adds. `wide`: all operands are loaded by packs. */
static void by_fma(CudaKernel *k, CudaWriter c, const DotForm *form) {
    const Body *body = c.w.b;
    const Movement moves = movement(k, &c);
    const char *batch = arena_printf(
        k->arena, "const %s at_batch = (%s)blockIdx.x / tiles_n / tiles_m;\n", c.index, c.index);
    if (dim_is(body->indices->dims, body->indices->extent[DOT_BATCH], 1)) batch = "";
    Fills fills = {0};
    add_results(k, &c, form, &fills);
    add_sizes(&c, &fills);
    add_movement(&c, &moves, &fills);
    const Fill own[] = {{"AT_BATCH", batch}};
    FILLS_ADD(k->arena, &fills, own);
    set_launch(k, &c);
    if (moves.tests.each.count)
        cuda_function_wide(k, &c, "cuda/dot.cu", "tile", &moves.tests.all, fills.at, fills.count);
    else
        cuda_function(k, &c, "cuda/dot.cu", "", false, fills.at, fills.count);
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
    default: by_fma(k, c, &form);
    }
}
