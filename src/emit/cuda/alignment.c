/* alignment.c: when the packs of a piece of text may be moved at once: which sizes a pack divides,
 * and which pointers are aligned. In: the values in use, and the stores. Out: Alignments, and as
 * text the condition that the kernel tests. */
#include "emit/cuda/cuda.h"

typedef struct Adder {
    CudaWriter *c;
    Alignments *all;
} Adder;

static void add(const Adder *to, Alignment more) {
    for (int i = 0; i < to->all->count; i++) {
        const Alignment *a = &to->all->at[i];
        if (a->size == more.size && a->buffer == more.buffer && a->by == more.by) return;
    }
    vec_push(to->c->w.arena, to->all, more);
}

static void divides_by(const Adder *to, Dim size, int by) {
    Dims *dims = to->c->w.b->indices->dims;
    if (!size || dim_divides(dims, dim_const(dims, by), size)) return;
    add(to, (Alignment){.size = size, .by = by});
}

static void divides(const Adder *to, Dim size) { divides_by(to, size, to->c->vector); }

/* Every stride of the position except the one along the lane axis. */
static void steps_divide(const Adder *to, Ix ix) {
    const Body *b = to->c->w.b;
    const IxNode *n = &b->indices->node.at[ix];
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = &b->indices->atom.at[n->term[i].atom];
        if (t->kind != ATOM_AXIS || t->a != to->c->w.s->lane) divides(to, n->term[i].scale);
    }
    divides(to, n->offset);
}

/* Strides beside those along the lane of so many neighbours in memory. */
static void run_aligned(const Adder *to, int buffer, Ix ix, int elements) {
    const Body *b = to->c->w.b;
    const IxNode *n = &b->indices->node.at[ix];
    const int lane = to->c->w.s->lane;
    for (int i = 0; i < n->count; i++) {
        const bool is_along = b->indices->atom.at[n->term[i].atom].axes >> lane & 1;
        if (!is_along || !dim_is(b->indices->dims, n->term[i].scale, 1))
            divides_by(to, n->term[i].scale, elements);
    }
    divides_by(to, n->offset, elements);
    const size_t size = dtype_size(to->c->w.k->buffers.at[buffer].type);
    add(to, (Alignment){.buffer = buffer, .by = elements * (int)size});
}

/* Those of a pack whose neighbours share what is loaded. */
static void shared_aligned(const Adder *to, const Value *v) {
    const int sharers = cuda_pack_sharers(to->c, v);
    const int elements = sharers ? to->c->vector / sharers : 1;
    if (elements > 1) run_aligned(to, v->attr, v->ix, elements);
}

static void add_tensor(const Adder *to, int buffer) {
    const size_t size = dtype_size(to->c->w.k->buffers.at[buffer].type);
    add(to, (Alignment){.buffer = buffer, .by = to->c->vector * (int)size});
}

static void aligned(const Adder *to, int buffer, Ix ix) {
    if (!to->c->shifted) steps_divide(to, ix);
    add_tensor(to, buffer);
}

static void store_aligned(const Adder *to, const Store *s) {
    if (s->adds || !cuda_stores_pack(to->c, s)) return;
    if (cuda_is_contiguous(to->c, s->ix))
        aligned(to, s->buffer, s->ix);
    else
        run_aligned(to, s->buffer, s->ix, to->c->vector);
}

static void window_aligned(const Adder *to, int value) {
    const Window *w = &to->c->windows.all.at[to->c->windows.of[value] - 1];
    const size_t size = dtype_size(to->c->w.k->buffers.at[w->buffer].type);
    if (w->pack > 1) add(to, (Alignment){.buffer = w->buffer, .by = w->pack * (int)size});
}

/* Guard bounds along the lane axis fall between packs (see tile_may_guard). */
static void guard_aligned(const Adder *to, int guard) {
    const Body *b = to->c->w.b;
    const Schedule *s = to->c->w.s;
    const Value *g = &b->values.at[guard];
    Dim scale = 0;
    if (!guard || s->value[guard].level < 2) return;
    if (g->kind == V_OP) {
        guard_aligned(to, g->src[0]);
        guard_aligned(to, g->src[1]);
    } else if (index_along(b, g->ix, s->lane, &scale) == 1) {
        steps_divide(to, g->ix);
        divides(to, g->attr);
        divides(to, g->attr2);
    }
}

/* The same of rows that start anywhere in packs. */
static void row_aligned(const Adder *to) {
    const CudaWriter *c = to->c;
    const Body *b = c->w.b;
    for (int i = 1; i < b->values.count; i++)
        if (c->w.s->value[i].used && cuda_is_packed(c, &b->values.at[i]))
            add_tensor(to, b->values.at[i].attr);
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].ix == c->shifted_row) add_tensor(to, b->stores.at[i].buffer);
}

/* Of shifted packs: their tensors only. */
static void tensors_aligned(const Adder *to, bool stores) {
    const CudaWriter *c = to->c;
    const Body *b = c->w.b;
    for (int i = 1; i < b->values.count && !stores; i++)
        if (c->w.s->value[i].used) aligned(to, b->values.at[i].attr, 0);
    for (int i = 0; i < b->stores.count && stores; i++) aligned(to, b->stores.at[i].buffer, 0);
}

