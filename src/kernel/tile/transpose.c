/* transpose.c: tiles of pointwise kernels that read across the order in which they write: a block
 * turns such loads round in shared memory, so that loads and stores are both contiguous. In: a body
 * of a Kernel. Out: what crosses, and legal tiles; the first follows from element sizes and known
 * extents, and others by their distance from it. */
#include "kernel/tile/tile_private.h"

enum {
    ACCESS_BYTES = 16,
    WARP = 32,
    MOST_THREADS = 512,
    IN_FLIGHT = 2,    /* packs of a thread: its multiprocessor has many more */
    MOST_SINGLE = 32, /* elements of a thread where packs cannot be used, all written out */
    LEAST_SIDE = 8,   /* elements */
    MOST_SIDE = 128,
    SINGLE_SIDE = 64, /* single elements: twice as many along stores share fewer sectors */
    SHORT_ROW = 32, /* elements of a stored row, known: a cache line holds those of several rows */
    LINE = 128      /* bytes of a cache line */
};

/* ---- what crosses --------------------------------------------------------------------------- */

static bool is_contiguous(const Body *b, Ix ix, int axis) {
    Dim scale = 0;
    return index_along(b, ix, axis, &scale) == 1 && dim_is(b->indices->dims, scale, 1);
}

static bool stores_along(const Body *b, int axis) {
    for (int i = 0; i < b->stores.count; i++)
        if (!is_contiguous(b, b->stores.at[i].ix, axis)) return false;
    return true;
}

static bool crosses(const Body *b, const Value *v, int lane, int across) {
    Dim scale = 0;
    return v->kind == V_LOAD && !v->guard && !b->indices->node.at[v->ix].dynamic &&
           is_contiguous(b, v->ix, across) && index_along(b, v->ix, lane, &scale) != 0;
}

bool transpose_crosses(const Body *b, const TransposeForm *f, int value) {
    return crosses(b, &b->values.at[value], f->lane, f->across);
}

static int crossing_count(const Body *b, int lane, int across) {
    int count = 0;
    for (int i = 1; i < b->values.count; i++) count += crosses(b, &b->values.at[i], lane, across);
    return count;
}

static void choose_axes(const Body *b, TransposeForm *f) {
    int most = 0;
    f->lane = f->across = -1;
    for (int i = 0; i < b->axes.count; i++)
        if (stores_along(b, b->axes.at[i].number)) f->lane = b->axes.at[i].number;
    for (int i = 0; i < b->axes.count && f->lane >= 0; i++) {
        const int axis = b->axes.at[i].number;
        const int count = axis == f->lane ? 0 : crossing_count(b, f->lane, axis);
        if (count > most) most = count, f->across = axis;
    }
}

/* ---- how much an access moves ---------------------------------------------------------------- */

static void add_access(const Body *b, TransposeForm *f, Ix ix, Dtype type, int along) {
    const int64_t size = (int64_t)dtype_size(type);
    if (size > f->element) f->element = size;
    while (f->vector > 1 && !tile_may_align(b, along, ix, f->vector)) f->vector /= 2;
}

static void add_accesses(const Kernel *k, const Body *b, TransposeForm *f) {
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind != V_LOAD) continue;
        if (transpose_crosses(b, f, i)) {
            const int64_t size = (int64_t)dtype_size(v->type);
            f->staged += size;
            if (size > f->crossing) f->crossing = size;
            add_access(b, f, v->ix, v->type, f->across);
        } else if (!v->guard && is_contiguous(b, v->ix, f->lane)) {
            add_access(b, f, v->ix, v->type, f->lane);
        }
    }
    for (int i = 0; i < b->stores.count; i++) {
        const Store *s = &b->stores.at[i];
        add_access(b, f, s->ix, k->buffers.at[s->buffer].type, f->lane);
    }
    while (f->vector > 1 && f->vector * f->element > ACCESS_BYTES) f->vector /= 2;
}

/* Packs of a row that starts anywhere: all results start at the same place of theirs. */
static int shifted_pack(const Body *b, const TransposeForm *f) {
    const int vector = ACCESS_BYTES / (int)f->element;
    for (int i = 1; i < b->stores.count; i++)
        if (b->stores.at[i].ix != b->stores.at[0].ix) return 0;
    return vector > f->vector ? vector : 0;
}

/* 0: open. */
static int64_t extent_of(const Body *b, int axis) {
    int64_t extent = 0;
    return dim_is_const(b->indices->dims, b->indices->extent[axis], &extent) ? extent : 0;
}

TransposeForm transpose_form(const Kernel *k, const Body *b) {
    TransposeForm f = {.vector = ACCESS_BYTES};
    choose_axes(b, &f);
    if (!kernel_may_cross(k)) f.across = -1;
    if (f.across < 0) return f;
    f.rows = extent_of(b, f.across), f.cols = extent_of(b, f.lane);
    while (f.rows % f.vector || f.cols % f.vector) f.vector /= 2;
    add_accesses(k, b, &f);
    f.shifted = shifted_pack(b, &f);
    return f;
}

bool transpose_is_short(const TransposeForm *f) {
    return (f->rows && f->rows < LEAST_SIDE) || (f->cols && f->cols <= SHORT_ROW);
}

bool transpose_is_narrow(const TransposeForm *f) {
    return transpose_is_small(f) && f->vector * f->element < ACCESS_BYTES;
}

