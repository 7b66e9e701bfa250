/* padded.c: operands of large products whose rows neither TMA nor cp.async of 16 bytes can bring,
 * as these start anywhere in 16 bytes, are copied to longer rows that start at multiples of 32 or
 * 128 bytes.
 * In: a Plan. Out: the graph with the copies; `fuse` plans it again. keeps: the operands to the
 * last bit; the products' tiles, and so the order of their sums, are others. breaks: nothing.
 *
 *     a[M, 4100]   becomes   slice(pad(a)[M, 4160])[M, 4100], where the pad is stored
 *
 * Only if sizes are known: a copy of the weights would be most of a product of few rows. */
#include "sched/fuse/fuse_private.h"

#include <math.h>

enum { CHUNK = 16 }; /* bytes: what TMA and cp.async need, of addresses and of steps */

/* What a product by mma.sync takes longer for each operand that comes in pieces of 8 bytes, or in
 * smaller ones: a part of its own time, and the time of so many passes over the operand. `tiles`:
 * those of the smallest product that is worth copies, for each multiprocessor; smaller ones have
 * smaller tiles, and their time is mostly that of memory and launches. Measured on an H200:
 * 4096 x 4096 x 4096 in 0.24 ms from aligned rows; in 0.44 with k = 4100, in 0.92 with k = 4099; 64
 * rows times 4097 x 4099 in 73 us, and 24 with k = 4100; 128 rows with k = 4100 in 35, and 43 with
 * copies. */
typedef struct Slower {
    double part, passes, tiles;
} Slower;

static const Slower by_halves = {0.3, 0, 0.45}, by_elements = {1.2, 5, COST_COPIED};

/* Distances in memory between neighbours along the axes of a value; 0: the axis has one element. */
typedef struct Layout {
    int64_t step[RANK_MAX], start;
} Layout;

typedef struct Pass {
    const Plan *plan;
    const Graph *g;
    bool *copied[2]; /* DOT -> is the left, the right operand copied? */
} Pass;

/* ---- layouts --------------------------------------------------------------------------------- */

static bool row_major(const Graph *g, const Node *n, Layout *l) {
    int64_t step = 1, size;
    l->start = 0;
    for (int i = n->rank - 1; i >= 0; i--) {
        if (!dim_is_const(g->dims, n->shape[i], &size)) return false;
        l->step[i] = size == 1 ? 0 : step;
        step *= size;
    }
    return true;
}

/* Of a value in memory, or of what permutations and slices leave of it; false: of neither, or not
 * known. */
static bool find_layout(const Plan *plan, NodeId id, Layout *l) {
    const Graph *g = plan->g;
    const Node *n = &g->node[id];
    Layout from;
    int64_t start, size;
    if (id == source_of(plan, id)) return row_major(g, n, l);
    if (n->op != OP_PERMUTE && n->op != OP_SLICE) return false;
    if (!find_layout(plan, n->src[0], &from)) return false;
    l->start = from.start;
    for (int i = 0; i < n->rank; i++) {
        l->step[i] = from.step[n->op == OP_PERMUTE ? n->attr[i] : i];
        if (n->op == OP_PERMUTE) continue;
        if (!dim_is_const(g->dims, n->attr[i], &start)) return false;
        if (!dim_is_const(g->dims, n->shape[i], &size)) return false;
        l->start += start * l->step[i];
        if (size == 1) l->step[i] = 0;
    }
    return true;
}

/* The axis along which elements are neighbours; -1: there is none. */
static int contiguous_axis(const Layout *l, int rank) {
    for (int i = rank - 1; i >= 0; i--)
        if (l->step[i] == 1) return i;
    return -1;
}

/* Do rows start at multiples of so many elements? */
static bool starts_at(const Layout *l, int rank, int along, int64_t elements) {
    bool all = l->start % elements == 0;
    for (int i = 0; i < rank; i++) all = all && (i == along || l->step[i] % elements == 0);
    return all;
}

/* ---- what pays ------------------------------------------------------------------------------- */

/* An operand in memory, whose elements are neighbours along an axis. */
typedef struct Operand {
    const Node *node;
    Layout layout;
    int along;
} Operand;

static bool is_along_k(const Operand *o) { return o->along == o->node->rank - 1; }

/* Is it in memory, in rows that tensor cores could take if they started elsewhere? They transpose
 * elements of 16 bits only, and TMA has one batch axis. */
static bool find_operand(const Pass *p, const Node *dot, int side, Operand *o) {
    const NodeId id = dot->src[side], source = source_of(p->plan, id);
    const Node *n = &p->g->node[id];
    const Group *own = plan_group(p->plan, (NodeId)(dot - p->g->node));
    const bool is_made_here = p->plan->group_of[source] >= 0 && plan_group(p->plan, source) == own;
    if (is_made_here || p->plan->free[source] || n->type != p->g->node[source].type) return false;
    if (dot->attr[0] > 1 && n->op == OP_PERMUTE) return false;
    if (dot->attr[1] != 1 || !find_layout(p->plan, id, &o->layout)) return false;
    o->node = n;
    o->along = contiguous_axis(&o->layout, n->rank);
    return is_along_k(o) || (o->along >= dot->attr[0] && dtype_size(n->type) == 2);
}

