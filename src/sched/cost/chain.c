/* chain.c: whether a chain of contractions is better one kernel, which stores none of the scores,
 * or several. In: a Chain, a Machine. Out: an answer. */
#include "sched/cost/cost.h"

#include <math.h>

enum {
    ROWS = 64,    /* of a tile, about */
    LONGEST = 256 /* depth, or columns: a tile holds all of them */
};

/* Are these axes of known size too long, together? */
static bool is_long(const Graph *g, const Node *n, int from, int to, int64_t most) {
    int64_t all = 1, size;
    for (int i = from; i < to; i++) {
        if (!dim_is_const(g->dims, n->shape[i], &size)) return false;
        all *= size;
    }
    return all > most;
}

static bool fits(const Graph *g, const Chain *c) {
    const Node *out = &g->node[c->out], *left = &g->node[out->src[0]];
    if (is_long(g, out, left->rank - out->attr[1], out->rank, LONGEST)) return false;
    for (int i = 0; i < c->count; i++) {
        const Node *n = &g->node[c->scores[i]], *a = &g->node[n->src[0]];
        if (is_long(g, a, a->rank - n->attr[1], a->rank, LONGEST)) return false;
    }
    return true;
}

static bool is_short(const Graph *g, const Node *n, int from, int to) {
    enum { HEAD = 128 };
    int64_t size;
    for (int i = from; i < to; i++)
        if (!dim_is_const(g->dims, n->shape[i], &size)) return false;
    return !is_long(g, n, from, to, HEAD);
}

bool chain_is_of_heads(const Graph *g, const Chain *c) {
    const Node *out = &g->node[c->out], *left = &g->node[out->src[0]];
    if (!is_short(g, out, left->rank - out->attr[1], out->rank)) return false;
    for (int i = 0; i < c->count; i++) {
        const Node *n = &g->node[c->scores[i]], *a = &g->node[n->src[0]];
        if (!is_short(g, a, a->rank - n->attr[1], a->rank)) return false;
    }
    return true;
}

bool chain_has_own_kernel(const Machine *machine, const Graph *g, const Node *dot) {
    enum { MOST_COLUMNS = 96 };
    const Precision precision = g->attrs.precision;
    const Node *left = &g->node[dot->src[0]];
    return machine_has_mma(machine) && left->type == T_F32 &&
           (precision == P_TF32 || precision == P_TF32X3 || precision == P_BF16X3) &&
           is_long(g, &g->node[dot->src[1]], dot->attr[0], g->node[dot->src[1]].rank - dot->attr[1],
                   MOST_COLUMNS);
}

/* On a GPU, either all products are on tensor cores, with sizes that tiles there have, or none.
 * Open sizes may be any: then there are no tensor cores. */
static bool fits_gpu(const Graph *g, const Chain *c) {
    enum { MOST_COLUMNS = 128 };
    const Node *out = &g->node[c->out], *left = &g->node[out->src[0]];
    const bool tensor = cost_product_weight(g, c->out) > 0;
    for (int i = 0; i < c->count; i++)
        if ((cost_product_weight(g, c->scores[i]) > 0) != tensor) return false;
    return !tensor || !is_long(g, out, left->rank - out->attr[1], out->rank, MOST_COLUMNS);
}

/* What a chain reaches on a GPU of the rate that single products have by multiply-adds: a thread
 * holds the sums of several. On an H200 the backward of 8 x 1024 x 128 f32 takes 408 us in chains,
 * 288 with scores that are stored, of 64 columns 229 and 192, of 32 columns 140 either way; in one
 * pass it computes fewer products than either. Scores that take more memory than this, or may, are
 * not stored for the sake of time. */
static double chain_efficiency(const Machine *machine, const Graph *g, const Chain *c) {
    enum { FEW_COLUMNS = 32, MOST_BYTES = 64 << 20 };
    const Node *out = &g->node[c->out], *left = &g->node[out->src[0]];
    int64_t scores;
    const bool by_fma = machine_is_gpu(machine) && cost_product_weight(g, c->out) == 0;
    if (!by_fma || g->attrs.nondeterministic) return 1;
    if (!is_long(g, out, left->rank - out->attr[1], out->rank, FEW_COLUMNS)) return 1;
    if (!dim_is_const(g->dims, node_elements(g, out->src[0]), &scores)) return 1;
    return scores * (int64_t)dtype_size(left->type) <= MOST_BYTES ? 0.6 : 1;
}

/* A block has a tile of rows and walks along all of n: few rows leave processors idle. A product of
 * a product without a batch is two layers, which are better apart. */
bool chain_pays(const Machine *machine, const Graph *g, const Chain *c) {
    const Node *out = &g->node[c->out], *left = &g->node[out->src[0]];
    const int batch = out->attr[0], kept = left->rank - out->attr[1];
    if (!batch || !fits(g, c) || (machine_is_gpu(machine) && !fits_gpu(g, c))) return false;
    Work work = cost_node(machine, g, c->out);
    for (int i = 0; i < c->count; i++) {
        const Work more = cost_node(machine, g, c->scores[i]);
        work_add(&work, &more);
    }
    const double tiles =
        cost_extent(g, left, 0, batch) * ceil(cost_extent(g, left, batch, kept) / ROWS);
    const double busy = (machine_is_gpu(machine) ? fmin(1, tiles / machine->processors) : 1) *
                        chain_efficiency(machine, g, c);
    const double apart = cost_estimate(machine, &work).seconds; /* tiles of less than a wave, too */
    work.tiles = 0;
    const double whole = cost_estimate(machine, &work).seconds;
    const double stored = 2e-9 * (double)cost_bytes(g, out->src[0]) / machine->bandwidth;
    return whole / busy <= apart + stored + 1e-9 * c->count * machine->launch;
}
