/* dot_operands.c: how the operands of a contraction by fused multiply-adds reach shared memory, in
 * stages along k: by cp.async, as memory holds them, or evaluated in registers and stored.
 * In: Body of a Kernel of family F_DOT. Out: text for templates/cuda/dot.cu. */
#include "emit/cuda/dot.h"

#include <string.h>

enum { PACK = 4 }; /* elements of an operand that a thread loads at once, if memory holds them so */

/* The text so far. */
typedef struct Movement {
    CudaKernel *k;
    CudaWriter *c;
    DotMovement out;
    Text start, copies, fetch, keep; /* fetch: of what is evaluated */
    unsigned lengths;                /* of packs that the text has names of: bits */
} Movement;

/* One before every second k: a burst of copies fills the queue of loads and stores, and the
 * products wait for what they read from shared memory. Where tiles may end beyond the operands, all
 * at once: conditions and addresses that live between the products would be spilled, and 4096 x
 * 4096 x 4096 with open sizes takes 3240 us on an H100 instead of 2810. */
int dot_parts(const CudaWriter *c) {
    const bool is_whole = cuda_is_whole(c, DOT_M, c->tile.m) &&
                          cuda_is_whole(c, DOT_N, c->tile.n) && cuda_is_whole(c, DOT_K, c->tile.k);
    return is_whole ? c->tile.k / 2 : 1;
}

bool dot_is_along_k(const Body *b, const DotOperand *o) {
    return value_contiguous(b, o->value, o->own) <= value_contiguous(b, o->value, o->summed);
}

bool dot_is_sum(const Body *b) { return body_summand_count(b) > 1; }

/* Is `kk` of a stage inside the summed axis? The first stage of a product takes what whole stages
 * leave; of products that are added, the last stage of each does. */
static const char *inside(const CudaWriter *c, const DotOperand *o) {
    if (cuda_is_whole(c, o->summed, c->tile.k)) return "true";
    if (!dot_is_sum(c->w.b)) return "whole || kk < first";
    return arena_printf(c->w.arena, "k_start + kk < %s",
                        cuda_dim(c, c->w.b->indices->extent[o->summed]));
}

/* Outside the summed axis an operand is 0: where it is stored to shared memory, since a test of
 * what is loaded waits for it. On an H200 the product of 4096 x 4096 x 4096 f32 with open sizes
 * took 1.8 times as long as with known ones when it was tested before the products of the step
 * before. */
static const char *or_zero(const CudaWriter *c, const DotOperand *o, const char *value) {
    if (cuda_is_whole(c, o->summed, c->tile.k)) return value;
    return arena_printf(c->w.arena, "%s ? %s : 0", inside(c, o), value);
}

/* "const int at_m = m_start + own < M ? m_start + own : M - 1;" */
static void put_own_position(const CudaWriter *c, uint32_t axes, const DotOperand *o,
                             const char *each, Text *out) {
    if (!(axes >> o->own & 1)) return;
    const char *name = c->w.axis_name[o->own], *n = cuda_dim(c, c->w.b->indices->extent[o->own]);
    const char *at = o->own == DOT_M ? "m_start + own" : "n_start + own";
    if (cuda_is_whole(c, o->own, o->side))
        text_printf(out, "const %s %s = %s;\n", c->index, name, at);
    else
        text_printf(out, "const %s %s = %s < %s ? %s : %s - %s;\n", c->index, name, at, n, at, n,
                    each);
}

/* "const int at_k = k_start + (whole || kk < first ? kk : 0);": outside, any element will do. */
static void put_summed_position(const CudaWriter *c, uint32_t axes, const DotOperand *o,
                                Text *out) {
    if (!(axes >> o->summed & 1)) return;
    const char *kk = cuda_is_whole(c, o->summed, c->tile.k)
                         ? "kk"
                         : arena_printf(c->w.arena, "(%s ? kk : 0)", inside(c, o));
    text_printf(out, "const %s %s = k_start + %s;\n", c->index, c->w.axis_name[o->summed], kk);
}

void dot_put_position(const CudaWriter *c, uint32_t axes, const DotOperand *o, const char *each,
                      Text *out) {
    put_own_position(c, axes, o, each, out);
    put_summed_position(c, axes, o, out);
}

