/* cost.c: the costs for fusion: what a node moves and computes, and the time of a machine for it by
 * its roofline. Open dims have a nominal size here, so that a plan does not depend on sizes that
 * are known later.
 *
 * Source of the model: Williams, Waterman, Patterson, "Roofline: An Insightful Visual Performance
 * Model for Multicore Architectures", CACM 52 (2009); waves and tiles as in NVIDIA's "Matrix
 * Multiplication Background User's Guide" (tile and wave quantization). */
#include "sched/cost/cost.h"

#include <math.h>

enum {
    NOMINAL = COST_NOMINAL,
    TILE = COST_TILE,
    PHILOX_FLOPS = 40 /* a block takes about 100 operations, and elements side by side share it */
};

/* The nominal size of an open dim. */
static int64_t nominal_size(const DimSymbol *s) {
    int64_t m = s->multiple > 0 ? s->multiple : 1;
    int64_t size = (NOMINAL + m - 1) / m * m;
    if (size < s->lo) size = (s->lo + m - 1) / m * m;
    return size > s->hi ? s->hi : size;
}

int64_t cost_size(const Dims *d, Dim size) {
    int64_t value;
    if (dim_is_const(d, size, &value)) return value;
    int64_t *nominal = arena_array(d->arena, int64_t, d->symbols.count);
    for (int i = 0; i < d->symbols.count; i++) nominal[i] = nominal_size(&d->symbols.at[i]);
    return dim_value(d, size, nominal, &value) && value > 0 ? value : NOMINAL;
}

int64_t cost_dim(const Graph *g, Dim d) { return cost_size(g->dims, d); }

double cost_tiles(const Dims *d, Dim size, double tile) {
    int64_t value;
    if (dim_is_const(d, size, &value)) return ceil((double)value / tile);
    return (double)cost_size(d, size) / tile;
}

double cost_waves(const Machine *machine, double tiles, bool is_open) {
    const double waves = tiles / machine->processors;
    return is_open ? waves : ceil(waves);
}

double cost_elements(const Graph *g, NodeId id) {
    Dim elements = node_elements(g, id);
    return elements ? fmin((double)cost_dim(g, elements), (double)ELEMENTS_MOST) : NOMINAL;
}

int64_t cost_bytes(const Graph *g, NodeId id) {
    return (int64_t)cost_elements(g, id) * (int64_t)dtype_size(g->node[id].type);
}

/* ---- what a node computes ------------------------------------------------------------------ */

double cost_extent(const Graph *g, const Node *n, int from, int to) {
    double all = 1;
    for (int i = from; i < to; i++) all *= (double)cost_dim(g, n->shape[i]);
    return all;
}

static double padded(double n, double to) { return ceil(n / to) * to; }

double cost_product_weight(const Graph *g, NodeId dot) {
    const Node *n = &g->node[dot];
    size_t widest = 0;
    for (int s = 0; s < 2; s++) {
        const Node *x = &g->node[n->src[s]];
        while (x->op == OP_CAST && dtype_is_narrow(g->node[x->src[0]].type))
            x = &g->node[x->src[0]];
        size_t size = dtype_size(x->type);
        if (x->type == T_F64 || x->type == T_I64 || x->type == T_I32) return 0;
        if (size > widest) widest = size;
    }
    if (widest < sizeof(float)) return widest == 1 ? 0.5 : 1;
    switch (g->attrs.precision) {
    case P_TF32: return 2;
    case P_BF16X3: return 3;
    case P_TF32X3:
    case P_BF16X6: return 6;
    default: return 0;
    }
}

