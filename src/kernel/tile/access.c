/* access.c: what loops over a body load, store, compute and keep: element sizes, strides, known
 * extents.
 * In: a Kernel, and a Schedule that keeps all costly values. Out: LoopFacts. */
#include "kernel/tile/tile_private.h"

enum {
    ACCESS_BYTES = 16, /* the widest access */
    FEW_ROWS = 512     /* fewer do not fill a GPU with blocks of 256 threads */
};

static Dims *dims_of(const Body *b) { return b->indices->dims; }

/* ---- vectors ------------------------------------------------------------------------------- */

/* Is the address contiguous along the lane axis? */
static bool is_contiguous(const Schedule *s, Ix ix) {
    Dim scale = 0;
    return s->lane >= 0 && index_along(s->body, ix, s->lane, &scale) == 1 &&
           dim_is(dims_of(s->body), scale, 1);
}

/* May d be a multiple of v? Only a known number can deny it. */
static bool may_divide(const Body *b, Dim d, int v) {
    int64_t value;
    return !d || !dim_is_const(dims_of(b), d, &value) || value % v == 0;
}

/* May vectors of v be aligned to v elements: are all other strides of the address multiples of
 * v? */
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
    if (tile_is_uniform(b, s->lane, g, v)) return true;
    int how = index_along(b, g->ix, s->lane, &scale);
    if (how != 1) return how == 0;
    return dim_is(dims_of(b), scale, 1) && tile_may_align(b, s->lane, g->ix, v) &&
           may_divide(b, g->attr, v) && may_divide(b, g->attr2, v);
}

/* The most elements, up to v, of one aligned access. */
static int widest(const Schedule *s, Ix ix, Dtype type, int v) {
    while (v > 1 && ((size_t)v * dtype_size(type) > ACCESS_BYTES ||
                     !tile_may_align(s->body, s->lane, ix, v)))
        v /= 2;
    return v;
}

/* The most elements, up to v, of which neighbours that share bytes are one access; v if there are
 * none. */
static int widest_shared(const Kernel *k, const Schedule *s, const Value *v, int most) {
    for (int n = most; n > 1; n /= 2)
        if (tile_pack_sharers(k, s, v, n)) return n;
    return most;
}

/* The same of neighbours that are stored where a reshape and a permutation leave them. */
static int widest_run(const Schedule *s, Ix ix, Dtype type, int most) {
    for (int n = most; n > 1; n /= 2)
        if ((size_t)n * dtype_size(type) <= ACCESS_BYTES && tile_is_run(s->body, s->lane, ix, n))
            return n;
    return most;
}

int tile_piece_vector(const Kernel *k, const Schedule *s, int most, bool stores) {
    const Body *b = s->body;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (!s->value[i].used || v->kind != V_LOAD) continue;
        most = is_contiguous(s, v->ix) ? widest(s, v->ix, v->type, most)
                                       : widest_shared(k, s, v, most);
    }
    for (int i = 0; stores && i < b->stores.count; i++) {
        const Store *to = &b->stores.at[i];
        const Dtype type = k->buffers.at[to->buffer].type;
        most = is_contiguous(s, to->ix) ? widest(s, to->ix, type, most)
                                        : widest_run(s, to->ix, type, most);
    }
    while (most > 1 && !may_divide(b, b->indices->extent[s->lane], most)) most /= 2;
    return most;
}

/* ---- rows that start anywhere in packs ------------------------------------------------------ */

/* Of columns alone, such as the gain of a norm, and not of the only row. */
static bool is_of_columns(const Schedule *s, const Value *v) {
    const Body *b = s->body;
    return s->lane >= 0 && index_axes(b, v->ix) == 1u << s->lane && !dim_is(dims_of(b), b->rows, 1);
}

/* The index of all elements that are loaded and stored, where there is one; else 0. Those of
 * columns alone are loaded one by one. */
static Ix row_index(const Schedule *s) {
    const Body *b = s->body;
    Ix found = 0;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind != V_LOAD || !s->value[i].used || s->value[i].level < 2) continue;
        if (v->guard || b->indices->node.at[v->ix].dynamic || !is_contiguous(s, v->ix)) return 0;
        if (is_of_columns(s, v)) continue;
        if (found && found != v->ix) return 0;
        found = v->ix;
    }
    for (int i = 0; i < b->stores.count; i++)
        if (s->store[i].level == 2 && (b->stores.at[i].ix != found || b->stores.at[i].limit))
            return 0;
    return found;
}

