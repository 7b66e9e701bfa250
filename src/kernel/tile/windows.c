/* windows.c: windows: loads at constant distances from each other along the lane axis, as of
 * stencils, of every second element, or of one for two neighbours. A thread loads the aligned packs
 * in which all of them lie, and takes the elements of its own pack of results from these.
 * In: a pointwise body on a GPU. Out: which loads are of windows, and the windows. */
#include "kernel/tile/tile_private.h"

enum {
    ACCESS_BYTES = 16, /* the widest access */
    MOST_STEP = 4      /* elements from one that is read to the next */
};

/* A load as part of a window. */
typedef struct Reading {
    Window w;       /* of this load alone; base 0 */
    bool is_pack;   /* it is one aligned access already */
    bool has_other; /* its guard has conditions that are none of the window's */
} Reading;

static bool is_number(const Body *b, Dim d, int64_t *value) {
    return dim_is_const(b->indices->dims, d, value);
}

static int64_t rounded_down(int64_t x, int64_t by) { return x - (x % by + by) % by; }

static int64_t rounded_up(int64_t x, int64_t by) { return -rounded_down(-x, by); }

/* ---- positions ----------------------------------------------------------------------------- */

/* The only term along the lane; NULL: there is none, or several. */
static const IxTerm *lane_term(const Schedule *s, Ix ix) {
    const Body *b = s->body;
    const IxNode *n = &b->indices->node.at[ix];
    const IxTerm *found = NULL;
    for (int i = 0; i < n->count; i++) {
        if (!(b->indices->atom.at[n->term[i].atom].axes >> s->lane & 1)) continue;
        if (found) return NULL;
        found = &n->term[i];
    }
    return found;
}

/* step * (lane / divisor) + a number + multiples of the pack. */
static bool has_form(const Schedule *s, Ix ix, int vector, Reading *r) {
    const Body *b = s->body;
    const IxNode *n = &b->indices->node.at[ix];
    const IxTerm *along = n->dynamic ? NULL : lane_term(s, ix);
    int64_t step, at;
    if (!along || !is_number(b, along->scale, &step) || !is_number(b, n->offset, &at)) return false;
    const int by = tile_lane_divisor(b, s->lane, along->atom, vector);
    if (!by || step < 1 || step > MOST_STEP * by || (step >= vector && by == 1)) return false;
    r->w.step = (int)step, r->w.divisor = by, r->w.atom = along->atom;
    r->w.count = vector / by;
    r->w.pack = by == 1 || step % by == 0 ? vector : vector / by;
    const Dim pack = dim_const(b->indices->dims, r->w.pack);
    for (int i = 0; i < n->count; i++)
        if (&n->term[i] != along && !dim_divides(b->indices->dims, pack, n->term[i].scale))
            return false;
    r->w.from = at;
    r->w.to = at + step * (r->w.count - 1) + 1;
    return true;
}

/* ---- guards -------------------------------------------------------------------------------- */

/* The conditions of a guard, which all have to hold. */
typedef struct Conditions {
    int at[2 * WINDOW_CONDITIONS], count;
    bool are_more;
} Conditions;

static void find_conditions(const Body *b, int guard, Conditions *all) {
    const Value *g = &b->values.at[guard];
    if (!guard) return;
    if (g->kind == V_OP && g->op == OP_AND) {
        find_conditions(b, g->src[0], all);
        find_conditions(b, g->src[1], all);
    } else if (all->count == 2 * WINDOW_CONDITIONS) {
        all->are_more = true;
    } else {
        all->at[all->count++] = guard;
    }
}

/* What a condition on one atom says of it: from least to most. */
typedef struct AtomRange {
    int atom;
    int64_t least, most;
} AtomRange;

