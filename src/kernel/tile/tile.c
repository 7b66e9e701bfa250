/* tile.c: launch numbers from facts: element sizes, strides, known extents, what is kept. In:
 * Kernel and a Schedule with everything kept. Out: one legal Tile, good without having measured.
 */
#include "kernel/tile/tile.h"

enum {
    ACCESS_BYTES = 16, /* the widest access */
    IN_FLIGHT = 4,     /* loads that hide the latency of memory */
    BLOCK = 256,       /* threads, where nothing asks for others */
    WARP = 32,
    MAX_THREADS = 1024,
    WARP_ITEMS = 8,  /* vectors of a row per thread up to which a warp takes a row alone */
    BLOCK_ITEMS = 4, /* the same for a block, before it gets more threads */
    REGISTER_BYTES = 128 << 10, /* half of a multiprocessor's */
    MOST_KEPT = 320,            /* bytes of registers */
    MOST_BESIDE = 160,          /* the same beside the sums of a tile */
    MOST_ITEMS = 16,            /* vectors of a row per thread that are unrolled */
    MOST_UNROLLED = 256,        /* operations of a thread that are written out */
    LONG_COLUMN = 1024,         /* reduced elements that keep more than a few threads busy */
    LOOP_THREADS = 512,         /* for rows that are looped over */
    FEW_ROWS = 512,             /* that do not fill a GPU with blocks of BLOCK threads */
    SHARED_BYTES = 48 << 10     /* what every GPU gives a block without being asked */
};

static int power_of_two(int64_t least) {
    int p = 1;
    while (p < least && p < MAX_THREADS) p *= 2;
    return p;
}

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

static Dims *dims_of(const Body *b) { return b->indices->dims; }

/* ---- vectors ------------------------------------------------------------------------------- */

/* Is the address one of consecutive elements along the lane axis? */
static bool is_contiguous(const Schedule *s, Ix ix) {
    Dim scale = 0;
    return s->lane >= 0 && index_along(s->body, ix, s->lane, &scale) == 1 &&
           dim_is(dims_of(s->body), scale, 1);
}

/* May it be a multiple of v? Only a known number that is none says no. */
static bool may_divide(const Body *b, Dim d, int v) {
    int64_t value;
    return !d || !dim_is_const(dims_of(b), d, &value) || value % v == 0;
}

/* Vectors of v start at addresses that are multiples of v: every other step of the address is. */
bool tile_may_align(const Body *b, int lane, Ix ix, int v) {
    const IxNode *n = &b->indices->node.at[ix];
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = &b->indices->atom.at[n->term[i].atom];
        bool along = t->kind == ATOM_AXIS && t->a == lane;
        if (!along && !may_divide(b, n->term[i].scale, v)) return false;
    }
    return may_divide(b, n->offset, v);
}

bool tile_may_guard(const Schedule *s, int guard, int v) {
    const Body *b = s->body;
    const Value *g = &b->values.at[guard];
    Dim scale = 0;
    if (!guard || s->value[guard].level < 2) return true;
    if (g->kind == V_OP && g->op == OP_AND)
        return tile_may_guard(s, g->src[0], v) && tile_may_guard(s, g->src[1], v);
    if (g->kind != V_INSIDE) return false;
    int how = index_along(b, g->ix, s->lane, &scale);
    if (how != 1) return how == 0;
    return dim_is(dims_of(b), scale, 1) && tile_may_align(b, s->lane, g->ix, v) &&
           may_divide(b, g->attr, v) && may_divide(b, g->attr2, v);
}

int tile_widest(const Schedule *s, Ix ix, Dtype type, int v) {
    while (v > 1 && ((size_t)v * dtype_size(type) > ACCESS_BYTES ||
                     !tile_may_align(s->body, s->lane, ix, v)))
        v /= 2;
    return v;
}

typedef struct Access {
    int loads;   /* for each element */
    size_t size; /* of the largest element */
    int v;       /* elements that all of them allow at once */
} Access;

static void add_access(const Schedule *s, Access *a, Ix ix, Dtype type) {
    if (!is_contiguous(s, ix)) return;
    if (dtype_size(type) > a->size) a->size = dtype_size(type);
    while (!tile_may_align(s->body, s->lane, ix, a->v)) a->v /= 2;
}