static Ix shifted_index(const Kernel *k, const Schedule *s) {
    const Body *b = s->body;
    const bool is_row = k->family == F_ROW && !s->lane_is_row && s->lane >= 0 && !b->chunks;
    return is_row && b->axes.count == b->row_count + 1 && !schedule_has_scan(s) ? row_index(s) : 0;
}

/* Elements of 16 bytes of the largest. */
static int shifted_vector(const Kernel *k, const Schedule *s) {
    const Body *b = s->body;
    const Ix ix = shifted_index(k, s);
    size_t size = 0;
    for (int i = 1; i < b->values.count && ix; i++)
        if (s->value[i].used && b->values.at[i].kind == V_LOAD && b->values.at[i].ix == ix &&
            dtype_size(b->values.at[i].type) > size)
            size = dtype_size(b->values.at[i].type);
    for (int i = 0; i < b->stores.count && ix; i++) {
        const Dtype type = k->buffers.at[b->stores.at[i].buffer].type;
        if (b->stores.at[i].ix == ix && dtype_size(type) > size) size = dtype_size(type);
    }
    return size ? ACCESS_BYTES / (int)size : 0;
}

Ix tile_shifted_row(const Kernel *k, const Schedule *s, const Tile *t) {
    return t->vector > loop_facts(k, s).vector ? shifted_index(k, s) : 0;
}

/* ---- vectors of all accesses ---------------------------------------------------------------- */

static void add_element(LoopFacts *f, Dtype type) {
    if ((int64_t)dtype_size(type) > f->element) f->element = (int64_t)dtype_size(type);
}

static void add_store(const Schedule *s, LoopFacts *f, Ix ix, Dtype type) {
    if (!is_contiguous(s, ix)) return;
    add_element(f, type);
    while (!tile_may_align(s->body, s->lane, ix, f->vector)) f->vector /= 2;
}

/* Loads of a window need not be aligned. */
static void add_load(const Kernel *k, const Schedule *s, LoopFacts *f, int value) {
    const Value *v = &s->body->values.at[value];
    const int pack = ACCESS_BYTES / (int)dtype_size(v->type);
    if (!is_contiguous(s, v->ix) && !tile_is_of_window(k, s, value, pack)) return;
    add_element(f, v->type);
    while (is_contiguous(s, v->ix) && !tile_may_align(s->body, s->lane, v->ix, f->vector) &&
           !tile_is_of_window(k, s, value, f->vector < pack ? f->vector : pack))
        f->vector /= 2;
}

/* May a thread reduce neighbouring columns? What it computes of each is then passes of sums and the
 * like over single elements, and what is stored of them; what elements read of the row besides is
 * that of all these columns. */
static bool may_have_columns(const Schedule *s) {
    const Body *b = s->body;
    if (!b->accs.count || b->chunks || body_has_online(b) || schedule_has_scan(s)) return false;
    for (int i = 0; i < b->accs.count; i++)
        if (b->accs.at[i].op == OP_ARGMAX) return false;
    for (int i = 1; i < b->values.count; i++)
        if (s->value[i].used && s->value[i].level == 1 && s->value[i].stage == 0 &&
            b->values.at[i].axes >> s->lane & 1)
            return false;
    for (int i = 0; i < b->stores.count; i++)
        if (s->store[i].level == 2 || s->store[i].stage == 0) return false;
    return true;
}

/* Bytes of an element of a guarded load that may come in packs; 0: its guard falls within them, or
 * they start anywhere, and it is loaded one by one. */
static int64_t guarded_element(const Kernel *k, const Schedule *s, int value) {
    const Value *v = &s->body->values.at[value];
    const int64_t size = (int64_t)dtype_size(v->type);
    const int pack = (int)(ACCESS_BYTES / size);
    const bool is_pack = is_contiguous(s, v->ix) && tile_may_guard(s, v->guard, pack) &&
                         tile_may_align(s->body, s->lane, v->ix, pack);
    return is_pack || tile_is_of_window(k, s, value, pack) ? size : 0;
}

/* Beside others, packs of guarded loads count by their size: on an H200 heads that are rotated by
 * tables of f32 and stored before positions, bf16 [5, 12, 7107, 64], take 68 us with packs of 8,
 * whose factors are loaded one by one, and 46 with packs of 4. */
