/* places.c: what a kernel reads of a tensor at constant offsets as reads of a place in it, so that
 * kernels that read other parts of one tensor, as layers whose weights are slices of it, may be the
 * same (same.c). Slices of other shapes, as a gain beside weights, have places of their own: the
 * kernel is given the tensor for each. Places are whole cache lines behind the start: no alignment
 * changes.
 * In: a Kernel in C. Out: the same kernel, whose buffers have `place`. */
#include "kernel/kernel.h"

#include <string.h>

enum { LINE = 64 }; /* bytes */

/* ---- slices ---------------------------------------------------------------------------------- */

static bool same_terms(const Indices *x, Ix a, Ix b) {
    const IxNode *m = &x->node.at[a], *n = &x->node.at[b];
    if (m->count != n->count) return false;
    for (int i = 0; i < m->count; i++)
        if (m->term[i].atom != n->term[i].atom || m->term[i].scale != n->term[i].scale)
            return false;
    return true;
}

static bool may_split(const Kernel *k, const Value *v) {
    return v->kind == V_LOAD && !k->buffers.at[v->attr].written &&
           !k->buffers.at[v->attr].is_shared;
}

/* The buffer of the loads before one that read the same tensor by the same terms; -1: none do. */
static int slice_before(const Kernel *k, const Body *b, int value) {
    const Value *v = &b->values.at[value];
    const int tensor = k->buffers.at[v->attr].plan_buffer;
    for (int i = 1; i < value; i++) {
        const Value *u = &b->values.at[i];
        if (u->kind == V_LOAD && k->buffers.at[u->attr].plan_buffer == tensor &&
            same_terms(b->indices, u->ix, v->ix))
            return u->attr;
    }
    return -1;
}

static bool is_loaded_before(const Body *b, int value) {
    for (int i = 1; i < value; i++)
        if (b->values.at[i].kind == V_LOAD && b->values.at[i].attr == b->values.at[value].attr)
            return true;
    return false;
}

const char *slice_name(Arena *arena, const char *tensor, int number) {
    return number == 1 ? arena_printf(arena, "%s_slice", tensor)
                       : arena_printf(arena, "%s_slice%d", tensor, number);
}

/* names_kernels makes the names free. */
static int add_slice(Kernel *k, KernelBuffer *buffers, int of, Arena *arena) {
    KernelBuffer *slice = &buffers[k->buffers.count];
    int number = 0;
    for (int i = 0; i < k->buffers.count; i++)
        number += buffers[i].plan_buffer == buffers[of].plan_buffer;
    *slice = buffers[of];
    slice->tensor = slice->name;
    slice->name = slice_name(arena, slice->tensor, number);
    return k->buffers.count++;
}

/* The kernel with a buffer for each slice, the further ones behind all others. */
static Kernel *split_slices(const Kernel *k, Arena *arena) {
    Kernel *split = arena_new_of(arena, Kernel);
    *split = *k;
    if (k->bodies.count > 1) return split;
    Body *b = arena_new_of(arena, Body);
    *b = k->bodies.at[0];
    Value *values = arena_array(arena, Value, b->values.count + 1);
    KernelBuffer *buffers = arena_array(arena, KernelBuffer, k->buffers.count + b->values.count);
    memcpy(values, b->values.at, sizeof *values * (size_t)b->values.count);
    memcpy(buffers, k->buffers.at, sizeof *buffers * (size_t)k->buffers.count);
    b->values.at = values, split->buffers.at = buffers, split->bodies.at = b;
    for (int i = 1; i < b->values.count; i++) {
        if (!may_split(split, &values[i]) || !is_loaded_before(b, i)) continue;
        int slice = slice_before(split, b, i);
        if (slice < 0) slice = add_slice(split, buffers, values[i].attr, arena);
        values[i].attr = slice;
    }
    return split;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The least offset at which a buffer is read, in whole lines; 0 where some are not known. */
static int64_t place_of(const Kernel *k, int buffer) {
    const KernelBuffer *of = &k->buffers.at[buffer];
    const int64_t line = LINE / (int64_t)dtype_size(of->type);
    int64_t least = INT64_MAX, offset;
    if (of->written || of->is_shared) return 0;
    for (int i = 0; i < k->bodies.count; i++) {
        const Body *b = &k->bodies.at[i];
        for (int j = 1; j < b->values.count; j++) {
            const Value *v = &b->values.at[j];
            if (v->kind != V_LOAD || v->attr != buffer) continue;
            if (!dim_is_const(b->indices->dims, b->indices->node.at[v->ix].offset, &offset))
                return 0;
            least = offset < least ? offset : least;
        }
    }
    return least < 0 || least == INT64_MAX ? 0 : least / line * line;
}

/* Its loads, from the places of its buffers on. */
static void move_loads(const Kernel *k, Body *b, Arena *arena) {
    Indices *x = indices_copy(b->indices, arena);
    Value *values = arena_array(arena, Value, b->values.count + 1);
    for (int i = 0; i < b->values.count; i++) {
        Value *v = &values[i];
        *v = b->values.at[i];
        const int64_t place = v->kind == V_LOAD ? k->buffers.at[v->attr].place : 0;
        if (place) v->ix = ix_add(x, v->ix, ix_const(x, dim_const(x->dims, -place)));
    }
    b->values.at = values;
    b->indices = x;
}

const Kernel *kernel_at_places(const Kernel *given, Arena *arena) {
    const Kernel *k = split_slices(given, arena);
    KernelBuffer *buffers = arena_array(arena, KernelBuffer, k->buffers.count + 1);
    Body *bodies = arena_array(arena, Body, k->bodies.count + 1);
    Kernel *moved = arena_new_of(arena, Kernel);
    bool any = false;
    for (int i = 0; i < k->buffers.count; i++) {
        buffers[i] = k->buffers.at[i];
        buffers[i].place = place_of(k, i);
        any = any || buffers[i].place;
    }
    if (!any) return given;
    *moved = *k;
    moved->buffers.at = buffers;
    moved->bodies.at = bodies;
    for (int i = 0; i < k->bodies.count; i++) {
        bodies[i] = k->bodies.at[i];
        move_loads(moved, &bodies[i], arena);
    }
    return moved;
}
