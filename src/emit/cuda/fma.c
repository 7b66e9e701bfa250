/* fma.c: operands of products by fused multiply-adds: evaluated in registers, by packs where
 * memory holds them so, and stored to shared memory.
 * In: a value of a Body. Out: text for templates/cuda/dot.cu, attention.cu and chain.cu. */
#include "emit/cuda/fma.h"

bool fma_is_along_k(const Body *b, const FmaOperand *o) {
    return value_contiguous(b, o->value, o->own) <= value_contiguous(b, o->value, o->summed);
}

/* Outside the summed axis an operand is 0: where it is stored to shared memory, since a test of
 * what is loaded waits for it. On an H200 the product of 4096 x 4096 x 4096 f32 with open sizes
 * took 1.8 times as long as with known ones when it was tested before the products of the step
 * before. */
static const char *or_zero(const CudaWriter *c, const FmaOperand *o, const char *element) {
    const char *kept = arena_printf(c->w.arena, "%s[%s]", o->part, element);
    return *o->inside ? arena_printf(c->w.arena, "%s ? %s : 0", o->inside, kept) : kept;
}

/* "const int at_m = m_start + own < M ? m_start + own : M - 1;" */
static void put_own_position(const CudaWriter *c, const FmaOperand *o, const char *each,
                             Text *out) {
    const char *name = c->w.axis_name[o->own], *n = cuda_dim(c, c->w.b->indices->extent[o->own]);
    if (cuda_is_whole(c, o->own, o->side))
        text_printf(out, "const %s %s = %s + own;\n", c->index, name, o->start);
    else
        text_printf(out, "const %s %s = %s + own < %s ? %s + own : %s - %s;\n", c->index, name,
                    o->start, n, o->start, n, each);
}

void fma_put_position(const CudaWriter *c, uint32_t axes, const FmaOperand *o, const char *each,
                      Text *out) {
    if (axes >> o->own & 1) put_own_position(c, o, each, out);
    if (!(axes >> o->summed & 1)) return;
    /* Outside, any element will do. */
    const char *kk = *o->inside ? arena_printf(c->w.arena, "(%s ? kk : 0)", o->inside) : "kk";
    text_printf(out, "const %s %s = k_start + %s;\n", c->index, c->w.axis_name[o->summed], kk);
}

int fma_items(const Tile *t, int side) {
    const int items = side * t->k / t->threads;
    return items < FMA_PACK ? items : (items + FMA_PACK - 1) / FMA_PACK * FMA_PACK;
}

bool fma_begin_packs(CudaWriter *c, const FmaOperand *o, Alignments *needed) {
    const int lane = fma_is_along_k(c->w.b, o) ? o->summed : o->own;
    if (fma_items(&c->tile, o->side) < FMA_PACK || o->side % FMA_PACK) return false;
    cuda_choose_pack(c, PIECE_OPERAND, o->value, lane, FMA_PACK, needed);
    return c->vector > 1 && value_contiguous(c->w.b, o->value, lane);
}

void fma_begin_elements(CudaWriter *c, int value) {
    c->wide = false;
    c->vector = 1;
    writer_piece(&c->w, PIECE_OPERAND, value, c->w.b->lane);
}

static void fill_operand(const CudaWriter *c, const FmaOperand *o, const Fill *more, int count,
                         Text *fetch, Text *keep) {
    Arena *arena = c->w.arena;
    for (int keeps = 0; keeps < 2; keeps++) {
        Fills fills = {0};
        const Fill own[] = {
            {"THREADS", cuda_number(arena, c->tile.threads)},
            {"THREAD", o->thread},
            {"PART", o->part},
            {"TILE", o->tile},
            {"KEPT", or_zero(c, o, "item")},
            {"KEPT_OF_PACK", or_zero(c, o, "item + l")},
            {"IF_FETCH", keeps ? "" : "1"},
            {"IF_KEEP", keeps ? "1" : ""},
        };
        FILLS_ADD(arena, &fills, own);
        for (int i = 0; i < count; i++) vec_push(arena, &fills, more[i]);
        template_fill("cuda/dot_operand.cu", fills.at, fills.count, keeps ? keep : fetch);
    }
}

/* Element by element. */
static void put_elements(CudaWriter *c, const FmaOperand *o, Text *fetch, Text *keep) {
    Writer *w = &c->w;
    Text lines = text_new(w->arena), at = text_new(w->arena);
    w->out = &lines;
    declare_value(w, o->value);
    const char *value = value_text(w, o->value);
    const uint32_t axes = axes_taken(w);
    const int along = fma_is_along_k(w->b, o) ? c->tile.k : o->side;
    fma_put_position(c, axes, o, "1", &at);
    const char *const fast = arena_printf(w->arena, "l %% %d", along);
    const char *const slow = arena_printf(w->arena, "l / %d", along);
    const Fill fills[] = {{"ITEMS", cuda_number(w->arena, o->side * c->tile.k / c->tile.threads)},
                          {"OWN", fma_is_along_k(w->b, o) ? slow : fast},
                          {"KK", fma_is_along_k(w->b, o) ? fast : slow},
                          {"X", value},
                          {"LINES", text_get(&lines)},
                          {"AT", text_get(&at)},
                          {"IF_ELEMENTS", "1"},
                          {"IF_PACKS", ""}};
    fill_operand(c, o, fills, (int)(sizeof fills / sizeof *fills), fetch, keep);
}