static void add_guarded(const Kernel *k, const Schedule *s, LoopFacts *f) {
    const Body *b = s->body;
    for (int i = 1; i < b->values.count && f->element; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind != V_LOAD || !s->value[i].used || !v->guard || s->value[i].level < 2) continue;
        const int64_t size = guarded_element(k, s, i);
        if (size > f->element) f->element = size;
    }
}

/* Are there random numbers of neighbours, which have blocks in common? */
static bool has_random(const Schedule *s) {
    for (int i = 1; i < s->body->values.count; i++) {
        const Value *v = &s->body->values.at[i];
        if (v->kind != V_OP || v->op != OP_PHILOX || s->value[i].level < 2) continue;
        const Value *at = &s->body->values.at[v->src[1]];
        if (s->value[i].used && at->kind == V_INDEX && is_contiguous(s, at->ix)) return true;
    }
    return false;
}

/* Does it move along the lanes by a step of several elements, as one part of a record? */
static bool is_strided(const Schedule *s, const Value *v) {
    Dim step;
    return !s->body->indices->node.at[v->ix].dynamic && !is_contiguous(s, v->ix) &&
           index_along(s->body, v->ix, s->lane, &step) == 1;
}

/* Has a row that is only read more parts of records than other elements? A warp that takes packs of
 * the others has its lanes as many records apart. On an H200 a cross-entropy of 4 M rows of 4
 * classes, whose mean is taken, takes 41 us with labels in packs of 4, and norms of such rows,
 * which have no packs, 20 us. */
static bool is_of_records(const Kernel *k, const Schedule *s, const LoopFacts *f) {
    const Body *b = s->body;
    int strided = 0;
    if (k->family != F_ROW || s->lane < 0 || s->lane_is_row) return false;
    for (int i = 0; i < b->stores.count; i++)
        if (s->store[i].level == 2) return false;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind != V_LOAD || !s->value[i].used || v->guard || s->value[i].level != 2) continue;
        strided += is_strided(s, v);
    }
    return strided > f->packs;
}

/* 16 bytes of the largest element. Single elements if neighbouring threads have different rows that
 * cannot be computed side by side. */
static void add_accesses(const Kernel *k, const Schedule *s, LoopFacts *f) {
    const Body *b = s->body;
    f->vector = ACCESS_BYTES;
    const bool by_columns = s->lane_is_row && k->family == F_ROW;
    if (s->lane < 0 || (by_columns && !may_have_columns(s))) f->vector = 1;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        f->has_lists |= v->kind == V_COMBINE;
        if (v->kind != V_LOAD || !s->value[i].used) continue;
        f->guarded += v->guard && s->value[i].level == 2;
        if (v->guard) continue;
        f->loads += s->value[i].level == 2;
        f->packs += s->value[i].level == 2 && is_contiguous(s, v->ix);
        if (s->value[i].level == 2 && is_of_columns(s, v))
            f->of_columns += (int)dtype_size(v->type);
        if (!f->least || (int64_t)dtype_size(v->type) < f->least)
            f->least = (int64_t)dtype_size(v->type);
        add_load(k, s, f, i);
    }
    for (int i = 0; i < b->stores.count && !by_columns; i++)
        if (!b->stores.at[i].adds)
            add_store(s, f, b->stores.at[i].ix, k->buffers.at[b->stores.at[i].buffer].type);
    if (!f->element && has_random(s)) f->element = sizeof(int32_t);
    add_guarded(k, s, f);
    /* accumulators of the tile */
    if (b->dots && f->element < (int64_t)sizeof(float)) f->element = sizeof(float);
    if (!f->element || is_of_records(k, s, f)) f->vector = 1;
    while (f->vector > 1 && f->vector * f->element > ACCESS_BYTES) f->vector /= 2;
    const int most = f->vector;
    while (f->vector > 1 && !may_divide(b, b->indices->extent[s->lane], f->vector)) f->vector /= 2;
    f->whole = b->axes.count == 1 ? most : f->vector;
}

