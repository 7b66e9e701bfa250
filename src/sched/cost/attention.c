/* attention.c: whether an attention is better one kernel, which stores none of the scores, or
 * several. In: an Attention, a Machine. Out: an answer. */
#include "sched/cost/cost.h"

#include <math.h>

static bool is_of_halves(const Graph *g, const Node *dot) {
    const Dtype type = g->node[dot->src[0]].type;
    return type == g->node[dot->src[1]].type && (type == T_BF16 || type == T_F16);
}

static double depth_of(const Graph *g, const Node *dot) {
    const Node *left = &g->node[dot->src[0]];
    return cost_extent(g, left, left->rank - dot->attr[1], left->rank);
}

static double columns_of(const Graph *g, const Node *dot) {
    return cost_extent(g, dot, g->node[dot->src[0]].rank - dot->attr[1], dot->rank);
}

/* Are rows longer than those of all tiles on tensor cores, or than the columns of a tile of fused
 * multiply-adds? Where an axis is open, it may be any length. */
static bool has_long_rows(const Graph *g, const Attention *a) {
    const Node *scores = &g->node[a->scores], *out = &g->node[a->out];
    const bool halves = is_of_halves(g, scores) && is_of_halves(g, out);
    const double most = halves ? ATTENTION_LONGEST : ATTENTION_LONGEST_F32;
    return depth_of(g, scores) > most || columns_of(g, out) > most;
}

/* Does a mask depend on positions? A kernel of its own skips the tiles where all is masked. */
static bool is_masked(const Graph *g, const Attention *a) {
    bool *positions = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id <= a->x; id++) {
        const Node *n = &g->node[id];
        positions[id] = n->op == OP_IOTA;
        for (int i = 0; i < n->src_count && !positions[id]; i++)
            positions[id] = positions[n->src[i]] && op_info[n->op].class != DOT;
    }
    return positions[a->x];
}

/* Scores that take more memory than all operands, and than this, or may, are not stored for the
 * sake of time: where tensor cores multiply them, which takes a tenth of it, a GiB; else 64 MiB. */
static bool is_little(const Graph *g, const Attention *a) {
    static const int64_t most = 64 << 20, most_by_mma = 1 << 30;
    const Node *scores = &g->node[a->scores], *out = &g->node[a->out];
    const bool by_mma = cost_product_weight(g, a->scores) > 0 && cost_product_weight(g, a->out) > 0;
    int64_t elements, bytes = cost_bytes(g, out->src[1]) + cost_bytes(g, a->out);
    if (!dim_is_const(g->dims, node_elements(g, a->scores), &elements)) return false;
    for (int side = 0; side < 2; side++) bytes += cost_bytes(g, scores->src[side]);
    elements *= (int64_t)dtype_size(scores->type);
    return elements <= (by_mma ? most_by_mma : most) || elements <= bytes;
}

/* By fused multiply-adds: each tile of columns computes the scores again. On an H200 8 x 1024 x 160
 * takes 146 us, a part of 0.65 of the rate; tiles of more columns reach less: of 256 315 us, with
 * scores that are stored 168 and 213. */
static double seconds_of_one(const Machine *machine, const Graph *g, const Attention *a) {
    enum { COLUMNS = 256, FEW_COLUMNS = 192, ROWS = 64 };
    static const double reached = 0.45, reached_by_few = 0.65;
    const Node *scores = &g->node[a->scores], *out = &g->node[a->out];
    const int rows = scores->attr[0], keys = g->node[scores->src[0]].rank - scores->attr[1];
    const double queries = ceil(cost_extent(g, scores, rows, keys) / ROWS) * ROWS;
    const double all = cost_extent(g, scores, 0, rows) * queries * columns_of(g, scores);
    const double columns = columns_of(g, out);
    const double again = ceil(columns / COLUMNS) * depth_of(g, scores) + columns;
    const double flops = 2 * all * again * (is_masked(g, a) ? 0.5 : 1);
    const double rate = 2e6 * machine->fma * machine->clock * machine->processors;
    return flops / rate / (columns > FEW_COLUMNS ? reached : reached_by_few);
}

/* Scores are written and read, and weights as well. */
static double seconds_of_several(const Machine *machine, const Graph *g, const Attention *a) {
    enum { KERNELS_MORE = 2 };
    const double bytes =
        2 * (double)(cost_bytes(g, a->scores) + cost_bytes(g, g->node[a->out].src[0]));
    return cost_split_k(machine, g, a->scores, 1) + cost_split_k(machine, g, a->out, 1) +
           1e-9 * bytes / machine->bandwidth + 1e-9 * KERNELS_MORE * machine->launch;
}

bool attention_pays(const Machine *machine, const Graph *g, const Attention *a) {
    if (!machine_is_gpu(machine)) return !cost_reads_in_place(machine, g, a->scores);
    if (g->attrs.max_kernels || a->splits > 1) return true;
    if (!has_long_rows(g, a) || !is_little(g, a)) return true;
    return seconds_of_one(machine, g, a) <= seconds_of_several(machine, g, a);
}
