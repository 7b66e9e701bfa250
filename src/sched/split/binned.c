/* binned.c: on a GPU sums, maxima and minima of a scatter into so few elements that each warp of a
 * block has them all in shared memory: then nothing is sorted. Blocks combine a part of x each, and
 * a reduction the parts, in order. On a CPU, sums of short rows into elements that stay in L2.
 * needs: no composites. keeps: meaning; sums are in another order, the same in every run, and a row
 * of -0 that no index names may become 0. breaks: nothing.
 *
 *     combine(base, starts, ends, positions, x)   becomes   base + sum(binned(x, indices)) */
#include "sched/split/split.h"

#include <math.h>

enum {
    PART = 2048,            /* elements of x that a block combines, at least */
    CORES = 8,              /* of a CPU, whose number is open */
    CORE_PART = 4096,       /* elements of x that each adds, at least, */
    CORE_ROWS = 4,          /* for so many of its sums, which are cleared and added up */
    CORE_BYTES = 256 << 10, /* of these */
    CORE_COLUMNS = 4        /* more are vectors of a row */
};

static Op reduction_by(Op pair) {
    return pair == OP_ADD ? OP_SUM : pair == OP_MAX ? OP_RMAX : OP_RMIN;
}

/* Bytes of what each warp has; 0: it is no such scatter, or their number is open. */
static int64_t bin_bytes(const Graph *g, const Node *n) {
    int64_t bins;
    if (n->op != OP_COMBINE || !n->attr[1] || n->type == T_BOOL || n->rank == RANK_MAX) return 0;
    if (n->attr[1] == OP_ADD && dtype_compute(n->type) != n->type) return 0;
    if (!split_sort_of(g, n) || split_is_count(g, n)) return 0;
    return split_extent(g, n->src[0], ~0u, &bins)
               ? bins * (int64_t)dtype_size(dtype_compute(n->type))
               : 0;
}

/* ---- is it worth it? ------------------------------------------------------------------------- */

/* Microseconds, of an H200: see bench/results/gpu_scatter.md. */
static const double launches = 5, each_step = 0.042, warp_step = 0.16; /* 32 elements, of a warp */
static const double each_row = 0.015, warp_row = 0.07;                 /* where none meet */
static const double sort_launches = 13, each_index = 4e-5, each_scatter = 6;
static const double serial_position = 0.3, serial_piece = 0.2, bytes = 2.5e6;

typedef struct Binned {
    const Machine *machine;
    const int *sharing; /* by sort: scatters that one kernel may do without it; */
    const bool *sorts;  /* is it needed anyway? */
} Binned;

static double columns_of(const Graph *g, const Node *n) {
    return cost_extent(g, n, n->attr[0] + 1, n->rank);
}

static double binned_time(const Graph *g, const Node *n, const Binned *b, int sharing) {
    enum { WARP = 32, WARPS = 32 };
    const int64_t size = bin_bytes(g, n);
    const double columns = columns_of(g, n), slices = columns < 64 ? 1 : ceil(columns / WARP);
    int tables = cost_bin_tables(b->machine, sharing * size);
    const double kernels = tables ? 1 : sharing; /* one for each */
    if (!tables) tables = cost_bin_tables(b->machine, size);
    if (!tables) return INFINITY;
    const double warps = fmin(tables * slices, WARPS), processors = b->machine->processors;
    const double steps = ceil(cost_elements(g, n->src[4]) / WARP / processors);
    const double step =
        columns < WARP ? fmax(each_step, warp_step / warps) : fmax(each_row, warp_row / warps);
    return launches + kernels * steps * step + 2 * processors * (double)size * sharing / bytes;
}

