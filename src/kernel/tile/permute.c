/* permute.c: tiles of pointwise kernels that load their axes in another order than they store them,
 * where the inner axes are so short that a cache line spans several (boxes: permute_box.c). In: a
 * body of a Kernel. Out: what is loaded in another order, and legal tiles, the fastest by
 * expectation first. */
#include "kernel/tile/tile_private.h"

#include <string.h>

enum {
    ACCESS_BYTES = 16,
    LINE = 128, /* bytes of a cache line, */
    BANK = 4,   /* and of a bank of shared memory */
    WARP = 32,
    LEAST_ROW = 16, /* elements */
    MOST_ROW = 4096,
    MOST_THREADS = 512,
    MOST_ITEMS = 16
};

/* ---- what is loaded in another order --------------------------------------------------------- */

/* Strides along all axes, which are positive, and known; false: they are not. */
static bool strides_of(const Body *b, const PermuteForm *f, Ix ix, int64_t *stride) {
    for (int i = 0; i < f->count; i++) {
        Dim scale = 0;
        if (index_along(b, ix, f->axis[i], &scale) != 1) return false;
        if (!dim_is_const(b->indices->dims, scale, &stride[i]) || stride[i] <= 0) return false;
    }
    return !b->indices->node.at[ix].dynamic;
}

static void swap_axes(PermuteForm *f, int64_t *stride, int i, int j) {
    const int axis = f->axis[i];
    const int64_t extent = f->extent[i], step = stride[i];
    f->axis[i] = f->axis[j], f->extent[i] = f->extent[j], stride[i] = stride[j];
    f->axis[j] = axis, f->extent[j] = extent, stride[j] = step;
}

/* Orders the axes as they are stored; false: not all sizes are known, or not all of one store. */
static bool order_axes(const Body *b, PermuteForm *f) {
    PermuteAxes stride;
    for (int i = 0; i < b->axes.count; i++, f->count++) {
        f->axis[i] = b->axes.at[i].number;
        if (!dim_is_const(b->indices->dims, b->axes.at[i].extent, &f->extent[i])) return false;
    }
    if (!b->stores.count || !strides_of(b, f, b->stores.at[0].ix, stride)) return false;
    for (int i = 0; i < f->count; i++)
        for (int j = i; j > 0 && stride[j] < stride[j - 1]; j--) swap_axes(f, stride, j, j - 1);
    return f->count > 1 && stride[0] == 1;
}

static bool stores_in_order(const Body *b) {
    for (int i = 1; i < b->stores.count; i++)
        if (b->stores.at[i].ix != b->stores.at[0].ix) return false;
    return true;
}

/* Bytes that are neighbours in both orders. */
static int64_t common_bytes(const PermuteForm *f, const PermuteLoad *load) {
    int64_t common = 1;
    for (int i = 0; i < f->count && load->stride[i] == common; i++) common *= f->extent[i];
    return common * load->size;
}

static void find_loads(const Body *b, PermuteForm *f) {
    for (int i = 1; i < b->values.count && f->loads < PERMUTE_LOADS; i++) {
        const Value *v = &b->values.at[i];
        PermuteLoad load = {.value = i, .size = (int64_t)dtype_size(v->type)};
        if (v->kind != V_LOAD || v->guard || !strides_of(b, f, v->ix, load.stride)) continue;
        if (common_bytes(f, &load) < LINE) f->load[f->loads++] = load;
    }
}

static bool is_staged(const PermuteForm *f, int value) {
    for (int i = 0; i < f->loads; i++)
        if (f->load[i].value == value) return true;
    return false;
}

/* A word of the largest that is stored, where all that lies in the order of the stores allows it.
 */
static void find_vector(const Body *b, PermuteForm *f) {
    const int lane = f->axis[0];
    f->vector = f->element < BANK ? (int)(BANK / f->element) : 1;
    while (f->extent[0] % f->vector || !tile_may_align(b, lane, b->stores.at[0].ix, f->vector))
        f->vector /= 2;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        Dim scale = 0;
        if (v->kind != V_LOAD || v->guard || is_staged(f, i)) continue;
        if (index_along(b, v->ix, lane, &scale) != 1 || !dim_is(b->indices->dims, scale, 1))
            continue;
        while (!tile_may_align(b, lane, v->ix, f->vector) ||
               f->vector * dtype_size(v->type) > ACCESS_BYTES)
            f->vector /= 2;
    }
}

