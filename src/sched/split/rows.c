/* rows.c: split reductions: few long rows or columns would leave processors idle, so one kernel
 * reduces chunks of each row and a second one combines them. needs: simplified. keeps: meaning;
 * sums are in another order. breaks: nothing.
 *
 *     sum(x[R, C])             becomes   sum(sum(x[R, S, C/S]))
 *     sum(x[C, R], axis = 0)   becomes   sum(sum(x[S, C/S, R], axis = 1), axis = 0)
 *     sum(x[C]), C a prime     becomes   sum(concat(sum(x[: S*L][S, L]), x[S*L :]))
 *
 * A block of a GPU takes as many columns as a warp has lanes, so 4096 columns are 128 blocks: too
 * few to keep enough loads in flight; a thread of a CPU takes a strip of columns. Only if sizes are
 * known, and no value as long as a row, or as large as the columns, depends on the result: a
 * softmax or a variance stays one kernel, unless its columns have fewer blocks than a GPU has
 * multiprocessors, or fewer strips than a CPU may have threads and more elements than its caches
 * hold, or unless its rows have too few blocks to read memory at the full rate of a GPU. Where no
 * suitable number of chunks divides the row, what is left of it is combined with the results of the
 * chunks. */
#include "sched/split/split.h"

enum {
    FEW_ROWS = 64,
    LONG_ROW = 65536,
    MOST_CHUNKS = 1024,  /* of all rows together */
    LEAST_CHUNKS = 16,   /* of a row: fewer do not pay */
    CHUNK_LENGTH = 4096, /* elements, at least */
    SEGMENT_LENGTH = 64, /* elements of a chunk that are contiguous, at least */
    CHUNK_STEP = 8,      /* a chunk is a multiple of it, where its row has a rest */
    CLUSTER_SM = 90,
    CLUSTER = 8, /* blocks that share a row */
    PASSES = 2,  /* of one kernel over a row that it reduces and then reads again */

    WARP = 32,               /* columns of a block, if there are as many side by side */
    COLUMN_BLOCKS = 8,       /* blocks that fill a multiprocessor, */
    NARROW_BLOCKS = 4,       /* and of 512 threads, which narrow columns have */
    RESIDENT_BLOCKS = 2,     /* blocks of 1024 threads that a multiprocessor has at a time */
    COLUMN_LENGTH = 256,     /* elements of a chunk of a column, at least */
    LEAST_COLUMNS = 1 << 22, /* elements of all columns together: below, a launch costs more */
    MORE_FOR_COLUMNS = 2,    /* launches: a kernel takes about one to start, too */

    STRIP = 64,                /* columns that a thread of a CPU takes, at least */
    CPU_STRIPS = 64,           /* as many threads have work */
    STRIP_ELEMENTS = 1 << 15,  /* of a chunk of a strip, at least */
    LEAST_STRIPS = 1 << 18,    /* elements of all strips together */
    LEAST_READ_AGAIN = 1 << 20 /* where they are read again, too: more than a core's caches hold */
};

typedef struct Split {
    const Graph *from;
    const Machine *machine;
    int processors;   /* of a GPU; 0: the machine is a CPU */
    int64_t *longest; /* node -> elements of the longest node that depends on it */
    int *above;       /* node -> long reductions on a path to it, at most */
    int *below;       /* node -> long reductions on a path from it, at most */
    bool *flat;       /* node -> is each element computed of elements at its place in memory? */
} Split;

static int64_t elements(const Graph *g, NodeId id) {
    int64_t n;
    Dim all = node_elements(g, id);
    return all && dim_is_const(g->dims, all, &n) ? n : INT64_MAX;
}

/* Elements that are reduced to one; 0: not known. */
static int64_t row_length(const Graph *g, const Node *n) {
    int64_t length = 1, extent;
    const Node *x = &g->node[n->src[0]];
    for (int i = 0; i < x->rank; i++) {
        if (!(n->attr[0] >> i & 1)) continue;
        if (!dim_is_const(g->dims, x->shape[i], &extent)) return 0;
        length *= extent;
    }
    return length;
}