/* On a GPU tiles are computed whole, but for a few rows of f32. */
static Work dot_work(const Machine *machine, const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    const Node *a = &g->node[n->src[0]];
    const int batch = n->attr[0], kept = a->rank - n->attr[1];
    double count = cost_extent(g, n, 0, batch), m = cost_extent(g, n, batch, kept);
    double columns = cost_extent(g, n, kept, n->rank), k = cost_extent(g, a, kept, a->rank);
    double weight = cost_product_weight(g, id);
    if (cost_is_gemv_fma(machine, g, id)) return (Work){.flops = 2 * count * m * columns * k};
    Work w = {.tiles = count * ceil(m / TILE) * ceil(columns / TILE)};
    if (machine_is_gpu(machine)) m = padded(m, COST_PAD), columns = padded(columns, COST_PAD);
    w.products = count * m * columns * k * weight;
    if (!(weight > 0)) w.flops = 2 * count * m * columns * k;
    return w;
}

/* An integer's remainder by a constant power of two: a mask. */
static bool is_mask(const Graph *g, const Node *n) {
    double by;
    if (n->op != OP_MOD || !dtype_is_int(n->type)) return false;
    const Node *divisor = &g->node[n->src[1]];
    while (op_info[divisor->op].class == VIEW) divisor = &g->node[divisor->src[0]];
    return node_is_const(divisor, &by) && by >= 1 && by == ldexp(1, ilogb(by));
}

Work cost_node(const Machine *machine, const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    OpClass class = op_info[n->op].class;
    if (class == DOT) return dot_work(machine, g, id);
    if (class == REDUCE || class == PARTIAL) return (Work){.flops = cost_elements(g, n->src[0])};
    if (class == SEGMENTS)
        return (Work){.flops = cost_elements(g, id) + cost_elements(g, n->src[0])};
    if (class == COMBINE)
        return (Work){.flops = cost_elements(g, id) + cost_elements(g, n->src[4])};
    if ((class != MAP && class != SCAN) || n->op == OP_CAST) return (Work){0};
    if (n->op == OP_WHERE && n->attr[1]) return (Work){0}; /* parts are stored */
    if (n->op == OP_PHILOX) return (Work){.flops = PHILOX_FLOPS * cost_elements(g, id)};
    if (op_info[n->op].costly && !is_mask(g, n)) return (Work){.special = cost_elements(g, id)};
    return (Work){.flops = cost_elements(g, id)};
}

void work_add(Work *w, const Work *more) {
    w->flops += more->flops;
    w->special += more->special;
    w->products += more->products;
    if (more->tiles > w->tiles) w->tiles = more->tiles;
}

/* ---- how long a machine takes -------------------------------------------------------------- */

/* In the last wave, multiprocessors without a tile are idle. */
static double by_waves(const Machine *m, const Work *w) {
    return w->tiles > 0 ? padded(w->tiles, m->processors) / w->tiles : 1;
}

const char *const bound_name[BOUND_COUNT] = {[BOUND_MEMORY] = "memory",
                                             [BOUND_FLOPS] = "arithmetic",
                                             [BOUND_SPECIAL] = "special functions",
                                             [BOUND_PRODUCTS] = "matrix products"};

/* The parts overlap incompletely, the more the closer they are: eighth powers are added, so that
 * two equal parts take 1.09 times as long as one. */
Estimate cost_estimate(const Machine *m, const Work *w) {
    const double clocks = 1e6 * m->clock * m->processors;
    const double seconds[BOUND_COUNT] = {
        [BOUND_MEMORY] = w->bytes / (1e9 * m->bandwidth),
        [BOUND_FLOPS] = w->flops / (2 * m->fma * clocks) * by_waves(m, w),
        [BOUND_SPECIAL] = w->special / (m->special * clocks),
        [BOUND_PRODUCTS] = w->products / (m->mma * clocks) * by_waves(m, w)};
    double sum = 0;
    Estimate e = {0};
    for (int i = 0; i < BOUND_COUNT; i++) {
        sum += pow(seconds[i], 8);
        if (seconds[i] > seconds[e.bound]) e.bound = i;
    }
    e.seconds = pow(sum, 1.0 / 8);
    return e;
}
