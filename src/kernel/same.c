/* same.c: finds kernels that differ only in their buffers and scalars, as those of equal layers do.
 * In: two Kernels. Out: the one as a kernel with the other's bodies. Loops are compared one by one,
 * values from the stores on. Sources of commutative operations are ordered by node, so their order
 * may differ: hashes of the values match them. */
#include "kernel/kernel.h"

#include <string.h>

/* ---- hashes: equal for values that may be the same ------------------------------------------- */

typedef struct Hashing {
    const Kernel *k;
    const Body *b;
    uint64_t *value; /* hashes of the values before the current one */
} Hashing;

static uint64_t hash_numbers(const int64_t *numbers, int count) {
    return hash_bytes(numbers, sizeof *numbers * (size_t)count, 0);
}

static uint64_t hash_index(const Hashing *h, Ix ix) {
    const IxNode *n = &h->b->indices->node.at[ix];
    uint64_t terms = 0; /* independent of their order */
    if (!ix) return 0;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = &h->b->indices->atom.at[n->term[i].atom];
        const uint64_t of = t->kind == ATOM_AXIS    ? (uint64_t)t->a
                            : t->kind == ATOM_VALUE ? h->value[t->a]
                                                    : hash_index(h, t->a);
        terms += hash_numbers((int64_t[]){n->term[i].scale, (int)t->kind, t->q, (int64_t)of}, 4);
    }
    return hash_numbers((int64_t[]){(int64_t)terms, n->offset}, 2);
}

static uint64_t hash_buffer(const Kernel *k, int buffer) {
    const KernelBuffer *b = &k->buffers.at[buffer];
    return hash_numbers((int64_t[]){(int)b->type, b->elements, b->written}, 3);
}

static uint64_t hash_attribute(const Hashing *h, const Value *v) {
    if (v->kind == V_LOAD) return hash_buffer(h->k, v->attr);
    if (v->kind == V_UNIFORM) return (uint64_t)h->k->uniforms.at[v->attr].type;
    if (v->kind == V_ACC) return h->value[h->b->accs.at[v->attr].value];
    return (uint64_t)v->attr;
}

static uint64_t hash_value(const Hashing *h, const Value *v) {
    uint64_t source[SRC_MAX] = {0};
    for (int i = 0; i < value_sources(v); i++) source[i] = h->value[v->src[i]];
    if (v->kind == V_OP && op_info[v->op].commutes) {
        source[0] += source[1];
        source[1] = 0;
    }
    const int64_t numbers[] = {(int)v->kind,
                               (int)v->op,
                               (int)v->type,
                               (int)v->operand,
                               v->attr2,
                               (int64_t)v->bits,
                               (int64_t)hash_attribute(h, v),
                               (int64_t)hash_index(h, v->ix),
                               (int64_t)h->value[v->guard],
                               (int64_t)hash_numbers((int64_t *)source, SRC_MAX)};
    return hash_numbers(numbers, (int)(sizeof numbers / sizeof *numbers));
}

static uint64_t *hash_values(const Kernel *k, const Body *b, Arena *arena) {
    const Hashing h = {k, b, arena_array(arena, uint64_t, b->values.count + 1)};
    for (int i = 1; i < b->values.count; i++) h.value[i] = hash_value(&h, &b->values.at[i]);
    return h.value;
}

uint64_t kernel_hash(const Kernel *k, Arena *arena) {
    uint64_t hash = hash_numbers((int64_t[]){(int)k->family, k->buffers.count}, 2);
    for (int i = 0; i < k->bodies.count; i++) {
        const Body *b = &k->bodies.at[i];
        const uint64_t *value = hash_values(k, b, arena);
        hash += hash_numbers((int64_t[]){b->rows, b->cols, b->values.count}, 3);
        for (int j = 0; j < b->stores.count; j++) hash = hash * 31 + value[b->stores.at[j].value];
    }
    return hash;
}

/* ---- what stands for what -------------------------------------------------------------------- */

/* Numbers of one kernel by those of the other, both ways; -1: not matched yet. */
typedef struct Pairing {
    int *to, *from, count;
} Pairing;