/* An operand that is broadcast from more than one number, or read through another view, would be
 * found by divisions along a merged axis. */
static bool is_flat(const Split *s, NodeId id) {
    const Graph *g = s->from;
    const Node *n = &g->node[id];
    const OpClass class = op_info[n->op].class;
    if (n->op == OP_INPUT || elements(g, id) == 1) return true;
    if (n->op == OP_BROADCAST) return elements(g, n->src[0]) == 1;
    for (int i = 0; i < n->src_count; i++)
        if (!s->flat[n->src[i]]) return false;
    return class == MAP;
}

static bool is_long(const Graph *g, const Node *n) {
    OpClass class = op_info[n->op].class;
    return class == SCAN || (class == REDUCE && row_length(g, n) >= LONG_ROW);
}

static void find_lengths(Split *s) {
    const Graph *g = s->from;
    for (NodeId id = 1; id < g->count; id++) s->flat[id] = is_flat(s, id);
    for (NodeId id = 1; id < g->count; id++)
        for (int i = 0; i < g->node[id].src_count; i++) {
            const NodeId x = g->node[id].src[i];
            const int more = s->above[x] + is_long(g, &g->node[x]);
            if (more > s->above[id]) s->above[id] = more;
        }
    for (NodeId id = g->count - 1; id > 0; id--)
        for (int i = 0; i < g->node[id].src_count; i++) {
            const NodeId x = g->node[id].src[i];
            const int more = s->below[id] + is_long(g, &g->node[id]);
            int64_t *longest = &s->longest[x], n = elements(g, id);
            if (n > *longest) *longest = n;
            if (s->longest[id] > *longest) *longest = s->longest[id];
            if (more > s->below[x]) s->below[x] = more;
        }
}

/* Is the innermost axis, along which memory is contiguous, kept? */
static bool is_column(const Graph *g, const Node *n) {
    for (int i = n->rank - 1; i >= 0; i--)
        if (!dim_is(g->dims, g->node[n->src[0]].shape[i], 1)) return !(n->attr[0] >> i & 1);
    return false;
}

/* Columns that are side by side; 0: their number is open. */
static int64_t columns_beside(const Graph *g, const Node *n) {
    const Node *x = &g->node[n->src[0]];
    int64_t columns = 1, extent;
    for (int i = x->rank - 1; i >= 0 && !(n->attr[0] >> i & 1); i--) {
        if (!dim_is_const(g->dims, x->shape[i], &extent)) return 0;
        columns *= extent;
    }
    return columns;
}

/* Those that a block takes all of, and no others (kernel/tile/column.c): fewer than the lanes of
 * two warps; 0: there are more. */
static int64_t narrow_columns(const Graph *g, NodeId id) {
    const int64_t columns = columns_beside(g, &g->node[id]);
    return columns < 2 * WARP && columns != WARP ? columns : 0;
}

/* Strips of columns that are side by side; 0: their number is open. */
static int64_t column_strips(const Graph *g, NodeId id) {
    const int64_t columns = columns_beside(g, &g->node[id]);
    return columns ? elements(g, id) / columns * ((columns + STRIP - 1) / STRIP) : 0;
}

/* Blocks of a kernel that reduces columns; their number may be open. */
static int64_t column_blocks(const Graph *g, NodeId id) {
    const int64_t narrow = narrow_columns(g, id), columns = narrow ? narrow : WARP;
    return (elements(g, id) - 1) / columns + 1;
}

/* One kernel with all that depends on the result would leave multiprocessors idle. */
static bool are_columns_starved(const Split *s, NodeId id) {
    return column_blocks(s->from, id) < s->processors;
}

/* Bytes in memory of what a reduction reads, if it is as large as its operand. */
static double read_bytes(const Graph *g, NodeId x) {
    while (g->node[x].op == OP_CAST) x = g->node[x].src[0];
    return cost_elements(g, x) * (double)dtype_size(g->node[x].type);
}

bool split_is_slow(const Machine *m, double blocks, double bytes, int more_kernels) {
    return blocks < m->processors &&
           bytes / (blocks * m->l2 * m->clock * 1e6) >
               bytes / (m->bandwidth * 1e9) + more_kernels * 1e-9 * m->launch;
}