static Slower slower_by(const Operand *o) {
    const int64_t each = CHUNK / (int64_t)dtype_size(o->node->type);
    if (starts_at(&o->layout, o->node->rank, o->along, each)) return (Slower){0};
    return starts_at(&o->layout, o->node->rank, o->along, each / 2) ? by_halves : by_elements;
}

/* Is the operand to be copied, if that pays? */
static bool is_misaligned(const Operand *o) { return slower_by(o).part > 0; }

/* Of a kernel that takes so many times the products; `finish`: results that a multiprocessor stores
 * in a clock, after the products. */
static double seconds(const Pass *p, const Group *group, double products, int finish) {
    const Machine *gpu = p->plan->machine;
    Work work = group->work;
    double results = 1;
    for (int i = 0; i < group->nests.at[0].space.rank; i++)
        results *= (double)cost_dim(p->g, group->nests.at[0].space.dim[i]);
    work.products *= products;
    return cost_estimate(gpu, &work).seconds +
           results / (1e6 * finish * gpu->clock * gpu->processors);
}

/* Elements of a row of a copy: whole lines of L2, or, where these would make it much longer, whole
 * sectors, within which TMA needs rows to start. */
static int64_t padded_row(int64_t elements, Dtype type) {
    enum { LINE = 128, SECTOR = 32, SHARE = 8 };
    const int64_t size = (int64_t)dtype_size(type), bytes = elements * size;
    const int64_t lines = (bytes + LINE - 1) / LINE * LINE;
    const int64_t sectors = (bytes + SECTOR - 1) / SECTOR * SECTOR;
    return (lines - bytes <= bytes / SHARE ? lines : sectors) / size;
}

/* How many times as long a copy's rows are. */
static double longer(const Pass *p, const Operand *o) {
    int64_t size = 1;
    dim_is_const(p->g->dims, o->node->shape[o->along], &size);
    return (double)padded_row(size, o->node->type) / (double)size;
}

/* Elements that a product adds for each result. */
static double sum_length(const Graph *g, const Node *dot) {
    const Node *left = &g->node[dot->src[0]];
    return cost_extent(g, left, left->rank - dot->attr[1], left->rank);
}

/* Seconds in which the steps of a product wait for single elements, which go through registers,
 * less what copies do not save of them. On an H200 an operand [K, N] of 61 columns leaves 12752 x
 * 1528 x 61 44.6 us for 24 steps, 21.4 with a copy, of 23 columns 14216 x 3952 x 23 93 us for 62
 * and 47.7; 24808 x 968 x 19 26.4 for 15 and 32.2. */
static double waiting(const Graph *g, const Node *dot) {
    static const double each = 1.05e-6, step = 64, least = 2e-6;
    return each * sum_length(g, dot) / step - least;
}

/* Do copies of the operands of a kernel's products save more than they take? */
static bool pays(const Pass *p, const Group *group, const LoopNest *nest) {
    const Machine *gpu = p->plan->machine;
    double parts = 1, more = 0, copies = 0, tiles = 1, waits = 0;
    for (int i = 0; i < nest->nodes.count; i++) {
        const Node *n = &p->g->node[nest->nodes.at[i]];
        Operand o;
        for (int side = 0; n->op == OP_DOT && side < 2; side++) {
            if (!find_operand(p, n, side, &o) || !is_misaligned(&o)) continue;
            const Slower slower = slower_by(&o);
            const double pass = (double)cost_bytes(p->g, n->src[side]) / machine_bandwidth(gpu);
            tiles = fmin(tiles, slower.tiles);
            parts += slower.part;
            more += slower.passes * pass;
            if (slower.passes > 0) waits = fmax(waits, waiting(p->g, n));
            copies += 1e-9 * gpu->launch + (1 + longer(p, &o)) * pass;
        }
    }
    if (group->work.tiles < tiles * gpu->processors) return false;
    const double aligned = gpu->wgmma ? (double)gpu->mma / gpu->wgmma : 1;
    const int finish = gpu->wgmma ? gpu->finish_wgmma : gpu->finish;
    return parts > 1 && fmax(waits, more + seconds(p, group, parts, gpu->finish)) >
                            copies + seconds(p, group, aligned, finish);
}

/* Do tensor cores multiply this, of whole tiles, if its operands have other rows? A kernel for a
 * few rows reads the other operand once, and waits for memory: rows along k may start anywhere
 * (kernel/tile/gemv_gpu.c). */
static bool is_for_tiles(const Pass *p, const Node *dot, double weight) {
    enum { FEW_ROWS = 16 };
    const int kept = p->g->node[dot->src[0]].rank - dot->attr[1];
    bool along_k = true;
    Operand o;
    if (!(weight > 0) || weight > 2) return false;
    for (int side = 0; side < 2; side++) {
        if (!find_operand(p, dot, side, &o)) return false;
        along_k = along_k && is_along_k(&o);
    }
    const bool is_gemv = along_k && cost_extent(p->g, dot, dot->attr[0], kept) <= FEW_ROWS;
    return !is_gemv && (along_k || weight == 1);
}