static bool range_of(const Body *b, const Value *g, AtomRange *range) {
    const IxNode *n = &b->indices->node.at[g->ix];
    int64_t scale, offset, bound;
    if (g->kind != V_INSIDE || n->count != 1 || n->dynamic) return false;
    if (!is_number(b, n->term->scale, &scale) || scale < 1 || !is_number(b, n->offset, &offset))
        return false;
    *range = (AtomRange){n->term->atom, INT64_MIN, INT64_MAX};
    if (g->attr) {
        if (!is_number(b, g->attr, &bound)) return false;
        range->least = rounded_up(bound - offset, scale) / scale;
    }
    if (g->attr2) {
        if (!is_number(b, g->attr2, &bound)) return false;
        range->most = rounded_up(bound - offset, scale) / scale - 1;
    }
    return true;
}

/* The place between packs before which no element is read of an atom below `least`. */
static bool bound_between(const Reading *r, int64_t least, int64_t *place) {
    const int64_t at = r->w.from + least * r->w.step;
    *place = rounded_down(at, r->w.pack);
    return *place > at - r->w.step;
}

/* Adds what a condition on the lane says, if its bounds lie between packs. */
static bool add_bounds(const Body *b, const Value *g, Reading *r) {
    AtomRange range;
    int64_t first = 0, end = 0;
    if (!range_of(b, g, &range) || range.atom != r->w.atom) return false;
    const bool has_first = range.least != INT64_MIN, has_end = range.most != INT64_MAX;
    if (has_first && !bound_between(r, range.least, &first)) return false;
    if (has_end && !bound_between(r, range.most + 1, &end)) return false;
    if (has_first && (!r->w.has_first || first > r->w.first)) r->w.first = first;
    if (has_end && (!r->w.has_end || end < r->w.end)) r->w.end = end;
    r->w.has_first |= has_first, r->w.has_end |= has_end;
    return true;
}

static bool has_condition(const Window *w, int condition) {
    for (int i = 0; i < w->conditions; i++)
        if (w->condition[i] == condition) return true;
    return false;
}

/* Is it read only where a choice has made the condition true, so that it may be anything where it
 * is false? From readers to sources. */
static bool is_chosen(const Body *b, int value, int condition, Arena *arena) {
    bool *other = arena_array(arena, bool, b->values.count + 1); /* has it another reader? */
    for (int i = 0; i < b->stores.count; i++) other[b->stores.at[i].value] = true;
    for (int i = b->values.count - 1; i > value; i--) {
        const Value *v = &b->values.at[i];
        for (int k = 0; k < value_sources(v); k++)
            other[v->src[k]] |= other[i] && !value_is_chosen_by(b, v, k, condition);
    }
    return !other[value];
}

/* The positions of a load, where these conditions hold. */
static bool is_within(const Kernel *k, const Body *b, const Value *v, const Conditions *where) {
    const IxNode *n = &b->indices->node.at[v->ix];
    int64_t least, most, elements, scale, top;
    if (!is_number(b, n->offset, &least)) return false;
    if (!is_number(b, k->buffers.at[v->attr].elements, &elements)) return false;
    most = least;
    for (int i = 0; i < n->count; i++) {
        const Dim hi = ix_atom_hi(b->indices, n->term[i].atom);
        if (!hi || !is_number(b, hi, &top) || !is_number(b, n->term[i].scale, &scale)) return false;
        int64_t from = 0, to = top;
        for (int c = 0; c < where->count; c++) {
            AtomRange r;
            if (!range_of(b, &b->values.at[where->at[c]], &r) || r.atom != n->term[i].atom)
                continue;
            if (r.least > from) from = r.least;
            if (r.most < to) to = r.most;
        }
        least += scale * (scale < 0 ? to : from);
        most += scale * (scale < 0 ? from : to);
    }
    return least >= 0 && most < elements;
}

/* May a load be one of a window, which may have fewer conditions? */
static bool may_read(const Kernel *k, const Schedule *s, int value, const Window *w) {
    const Body *b = s->body;
    const Value *v = &b->values.at[value];
    Reading own = {.w = *w};
    Conditions all = {.count = 0}, kept = {.count = 0};
    own.w.from = 0;
    dim_is_const(b->indices->dims, b->indices->node.at[v->ix].offset, &own.w.from);
    find_conditions(b, v->guard, &all);
    for (int i = 0; i < all.count; i++) {
        const int c = all.at[i];
        const bool is_kept =
            s->value[c].level < 2 ? has_condition(w, c) : add_bounds(b, &b->values.at[c], &own);
        if (is_kept)
            kept.at[kept.count++] = c;
        else if (!is_chosen(b, value, c, b->indices->arena))
            return false;
    }
    return kept.count == all.count || is_within(k, b, v, &kept);
}

