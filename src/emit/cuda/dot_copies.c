/* dot_copies.c: operands of a contraction by fused multiply-adds that cp.async copies to shared
 * memory, through templates/cuda/dot_copies.cu.
 * In: a load of the body's own type. Out: text. */
#include "emit/cuda/dot.h"

#include <string.h>

enum {
    RUN = 8, /* elements of a row that neighbouring threads copy */
    PACK = 4 /* most that a thread copies at once */
};

/* The copies of a thread, by packs of `each`, from position `own`, `kk` of a stage on: along k in
 * steps along both axes, across it in steps of k. */
typedef struct Copies {
    const FmaOperand *of;
    bool along_k;
    DotPacks packs;
    const char *each, *own, *kk; /* own, kk: names */
    const char *from, *left;     /* too: of its address, the distance to the end of its axis */
    const char *line;            /* too: moves along a stage; `from`, where parts share one */
    const char *step, *k_step;
    const char *stride, *k_stride; /* in memory; NULL: addresses are computed one by one */
} Copies;

/* The distance in memory of neighbours along an axis; NULL: it varies, or the operands of several
 * products take turns. */
static const char *stride_along(const CudaWriter *c, const FmaOperand *o, int axis) {
    const Body *b = c->w.b;
    Dim step = 0;
    if (dot_is_sum(b) || index_along(b, b->values.at[o->value].ix, axis, &step) != 1) return NULL;
    return cuda_dim(c, step);
}

static const char *times(Arena *arena, const char *n, const char *stride) {
    return strcmp(stride, "1") ? arena_printf(arena, "%s * %s", n, stride) : n;
}

static const char *name_of(CudaWriter *c, const FmaOperand *o, const char *what) {
    return fresh(&c->w, arena_printf(c->w.arena, "%s_%s", value_stem(&c->w, o->value), what));
}

/* Is every element of the stage inside its operand's own axis? */
static bool is_whole_side(const CudaWriter *c, const FmaOperand *o) {
    return cuda_is_whole(c, o->own, o->side);
}

const char *dot_each_of(Arena *arena, DotPacks packs) {
    if (!packs.is_tested) return cuda_number(arena, packs.most);
    return packs.most == PACK ? "each" : arena_printf(arena, "each_%d", packs.most);
}

static Copies copies_of(CudaWriter *c, const FmaOperand *o, DotPacks packs) {
    Arena *arena = c->w.arena;
    const int rows = c->tile.threads / RUN;
    const char *each = dot_each_of(arena, packs);
    Copies t = {.of = o, .packs = packs, .each = each, .along_k = fma_is_along_k(c->w.b, o)};
    t.stride = stride_along(c, o, o->own), t.k_stride = stride_along(c, o, o->summed);
    if (!t.stride || !t.k_stride) t.stride = t.k_stride = NULL;
    t.own = name_of(c, o, "own"), t.kk = name_of(c, o, "kk");
    if (t.stride) t.from = name_of(c, o, "from");
    t.line = t.stride && dot_parts(c) == 1 ? name_of(c, o, "line") : t.from;
    if (t.stride && !is_whole_side(c, o)) t.left = name_of(c, o, "left");
    t.step = cuda_number(arena, rows < o->side ? rows : o->side);
    t.k_step = cuda_number(arena, rows < o->side ? RUN : RUN * rows / o->side);
    if (!t.along_k) t.k_step = times(arena, each, cuda_number(arena, c->tile.threads / o->side));
    return t;
}

/* The address of position `own`, `kk` of the first stage. */
static const char *source_text(CudaWriter *c, const Copies *t) {
    const FmaOperand *o = t->of;
    const Value *v = &c->w.b->values.at[o->value];
    const char **names = c->w.axis_name, *own = names[o->own], *k = names[o->summed];
    names[o->own] = arena_printf(c->w.arena, "(%s + %s)", o->start, t->own);
    names[o->summed] = t->kk;
    const char *text = address_text(&c->w, v->attr, v->ix);
    names[o->own] = own, names[o->summed] = k;
    return text;
}

