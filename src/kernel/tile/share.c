/* share.c: finds kernels that can call one function: identical except for their buffers, with the
 * same tiles. A function is emitted and compiled once.
 * In: Kernels and their Tiles. Out: the function of each, and each as a call of it. */
#include "kernel/tile/tile.h"

/* Kernels that have a function of their own, by hash. */
typedef struct Functions {
    uint64_t *hash;
    int *number; /* 1 + the kernel's; 0: a free slot */
    size_t mask;
} Functions;

static Functions functions_new(int count, Arena *arena) {
    size_t size = 16;
    while (size < 2 * (size_t)count) size *= 2;
    return (Functions){arena_array(arena, uint64_t, size), arena_array(arena, int, size), size - 1};
}

/* Outputs use streaming stores, temporaries do not: in C, in bodies with stages. */
static bool same_stores(const Kernel *a, const Kernel *b, const Body *body, const Tile *t) {
    if (!t->stream || (a->family != F_POINTWISE && a->family != F_ROW && !body_has_rows(body)))
        return true;
    for (int i = 0; i < a->buffers.count; i++)
        if (a->buffers.at[i].written && a->buffers.at[i].is_temp != b->buffers.at[i].is_temp)
            return false;
    return true;
}

static bool same_tiles(const Kernel *a, const Kernel *b, const Tile *x, const Tile *y) {
    for (int i = 0; i < a->bodies.count; i++)
        if (!tile_equal(&x[i], &y[i]) || !same_stores(a, b, &a->bodies.at[i], &x[i])) return false;
    return true;
}

/* The number of the function of each kernel. */
static void find_functions(const TiledKernels *kernels, const Kernel *const *at, int count,
                           int *function, Arena *arena) {
    const Functions all = functions_new(count, arena);
    for (int i = 0; i < count; i++) {
        const uint64_t hash = kernel_hash(at[i], arena);
        size_t slot = hash & all.mask;
        function[i] = i;
        for (; all.number[slot] && function[i] == i; slot = (slot + 1) & all.mask) {
            const int first = all.number[slot] - 1;
            const Kernel *call = all.hash[slot] == hash ? kernel_as(at[i], at[first], arena) : NULL;
            if (call && same_tiles(at[first], call, kernels->tiles[first], kernels->tiles[i]))
                function[i] = first;
        }
        if (function[i] == i) all.hash[slot] = hash, all.number[slot] = i + 1;
    }
}

/* Kernels as calls of their functions: at places of tensors where not all calls of a function are
 * the same as they are, else as they are. In C: on a GPU, places would decide what is aligned. */
TiledKernels kernels_share(const TiledKernels *kernels, int count, const Machine *machine,
                           Arena *arena) {
    const Kernel **at = arena_array(arena, const Kernel *, count + 1);
    const Kernel **moved = arena_array(arena, const Kernel *, count + 1);
    int *function = arena_array(arena, int, count + 1), *calls = arena_array(arena, int, count + 1);
    bool *is_moved = arena_array(arena, bool, count + 1);
    for (int i = 0; i < count; i++) {
        const bool may_move = !machine_is_gpu(machine);
        moved[i] = may_move ? kernel_at_places(kernels->at[i], arena) : kernels->at[i];
    }
    find_functions(kernels, moved, count, function, arena);
    for (int i = 0; i < count; i++) {
        const int first = function[i];
        calls[first]++;
        if (first != i && !kernel_as(kernels->at[i], kernels->at[first], arena))
            is_moved[first] = true;
    }
    for (int i = 0; i < count; i++) {
        const int first = function[i];
        const Kernel *const *from = is_moved[first] ? moved : kernels->at;
        at[i] = first == i ? from[i] : kernel_as(from[i], from[first], arena);
    }
    TiledKernels shared = *kernels;
    shared.at = at;
    shared.function = function;
    shared.calls = calls;
    return shared;
}
