/* effect.c: do two tiles make a difference at the sizes that are known?
 * In: two tiles of one body. Out: false where they block the same loops in the same way. A tuner
 * need not measure both. */
#include "kernel/tile/tile_private.h"

enum { LEAST_PANEL = 8 /* columns of a panel, with the narrowest vectors */ };

static int least(int64_t a, int64_t b) { return (int)(a < b ? a : b); }

static bool extent_of(const Body *b, int axis, int64_t *extent) {
    return dim_is_const(b->indices->dims, b->axes.at[axis].extent, extent) && *extent > 0;
}

/* Blocks of a contraction in C that are larger than the contraction are as large as it. */
static Tile clipped(const Body *b, Tile t) {
    int64_t m, n, k;
    if (extent_of(b, DOT_M, &m)) t.m = least(t.m, m), t.block = least(t.block, t.m);
    if (extent_of(b, DOT_N, &n)) t.n = least(t.n, n * b->dots);
    if (t.group * LEAST_PANEL >= t.n) t.group = 0;
    if (extent_of(b, DOT_K, &k)) {
        const int64_t parts = (k + t.k - 1) / t.k;
        t.k = (int)((k + parts - 1) / parts);
    }
    if (!body_has_rows(b)) t.sums = 0;
    return t;
}

bool tile_has_same_effect(const Kernel *k, int body, const Tile *a, const Tile *b) {
    if (a->kind != b->kind) return false;
    if (a->kind != TILE_C_DOT) return tile_equal(a, b);
    const Body *of = &k->bodies.at[body];
    const Tile x = clipped(of, *a), y = clipped(of, *b);
    return tile_equal(&x, &y);
}