/* A body of kernel a and a body of kernel b. */
typedef struct Comparison {
    const Kernel *ka, *kb;
    const Body *a, *b;
    const uint64_t *hash_a, *hash_b; /* of their values */
    Pairing buffers, uniforms, values, accs;
} Comparison;

static Pairing pairing_new(int count, Arena *arena) {
    Pairing p = {arena_array(arena, int, count + 1), arena_array(arena, int, count + 1), count};
    for (int i = 0; i < count; i++) p.to[i] = p.from[i] = -1;
    return p;
}

/* Does y correspond to x, and only to x? */
static bool pair(const Pairing *p, int x, int y) {
    if (p->to[x] < 0 && p->from[y] < 0) p->to[x] = y, p->from[y] = x;
    return p->to[x] == y;
}

static bool is_met(const Pairing *p, int x, int y) { return p->to[x] >= 0 || p->from[y] >= 0; }

static bool is_complete(const Pairing *p) {
    for (int i = 0; i < p->count; i++)
        if (p->to[i] < 0) return false;
    return true;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool same_value(const Comparison *c, int x, int y);

static bool same_buffer(const Comparison *c, int x, int y) {
    const KernelBuffer *a = &c->ka->buffers.at[x], *b = &c->kb->buffers.at[y];
    return a->type == b->type && a->elements == b->elements && a->written == b->written &&
           a->is_shared == b->is_shared && pair(&c->buffers, x, y);
}

static bool same_uniform(const Comparison *c, int x, int y) {
    return c->ka->uniforms.at[x].type == c->kb->uniforms.at[y].type && pair(&c->uniforms, x, y);
}

static bool same_index(const Comparison *c, Ix x, Ix y);

static bool same_term(const Comparison *c, const IxTerm *s, const IxTerm *t) {
    const IxAtom *a = &c->a->indices->atom.at[s->atom], *b = &c->b->indices->atom.at[t->atom];
    if (s->scale != t->scale || a->kind != b->kind || a->q != b->q) return false;
    if (a->kind == ATOM_AXIS) return a->a == b->a;
    return a->kind == ATOM_VALUE ? same_value(c, a->a, b->a) : same_index(c, a->a, b->a);
}

/* Terms are ordered by the first use of their atoms. */
static bool same_index(const Comparison *c, Ix x, Ix y) {
    const IxNode *a = &c->a->indices->node.at[x], *b = &c->b->indices->node.at[y];
    uint64_t taken = 0;
    if (a->count != b->count || a->offset != b->offset || a->count > 64) return false;
    for (int i = 0; i < a->count; i++) {
        int j = 0;
        while (j < b->count && (taken >> j & 1 || !same_term(c, &a->term[i], &b->term[j]))) j++;
        if (j == b->count) return false;
        taken |= (uint64_t)1 << j;
    }
    return true;
}

static bool same_panels(const Comparison *c, int x, int y) {
    return x && y ? same_buffer(c, x - 1, y - 1) : x == y;
}

static bool same_accumulator(const Comparison *c, int x, int y) {
    if (is_met(&c->accs, x, y)) return c->accs.to[x] == y;
    const Accumulator *a = &c->a->accs.at[x], *b = &c->b->accs.at[y];
    const bool has_index = a->op == OP_ARGMAX || a->op == OP_DOT;
    if (a->op != b->op || a->type != b->type || (a->online_max < 0) != (b->online_max < 0))
        return false;
    if (a->online_max >= 0 && (!same_accumulator(c, a->online_max, b->online_max) ||
                               !same_value(c, a->online_x, b->online_x)))
        return false;
    return same_value(c, a->value, b->value) && (!has_index || same_value(c, a->index, b->index)) &&
           same_panels(c, a->panels[0], b->panels[0]) &&
           same_panels(c, a->panels[1], b->panels[1]) && pair(&c->accs, x, y);
}

static bool same_attribute(const Comparison *c, const Value *v, const Value *u) {
    if (v->kind == V_LOAD) return same_buffer(c, v->attr, u->attr);
    if (v->kind == V_UNIFORM) return same_uniform(c, v->attr, u->attr);
    if (v->kind == V_ACC) return same_accumulator(c, v->attr, u->attr);
    return v->attr == u->attr;
}

static bool same_sources(const Comparison *c, const Value *v, const Value *u) {
    const bool swapped =
        v->kind == V_OP && op_info[v->op].commutes && c->hash_a[v->src[0]] != c->hash_b[u->src[0]];
    for (int i = 0; i < value_sources(v); i++)
        if (!same_value(c, v->src[i], u->src[swapped ? 1 - i : i])) return false;
    return true;
}

static bool same_value(const Comparison *c, int x, int y) {
    const Value *v = &c->a->values.at[x], *u = &c->b->values.at[y];
    if (!x || !y) return x == y;
    if (is_met(&c->values, x, y)) return c->values.to[x] == y;
    if (c->hash_a[x] != c->hash_b[y] || v->kind != u->kind || v->op != u->op ||
        v->type != u->type || v->operand != u->operand || v->bits != u->bits ||
        v->attr2 != u->attr2 || v->axes != u->axes)
        return false;
    return same_sources(c, v, u) && same_value(c, v->guard, u->guard) &&
           same_index(c, v->ix, u->ix) && same_attribute(c, v, u) && pair(&c->values, x, y);
}

/* ---- bodies -------------------------------------------------------------------------------- */

static bool same_loops(const Body *a, const Body *b) {
    if (a->axes.count != b->axes.count || a->row_count != b->row_count || a->lane != b->lane ||
        a->lane_is_row != b->lane_is_row || a->rows != b->rows || a->cols != b->cols ||
        a->chunks != b->chunks || a->group_axes != b->group_axes)
        return false;
    for (int i = 0; i < a->axes.count; i++) {
        const Axis *x = &a->axes.at[i], *y = &b->axes.at[i];
        if (x->number != y->number || x->extent != y->extent || x->is_col != y->is_col)
            return false;
    }
    return !memcmp(a->indices->extent, b->indices->extent, sizeof a->indices->extent);
}

static bool same_stores(const Comparison *c) {
    for (int i = 0; i < c->a->stores.count; i++) {
        const Store *s = &c->a->stores.at[i], *t = &c->b->stores.at[i];
        if (s->of_row != t->of_row || s->adds != t->adds || !same_value(c, s->value, t->value) ||
            !same_index(c, s->ix, t->ix) || !same_buffer(c, s->buffer, t->buffer))
            return false;
        if (s->limit != t->limit || (s->limit && !same_index(c, s->limited, t->limited)))
            return false;
    }
    return true;
}

static bool same_added(const Comparison *c) {
    for (int i = 0; i < c->a->added.count; i++) {
        const Summand *s = &c->a->added.at[i], *t = &c->b->added.at[i];
        if (s->axis != t->axis || !same_value(c, s->left, t->left)) return false;
        for (int j = 0; j < c->a->dots; j++)
            if (!same_value(c, s->right[j], t->right[j])) return false;
    }
    return true;
}

static bool same_attention(const Comparison *c) {
    const AttentionValues *a = &c->a->attention, *b = &c->b->attention;
    const bool has_sum = a->sum >= 0;
    return has_sum == (b->sum >= 0) && same_accumulator(c, a->scores, b->scores) &&
           same_accumulator(c, a->max, b->max) && same_accumulator(c, a->out, b->out) &&
           (!has_sum || same_accumulator(c, a->sum, b->sum)) && same_value(c, a->x, b->x) &&
           same_value(c, a->unmasked, b->unmasked) && same_value(c, a->shift, b->shift) &&
           same_value(c, a->e, b->e) && same_value(c, a->weights, b->weights);
}

static bool same_chain(const Comparison *c) {
    const ChainValues *a = &c->a->chain, *b = &c->b->chain;
    bool same = a->count == b->count && a->out_count == b->out_count;
    for (int i = 0; same && i < a->count; i++)
        same = a->depth[i] == b->depth[i] && same_accumulator(c, a->scores[i], b->scores[i]);
    for (int i = 0; same && i < a->out_count; i++)
        same = same_accumulator(c, a->outs[i], b->outs[i]);
    const AcrossValues *x = &a->across, *y = &b->across;
    if (!same || x->is_there != y->is_there || !x->is_there) return same && !y->is_there;
    return x->weights == y->weights && x->left == y->left && same_index(c, x->ix, y->ix) &&
           same_buffer(c, x->buffer, y->buffer);
}

static bool same_sort(const Comparison *c) {
    const SortValues *a = &c->a->sort, *b = &c->b->sort;
    const bool reads = a->op == OP_GROUPS || a->op == OP_GROUPED;
    return a->op == b->op && a->groups == b->groups && a->parts == b->parts && a->with == b->with &&
           a->type == b->type && a->rows == b->rows && a->columns == b->columns &&
           (!reads || same_buffer(c, a->from, b->from));
}

static bool same_body(Comparison *c, const Body *a, const Body *b, Arena *arena) {
    if (a->values.count != b->values.count || a->accs.count != b->accs.count ||
        a->added.count != b->added.count || a->stores.count != b->stores.count ||
        a->dots != b->dots || !same_loops(a, b))
        return false;
    c->a = a, c->b = b;
    c->hash_a = hash_values(c->ka, a, arena), c->hash_b = hash_values(c->kb, b, arena);
    c->values = pairing_new(a->values.count, arena);
    c->accs = pairing_new(a->accs.count, arena);
    return same_stores(c) && same_added(c) && same_value(c, a->blocks.term, b->blocks.term) &&
           same_value(c, a->blocks.part, b->blocks.part) &&
           (c->ka->family != F_ATTENTION || same_attention(c)) &&
           (c->ka->family != F_CHAIN || same_chain(c)) &&
           (c->ka->family != F_SEGMENTS || same_sort(c)) && is_complete(&c->accs);
}

/* ---- kernels ------------------------------------------------------------------------------- */

/* The kernel's own buffers and uniforms, in the order of the first's. */
static const Kernel *kernel_bound(const Comparison *c, Arena *arena) {
    KernelBuffer *buffers = arena_array(arena, KernelBuffer, c->buffers.count + 1);
    Uniform *uniforms = arena_array(arena, Uniform, c->uniforms.count + 1);
    Kernel *bound = arena_new_of(arena, Kernel);
    for (int i = 0; i < c->buffers.count; i++) buffers[i] = c->kb->buffers.at[c->buffers.to[i]];
    for (int i = 0; i < c->uniforms.count; i++) uniforms[i] = c->kb->uniforms.at[c->uniforms.to[i]];
    *bound = *c->ka;
    bound->name = c->kb->name;
    bound->buffers.at = buffers;
    bound->uniforms.at = uniforms;
    return bound;
}

/* Do both write the same results over the same inputs, if a call has them written so? */
static bool same_places(const Comparison *c) {
    for (int i = 0; i < c->buffers.count; i++) {
        const int a = kernel_may_be(c->ka, i), b = kernel_may_be(c->kb, c->buffers.to[i]);
        if (a < 0 ? b >= 0 : c->buffers.to[a] != b) return false;
    }
    return true;
}

const Kernel *kernel_as(const Kernel *k, const Kernel *first, Arena *arena) {
    if (k->family != first->family || k->g != first->g || k->bodies.count != first->bodies.count ||
        k->buffers.count != first->buffers.count || k->uniforms.count != first->uniforms.count)
        return NULL;
    Comparison c = {.ka = first, .kb = k};
    c.buffers = pairing_new(k->buffers.count, arena);
    c.uniforms = pairing_new(k->uniforms.count, arena);
    for (int i = 0; i < k->bodies.count; i++)
        if (!same_body(&c, &first->bodies.at[i], &k->bodies.at[i], arena)) return NULL;
    const bool is_whole = is_complete(&c.buffers) && is_complete(&c.uniforms);
    return is_whole && same_places(&c) ? kernel_bound(&c, arena) : NULL;
}