/* Would threads of a CPU be idle? */
static bool has_few_strips(const Split *s, NodeId id, int64_t length) {
    const Graph *g = s->from;
    if (s->processors || !is_column(g, &g->node[id]) || !length) return false;
    const int64_t strips = column_strips(g, id), all = elements(g, g->node[id].src[0]);
    const bool is_alone = !s->above[id] && s->longest[id] < all / 8;
    return strips && strips <= CPU_STRIPS / 2 &&
           all >= (is_alone ? LEAST_STRIPS : LEAST_READ_AGAIN);
}

static bool has_few_columns(const Split *s, NodeId id, int64_t length) {
    const Graph *g = s->from;
    const NodeId x = g->node[id].src[0];
    if (!s->processors) return has_few_strips(s, id, length);
    if (!is_column(g, &g->node[id]) || length < 2 * COLUMN_LENGTH) return false;
    const double blocks = (double)column_blocks(g, id);
    const int64_t full = (int64_t)s->processors * COLUMN_BLOCKS;
    const bool is_alone = !s->above[id] && s->longest[id] < elements(g, x) / 8;
    return elements(g, id) < full * WARP / 2 &&
           (length >= LEAST_COLUMNS / elements(g, id) ||
            split_is_slow(s->machine, blocks, read_bytes(g, x), MORE_FOR_COLUMNS)) &&
           (is_alone || are_columns_starved(s, id));
}

/* Would one kernel of the rows, with all that depends on the results, take longer than several,
 * up to three for each reduction? */
static bool are_rows_starved(const Split *s, NodeId id) {
    const int cluster = s->machine->sm >= CLUSTER_SM ? CLUSTER : 1;
    const double bytes = PASSES * read_bytes(s->from, s->from->node[id].src[0]);
    const int more_kernels = 3 * (s->above[id] + 1 + s->below[id]) - 1;
    return s->processors &&
           split_is_slow(s->machine, (double)elements(s->from, id) * cluster, bytes, more_kernels);
}

static bool has_few_rows(const Split *s, NodeId id, int64_t length) {
    const bool is_alone = !s->above[id] && s->longest[id] < length;
    return length >= LONG_ROW && elements(s->from, id) < FEW_ROWS &&
           (is_alone || are_rows_starved(s, id));
}