PermuteForm permute_form(const Kernel *k, const Body *b) {
    PermuteForm f = {0};
    const bool is_legal = kernel_may_cross(k) && order_axes(b, &f);
    if (is_legal && stores_in_order(b)) find_loads(b, &f);
    for (int i = 0; i < b->stores.count; i++) {
        const int64_t size = (int64_t)dtype_size(k->buffers.at[b->stores.at[i].buffer].type);
        if (size > f.element) f.element = size;
        f.stored += size;
    }
    if (f.loads)
        find_vector(b, &f);
    else
        f.count = 0;
    return f;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static const char *piece_refusal(const TileSpace *s, const Tile *t) {
    const int64_t size = s->permute.load[0].size;
    const int least = size < BANK ? (int)(BANK / size) : 1, most = (int)(ACCESS_BYTES / size);
    return loop_number_refusal(s, "vector", t->vector, least, most);
}

const char *permute_obstacle(const TileSpace *s) {
    if (!machine_has_mma(s->machine)) return "asynchronous copies to shared memory take sm_80";
    if (s->permute.count) return NULL;
    return "no load has all axes, of known sizes, in another order than the stores, and lines of "
           "memory that span several";
}

static const char *permute_refusal(const TileSpace *s, const Tile *t) {
    const PermuteForm *f = &s->permute;
    const char *wrong = permute_obstacle(s);
    if (!wrong) wrong = loop_number_refusal(s, "m", t->m, LEAST_ROW, MOST_ROW);
    if (!wrong) wrong = loop_number_refusal(s, "n", t->n, LEAST_ROW, MOST_ROW);
    if (!wrong) wrong = loop_number_refusal(s, "threads", t->threads, WARP, MOST_THREADS);
    if (!wrong) wrong = loop_number_refusal(s, "unroll", t->unroll, 1, MOST_ITEMS);
    if (!wrong) wrong = piece_refusal(s, t);
    if (wrong) return wrong;
    const PermuteBox box = permute_box(f, t);
    if (box.bytes <= TILE_SHARED) return NULL;
    return tile_refuse(s, "a box takes %lld bytes of shared memory, and %d are there",
                       (long long)box.bytes, TILE_SHARED);
}

/* ---- which are worth a trial ---- */

enum { LISTED = 12, LEAST_LISTED = 32, THREADS = 256 };

/* Tiles with different boxes, the fastest by expectation first. */
typedef struct Ranking {
    Tile tile[LISTED + 1];
    PermuteAxes side[LISTED + 1];
    double clocks[LISTED + 1];
    int count;
} Ranking;

static bool is_ranked(const Ranking *r, const Tile *t, const PermuteBox *box) {
    for (int i = 0; i < r->count; i++)
        if (r->tile[i].vector == t->vector && !memcmp(r->side[i], box->side, sizeof box->side))
            return true;
    return false;
}

static void rank(Ranking *r, const Tile *t, const PermuteBox *box, double clocks) {
    int at = r->count;
    for (; at > 0 && clocks < r->clocks[at - 1]; at--) {
        r->tile[at] = r->tile[at - 1], r->clocks[at] = r->clocks[at - 1];
        memcpy(r->side[at], r->side[at - 1], sizeof box->side);
    }
    r->tile[at] = *t, r->clocks[at] = clocks;
    memcpy(r->side[at], box->side, sizeof box->side);
    if (r->count < LISTED) r->count++;
}

/* Without bank conflicts, which take longest to count. */
static void rank_about(const TileSpace *s, Ranking *r) {
    Tile t = {.kind = TILE_PERMUTE,
              .threads = THREADS,
              .unroll = s->permute.element > 1 ? 8 : MOST_ITEMS,
              .keep = KEEP_NOTHING,
              .split = 1};
    for (t.m = LEAST_LISTED; t.m <= MOST_ROW; t.m *= 2)
        for (t.n = LEAST_LISTED; t.n <= MOST_ROW; t.n *= 2)
            for (int bytes = BANK; bytes <= ACCESS_BYTES; bytes *= 2) {
                t.vector = bytes / (int)s->permute.load[0].size;
                if (piece_refusal(s, &t)) continue;
                const PermuteBox box = permute_box_unpadded(&s->permute, &t);
                if (box.bytes <= TILE_SHARED && !is_ranked(r, &t, &box))
                    rank(r, &t, &box, permute_clocks(s, &t, &box));
            }
}

/* Large boxes get more threads, which the estimates do not know: on an H200 permutes of nine shapes
 * take 0.86 to 0.98 times as long so with boxes of 13 KiB and more, 0.90 to 1.07 with smaller ones.
 */
static void rank_exactly(const TileSpace *s, const Ranking *about, Ranking *r) {
    enum { LARGE = 12 << 10 };
    for (int i = 0; i < about->count; i++) {
        Tile t = about->tile[i];
        const PermuteBox box = permute_box(&s->permute, &t);
        if (box.bytes > TILE_SHARED) continue;
        const double clocks = permute_clocks(s, &t, &box);
        if (box.bytes >= LARGE) t.threads = MOST_THREADS;
        rank(r, &t, &box, clocks);
    }
}

/* Those that are expected to be slower than a plain pointwise kernel come after that and its
 * neighbours, and so do those of large matrices, which transposes are for. */
static void permute_list(const TileSpace *s, Candidates *out) {
    enum { DISTANCE = 16, LATER = 4 };
    Ranking about = {.count = 0}, r = {.count = 0};
    if (permute_obstacle(s)) return;
    rank_about(s, &about);
    rank_exactly(s, &about, &r);
    const bool is_matrix = s->transpose.across >= 0 && !transpose_is_small(&s->transpose);
    const bool pays = !is_matrix && r.count && r.clocks[0] < permute_flat_clocks(s);
    const double later = pays ? 0 : LATER;
    for (int i = 0; i < r.count; i++)
        candidate_add(s, r.tile[i], later + DISTANCE * (r.clocks[i] / r.clocks[0] - 1), out);
}

const TileFamily tile_permute = {permute_list, NULL, permute_refusal};
