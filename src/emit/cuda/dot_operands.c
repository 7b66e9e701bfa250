/* dot_operands.c: how the operands of a contraction by fused multiply-adds reach shared memory, in
 * stages along k: by cp.async, as memory holds them, or evaluated in registers and stored.
 * In: Body of a Kernel of family F_DOT. Out: text for templates/cuda/dot.cu. */
#include "emit/cuda/dot.h"

#include <string.h>

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

bool dot_is_sum(const Body *b) { return body_summand_count(b) > 1; }

/* Where `kk` of a stage is inside the summed axis; "": all of it is. The first stage of a product
 * takes what whole stages leave; of products that are added, the last stage of each does. */
static const char *inside(const CudaWriter *c, int summed) {
    if (cuda_is_whole(c, summed, c->tile.k)) return "";
    if (!dot_is_sum(c->w.b)) return "whole || kk < first";
    return arena_printf(c->w.arena, "k_start + kk < %s",
                        cuda_dim(c, c->w.b->indices->extent[summed]));
}

/* ---- all of them --------------------------------------------------------------------------- */

static void need(Movement *m, const Alignments *alignments) {
    for (int i = 0; i < alignments->count; i++)
        vec_push(m->k->arena, &m->out.alignments, alignments->at[i]);
}

/* Of an operand that is contiguous across k by packs where these are aligned. */
static void copy_operand(Movement *m, const FmaOperand *o) {
    CudaWriter *c = m->c;
    Alignments alignments = {0};
    DotPacks packs = {.most = 1};
    if (!fma_is_along_k(c->w.b, o) && fma_begin_packs(c, o, &alignments)) {
        packs = (DotPacks){c->vector, *cuda_condition(m->k, &c->w, &alignments) != 0};
        if (packs.is_tested && !(m->lengths >> packs.most & 1))
            text_printf(&m->start, "constexpr int %s = wide ? %d : 1;\n",
                        dot_each_of(m->k->arena, packs), packs.most);
        if (packs.is_tested) m->lengths |= 1u << packs.most;
        need(m, &alignments);
    } else {
        fma_begin_elements(c, o->value);
    }
    if (dot_put_copies(c, o, packs, &m->start, &m->copies)) m->out.by_position = true;
    m->out.copies = true;
}

static void evaluate_operand(Movement *m, const FmaOperand *o) {
    Alignments alignments = {0};
    const FmaMove move = fma_move(m->k, m->c, o, &alignments);
    text_str(&m->fetch, move.fetch);
    text_str(&m->keep, move.keep);
    need(m, &alignments);
    m->out.evaluates = true;
    m->out.has_packs = m->out.has_packs || move.has_packs;
}

static void put_operand(Movement *m, FmaOperand o) {
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
    const char *const is_inside = inside(m->c, s.axis);
    put_operand(m, (FmaOperand){.value = s.left,
                                .own = DOT_M,
                                .side = t->m,
                                .start = "m_start",
                                .summed = s.axis,
                                .inside = is_inside,
                                .thread = "thread",
                                .part = "a_part",
                                .tile = "stage[slot].a"});
    for (int j = 0; j < b->dots; j++)
        put_operand(m, (FmaOperand){.value = s.right[j],
                                    .own = DOT_N,
                                    .side = t->n,
                                    .start = "n_start",
                                    .summed = s.axis,
                                    .inside = is_inside,
                                    .thread = "thread",
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
    Choice fetches[TERMS_MAX], keeps[TERMS_MAX];
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
    const char *vec =
        m.out.has_packs ? arena_printf(arena, "constexpr int VEC = %d;\n", FMA_PACK) : "";
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