/* Where a thread starts: neighbouring threads take neighbours in memory, along k 32 bytes of a
 * row. */
static void add_start(CudaWriter *c, const Copies *t, Fills *fills) {
    Arena *arena = c->w.arena;
    const FmaOperand *o = t->of;
    const char *packs = cuda_number(arena, o->side), *own = arena_printf(arena, "thread / %d", RUN),
               *kk = arena_printf(arena, "thread %% %d", RUN);
    if (t->along_k && c->tile.threads / RUN > o->side) {
        own = arena_printf(arena, "%s %% %d", own, o->side);
        kk = arena_printf(arena, "thread / %d * %d + %s", RUN * o->side, RUN, kk);
    } else if (!t->along_k) {
        if (strcmp(t->each, "1")) packs = arena_printf(arena, "(%s / %s)", packs, t->each);
        own = times(arena, arena_printf(arena, "thread %% %s", packs), t->each);
        kk = arena_printf(arena, "thread / %s", packs);
    }
    const Fill more[] = {
        {"OWN", t->own},
        {"OWN_START", own},
        {"KK", t->kk},
        {"KK_START", kk},
        {"FROM", t->from},
        {"TYPE", cuda_storage(c->w.b->values.at[o->value].type)},
        {"SOURCE", t->stride ? source_text(c, t) : ""},
        {"LEFT", t->left},
        {"IDX", c->index},
        {"REST", arena_printf(arena, "%s - %s - %s", cuda_dim(c, c->w.b->indices->extent[o->own]),
                              o->start, t->own)},
        {"IF_LEFT", t->left ? "1" : ""}};
    FILLS_ADD(arena, fills, more);
}

/* "whole || a_kk + j < first" */
static const char *inside_k(const CudaWriter *c, const Copies *t, const char *kk) {
    const FmaOperand *o = t->of;
    if (cuda_is_whole(c, o->summed, c->tile.k)) return "";
    if (!dot_is_sum(c->w.b)) return arena_printf(c->w.arena, "whole || %s < first", kk);
    return arena_printf(c->w.arena, "k_start + %s < %s", kk,
                        cuda_dim(c, c->w.b->indices->extent[o->summed]));
}

/* Zeros take the place of what is outside the operand. */
static const char *inside_text(const CudaWriter *c, const Copies *t, const char *i,
                               const char *kk) {
    const char *k = inside_k(c, t, kk);
    if (!t->left) return *k ? k : "true";
    const char *own = arena_printf(c->w.arena, "%s < %s", i, t->left);
    return *k ? arena_printf(c->w.arena, "(%s) && %s", k, own) : own;
}

/* Positions of a copy whose address is computed: of one outside, any that is inside. */
static const char *at_text(CudaWriter *c, const Copies *t, const char *own, const char *kk) {
    const FmaOperand *o = t->of;
    const Value *v = &c->w.b->values.at[o->value];
    Text at = text_new(c->w.arena);
    axes_taken(&c->w);
    address_text(&c->w, v->attr, v->ix);
    const uint32_t axes = axes_taken(&c->w);
    text_printf(&at, "[[maybe_unused]] const int own = %s, kk = %s;\n", own, kk);
    fma_put_position(c, axes, o, t->each, &at);
    return text_get(&at);
}

/* How far the copies of one part of a stage go along the operand's longer side: a literal, or a
 * maximum of literals and `each`; *is_few: there may be fewer copies than parts. */
static const char *share_text(const CudaWriter *c, const Copies *t, bool *is_few) {
    const int rows = c->tile.threads / (t->along_k ? RUN : t->of->side);
    const int step = rows < t->of->side ? rows : t->of->side, parts = dot_parts(c);
    const int least = (t->along_k ? t->of->side : c->tile.k) / parts;
    const bool is_open = t->packs.is_tested; /* of operands across k */
    const int most = step * t->packs.most;
    *is_few = most > least;
    if (is_open && step < least && most > least)
        return arena_printf(c->w.arena, "(wide ? %d : %d)", most, least);
    return most > least && is_open ? t->k_step : cuda_number(c->w.arena, *is_few ? most : least);
}