static bool may_split(const Split *s, NodeId id) {
    const Graph *g = s->from;
    const Node *n = &g->node[id];
    if (op_info[n->op].class != REDUCE || g->attrs.max_kernels) return false;
    int64_t length = row_length(g, n);
    if (n->op == OP_ARGMAX && !s->processors && !is_column(g, n))
        return false; /* it would compare twice */
    return n->rank < RANK_MAX && (has_few_rows(s, id, length) || has_few_columns(s, id, length));
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static int64_t largest_divisor(int64_t n, int64_t most) {
    for (int64_t d = most < n ? most : n; d > 1; d--)
        if (n % d == 0) return d;
    return 1;
}

/* Blocks of each chunk, and those that a GPU has at a time. */
typedef struct Waves {
    int64_t blocks, resident;
} Waves;

/* The part of whole waves of blocks that there are blocks for. */
static double wave_share(const Waves *w, int64_t chunks) {
    const int64_t blocks = w->blocks * chunks, waves = (blocks + w->resident - 1) / w->resident;
    return (double)blocks / (double)(waves * w->resident);
}

/* Of the divisors: the largest up to `most`, or one up to twice that whose last wave is fuller. On
 * an H200 sums of 4099 columns of 65535 f32 take 291 us in 5 chunks, whose third wave is half
 * empty, and 270 us in 16. */
static int64_t best_divisor(int64_t n, int64_t most, const Waves *w) {
    int64_t best = largest_divisor(n, most);
    for (int64_t d = best + 1; d <= 2 * most && d < n; d++)
        if (n % d == 0 && wave_share(w, d) > wave_share(w, best) + 0.05) best = d;
    return best;
}

/* The reduced axis that can be split into most chunks, at least `least`; the outermost of
 * equals. */
static int choose_axis(const Graph *g, const Node *n, int64_t least, int64_t most,
                       const Waves *waves, int64_t *chunks) {
    const Node *x = &g->node[n->src[0]];
    int best = -1;
    *chunks = least - 1;
    for (int i = 0; i < x->rank; i++) {
        int64_t extent = 0;
        if (!(n->attr[0] >> i & 1) || !dim_is_const(g->dims, x->shape[i], &extent)) continue;
        int64_t limit = i < x->rank - 1 ? extent : extent / SEGMENT_LENGTH;
        if (limit > most) limit = most;
        int64_t d = waves ? best_divisor(extent, limit, waves) : largest_divisor(extent, limit);
        if (d > *chunks) *chunks = d, best = i;
    }
    return best;
}

/* The chunks' results, along axis a, become that of the row. */
static NodeId combined(Graph *g, const Node *n, NodeId partial, int a) {
    const NodeId whole = graph_reduce(g, n->op, partial, 1u << a, n->span);
    return graph_reshape(g, whole, n->rank, n->shape, n->span);
}

static NodeId split_at(Graph *g, const Node *n, int a, int64_t chunks) {
    if (n->op == OP_ARGMAX) return split_argmax(g, n, a, chunks, CHUNK_STEP);
    return combined(g, n, split_chunks(g, n, a, chunks), a);
}

/* The same reduction with neighbouring reduced axes as one. */
static Node merge_axes(Graph *g, const Node *n) {
    const Node x = g->node[n->src[0]];
    Node merged = *n;
    Dim shape[RANK_MAX];
    int rank = 0;
    merged.attr[0] = 0;
    for (int i = 0; i < x.rank; i++) {
        const bool is_reduced = n->attr[0] >> i & 1;
        if (is_reduced && i > 0 && n->attr[0] >> (i - 1) & 1) {
            shape[rank - 1] = dim_mul(g->dims, shape[rank - 1], x.shape[i]);
            continue;
        }
        if (is_reduced) merged.attr[0] |= 1 << rank;
        shape[rank++] = x.shape[i];
    }
    merged.src[0] = graph_reshape(g, n->src[0], rank, shape, n->span);
    return merged;
}

/* The only reduced axis that is longer than 1; -1: there are several. */
static int only_axis(const Graph *g, const Node *n) {
    const Node *x = &g->node[n->src[0]];
    int only = -1;
    for (int i = 0; i < x->rank; i++) {
        if (!(n->attr[0] >> i & 1) || dim_is(g->dims, x->shape[i], 1)) continue;
        if (only >= 0) return -1;
        only = i;
    }
    return only;
}

/* Is an axis outside of `a` reduced, too, so that a chunk of a has pieces of each outer row? */
static bool has_outer_axes(const Graph *g, const Node *n, int a) {
    for (int i = 0; i < a; i++)
        if (n->attr[0] >> i & 1 && !dim_is(g->dims, g->node[n->src[0]].shape[i], 1)) return true;
    return false;
}

/* The number of chunks, up to `most` and not much less, that leaves the least rest of the row. */
static int64_t least_rest(int64_t extent, int64_t most) {
    int64_t best = most, least = extent;
    for (int64_t chunks = most; chunks > most - most / 4; chunks--) {
        const int64_t rest = extent - extent / chunks / CHUNK_STEP * CHUNK_STEP * chunks;
        if (rest < least) least = rest, best = chunks;
    }
    return best;
}

/* Chunks of a row that none divides, and the rest of the row. */
static NodeId split_with_rest(Graph *g, const Node *n, int64_t most) {
    const int a = only_axis(g, n);
    int64_t extent = 0;
    if (a < 0 || !dim_is_const(g->dims, g->node[n->src[0]].shape[a], &extent)) return 0;
    const int64_t chunks = least_rest(extent, most);
    const int64_t length = extent / chunks / CHUNK_STEP * CHUNK_STEP;
    if (length < CHUNK_STEP) return 0;
    if (n->op == OP_ARGMAX) return split_argmax(g, n, a, chunks, CHUNK_STEP);
    Node even = *n;
    even.src[0] = split_part(g, n->src[0], a, 0, chunks * length, n->span);
    const NodeId partial = split_chunks(g, &even, a, chunks);
    if (chunks * length == extent) return combined(g, n, partial, a);
    const NodeId rest =
        split_part(g, n->src[0], a, chunks * length, extent - chunks * length, n->span);
    const NodeId last = graph_cast(g, rest, n->type, n->span);
    return combined(g, n, split_join(g, partial, last, a, n->span), a);
}

/* How many chunks a row should have: at least, and at most. */
typedef struct Wanted {
    int64_t least, most;
} Wanted;

static Wanted wanted_chunks(const Split *s, NodeId id, bool has_columns) {
    const int64_t length = row_length(s->from, &s->from->node[id]);
    Wanted w = {LEAST_CHUNKS, MOST_CHUNKS / elements(s->from, id)};
    int64_t by_length = length / CHUNK_LENGTH;
    if (has_columns && !s->processors) {
        const int64_t strips = column_strips(s->from, id);
        w = (Wanted){2, CPU_STRIPS / strips};
        by_length = elements(s->from, s->from->node[id].src[0]) / strips / STRIP_ELEMENTS;
    } else if (has_columns) {
        const int64_t blocks = column_blocks(s->from, id);
        const int each = narrow_columns(s->from, id) ? NARROW_BLOCKS : COLUMN_BLOCKS;
        w = (Wanted){2, ((int64_t)s->processors * each + blocks - 1) / blocks};
        by_length = length / COLUMN_LENGTH;
    }
    if (by_length < w.most) w.most = by_length;
    return w;
}

/* A divisor of an axis, of several together, or chunks with a rest: on a CPU, whose threads are
 * few, any divisor is better. Chunks are contiguous where that costs no divisions. */
static NodeId split_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    const Split *s = context;
    (void)from;
    if (!may_split(s, old)) return graph_add(to, draft);
    const int64_t all = row_length(s->from, &s->from->node[old]);
    const bool has_columns = has_few_columns(s, old, all) || !has_few_rows(s, old, all);
    const Waves waves = {column_blocks(s->from, old), (int64_t)s->processors * RESIDENT_BLOCKS};
    const Waves *filled = has_columns && s->processors ? &waves : NULL;
    const bool may_have_rest = s->processors || has_columns;
    const Wanted want = wanted_chunks(s, old, has_columns);
    int64_t chunks;
    Node n = *draft;
    if (has_columns && (!s->processors || narrow_columns(s->from, old)))
        n = merge_axes(to, draft); /* one stride */
    int axis = choose_axis(to, &n, want.least, want.most, filled, &chunks);
    const bool may_merge = !s->processors || s->flat[s->from->node[old].src[0]];
    const bool is_strided = may_merge && axis >= 0 && has_outer_axes(to, &n, axis);
    if (!has_columns && (is_strided || 2 * chunks < want.most)) {
        n = merge_axes(to, draft);
        axis = choose_axis(to, &n, want.least, want.most, filled, &chunks);
    }
    if (want.most >= want.least && (axis < 0 || (may_have_rest && 2 * chunks < want.most))) {
        n = merge_axes(to, draft);
        const NodeId whole = split_with_rest(to, &n, want.most);
        if (whole) return graph_reshape(to, whole, draft->rank, draft->shape, draft->span);
    }
    return axis < 0 ? graph_add(to, draft) : split_at(to, &n, axis, chunks);
}

static bool has_work(const Split *s) {
    for (NodeId id = 1; id < s->from->count; id++)
        if (may_split(s, id)) return true;
    return false;
}

const Graph *split_rows(const Graph *g, const Machine *machine) {
    Split s = {.from = g,
               .machine = machine,
               .processors = machine_is_gpu(machine) ? machine->processors : 0};
    s.longest = arena_array(g->arena, int64_t, g->count);
    s.above = arena_array(g->arena, int, g->count);
    s.below = arena_array(g->arena, int, g->count);
    s.flat = arena_array(g->arena, bool, g->count);
    find_lengths(&s);
    if (!has_work(&s)) return g;
    return graph_rewrite(g, split_rule, &s);
}