bool transpose_is_small(const TransposeForm *f) {
    const bool fits = f->element == 1 && f->vector == ACCESS_BYTES;
    return !fits && ((f->rows && f->rows < MOST_SIDE) || (f->cols && f->cols < MOST_SIDE));
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Rows are padded where single elements are moved (TransposeTile in memory.cuh), and have two packs
 * more where these are shifted (ShiftedTile). */
int64_t tile_transpose_shared(const TransposeForm *f, const Tile *t) {
    enum { PADDING = 4 };
    if (tile_is_shifted(f, t))
        return ceil_div((t->n + t->vector) * (t->m + 2 * t->vector) * f->staged, ACCESS_BYTES) *
               ACCESS_BYTES;
    return (int64_t)t->n * (t->m + PADDING) * f->staged;
}

static const char *side_refusal(const TileSpace *s, const char *what, int side, int vector) {
    const int least = vector > LEAST_SIDE ? vector : LEAST_SIDE;
    if (is_power_of_two(side) && side >= least && side <= MOST_SIDE) return NULL;
    return tile_refuse(s, "%s is a power of 2 from %d to %d, and not %d", what, least, MOST_SIDE,
                       side);
}

static const char *threads_refusal(const TileSpace *s, const Tile *t) {
    if (!is_power_of_two(t->threads) || t->threads < WARP || t->threads > MOST_THREADS)
        return tile_refuse(s, "threads is a power of 2 from %d to %d, and not %d", WARP,
                           MOST_THREADS, t->threads);
    const int each = t->m * t->n / t->threads;
    if (each >= t->vector && each <= MOST_SINGLE) return NULL;
    return tile_refuse(s, "a thread has %d to %d elements of a tile, and not %d", t->vector,
                       MOST_SINGLE, each);
}

static const char *transpose_refusal(const TileSpace *s, const Tile *t) {
    const TransposeForm *f = &s->transpose;
    if (!is_power_of_two(t->vector) || (t->vector > f->vector && t->vector != f->shifted))
        return tile_refuse(s,
                           "strides, sizes and 16 bytes of an access allow vectors of 1 to %d "
                           "elements (powers of 2), and not %d",
                           f->vector, t->vector);
    const char *wrong = side_refusal(s, "m", t->m, t->vector);
    if (!wrong) wrong = side_refusal(s, "n", t->n, t->vector);
    if (!wrong) wrong = threads_refusal(s, t);
    const int64_t bytes = tile_transpose_shared(f, t);
    if (wrong || bytes <= TILE_SHARED) return wrong;
    return tile_refuse(s, "a tile takes %lld bytes of shared memory, and %d are there",
                       (long long)bytes, TILE_SHARED);
}

/* Rows of whole cache lines, but no longer than the tensor's. */
static int first_side(const TransposeForm *f, int64_t element, int64_t extent) {
    int side = (element < 4 ? LINE : 2 * LINE) / (int)element;
    while (side > LEAST_SIDE && side > f->vector && extent && extent <= side / 2) side /= 2;
    return side;
}

/* Aligned accesses would be of 4 bytes or less, and both sides have whole tiles. On an H200 a bf16
 * matrix with odd sides then takes 0.69 times as long as by single elements, an f32 one 0.91 times.
 */
static bool is_shifted_faster(const TransposeForm *f) {
    enum { NARROW = 4 };
    return f->shifted && f->vector * f->element <= NARROW && f->rows >= MOST_SIDE &&
           f->cols >= MOST_SIDE;
}

static Tile transpose_first(const TileSpace *s) {
    const TransposeForm *f = &s->transpose;
    const bool is_shifted = is_shifted_faster(f);
    Tile t = {.kind = TILE_TRANSPOSE, .vector = f->vector, .keep = KEEP_NOTHING, .split = 1};
    t.m = first_side(f, f->crossing, f->rows), t.n = first_side(f, f->element, f->cols);
    if (is_shifted) t.vector = f->shifted;
    const bool is_wide = is_shifted ? f->element < 4 : t.vector == 1;
    if (is_wide && t.n == SINGLE_SIDE && (!f->cols || f->cols >= 2 * t.n)) t.n *= 2;
    while (tile_transpose_shared(f, &t) > TILE_SHARED && t.n > LEAST_SIDE) t.n /= 2;
    const int elements = t.m * t.n, packs = elements / t.vector;
    const int in_flight = is_shifted ? 2 * IN_FLIGHT : IN_FLIGHT;
    for (t.threads = WARP; t.threads < MOST_THREADS; t.threads *= 2)
        if (packs <= in_flight * t.threads && elements <= MOST_SINGLE * t.threads) break;
    return t;
}

static void list_vectors(const TileSpace *s, const Tile *first, Tile sides, Candidates *out) {
    const TransposeForm *f = &s->transpose;
    for (int vector = f->shifted ? f->shifted : f->vector; vector;
         vector = vector > f->vector ? f->vector : vector / 2) {
        Tile t = *first;
        t.m = sides.m, t.n = sides.n, t.threads = sides.threads, t.vector = vector;
        const int distance = tile_distance(first, &t);
        if (distance) candidate_add(s, t, distance, out);
    }
}

static void transpose_list(const TileSpace *s, Candidates *out) {
    const Tile first = transpose_first(s);
    candidate_add(s, first, 0, out);
    for (int m = LEAST_SIDE; m <= MOST_SIDE; m *= 2)
        for (int n = LEAST_SIDE; n <= MOST_SIDE; n *= 2)
            for (int threads = WARP; threads <= MOST_THREADS; threads *= 2)
                list_vectors(s, &first, (Tile){.m = m, .n = n, .threads = threads}, out);
}

const TileFamily tile_transpose = {transpose_list, NULL, transpose_refusal};