/* Short sums were not measured, but beside a longer one, as in updates of rank 4. */
static bool are_for_tiles(const Pass *p, const LoopNest *nest) {
    enum { LEAST_K = 64 };
    double longest = 0;
    for (int i = 0; i < nest->nodes.count; i++) {
        const NodeId id = nest->nodes.at[i];
        const Node *n = &p->g->node[id];
        if (n->op != OP_DOT) continue;
        if (!is_for_tiles(p, n, cost_product_weight(p->g, id))) return false;
        longest = fmax(longest, sum_length(p->g, n));
    }
    return !nest->blocks && longest >= LEAST_K;
}

static bool consider(Pass *p, const Group *group) {
    bool any = false;
    if (group->family != F_DOT || group->nests.count != 1) return false;
    const LoopNest *nest = &group->nests.at[0];
    if (nest->sums.is_turned || !are_for_tiles(p, nest) || !pays(p, group, nest)) return false;
    for (int i = 0; i < nest->nodes.count; i++) {
        const NodeId id = nest->nodes.at[i];
        Operand o;
        for (int side = 0; p->g->node[id].op == OP_DOT && side < 2; side++)
            any |= p->copied[side][id] =
                find_operand(p, &p->g->node[id], side, &o) && is_misaligned(&o);
    }
    return any;
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* Axes by their distances in memory, the longest first, after those of one element. */
static void order_axes(const Layout *l, int rank, int *order) {
    int count = 0;
    for (int i = 0; i < rank; i++)
        if (!l->step[i]) order[count++] = i;
    const int ones = count;
    for (int i = 0; i < rank; i++) {
        if (!l->step[i]) continue;
        int at = count++;
        for (; at > ones && l->step[order[at - 1]] < l->step[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Of the value that views show; NULL: it has none. */
static const char *name_of(const Graph *g, NodeId id) {
    while (op_info[g->node[id].op].class == VIEW) id = g->node[id].src[0];
    const Node *n = &g->node[id];
    return n->op == OP_INPUT ? g->inputs.at[n->attr[0]].name : n->name ? n->name : n->hint;
}

/* The value with longer rows, as a kernel stores it. */
static NodeId padded(Graph *to, NodeId x, Span span) {
    const Node from = to->node[x];
    const char *name = name_of(to, x);
    Node pad = {.op = OP_PAD, .src_count = 2, .src = {x}, .rank = from.rank, .span = span};
    int64_t size = 1;
    dim_is_const(to->dims, from.shape[from.rank - 1], &size);
    for (int i = 0; i < from.rank; i++)
        pad.shape[i] = from.shape[i], pad.attr[i] = dim_const(to->dims, 0);
    pad.shape[from.rank - 1] = dim_const(to->dims, padded_row(size, from.type));
    pad.src[1] = graph_const(to, from.type, 0, span);
    pad.stored = true;
    const char *hint = name ? arena_printf(to->arena, "%s_padded", name) : NULL;
    return graph_hint(to, graph_add(to, &pad), hint);
}

/* A value and its transposition have one copy, in the order in which it is in memory. */
static NodeId copied(Graph *to, NodeId x, const Layout *l, Span span) {
    const int rank = to->node[x].rank;
    int order[RANK_MAX], back[RANK_MAX];
    Dim start[RANK_MAX];
    order_axes(l, rank, order);
    for (int i = 0; i < rank; i++) back[order[i]] = i, start[i] = dim_const(to->dims, 0);
    for (; to->node[x].op == OP_PERMUTE && !to->node[x].stored; x = to->node[x].src[0])
        for (int i = 0; i < rank; i++) order[i] = to->node[x].attr[order[i]];
    const NodeId in_order = graph_permute(to, x, order, span);
    const Node from = to->node[in_order];
    const NodeId sliced = graph_slice(to, padded(to, in_order, span), start, from.shape, span);
    return graph_permute(to, sliced, back, span);
}

static NodeId padded_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                          void *context) {
    const Pass *p = context;
    Node dot = *draft;
    Layout l;
    for (int side = 0; draft->op == OP_DOT && side < 2; side++)
        if (p->copied[side][old] && find_layout(p->plan, from->node[old].src[side], &l))
            dot.src[side] = copied(to, draft->src[side], &l, draft->span);
    return graph_add(to, &dot);
}

const Graph *padded_operands(const Plan *plan) {
    const Graph *g = plan->g;
    Pass p = {
        plan, g, {arena_array(g->arena, bool, g->count), arena_array(g->arena, bool, g->count)}};
    bool any = false;
    if (!machine_is_gpu(plan->machine) || !machine_has_mma(plan->machine)) return NULL;
    if (g->attrs.max_kernels) return NULL;
    for (int i = 0; i < plan->groups.count; i++) any |= consider(&p, &plan->groups.at[i]);
    return any ? graph_rewrite(g, padded_rule, &p) : NULL;
}