/* Sixteen bytes of the largest element. One element at a time where running sums go from thread to
 * thread, and where neighbouring threads have different rows. */
static Access access_of(const Kernel *k, const Schedule *s) {
    const Body *b = s->body;
    Access a = {.v = ACCESS_BYTES};
    if (s->lane < 0 || (s->lane_is_row && k->family == F_ROW) || schedule_has_scan(s)) a.v = 1;
    while (a.v > 1 && !may_divide(b, b->indices->extent[s->lane], a.v)) a.v /= 2;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind != V_LOAD || v->guard || !s->value[i].used) continue;
        a.loads += s->value[i].level == 2;
        add_access(s, &a, v->ix, v->type);
    }
    for (int i = 0; i < b->stores.count; i++)
        add_access(s, &a, b->stores.at[i].ix, k->buffers.at[b->stores.at[i].buffer].type);
    if (b->dots && a.size < sizeof(float)) a.size = sizeof(float); /* its sums */
    if (!a.size) a.v = 1;
    while (a.v > 1 && (size_t)a.v * a.size > ACCESS_BYTES) a.v /= 2;
    return a;
}

/* ---- pointwise ----------------------------------------------------------------------------- */

static int op_count(const Schedule *s) {
    int count = 0;
    for (int i = 1; i < s->body->values.count; i++)
        count += s->body->values.at[i].kind == V_OP && s->value[i].used;
    return count;
}