/* The guards of what is read there are those of packs, also where it is no pack. */
static bool goes_through_segments(const Body *b) {
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].kind == V_COMBINE) return true;
    return false;
}

void cuda_add_alignments(CudaWriter *c, bool stores, Alignments *all) {
    const Body *b = c->w.b;
    const Adder to = {c, all};
    if (c->shifted_row) {
        row_aligned(&to);
        return;
    }
    if (c->shifted) {
        tensors_aligned(&to, stores);
        return;
    }
    const bool has_segments = goes_through_segments(b);
    if (!c->whole_tiles) divides(&to, b->indices->extent[c->w.s->lane]);
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (c->w.s->value[i].used && cuda_shares_random(c, v))
            steps_divide(&to, b->values.at[v->src[1]].ix);
        if (c->w.s->value[i].used && c->w.s->value[i].level == 2) shared_aligned(&to, v);
        if (has_segments && c->w.s->value[i].used && cuda_has_pack_guard(c, v))
            guard_aligned(&to, v->guard);
        if (cuda_is_in_window(c, i)) window_aligned(&to, i);
        if (!c->w.s->value[i].used || cuda_is_in_window(c, i) || !cuda_is_packed(c, v)) continue;
        aligned(&to, v->attr, v->ix);
        guard_aligned(&to, v->guard);
    }
    for (int i = 0; stores && i < b->stores.count; i++) store_aligned(&to, &b->stores.at[i]);
}

void cuda_add_row_alignments(CudaWriter *c, int value, int bytes, Alignments *all) {
    const Adder to = {c, all};
    const Value *v = &c->w.b->values.at[value];
    const int vector = c->vector;
    c->vector = bytes / (int)dtype_size(v->type);
    aligned(&to, v->attr, v->ix);
    c->vector = vector;
}

void cuda_add_box_alignments(CudaWriter *c, const Store *s, int bytes, Alignments *all) {
    const Adder to = {c, all};
    const Body *b = c->w.b;
    const int by = bytes / (int)dtype_size(c->w.k->buffers.at[s->buffer].type);
    for (int axis = 0; axis < DOT_AXES; axis++) {
        Dim step = 0;
        if (axis != DOT_N && index_along(b, s->ix, axis, &step)) divides_by(&to, step, by);
    }
    divides_by(&to, b->indices->node.at[s->ix].offset, by);
    add(&to, (Alignment){.buffer = s->buffer, .by = bytes});
}

/* Of a tensor's address, that is known without a test. */
static bool is_assumed(CudaKernel *k, const Alignment *a) {
    bool assumed = k->assumes_aligned && !a->size && a->by <= TENSOR_ALIGNED;
    k->needs_aligned |= assumed;
    return assumed;
}

/* Does b say it, as D % 8 == 0 says that of 4*D, and of D + 8? */
static bool is_implied_by(Dims *d, const Alignment *a, const Alignment *b) {
    if (!a->size || !b->size || b->by % a->by != 0) return false;
    const Dim apart = dim_sub(d, a->size, b->size);
    return dim_divides(d, b->size, a->size) || dim_divides(d, dim_const(d, a->by), apart);
}

/* By number: may it be left out, because one that is tested implies it? From the last one on, so
 * that of two that say the same the earlier one stays; and one after the other, because D, 3*D and
 * 9*D imply each other in a circle. */
static const bool *find_implied(const Writer *w, const Alignments *all) {
    Dims *d = w->b->indices->dims;
    bool *implied = arena_array(w->arena, bool, all->count + 1);
    for (int i = all->count - 1; i >= 0; i--)
        for (int by = 0; by < all->count && !implied[i]; by++)
            implied[i] = by != i && !implied[by] && is_implied_by(d, &all->at[i], &all->at[by]);
    return implied;
}

/* `divides`: the format of a size and what divides it. */
static const char *conjunction(CudaKernel *k, const Writer *w, const Alignments *all,
                               const char *between, const char *divides) {
    const bool *implied = find_implied(w, all);
    Text out = text_new(w->arena);
    for (int i = 0; i < all->count; i++) {
        const Alignment *a = &all->at[i];
        if (is_assumed(k, a) || implied[i]) continue;
        if (out.size) text_str(&out, between);
        if (a->size)
            text_printf(&out, divides, size_factor_text(w, a->size), a->by);
        else
            text_printf(&out, "is_aligned(%s, %d)", buffer_name(w, a->buffer), a->by);
    }
    return text_get(&out);
}

const char *cuda_condition(CudaKernel *k, const Writer *w, const Alignments *all) {
    return conjunction(k, w, all, " && ", "%s %% %d == 0");
}

/* Without branches: a variable that they set is spilled where registers are few. */
const char *cuda_condition_value(CudaKernel *k, const Writer *w, const Alignments *all) {
    const char *text = conjunction(k, w, all, " & ", "(%s %% %d == 0)");
    return *text ? text : "true";
}

const char *cuda_packs_condition(CudaKernel *k, CudaWriter *c) {
    Alignments all = c->packs_if;
    cuda_add_alignments(c, !c->w.s->lane_is_row, &all);
    return cuda_condition(k, &c->w, &all);
}