/* To the start of the next stage, from that of this one, or from its end if parts share a pointer;
 * NULL: they are the same. */
static const char *turn_text(const CudaWriter *c, const Copies *t) {
    Arena *arena = c->w.arena;
    const FmaOperand *o = t->of;
    const bool is_whole = cuda_is_whole(c, o->summed, c->tile.k);
    const char *depth = cuda_number(arena, c->tile.k), *advance = depth;
    if (!t->stride || (t->line == t->from && is_whole && !t->along_k)) return NULL;
    if (!is_whole) advance = arena_printf(arena, "(whole ? %s : first)", depth);
    const char *turn = times(arena, advance, t->k_stride);
    if (t->line != t->from) return turn;
    return arena_printf(arena, "%s - %s", turn,
                        t->along_k ? times(arena, cuda_number(arena, o->side), t->stride)
                                   : times(arena, depth, t->k_stride));
}

static void add_fetch(CudaWriter *c, const Copies *t, Fills *fills) {
    Arena *arena = c->w.arena;
    const FmaOperand *o = t->of;
    const Value *v = &c->w.b->values.at[o->value];
    const char *own = t->along_k ? arena_printf(arena, "%s + i", t->own) : t->own;
    const char *kk = arena_printf(arena, t->along_k ? "%s + j" : "%s + i", t->kk);
    const char *offset = address_text(&c->w, v->attr, v->ix), *turn = turn_text(c, t);
    bool is_few;
    const char *share = share_text(c, t, &is_few);
    const int parts = dot_parts(c);
    const char *count = cuda_number(arena, t->along_k ? o->side : c->tile.k);
    if (t->stride)
        offset = t->along_k
                     ? arena_printf(arena, "%s + %s", t->line, times(arena, "j", t->k_stride))
                     : t->line;
    const Fill more[] = {{"STEP", t->along_k ? t->step : t->k_step},
                         {"STRIDE", t->stride ? times(arena, t->along_k ? t->step : t->k_step,
                                                      t->along_k ? t->stride : t->k_stride)
                                              : ""},
                         {"DEPTH", cuda_number(arena, c->tile.k)},
                         {"DEPTH_STEP", t->k_step},
                         {"OFFSET", offset},
                         {"ELEMENT", arena_printf(arena, "%s[%s][%s]", o->tile, kk, own)},
                         {"EACH", t->each},
                         {"INSIDE", inside_text(c, t, t->along_k ? "i" : "0", kk)},
                         {"COUNT", count},
                         {"BEGIN_PART", parts > 1 ? times(arena, "part", share) : "0"},
                         {"END_PART", parts > 1 ? times(arena, "(part + 1)", share) : count},
                         {"IF_FEW", is_few ? "1" : ""},
                         {"LAST", cuda_number(arena, parts - 1)},
                         {"LINE", t->line},
                         {"IF_LINE", t->line != t->from ? "1" : ""},
                         {"TURN", turn},
                         {"IF_TURN", turn && parts > 1 ? "1" : ""},
                         {"IF_WHOLE_TURN", turn && parts == 1 ? "1" : ""},
                         {"AT", t->stride ? "" : at_text(c, t, own, kk)},
                         {"ALONG_K", t->along_k ? "1" : ""},
                         {"ACROSS_K", t->along_k ? "" : "1"}};
    FILLS_ADD(arena, fills, more);
}

bool dot_put_copies(CudaWriter *c, const FmaOperand *o, DotPacks packs, Text *start, Text *fetch) {
    const Copies t = copies_of(c, o, packs);
    for (int fetches = 0; fetches < 2; fetches++) {
        Fills fills = {0};
        const Fill own[] = {{"IF_POINTER", t.stride ? "1" : ""},
                            {"IF_START", fetches ? "" : "1"},
                            {"IF_FETCH", fetches ? "1" : ""}};
        FILLS_ADD(c->w.arena, &fills, own);
        add_start(c, &t, &fills);
        add_fetch(c, &t, &fills);
        template_fill("cuda/dot_copies.cu", fills.at, fills.count, fetches ? fetch : start);
    }
    return !t.stride;
}