static bool add_guard(const Kernel *k, const Schedule *s, int value, Reading *r) {
    const Body *b = s->body;
    Conditions all = {.count = 0};
    find_conditions(b, b->values.at[value].guard, &all);
    for (int i = 0; i < all.count; i++) {
        const int c = all.at[i];
        if (s->value[c].level == 2) {
            r->has_other |= !add_bounds(b, &b->values.at[c], r);
        } else if (!has_condition(&r->w, c)) {
            if (r->w.conditions == WINDOW_CONDITIONS) return false;
            r->w.condition[r->w.conditions++] = c;
        }
    }
    return !all.are_more && (!r->has_other || may_read(k, s, value, &r->w));
}

/* ---- loads --------------------------------------------------------------------------------- */

/* Are packs in the tensor that have an element in it? Between bounds they are parts of rows. */
static bool is_of_packs(const Kernel *k, const Body *b, const Window *w) {
    const Dim pack = dim_const(b->indices->dims, w->pack);
    const KernelBuffer *buffer = &k->buffers.at[w->buffer];
    return !buffer->written && !buffer->is_shared && buffer->elements &&
           dtype_size(buffer->type) * (size_t)w->pack <= ACCESS_BYTES &&
           dim_divides(b->indices->dims, pack, buffer->elements);
}

static bool reading_of(const Kernel *k, const Schedule *s, int value, int vector, Reading *r) {
    const Value *v = &s->body->values.at[value];
    *r = (Reading){.w = {.buffer = v->attr}};
    if (k->family != F_POINTWISE || s->lane < 0 || vector < 2 || v->kind != V_LOAD) return false;
    if (!s->value[value].used || s->value[value].level < 2) return false;
    if (!has_form(s, v->ix, vector, r) || !is_of_packs(k, s->body, &r->w)) return false;
    if (!add_guard(k, s, value, r)) return false;
    r->is_pack = r->w.divisor == 1 ? r->w.step == 1 && r->w.from % vector == 0 && !r->has_other
                                   : tile_pack_sharers(k, s, v, vector) > 0;
    return true;
}

bool tile_is_of_window(const Kernel *k, const Schedule *s, int value, int vector) {
    Reading r;
    return reading_of(k, s, value, vector, &r) && !r.is_pack;
}

/* ---- windows ------------------------------------------------------------------------------- */

typedef struct Finder {
    const Kernel *k;
    const Schedule *s;
    Windows found;
    bool *shifts; /* by window: has it other loads than packs? */
} Finder;

static bool has_same_terms(const Body *b, Ix one, Ix other) {
    const IxNode *m = &b->indices->node.at[one], *n = &b->indices->node.at[other];
    if (m->count != n->count) return false;
    for (int i = 0; i < m->count; i++)
        if (m->term[i].atom != n->term[i].atom || m->term[i].scale != n->term[i].scale)
            return false;
    return true;
}

/* Does all that `a` reads lie before `end`, also for the last pack of results? */
static bool is_before(const Body *b, const Window *a, int64_t end) {
    const Dim hi = ix_atom_hi(b->indices, a->atom);
    int64_t top;
    if (!hi || !is_number(b, hi, &top)) return false;
    return a->to + rounded_down(top, a->count) * a->step <= end;
}

/* Are elements zero for the one where they are for the other? */
static bool have_same_bounds(const Body *b, const Window *a, const Window *c) {
    const bool first = a->has_first && c->has_first ? a->first == c->first
                                                    : !(a->has_first && c->from < a->first) &&
                                                          !(c->has_first && a->from < c->first);
    const bool end = a->has_end && c->has_end ? a->end == c->end
                                              : !(a->has_end && !is_before(b, c, a->end)) &&
                                                    !(c->has_end && !is_before(b, a, c->end));
    return first && end;
}

