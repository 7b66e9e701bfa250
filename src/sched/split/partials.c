/* partials.c: sums of columns beside a kernel that goes through the rows, to reduce or to store
 * them, as in the backward pass of a norm or of a bias: it adds up the columns of a chunk of rows,
 * and a second kernel adds the partial sums. So the rows are read once. needs: simplified.
 * keeps: meaning; sums are in another order. breaks: nothing.
 *
 *     sum(x[R, C], axis = 0)   becomes   sum(partial_sum(x[R, C], axis = 0)[S, C], axis = 0) */
#include "sched/split/split.h"

enum {
    CPU_CHUNKS = 64,       /* as many threads have work */
    GPU_THREADS = 512,     /* of a multiprocessor, at least */
    LANE_ELEMENTS = 8,     /* of a row: one access of a thread, about */
    LONG_LANES = 4,        /* accesses of a thread, once a row has the threads of a block */
    GPU_BYTES = 4 << 20,   /* of partial sums: they stay in L2. Rows that are not reduced take */
    GPU_FEWER = 2,         /* fewer registers, so that as many times the chunks fit */
    CHUNK_ROWS = 4,        /* at least */
    LONGEST_ROW = 1 << 13, /* whose sums fit in registers, or in L2 of a CPU */
    WARP = 32
};

typedef enum Rows { ROWS_NONE, ROWS_REDUCED, ROWS_STORED } Rows; /* what a kernel does with them */

typedef struct Finder {
    const Graph *g;
    const Machine *machine;
    int *seen;    /* node -> the last walk that has seen it */
    int *above;   /* node -> the last sum of columns that it is above, up to the ends */
    int *after;   /* node -> the last sum of columns that it depends on */
    bool *stored; /* by node: is it an output, or read by a product, a scan, ..? */
    int walk;
    Vec(NodeId) work;
} Finder;

/* ---- sums of columns ------------------------------------------------------------------------- */

/* Are the axes that are summed the leading ones, before others that are not? Axes of size 1 belong
 * to either side. Returns a mask of the leading axes, or 0. */
static uint32_t leading_axes(const Graph *g, const Node *n) {
    const Node *x = &g->node[n->src[0]];
    uint32_t axes = 0;
    bool kept = false;
    int last = -1;
    for (int i = 0; i < x->rank; i++) {
        if (dim_is(g->dims, x->shape[i], 1)) continue;
        const bool summed = n->attr[0] >> i & 1;
        if (summed && kept) return 0;
        if (summed) last = i;
        kept |= !summed;
    }
    for (int i = 0; kept && i <= last; i++) axes |= 1u << i;
    return axes;
}

static bool is_column_sum(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    return n->op == OP_SUM && dtype_is_float(n->type) && leading_axes(g, n);
}

/* Does n reduce the axes that the sum leaves, of a value with the same shape? */
static bool is_across(const Graph *g, const Node *n, const Node *sum) {
    const Node *x = &g->node[sum->src[0]], *y = &g->node[n->src[0]];
    const uint32_t columns = leading_axes(g, sum);
    if (op_info[n->op].class != REDUCE || !shape_equal(x->rank, x->shape, y->rank, y->shape))
        return false;
    for (int i = 0; i < x->rank; i++)
        if (!dim_is(g->dims, x->shape[i], 1) && (n->attr[0] >> i & 1) == (columns >> i & 1))
            return false;
    return true;
}

/* ---- what rows have in common ---------------------------------------------------------------- */

/* Is the node in memory, or a reduction of rows, where a kernel's own values end? */
static bool is_end(const Graph *g, NodeId id) {
    const OpClass class = op_info[g->node[id].op].class;
    return g->node[id].op == OP_INPUT || (class != MAP && class != VIEW && class != LEAF);
}

/* Does a kernel with the node have other rows: tiles of a product, which take whole rows if these
 * are short, or steps of a scan? */
static bool has_other_rows(const Finder *f, NodeId id) {
    const Node *n = &f->g->node[id];
    int64_t columns;
    if (n->op != OP_DOT) return op_info[n->op].class == SCAN;
    return dim_is_const(f->g->dims, n->shape[n->rank - 1], &columns) &&
           tile_has_columns(f->machine, f->g, id, columns, 1);
}

typedef struct Walk {
    bool meets; /* an end, or a value with the rows' shape, that is above the sum */
    bool parts; /* an end with rows of its own */
    bool later; /* an end that is made by a product, a scan, ..: not in the kernel of rows */
} Walk;

/* Walks from a value to the ends above it. */
static Walk walk_up(Finder *f, NodeId from, NodeId sum, const Node *rows) {
    const Graph *g = f->g;
    const int number = ++f->walk;
    Walk found = {0};
    f->work.count = 0;
    vec_push(g->arena, &f->work, from);
    while (f->work.count) {
        const NodeId id = f->work.at[--f->work.count];
        const Node *n = &g->node[id];
        const bool is_full = shape_equal(n->rank, n->shape, rows->rank, rows->shape);
        if (f->seen[id] == number) continue;
        found.meets |= f->above[id] == sum && (is_full || op_info[n->op].class == REDUCE);
        found.parts |= has_other_rows(f, id);
        found.later |= is_end(g, id) && n->op != OP_INPUT && op_info[n->op].class != REDUCE;
        f->seen[id] = number;
        if (from == sum) f->above[id] = sum;
        for (int i = 0; i < n->src_count && (id == from || !is_end(g, id)); i++)
            if (f->seen[n->src[i]] != number) vec_push(g->arena, &f->work, n->src[i]);
    }
    return found;
}