/* Where pack `chunk` of a tile is. Neighbouring threads load neighbouring packs; along k those of
 * 64 bytes of a row, whose stores are in the same banks two by two. */
static void pack_position(const CudaWriter *c, const FmaOperand *o, const char **own,
                          const char **kk) {
    enum { MOST = 16 }; /* elements of a row */
    Arena *arena = c->w.arena;
    const int k = c->tile.k, each = k < MOST ? k : MOST, lanes = each / FMA_PACK;
    if (!fma_is_along_k(c->w.b, o)) {
        *own = arena_printf(arena, "chunk %% %d * VEC", o->side / FMA_PACK);
        *kk = arena_printf(arena, "chunk / %d", o->side / FMA_PACK);
    } else if (each == k) {
        *own = arena_printf(arena, "chunk / %d", lanes);
        *kk = arena_printf(arena, "chunk %% %d * VEC", lanes);
    } else {
        *own = arena_printf(arena, "chunk / %d %% %d", lanes, o->side);
        *kk = arena_printf(arena, "chunk / %d * %d + chunk %% %d * VEC", lanes * o->side, each,
                           lanes);
    }
}

/* By packs. */
static void put_packs(CudaWriter *c, const FmaOperand *o, Text *fetch, Text *keep) {
    Writer *w = &c->w;
    Arena *arena = w->arena;
    const bool along_k = fma_is_along_k(w->b, o);
    const int chunks = o->side * c->tile.k / FMA_PACK;
    Text elements = text_new(arena), at = text_new(arena);
    cuda_begin_elements(c, &elements);
    declare_value(w, o->value);
    write_line(w, "%s[item + l] = %s;", o->part, value_text(w, o->value));
    const char *text = cuda_end_elements(c, &elements), *own, *kk;
    fma_put_position(c, axes_taken(w), o, along_k ? "1" : cuda_number(arena, FMA_PACK), &at);
    pack_position(c, o, &own, &kk);
    const Fill fills[] = {{"ITEMS", cuda_number(arena, fma_items(&c->tile, o->side))},
                          {"OWN", own},
                          {"KK", kk},
                          {"ELEMENT", arena_printf(arena, "%s%s", o->tile,
                                                   along_k ? "[kk + l][own]" : "[kk][own + l]")},
                          {"CHUNKS", cuda_number(arena, chunks)},
                          {"IF_RAGGED", chunks % c->tile.threads ? "1" : ""},
                          {"LINES", text},
                          {"AT", text_get(&at)},
                          {"IF_ELEMENTS", ""},
                          {"IF_PACKS", "1"}};
    fill_operand(c, o, fills, (int)(sizeof fills / sizeof *fills), fetch, keep);
}

FmaMove fma_move(CudaKernel *k, CudaWriter *c, const FmaOperand *o, Alignments *needed) {
    Arena *arena = k->arena;
    Text packs[2] = {text_new(arena), text_new(arena)},
         single[2] = {text_new(arena), text_new(arena)};
    Alignments alignments = {0};
    const bool packed = fma_begin_packs(c, o, &alignments) && c->vector == FMA_PACK;
    const bool tests = packed && *cuda_condition(k, &c->w, &alignments);
    if (packed) {
        put_packs(c, o, &packs[0], &packs[1]);
        for (int i = 0; i < alignments.count; i++) vec_push(arena, needed, alignments.at[i]);
    }
    if (!packed || tests) {
        fma_begin_elements(c, o->value);
        put_elements(c, o, &single[0], &single[1]);
    }
    const char *moved[2];
    for (int i = 0; i < 2; i++) {
        const Choice choices[] = {{"", "wide", text_get(&packs[i])},
                                  {"", "", text_get(&single[i])}};
        moved[i] = choice_text(arena, choices + !packed, tests ? 2 : 1);
    }
    return (FmaMove){moved[0], moved[1], packed};
}

void fma_function(CudaKernel *k, CudaWriter *c, const char *name, const Alignments *needed,
                  const Fills *fills) {
    if (*cuda_condition(k, &c->w, needed))
        cuda_function_wide(k, c, name, "tile", needed, fills->at, fills->count);
    else
        cuda_function(k, c, name, "", false, fills->at, fills->count);
}