/* Rows that follow each other have windows of their own. */
static bool are_near(const Body *b, const Window *all, const Window *one, Ix ix) {
    return all->buffer == one->buffer && one->from <= all->to - (one->to - one->from) + one->pack &&
           one->from >= all->from - one->pack && has_same_terms(b, b->values.at[all->load].ix, ix);
}

/* A window with what both have in common as conditions: what others exclude is not read there. */
static Window common(const Window *a, const Window *b) {
    Window w = *a;
    w.conditions = 0;
    for (int i = 0; i < a->conditions; i++)
        if (has_condition(b, a->condition[i])) w.condition[w.conditions++] = a->condition[i];
    return w;
}

static bool may_all_read(const Finder *f, int number, const Window *w) {
    for (int i = 1; i < f->s->body->values.count; i++)
        if (f->found.of[i] == number + 1 && !may_read(f->k, f->s, i, w)) return false;
    return true;
}

static bool may_join(const Finder *f, int number, const Window *one, int value) {
    const Body *b = f->s->body;
    const Window *all = &f->found.all.at[number];
    if (!are_near(b, all, one, b->values.at[value].ix) || !have_same_bounds(b, all, one))
        return false;
    const Window both = common(all, one);
    if (both.conditions < all->conditions && !may_all_read(f, number, &both)) return false;
    return both.conditions == one->conditions || may_read(f->k, f->s, value, &both);
}

static void join(Window *all, const Window *one) {
    *all = common(all, one);
    if (one->from < all->from) all->from = one->from;
    if (one->to > all->to) all->to = one->to;
    if (one->has_first) all->first = one->first;
    if (one->has_end) all->end = one->end;
    all->has_first |= one->has_first;
    all->has_end |= one->has_end;
}

static int window_of(const Finder *f, const Window *one, int value) {
    for (int i = 0; i < f->found.all.count; i++)
        if (may_join(f, i, one, value)) return i;
    return f->found.all.count;
}

/* Distances are from the pack next to the middle of what the first neighbour reads. */
static void place_base(Window *w) {
    const int64_t last = w->to - (int64_t)w->step * (w->count - 1) - 1;
    const int64_t middle = rounded_down(w->from + last, 2) / 2;
    w->base = rounded_down(middle + w->pack / 2, w->pack);
    w->from -= w->base, w->to -= w->base, w->first -= w->base, w->end -= w->base;
}

int window_packs(const Window *w) {
    return (int)((rounded_up(w->to, w->pack) - rounded_down(w->from, w->pack)) / w->pack);
}

/* Without those that have no loads but packs. */
static void keep_shifted(Finder *f, Arena *arena) {
    Windows *w = &f->found;
    int *number = arena_array(arena, int, w->all.count + 1), left = 0;
    for (int i = 0; i < w->all.count; i++) {
        if (!f->shifts[i]) continue;
        w->all.at[left++] = w->all.at[i];
        number[i + 1] = left;
    }
    for (int i = 1; i < f->s->body->values.count; i++) w->of[i] = number[w->of[i]];
    w->all.count = left;
}

Windows tile_windows(const Kernel *k, const Schedule *s, int vector, Arena *arena) {
    const int count = s->body->values.count;
    Finder f = {.k = k, .s = s, .shifts = arena_array(arena, bool, count + 1)};
    f.found.of = arena_array(arena, int, count + 1);
    for (int i = 1; i < count; i++) {
        Reading r;
        if (!reading_of(k, s, i, vector, &r)) continue;
        const int at = window_of(&f, &r.w, i);
        r.w.load = i;
        if (at == f.found.all.count)
            vec_push(arena, &f.found.all, r.w);
        else
            join(&f.found.all.at[at], &r.w);
        f.shifts[at] |= !r.is_pack;
        f.found.of[i] = at + 1;
    }
    keep_shifted(&f, arena);
    for (int i = 0; i < f.found.all.count; i++) place_base(&f.found.all.at[i]);
    return f.found;
}