/* Several items a thread hide the latency of few loads, unless each is much work already. */
static Tile pointwise_tile(const Kernel *k, const Schedule *s) {
    Access a = access_of(k, s);
    Tile t = {.threads = BLOCK, .vector = a.v, .unroll = 1, .keep = KEEP_NOTHING, .split = 1};
    int ops = op_count(s) * a.v;
    while (a.loads && t.unroll * a.loads < IN_FLIGHT && t.unroll * ops < MOST_UNROLLED)
        t.unroll *= 2;
    return t;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static int64_t kept_size(const Value *v) {
    Dtype type = v->kind == V_LOAD || v->type == T_BOOL ? v->type : dtype_compute(v->type);
    return (int64_t)dtype_size(type);
}

/* Bytes of one column that are kept: loads as stored, results as computed. */
static int64_t kept_bytes(const Schedule *s) {
    int64_t bytes = 0;
    for (int i = 1; i < s->body->values.count; i++)
        if (s->value[i].keep) bytes += kept_size(&s->body->values.at[i]);
    return bytes;
}

/* The same at the worst time: registers are free again after the last stage that reads them. */
static int64_t live_bytes(const Schedule *s) {
    int64_t most = 0;
    for (int stage = 0; stage + 1 < s->stage_count; stage++) {
        int64_t bytes = 0;
        uint64_t before = ((uint64_t)2 << stage) - 1;
        for (int i = 1; i < s->body->values.count; i++) {
            const Place *p = &s->value[i];
            if (p->keep && p->used & before && p->used & ~before)
                bytes += kept_size(&s->body->values.at[i]);
        }
        if (bytes > most) most = bytes;
    }
    return most;
}

/* What a thread may keep in registers: all, less what it computes with, of its part of those of
 * half a multiprocessor. */
static int64_t register_bytes(int threads) {
    int64_t part = (int64_t)REGISTER_BYTES / threads;
    return part < MOST_KEPT ? part : MOST_KEPT;
}

/* Threads of a row: as many as its vectors, up to a warp, which takes rows of up to WARP_ITEMS
 * vectors a thread; longer rows get the whole block, of a size that leaves BLOCK_ITEMS to each. */
static void share_row(Tile *t, int64_t vectors) {
    t->row_threads = power_of_two(vectors);
    if (vectors > WARP) t->row_threads = WARP;
    if (vectors > WARP * WARP_ITEMS) t->row_threads = power_of_two(ceil_div(vectors, BLOCK_ITEMS));
    t->threads = t->row_threads > WARP ? t->row_threads : BLOCK / 2;
}

/* Does one pass over a row do, with the maximum and the sum of exponentials under it as one? */
static bool is_one_pass(const Schedule *s) {
    const Body *b = s->body;
    for (int i = 0; i < b->accs.count; i++)
        if (s->acc[i] > (b->accs.at[i].online_max >= 0)) return false;
    for (int i = 0; i < b->stores.count; i++)
        if (s->store[i].level == 2) return false;
    return body_has_online(b);
}

static bool is_few(const Body *b) {
    int64_t rows;
    return dim_is_const(dims_of(b), b->rows, &rows) && rows < FEW_ROWS;
}

static Tile row_tile(const Kernel *k, const Schedule *s) {
    const Body *b = s->body;
    Tile t = {.threads = BLOCK,
              .vector = access_of(k, s).v,
              .unroll = IN_FLIGHT,
              .keep = KEEP_NOTHING,
              .split = 1};
    int64_t cols, kept = kept_bytes(s);
    if (!dim_is_const(dims_of(b), b->cols, &cols)) {
        if (dim_is(dims_of(b), b->rows, 1)) t.row_threads = t.threads = LOOP_THREADS;
        return t;
    }
    int64_t vectors = ceil_div(cols, t.vector);
    share_row(&t, vectors);
    if (t.row_threads > BLOCK && is_one_pass(s) && !is_few(b)) {
        t.row_threads = t.threads = BLOCK; /* several rows at a time hide each other's latency */
        return t;
    }
    int64_t items = ceil_div(vectors, t.row_threads);
    if (items <= MOST_ITEMS && live_bytes(s) * t.vector * items <= register_bytes(t.threads)) {
        t.keep = KEEP_REGISTERS;
        t.items = (int)items;
        return t;
    }
    bool fits = kept * cols + ACCESS_BYTES * b->values.count <= SHARED_BYTES;
    if (kept && fits && t.row_threads == t.threads)
        t.keep = KEEP_SHARED;
    else if (t.row_threads > LOOP_THREADS)
        t.row_threads = t.threads = LOOP_THREADS;
    return t;
}

/* As few threads as keep what they keep in registers: then a warp has several rows at a time, and
 * waits less for each. */
Tile tile_rows(const Kernel *k, const Schedule *s, int most_vector, int least_threads) {
    const int vector = access_of(k, s).v;
    Tile t = {.threads = BLOCK,
              .vector = vector < most_vector ? vector : most_vector,
              .unroll = IN_FLIGHT,
              .row_threads = least_threads,
              .keep = KEEP_NOTHING,
              .split = 1};
    int64_t cols = 0;
    dim_is_const(dims_of(s->body), s->body->cols, &cols);
    for (; t.row_threads <= WARP; t.row_threads *= 2) {
        int64_t items = ceil_div(cols, t.row_threads * t.vector);
        if (items > MOST_ITEMS || live_bytes(s) * t.vector * items > MOST_BESIDE) continue;
        t.keep = KEEP_REGISTERS;
        t.items = (int)items;
        return t;
    }
    t.row_threads = WARP;
    return t;
}

/* ---- columns ------------------------------------------------------------------------------- */

/* A warp's width of rows side by side; the threads along the reduced axis share its length. */
static Tile column_tile(const Schedule *s) {
    const Body *b = s->body;
    Tile t = {.vector = 1, .unroll = IN_FLIGHT, .keep = KEEP_NOTHING, .split = BLOCK / WARP};
    int64_t cols, kept = kept_bytes(s);
    bool known = dim_is_const(dims_of(b), b->cols, &cols);
    if (schedule_has_scan(s))
        t.split = 1;
    else if (known && cols < t.split)
        t.split = power_of_two(ceil_div(cols, 2));
    else if (known && cols >= LONG_COLUMN)
        t.split = MAX_THREADS / WARP;
    t.threads = t.split == 1 ? BLOCK / 2 : WARP * t.split;
    if (known && kept && ceil_div(cols, t.split) <= MOST_ITEMS &&
        live_bytes(s) * ceil_div(cols, t.split) <= register_bytes(t.threads)) {
        t.keep = KEEP_REGISTERS;
        t.items = (int)ceil_div(cols, t.split);
    }
    return t;
}

Tile tile_default(const Kernel *k, const Schedule *s) {
    if (k->family == F_DOT) return (Tile){.threads = BLOCK, .vector = 1, .unroll = 1, .split = 1};
    if (k->family == F_POINTWISE) return pointwise_tile(k, s);
    return s->lane_is_row ? column_tile(s) : row_tile(k, s);
}