static double sorted_time(const Graph *g, const Node *n, bool sorts, int sharing) {
    enum { SECTOR = 32, PIECE = 64, PIECES = 1024 }; /* bytes that are read at once */
    const double count = cost_extent(g, &g->node[n->src[4]], n->attr[0], n->attr[0] + 1);
    const double of_row = count / (double)cost_dim(g, n->shape[n->attr[0]]);
    const double row = (double)dtype_size(n->type) * columns_of(g, n);
    const double piece = fmax(PIECE, count / PIECES);
    const double serial =
        serial_position * fmin(of_row, 2 * piece) + (of_row > piece ? serial_piece * piece : 0);
    const double read = count * fmax(row, SECTOR) / bytes;
    return (sorts ? 0 : sort_launches + count * each_index) +
           sharing * (each_scatter + read + serial);
}

static bool is_binned_by_cores(const Graph *g, const Node *n) {
    const int64_t size = bin_bytes(g, n);
    int64_t elements;
    if (n->attr[1] != OP_ADD || size > CORE_BYTES || columns_of(g, n) > CORE_COLUMNS) return false;
    if (!split_extent(g, n->src[4], ~0u, &elements)) return false;
    const int64_t part = elements / CORES;
    return part >= CORE_PART && part >= CORE_ROWS * size / (int64_t)dtype_size(n->type);
}

static bool is_binned(const Graph *g, const Node *n, const Binned *b) {
    if (!bin_bytes(g, n)) return false;
    if (!machine_is_gpu(b->machine)) return is_binned_by_cores(g, n);
    const NodeId sort = split_sort_of(g, n);
    const int sharing = b->sharing[sort];
    return binned_time(g, n, b, sharing) <= sorted_time(g, n, b->sorts[sort], sharing);
}

/* ---- the pass -------------------------------------------------------------------------------- */

static int64_t part_count(const Graph *g, NodeId x, const Machine *machine) {
    int64_t elements;
    if (!machine_is_gpu(machine)) return CORES;
    if (!split_extent(g, x, ~0u, &elements)) return machine->processors;
    const int64_t parts = (elements + PART - 1) / PART;
    return parts < machine->processors ? parts : machine->processors;
}

static NodeId binned_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                          void *context) {
    const Binned *b = context;
    const Node *n = &from->node[old];
    if (!is_binned(from, n, b)) return graph_add(to, draft);
    const Span at = draft->span;
    const Dtype type = dtype_compute(n->type);
    const Op op = reduction_by((Op)n->attr[1]);
    Node parts = {.op = OP_BINNED, .src_count = 2, .span = at};
    parts.src[0] = graph_cast(to, draft->src[4], type, at);
    parts.src[1] = to->node[split_below_views(to, draft->src[1])].src[0];
    parts.attr[0] = from->node[old].shape[n->attr[0]], parts.attr[1] = op;
    parts.attr[2] = (int)part_count(from, n->src[4], b->machine), parts.attr[3] = n->attr[0];
    const NodeId binned = graph_hint(to, graph_add(to, &parts), "part_sums");
    const NodeId all = graph_reduce(to, op, binned, 1, at);
    const NodeId whole = graph_reshape(to, all, n->rank, n->shape, at);
    if (op == OP_SUM && node_is_all(to, draft->src[0], 0)) return whole;
    const NodeId base = graph_cast(to, draft->src[0], type, at);
    const NodeId both = graph_map(to, (Op)n->attr[1], base, whole, 0, at);
    return graph_cast(to, both, n->type, at);
}

const Graph *split_binned(const Graph *g, const Machine *machine) {
    int *sharing = arena_array(g->arena, int, g->count);
    bool *sorts = arena_array(g->arena, bool, g->count), any = false;
    Binned b = {machine, sharing, sorts};
    if (g->attrs.max_kernels) return g;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (bin_bytes(g, n))
            sharing[split_sort_of(g, n)]++;
        else if (n->op == OP_COMBINE && !split_is_count(g, n))
            sorts[split_sort_of(g, n)] = true;
    }
    for (NodeId id = 1; id < g->count && !any; id++) any = is_binned(g, &g->node[id], &b);
    return any ? graph_rewrite(g, binned_rule, &b) : g;
}
