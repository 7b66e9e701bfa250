/* places.c: what a kernel reads of a tensor at constant offsets as reads of a place in it, so that
 * kernels that read other parts of one tensor, as layers whose weights are slices of it, may be the
 * same (same.c). Places are whole cache lines behind the start: no alignment changes.
 * In: a Kernel in C. Out: the same kernel, whose buffers have `place`. */
#include "kernel/kernel.h"

enum { LINE = 64 }; /* bytes */

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

const Kernel *kernel_at_places(const Kernel *k, Arena *arena) {
    KernelBuffer *buffers = arena_array(arena, KernelBuffer, k->buffers.count + 1);
    Body *bodies = arena_array(arena, Body, k->bodies.count + 1);
    Kernel *moved = arena_new_of(arena, Kernel);
    bool any = false;
    for (int i = 0; i < k->buffers.count; i++) {
        buffers[i] = k->buffers.at[i];
        buffers[i].place = place_of(k, i);
        any = any || buffers[i].place;
    }
    if (!any) return k;
    *moved = *k;
    moved->buffers.at = buffers;
    moved->bodies.at = bodies;
    for (int i = 0; i < k->bodies.count; i++) {
        bodies[i] = k->bodies.at[i];
        move_loads(moved, &bodies[i], arena);
    }
    return moved;
}