/* Marks what is in memory whatever is fused, beside sums: outputs, and what other kernels than
 * those of rows read, through views. */
static void find_stored(Finder *f) {
    const Graph *g = f->g;
    for (int i = 0; i < g->outputs.count; i++) f->stored[g->outputs.at[i].node] = true;
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        const bool reads = class == VIEW ? f->stored[id] : class != REDUCE && is_end(g, id);
        for (int i = 0; reads && i < n->src_count; i++) f->stored[n->src[i]] = true;
    }
}

/* Does a kernel that reduces the rows, or stores a function of them, have the node? */
static bool may_have_rows(const Finder *f, NodeId id, NodeId sum) {
    const Graph *g = f->g;
    const Node *n = &g->node[id], *x = &g->node[g->node[sum].src[0]];
    if (op_info[n->op].class == MAP)
        return f->stored[id] && shape_equal(n->rank, n->shape, x->rank, x->shape);
    return is_across(g, n, &g->node[sum]);
}

/* Is there a kernel that goes through the rows, whose values the sum depends on, or that reads what
 * the sum reads? One that depends on the sum has to wait for it. What products are stored by, their
 * epilogues, is no such kernel. */
static Rows find_rows(Finder *f, NodeId sum) {
    const Graph *g = f->g;
    Rows found = ROWS_NONE;
    f->after[sum] = sum;
    const Walk above = walk_up(f, sum, sum, &g->node[g->node[sum].src[0]]);
    for (NodeId id = 1; id < g->count; id++) {
        for (int i = 0; i < g->node[id].src_count; i++)
            if (f->after[g->node[id].src[i]] == sum) f->after[id] = sum;
        if (f->after[id] == sum || !may_have_rows(f, id, sum)) continue;
        const Walk walk = walk_up(f, id, sum, &g->node[g->node[sum].src[0]]);
        const bool is_map = op_info[g->node[id].op].class == MAP;
        if (walk.parts || (is_map && (walk.later || above.later))) continue;
        if (f->above[id] != sum && !walk.meets) continue;
        if (!is_map) return ROWS_REDUCED;
        found = ROWS_STORED;
    }
    return found;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Elements along the axes of the mask, or of the others; 0: open. */
static int64_t extent(const Graph *g, const Node *n, uint32_t axes) {
    int64_t all = 1, one;
    for (int i = 0; i < n->rank; i++) {
        if (!(axes >> i & 1)) continue;
        if (!dim_is_const(g->dims, n->shape[i], &one)) return 0;
        all *= one;
    }
    return all;
}

/* As many chunks as fill the machine, as long as their sums are small beside the rows. */
static int64_t chunk_count(const Graph *g, const Machine *machine, const Node *sum, Rows kind) {
    const Node *x = &g->node[sum->src[0]];
    const uint32_t axes = leading_axes(g, sum);
    const int64_t rows = extent(g, x, axes), columns = extent(g, x, ~axes),
                  nominal = columns ? columns : COST_NOMINAL;
    int64_t chunks = CPU_CHUNKS;
    if (machine_is_gpu(machine)) {
        int64_t threads = nominal / LANE_ELEMENTS > 0 ? nominal / LANE_ELEMENTS : 1;
        if (threads > WARP) threads = threads / LONG_LANES > WARP ? threads / LONG_LANES : WARP;
        const int64_t times = kind == ROWS_STORED ? GPU_FEWER : 1;
        const int64_t most = times * GPU_BYTES / (nominal * (int64_t)sizeof(float));
        chunks = times * machine->processors * GPU_THREADS / threads;
        if (chunks > most) chunks = most;
    }
    if (columns > LONGEST_ROW) return 0;
    return rows && chunks > rows / CHUNK_ROWS ? rows / CHUNK_ROWS : chunks;
}

/* ---- the pass -------------------------------------------------------------------------------- */

typedef struct Split {
    const Graph *from;
    const Machine *machine;
    Rows *rows; /* beside sums of columns that become two */
} Split;

static NodeId split_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    const Split *s = context;
    if (!s->rows[old]) return graph_add(to, draft);
    const Node *n = &from->node[old];
    const uint32_t axes = leading_axes(from, n);
    const int64_t chunks = chunk_count(from, s->machine, n, s->rows[old]);
    uint32_t last = axes;
    while (last & (last - 1)) last &= last - 1;
    NodeId partial = graph_add(to, &(Node){.op = OP_PARTIAL_SUM,
                                           .src_count = 1,
                                           .src = {draft->src[0]},
                                           .attr = {(int32_t)axes, (int32_t)chunks},
                                           .span = n->span});
    split_name_parts(to, partial, draft);
    return graph_reduce(to, OP_SUM, partial, last, n->span);
}

const Graph *split_partials(const Graph *g, const Machine *machine) {
    Split s = {g, machine, arena_array(g->arena, Rows, g->count)};
    Finder f = {.g = g,
                .machine = machine,
                .seen = arena_array(g->arena, int, g->count),
                .above = arena_array(g->arena, int, g->count),
                .after = arena_array(g->arena, int, g->count),
                .stored = arena_array(g->arena, bool, g->count)};
    bool any = false;
    find_stored(&f);
    for (NodeId id = 1; id < g->count; id++) {
        if (!is_column_sum(g, id) || chunk_count(g, machine, &g->node[id], ROWS_NONE) < 2) continue;
        s.rows[id] = find_rows(&f, id);
        any |= s.rows[id] != ROWS_NONE;
    }
    return any ? graph_rewrite(g, split_rule, &s) : g;
}