/* Loads of a window are those of its packs. */
static void count_windows(const Kernel *k, const Schedule *s, LoopFacts *f) {
    const Windows all = tile_windows(k, s, f->vector, s->body->indices->arena);
    for (int i = 1; i < s->body->values.count; i++) {
        if (!all.of[i]) continue;
        if (s->body->values.at[i].guard)
            f->guarded--;
        else
            f->loads--;
    }
    f->windows = all.all.count;
    for (int i = 0; i < all.all.count; i++) f->loads += window_packs(&all.all.at[i]);
}

/* ---- what is computed, and kept ------------------------------------------------------------- */

static int op_count(const Schedule *s) {
    int count = 0;
    for (int i = 1; i < s->body->values.count; i++)
        count += s->body->values.at[i].kind == V_OP && s->value[i].used;
    return count;
}

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

bool tile_keeps_load(const Schedule *s, int value) {
    const Value *v = &s->body->values.at[value];
    const Place *p = &s->value[value];
    Dim step;
    if (v->kind != V_LOAD || p->level != 2 || !(p->used & (p->used - 1)) || s->lane < 0)
        return false;
    return !v->guard && !s->body->indices->node.at[v->ix].dynamic &&
           index_along(s->body, v->ix, s->lane, &step) == 1 && dim_is(dims_of(s->body), step, 1);
}

int64_t tile_reloaded_bytes(const Schedule *s) {
    int64_t bytes = 0;
    for (int i = 1; i < s->body->values.count; i++)
        if (tile_keeps_load(s, i)) bytes += (int64_t)dtype_size(s->body->values.at[i].type);
    return bytes;
}

/* The same at the peak: registers are free after the last stage that reads them. */
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

/* Bytes of one column that stay from row to row. */
static int64_t summed_bytes(const Kernel *k, const Body *b) {
    int64_t bytes = 0;
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].adds)
            bytes += (int64_t)dtype_size(k->buffers.at[b->stores.at[i].buffer].type);
    return bytes;
}

/* Do most stores of known distances along the lane axis have other elements between them? */
static bool stores_parts(const Schedule *s) {
    const Body *b = s->body;
    int64_t distance;
    int apart = 0;
    for (int i = 0; i < b->stores.count && s->lane >= 0; i++) {
        Dim scale = 0;
        if (index_along(b, b->stores.at[i].ix, s->lane, &scale) != 1) continue;
        apart += dim_is_const(dims_of(b), scale, &distance) && distance > 1 ? 1 : -1;
    }
    return apart > 0;
}

static bool stores_elements(const Schedule *s) {
    for (int i = 0; i < s->body->stores.count; i++)
        if (s->store[i].level == 2) return true;
    return false;
}

/* Is one pass over a row enough, if the maximum and the sum of exponentials share a stage? */
static bool is_one_pass(const Schedule *s) {
    const Body *b = s->body;
    for (int i = 0; i < b->accs.count; i++)
        if (s->acc[i] > (b->accs.at[i].online_max >= 0)) return false;
    return body_has_online(b) && !stores_elements(s);
}

static bool is_few(const Body *b) {
    int64_t rows;
    return dim_is_const(dims_of(b), b->rows, &rows) && rows < FEW_ROWS;
}

/* ---- what threads exchange ------------------------------------------------------------------- */

enum { WARP = 32 };

/* The type that threads exchange for an accumulator; an argmax also exchanges a position. */
static Dtype exchanged_type(const Body *b, const Accumulator *a) {
    Dtype type = a->op == OP_ARGMAX ? b->values.at[a->value].type : a->type;
    return type == T_BOOL ? T_I32 : dtype_compute(type);
}

/* Across columns, reductions of one operation and type share one function, and one array in it. */
static bool shares_array(const Schedule *s, int acc) {
    const Body *b = s->body;
    const Accumulator *a = &b->accs.at[acc];
    for (int i = 0; i < acc && s->lane_is_row; i++)
        if (b->accs.at[i].op == a->op && exchanged_type(b, &b->accs.at[i]) == exchanged_type(b, a))
            return true;
    return false;
}

static int64_t exchanged_bytes(const Schedule *s) {
    const Body *b = s->body;
    int64_t bytes = 0;
    for (int i = 0; i < b->accs.count; i++) {
        const Accumulator *a = &b->accs.at[i];
        if (a->op == OP_DOT || shares_array(s, i)) continue;
        bytes += (a->op == OP_ARGMAX ? 2 : 1) * (int64_t)dtype_size(exchanged_type(b, a));
    }
    return bytes;
}

