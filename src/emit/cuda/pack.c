/* pack.c: text that computes something for each element of a pack of neighbours: what
 * contractions and attentions do to operands and results. In: roots of a body. Out: statements over
 * VEC elements. */
#include "emit/cuda/cuda.h"

/* The most elements along the lane axis, up to `most`, that each access below the roots can move at
 * once. */
static int widest(const CudaWriter *c, int most, bool stores) {
    const Body *b = c->w.b;
    const Schedule *schedule = c->w.s;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (schedule->value[i].used && v->kind == V_LOAD && cuda_is_contiguous(c, v->ix))
            most = tile_widest(schedule, v->ix, v->type, most);
    }
    for (int i = 0; stores && i < b->stores.count; i++) {
        const Store *s = &b->stores.at[i];
        if (cuda_is_contiguous(c, s->ix))
            most = tile_widest(schedule, s->ix, c->w.k->buffers.at[s->buffer].type, most);
    }
    return most;
}

void cuda_choose_pack(CudaWriter *c, int lane, int most, const int *roots, int count, bool stores,
                      Text *condition) {
    c->lane = c->w.axis_name[lane];
    c->wide = true;
    writer_piece(&c->w, (Piece){roots, count, NULL, 0}, lane);
    c->vector = widest(c, most, stores);
    cuda_and_wide(c, stores, condition);
}

void cuda_begin_elements(CudaWriter *c, Text *elements) {
    c->before = text_new(c->w.arena);
    c->after = text_new(c->w.arena);
    c->w.axis_name[c->w.s->lane] = arena_printf(c->w.arena, "(%s + l)", c->lane);
    c->w.out = elements;
    c->w.indent = 1;
}

const char *cuda_end_elements(CudaWriter *c, const Text *elements) {
    c->w.axis_name[c->w.s->lane] = c->lane;
    c->w.indent = 0;
    return arena_printf(c->w.arena, "%s#pragma unroll\nfor (int l = 0; l < VEC; l++) {\n%s}\n%s",
                        text_get(&c->before), text_get(elements), text_get(&c->after));
}