/* Starts the text of packs of an operand; false: it has none. */
static bool begin_packs(CudaWriter *c, const DotOperand *o, Alignments *alignments) {
    const int lane = dot_is_along_k(c->w.b, o) ? o->summed : o->own;
    const int items = o->side * c->tile.k / c->tile.threads;
    if (items % PACK || o->side % PACK) return false;
    cuda_choose_pack(c, PIECE_OPERAND, o->value, lane, PACK, alignments);
    return c->vector > 1 && value_contiguous(c->w.b, o->value, lane);
}

static void begin_elements(CudaWriter *c, const DotOperand *o) {
    c->wide = false;
    c->vector = 1;
    writer_piece(&c->w, PIECE_OPERAND, o->value, c->w.b->lane);
}

/* ---- evaluated ----------------------------------------------------------------------------- */

static void fill_operand(const CudaWriter *c, const DotOperand *o, const Fill *more, int count,
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
static void put_elements(CudaWriter *c, const DotOperand *o, Text *fetch, Text *keep) {
    Writer *w = &c->w;
    Text lines = text_new(w->arena), at = text_new(w->arena);
    w->out = &lines;
    declare_value(w, o->value);
    const char *value = value_text(w, o->value);
    const uint32_t axes = axes_taken(w);
    const int along = dot_is_along_k(w->b, o) ? c->tile.k : o->side;
    dot_put_position(c, axes, o, "1", &at);
    const char *const fast = arena_printf(w->arena, "l %% %d", along);
    const char *const slow = arena_printf(w->arena, "l / %d", along);
    const Fill fills[] = {{"OWN", dot_is_along_k(w->b, o) ? slow : fast},
                          {"KK", dot_is_along_k(w->b, o) ? fast : slow},
                          {"X", value},
                          {"LINES", text_get(&lines)},
                          {"AT", text_get(&at)},
                          {"IF_ELEMENTS", "1"},
                          {"IF_PACKS", ""}};
    fill_operand(c, o, fills, (int)(sizeof fills / sizeof *fills), fetch, keep);
}

/* By packs. Neighbouring threads load neighbouring packs, and along k two of them, 32 bytes, of a
 * row. */
static void put_packs(CudaWriter *c, const DotOperand *o, Text *fetch, Text *keep) {
    Writer *w = &c->w;
    const bool along_k = dot_is_along_k(w->b, o);
    Text elements = text_new(w->arena), at = text_new(w->arena);
    cuda_begin_elements(c, &elements);
    declare_value(w, o->value);
    write_line(w, "%s[item + l] = %s;", o->part, value_text(w, o->value));
    const char *text = cuda_end_elements(c, &elements);
    const uint32_t axes = axes_taken(w);
    dot_put_position(c, axes, o, along_k ? "1" : cuda_number(w->arena, PACK), &at);
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
}

/* ---- all of them --------------------------------------------------------------------------- */

static void need(Movement *m, const Alignments *alignments) {
    for (int i = 0; i < alignments->count; i++)
        vec_push(m->k->arena, &m->out.alignments, alignments->at[i]);
}

/* Of an operand that is contiguous across k by packs where these are aligned. */
static void copy_operand(Movement *m, const DotOperand *o) {
    CudaWriter *c = m->c;
    Alignments alignments = {0};
    DotPacks packs = {.most = 1};
    if (!dot_is_along_k(c->w.b, o) && begin_packs(c, o, &alignments)) {
        packs = (DotPacks){c->vector, *cuda_condition(m->k, &c->w, &alignments) != 0};
        if (packs.is_tested && !(m->lengths >> packs.most & 1))
            text_printf(&m->start, "constexpr int %s = wide ? %d : 1;\n",
                        dot_each_of(m->k->arena, packs), packs.most);
        if (packs.is_tested) m->lengths |= 1u << packs.most;
        need(m, &alignments);
    } else {
        begin_elements(c, o);
    }
    if (dot_put_copies(c, o, packs, &m->start, &m->copies)) m->out.by_position = true;
    m->out.copies = true;
}

/* By packs where these are aligned. */
static void evaluate_operand(Movement *m, const DotOperand *o) {
    Arena *arena = m->k->arena;
    Text packs[2] = {text_new(arena), text_new(arena)},
         single[2] = {text_new(arena), text_new(arena)};
    Alignments alignments = {0};
    const bool packed = begin_packs(m->c, o, &alignments) && m->c->vector == PACK;
    const bool tests = packed && *cuda_condition(m->k, &m->c->w, &alignments);
    if (packed) {
        put_packs(m->c, o, &packs[0], &packs[1]);
        need(m, &alignments);
    }
    if (!packed || tests) {
        begin_elements(m->c, o);
        put_elements(m->c, o, &single[0], &single[1]);
    }
    for (int i = 0; i < 2; i++) {
        const Choice choices[] = {{"", "wide", text_get(&packs[i])},
                                  {"", "", text_get(&single[i])}};
        text_str(i ? &m->keep : &m->fetch, choice_text(arena, choices + !packed, tests ? 2 : 1));
    }
    m->out.evaluates = true;
    m->out.has_packs = m->out.has_packs || packed;
}

static void put_operand(Movement *m, DotOperand o) {
    if (tile_fma_copies(m->c->w.b, &m->c->tile, o.value, m->k->gpu))
        copy_operand(m, &o);
    else
        evaluate_operand(m, &o);
}

/* The operands of product i of a sum. */
static void put_summand(Movement *m, int i) {
    const Body *b = m->c->w.b;
    const Tile *t = &m->c->tile;
    Arena *arena = m->k->arena;
    const Summand s = body_summand(b, i);
    put_operand(m, (DotOperand){.value = s.left,
                                .own = DOT_M,
                                .side = t->m,
                                .summed = s.axis,
                                .part = "a_part",
                                .tile = "stage[slot].a"});
    for (int j = 0; j < b->dots; j++)
        put_operand(m, (DotOperand){.value = s.right[j],
                                    .own = DOT_N,
                                    .side = t->n,
                                    .summed = s.axis,
                                    .part = arena_printf(arena, "b_part[%d]", j),
                                    .tile = arena_printf(arena, "stage[slot].b[%d]", j)});
}

/* What is copied, after what is evaluated, with the first part. */
static const char *fetch_text(const Movement *m) {
    Arena *arena = m->k->arena;
    const char *fetch = text_get(&m->fetch), *copies = text_get(&m->copies);
    if (!*copies) return fetch;
    if (!*fetch || dot_parts(m->c) == 1) return arena_printf(arena, "%s%s", fetch, copies);
    const Choice first = {"", "part == 0", fetch};
    return arena_printf(arena, "%s%s", choice_text(arena, &first, 1), copies);
}

/* "(K + 15) / 16 * 16" */
static const char *whole_stages(const CudaWriter *c, const char *size) {
    const int k = c->tile.k;
    return arena_printf(c->w.arena, "(%s + %d) / %d * %d", size, k - 1, k, k);
}

/* The depth; products that are added follow each other, each starting at a multiple of the
 * stage's. */
static const char *length_text(const CudaWriter *c, int from) {
    const Body *b = c->w.b;
    const char *last = cuda_dim(c, b->indices->extent[body_summand(b, from).axis]);
    if (from + 1 == body_summand_count(b)) return last;
    return arena_printf(c->w.arena, "%s + %s", whole_stages(c, last), length_text(c, from + 1));
}

/* How many elements along k the first stage has, if not all: what whole stages leave, so that the
 * main loop does not test where they end. "": all stages are whole. */
static const char *first_text(const CudaWriter *c) {
    const Body *b = c->w.b;
    int64_t n;
    if (dot_is_sum(b) || cuda_is_whole(c, DOT_K, c->tile.k)) return "";
    if (dim_is_const(b->indices->dims, b->indices->extent[DOT_K], &n))
        return cuda_number(c->w.arena, n % c->tile.k);
    return arena_printf(c->w.arena, "(int)((%s - 1) %% %d + 1)",
                        cuda_dim(c, b->indices->extent[DOT_K]), c->tile.k);
}

/* "int slot, int part, idx k_start, bool whole", or arguments for these: those that are asked for.
 */
static const char *list(Arena *arena, const bool *asked, const char *slot, const char *part,
                        const char *start, const char *whole) {
    const char *const all[] = {slot, part, start, whole};
    Text out = text_new(arena);
    for (int i = 0, count = 0; i < 4; i++)
        if (asked[i]) text_printf(&out, count++ ? ", %s" : "%s", all[i]);
    return text_get(&out);
}

/* The parameters of fetch and keep, and the arguments for the first stages and those after them. */
static void add_parameters(const Movement *m, bool is_ragged, bool keeps_by_start, Fills *fills) {
    Arena *arena = m->k->arena;
    const bool sums = dot_is_sum(m->c->w.b), first = is_ragged && !sums, copies = m->out.copies;
    const bool fetch[] = {copies, copies && dot_parts(m->c) > 1,
                          m->out.evaluates || m->out.by_position || sums, first};
    const bool keep[] = {true, false, keeps_by_start, first};
    const char *start = arena_printf(arena, "%s k_start", m->c->index);
    const Fill more[] = {
        {"FETCH_STAGE", list(arena, fetch, "int slot", "int part", start, "bool whole")},
        {"FETCH_START", list(arena, fetch, "s", "part", "k_next", "s > 0")},
        {"FETCH_NEXT", list(arena, fetch, "put", "l / 2", "k_next", "true")},
        {"KEEP_STAGE", list(arena, keep, "int slot", "", start, "bool whole")},
        {"KEEP_START", list(arena, keep, "s", "", "k_next", "s > 0")},
        {"KEEP_NEXT", list(arena, keep, "put", "", "k_next", "true")}};
    FILLS_ADD(arena, fills, more);
}

DotMovement dot_add_movement(CudaKernel *k, CudaWriter *c, Fills *fills) {
    const Body *b = c->w.b;
    Arena *arena = k->arena;
    Choice fetches[DOTS_MAX], keeps[DOTS_MAX];
    const int count = body_summand_count(b);
    const char *before = "";
    bool alike = true, is_ragged = false;
    Movement m = {.k = k, .c = c, .start = text_new(arena)};
    for (int i = 0; i < count; i++) {
        const char *size = cuda_dim(c, b->indices->extent[body_summand(b, i).axis]);
        const char *condition = arena_printf(arena, "k_start < %s", size);
        m.copies = text_new(arena), m.fetch = text_new(arena), m.keep = text_new(arena);
        put_summand(&m, i);
        fetches[i] = (Choice){before, condition, fetch_text(&m)};
        keeps[i] = (Choice){before, condition, text_get(&m.keep)};
        alike = alike && !strcmp(keeps[i].text, keeps->text);
        is_ragged = is_ragged || !cuda_is_whole(c, body_summand(b, i).axis, c->tile.k);
        before = arena_printf(arena, "k_start -= %s;\n", whole_stages(c, size));
    }
    const bool by_start = m.out.evaluates && count > 1 && (is_ragged || !alike);
    const char *vec = m.out.has_packs ? arena_printf(arena, "constexpr int VEC = %d;\n", PACK) : "";
    const char *first = first_text(c);
    const Fill more[] = {{"DOT_K", length_text(c, 0)},
                         {"FIRST", first},
                         {"IF_SHORT", first},
                         {"STEP", *first ? "s ? tile_k : first" : "tile_k"},
                         {"START", arena_printf(arena, "%s%s", vec, text_get(&m.start))},
                         {"FETCH", choice_text(arena, fetches, count)},
                         {"KEEP", choice_text(arena, keeps, by_start ? count : 1)},
                         {"PARTS", cuda_number(arena, dot_parts(c))},
                         {"IF_COPIES", m.out.copies ? "1" : ""},
                         {"IF_PARTS", m.out.copies && dot_parts(c) > 1 ? "1" : ""},
                         {"IF_WHOLE_FETCH", m.out.copies && dot_parts(c) > 1 ? "" : "1"},
                         {"IF_KEEP", m.out.evaluates ? "1" : ""}};
    FILLS_ADD(arena, fills, more);
    add_parameters(&m, is_ragged, by_start, fills);
    return m.out;
}