/* Does an earlier scan use the same function? */
static bool shares_scan(const Schedule *s, int value) {
    const Value *v = &s->body->values.at[value];
    for (int i = 1; i < value; i++) {
        const Value *x = &s->body->values.at[i];
        if (x->kind == V_SCAN && s->value[i].used && x->op == v->op &&
            dtype_compute(x->type) == dtype_compute(v->type))
            return true;
    }
    return false;
}

/* Of a scan by each function there is. */
static int64_t scanned_bytes(const Schedule *s) {
    int64_t bytes = 0;
    for (int i = 1; i < s->body->values.count; i++) {
        const Value *v = &s->body->values.at[i];
        if (v->kind == V_SCAN && s->value[i].used && !shares_scan(s, i))
            bytes += (int64_t)dtype_size(dtype_compute(v->type));
    }
    return bytes;
}

/* Single elements of a thread, and the same of packs that cannot be moved at once, are transposed
 * in shared memory; each item of a warp has padding, and a sum. */
static int64_t transposed_bytes(const Schedule *s, const Tile *t) {
    const int items = t->items ? t->items * t->vector : t->unroll;
    return scanned_bytes(s) * ((int64_t)items * (WARP + 2) + 1) * (t->threads / WARP);
}

int tile_scan_warps(const Schedule *s, const Tile *t) {
    enum { MOST_TRANSPOSED = 36 << 10 };
    const bool is_whole = t->row_threads % WARP == 0;
    return is_whole && transposed_bytes(s, t) <= MOST_TRANSPOSED ? t->threads / WARP : 0;
}

/* Row kernels exchange one value for each warp, and of scans one for each item, in packs and
 * as single elements; column kernels one for each thread, scans with padding. */
int64_t tile_reduction_shared(const Schedule *s, const Tile *t) {
    const int64_t items = t->items ? t->items : t->unroll;
    const bool is_transposed = schedule_has_scan(s) && tile_scan_warps(s, t);
    if (t->kind == TILE_ROW)
        return exchanged_bytes(s) * (tile_has_cluster(t) ? t->cluster * (t->threads / WARP) : 0) +
               (exchanged_bytes(s) + scanned_bytes(s) * items * (1 + t->vector)) * WARP +
               (is_transposed ? transposed_bytes(s, t) : 0);
    if (t->kind != TILE_COLUMN) return 0;
    const int64_t each = exchanged_bytes(s) * tile_exchanged_elements(t->vector);
    const int64_t reduced = t->split > 1 ? each * t->threads : 0;
    return reduced + scanned_bytes(s) * (t->threads + t->split);
}

int64_t tile_padded_group(const Body *b) {
    const int64_t columns = body_group(b);
    int64_t padded = columns ? 1 : 0;
    while (padded < columns) padded *= 2;
    return padded;
}

LoopFacts loop_facts(const Kernel *k, const Schedule *s) {
    const Body *b = s->body;
    LoopFacts f = {.ops = op_count(s),
                   .values = b->values.count,
                   .kept = kept_bytes(s),
                   .live = live_bytes(s) + summed_bytes(k, b),
                   .summed = summed_bytes(k, b),
                   .exchanged = exchanged_bytes(s),
                   .scanned = scanned_bytes(s),
                   .has_scan = schedule_has_scan(s),
                   .has_online_pass = is_one_pass(s),
                   .is_one_row = dim_is(dims_of(b), b->rows, 1),
                   .is_few_rows = is_few(b),
                   .stores_elements = stores_elements(s),
                   .stores_parts = k->family == F_POINTWISE && stores_parts(s)};
    if (!dim_is_const(dims_of(b), b->rows, &f.rows)) f.rows = 0;
    if (!dim_is_const(dims_of(b), b->cols, &f.cols)) f.cols = 0;
    if (b->group_axes && body_group(b)) f.cols = f.cols / body_group(b) * tile_padded_group(b);
    if (s->lane >= 0 && s->lane_is_row)
        if (!dim_is_const(dims_of(b), b->indices->extent[s->lane], &f.neighbours)) f.neighbours = 0;
    add_accesses(k, s, &f);
    f.shifted = f.cols ? shifted_vector(k, s) : 0;
    if (k->family == F_POINTWISE) count_windows(k, s, &f);
    return f;
}
