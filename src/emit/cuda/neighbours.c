/* neighbours.c: text of packs whose neighbours share what is loaded, such as a byte with two
 * numbers of 4 bits or the scale of a group, and of positions in a pack. In: values of a loop over
 * packs. Out: loads before it, and their elements in it. */
#include "emit/cuda/cuda.h"

enum { ACCESS_BYTES = 16 }; /* the widest access */

/* Is the loop one over packs that start at multiples of their length? */
static bool is_in_pack(const CudaWriter *c) {
    return c->wide && c->w.s->lane >= 0 && !c->shifted && !c->shifted_row && !c->tests_wide &&
           !c->is_edge;
}

bool cuda_has_pack_guard(const CudaWriter *c, const Value *v) {
    return tile_may_guard(c->w.s, v->guard, c->vector) && cuda_is_guard_known(c, v->guard);
}

int cuda_pack_sharers(const CudaWriter *c, const Value *v) {
    if (!is_in_pack(c) || v->kind != V_LOAD || cuda_is_packed(c, v)) return 0;
    if (cuda_is_in_window(c, (int)(v - c->w.b->values.at))) return 0;
    if (!(index_axes(c->w.b, v->ix) >> c->w.s->lane & 1)) return 0; /* of a level before */
    if (!cuda_is_known_before(c, v->ix)) return 0;
    if (!cuda_has_pack_guard(c, v) && !load_is_within(c->w.k, c->w.b, v)) return 0;
    return tile_pack_sharers(c->w.k, c->w.s, v, c->vector);
}

bool cuda_stores_pack(const CudaWriter *c, const Store *s) {
    const Writer *w = &c->w;
    const size_t bytes = dtype_size(w->k->buffers.at[s->buffer].type) * (size_t)c->vector;
    if (cuda_is_contiguous(c, s->ix)) return true;
    if (s->ix == c->block_ix) return false; /* a row of a block's memory */
    return c->vector > 1 && is_in_pack(c) && !s->adds && !s->limit && !c->is_product_row &&
           bytes <= ACCESS_BYTES && cuda_is_known_before(c, s->ix) &&
           tile_is_run(w->b, w->s->lane, s->ix, c->vector);
}

/* "VEC", or the elements of a shorter pack, of which there is at least one. */
static const char *count_text(const CudaWriter *c, int sharers) {
    if (sharers == 1) return "VEC";
    return arena_printf(c->w.arena, "(VEC + %d) / %d", sharers - 1, sharers);
}

/* Loads what the elements of a pack share before the loop over them, and returns the text of one.
 */
static const char *put_shared(CudaWriter *c, int value, int sharers) {
    Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    const int guard = cuda_has_pack_guard(c, v) ? v->guard : 0;
    const char *type = cuda_storage(v->type);
    if (sharers == c->vector) {
        const char *name = fresh(w, value_stem(w, value));
        cuda_put_pack(c, guard, type, name,
                      arena_printf(w->arena, "%s[%s]", buffer_name(w, v->attr),
                                   text_inside(w->arena, index_text(w, v->ix))));
        return name;
    }
    const char *name = fresh(w, arena_printf(w->arena, "%s_pack", value_stem(w, value)));
    const char *count = count_text(c, sharers);
    const char *from = cuda_pack_address(c, value);
    const char *load = arena_printf(w->arena, "load_pack<%s>(%s)", count, from);
    cuda_put_pack(c, guard, guard ? arena_printf(w->arena, "Pack<%s, %s>", type, count) : "auto",
                  name, load);
    return arena_printf(w->arena, sharers == 1 ? "%s.at[l]" : "%s.at[l / %d]", name, sharers);
}

const char *cuda_shared_element(CudaWriter *c, int value) {
    Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    const int guard = cuda_has_pack_guard(c, v) ? v->guard : 0;
    for (int i = 0; i < c->packs.count; i++) {
        const SharedPack *p = &c->packs.at[i];
        if (p->ix == v->ix && p->buffer == v->attr && p->guard == guard) return p->element;
    }
    const char *const position = w->axis_name[w->s->lane];
    w->axis_name[w->s->lane] = c->lane;
    const char *element = put_shared(c, value, cuda_pack_sharers(c, v));
    w->axis_name[w->s->lane] = position;
    vec_push(w->arena, &c->packs, ((SharedPack){v->ix, v->attr, guard, element}));
    return element;
}

const char *cuda_position_in_pack(const CudaWriter *c, const Value *v) {
    const Writer *w = &c->w;
    if (!is_in_pack(c) || w->level != 2) return w->axis_name[w->s->lane];
    if (tile_is_uniform(w->b, w->s->lane, v, c->vector)) return c->lane;
    const int by = tile_remainder(w->b, w->s->lane, v->ix);
    if (!by || c->vector % by) return w->axis_name[w->s->lane];
    return arena_printf(w->arena, "(%s %% %d + l)", c->lane, by);
}
