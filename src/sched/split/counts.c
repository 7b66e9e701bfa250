/* counts.c: scatters that add the same number for each index count indices, and on a GPU sorts of
 * many indices take steps that share them out among blocks. needs: no composites. keeps: meaning; a
 * float sum of n equal numbers is n times the number, and a row of -0 that no index names may
 * become 0. breaks: nothing.
 *
 *     combine(base, starts, ends, positions, c)   becomes, where another scatter needs the sort
 *
 *     base + c * (ends - starts), and else
 *     base + c * sum(tally(indices))
 *
 *     segments(indices)   becomes, with G groups of rows,
 *
 *     tally = tally(indices)            of each group in each part of the indices
 *     groups = groups(indices, tally)   the positions by group, which is all where a group is a row
 *     grouped(indices, groups)          the positions by row */
#include "sched/split/split.h"

#include <math.h>

enum {
    GROUPS = 256,           /* of rows */
    SORTED_PARTS = 128,     /* of the indices of a sort */
    LEAST_SORTED = 1 << 13, /* below, launches cost more */

    TALLIED = 4096,         /* indices of a part that is only counted, at least */
    CORES = 8,              /* that count: of a CPU, whose number is open */
    FEW_ROWS = 2048,        /* of which each multiprocessor counts two parts */
    MOST_COUNTED = 1 << 17, /* rows */
    MOST_TALLY = 1 << 21    /* elements of a tally */
};

typedef struct Counts {
    const bool *sorted; /* node -> a sort whose positions are needed */
    int processors;
} Counts;

NodeId split_sort_of(const Graph *g, const Node *n) {
    const NodeId starts = split_below_views(g, n->src[1]),
                 positions = split_below_views(g, n->src[3]);
    return starts == positions && g->node[starts].op == OP_SEGMENTS ? starts : 0;
}

/* n times the number is finite or its infinity. */
bool split_is_count(const Graph *g, const Node *n) {
    double number;
    NodeId x = n->src[4];
    if (n->op != OP_COMBINE || n->attr[1] != OP_ADD || dtype_compute(n->type) != n->type)
        return false;
    for (; op_info[g->node[x].op].class == VIEW; x = g->node[x].src[0])
        if (g->node[x].op == OP_PAD) return false;
    return split_sort_of(g, n) && node_is_const(&g->node[x], &number) && isfinite(number);
}

/* ---- how many indices each row has ----------------------------------------------------------- */

/* Parts of the indices; 0: the rows are too many, or their number is open. */
static int64_t part_count(const Graph *g, const Node *sort, int processors) {
    int64_t rows, count, parts;
    if (!dim_is_const(g->dims, sort->attr[0], &rows) || rows > MOST_COUNTED) return 0;
    parts = rows <= FEW_ROWS ? 2 * processors : processors;
    if (parts > MOST_TALLY / rows) parts = MOST_TALLY / rows;
    if (!split_extent(g, sort->src[0], 1, &count)) return parts;
    if (parts > count / TALLIED) parts = count / TALLIED;
    return parts > 1 ? parts : 1;
}

static NodeId tally(Graph *g, NodeId indices, Dim rows, int64_t groups, int64_t parts, Span at) {
    const Node draft = {.op = OP_TALLY,
                        .src_count = 1,
                        .src = {indices},
                        .attr = {rows, (int)groups, (int)parts},
                        .span = at};
    return graph_hint(g, graph_add(g, &draft), "tally");
}

/* As a vector of i32. */
static NodeId counted(Graph *g, NodeId indices, Dim rows, int64_t parts, Span at) {
    int64_t groups = 0;
    dim_is_const(g->dims, rows, &groups);
    const NodeId all = tally(g, indices, rows, groups, parts, at);
    return graph_reshape(g, graph_reduce(g, OP_SUM, all, 1, at), 1, &rows, at);
}

/* base and c times the counts, along an axis. */
static NodeId add_counts(Graph *g, const Node *draft, const Node *n, NodeId counts) {
    const int axis = n->attr[0];
    Dim list[RANK_MAX];
    for (int i = 0; i < n->rank; i++) list[i] = i == axis ? n->shape[axis] : dim_const(g->dims, 1);
    const Span at = draft->span;
    const NodeId along = graph_reshape(g, counts, n->rank, list, at);
    const NodeId times =
        graph_cast(g, graph_broadcast(g, along, n->rank, n->shape, at), n->type, at);
    const bool is_plain = node_is_all(g, draft->src[4], 1);
    const NodeId one = graph_cast(g, split_below_views(g, draft->src[4]), n->type, at);
    const NodeId number = graph_broadcast(g, one, n->rank, n->shape, at);
    const NodeId sum = is_plain ? times : graph_map(g, OP_MUL, number, times, 0, at);
    const bool is_all = is_plain && node_is_all(g, draft->src[0], 0);
    return is_all ? sum : graph_map(g, OP_ADD, draft->src[0], sum, 0, at);
}

static NodeId count_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    const Counts *c = context;
    const Node *n = &from->node[old];
    if (!split_is_count(from, n)) return graph_add(to, draft);
    const NodeId sort = split_sort_of(from, n);
    const int64_t parts = c->sorted[sort] ? 0 : part_count(from, &from->node[sort], c->processors);
    Node shaped = *n; /* shapes are the same in both graphs */
    if (!parts)
        return add_counts(to, draft, &shaped,
                          graph_map(to, OP_SUB, draft->src[2], draft->src[1], 0, draft->span));
    const NodeId indices = to->node[split_below_views(to, draft->src[1])].src[0];
    return add_counts(to, draft, &shaped,
                      counted(to, indices, from->node[sort].attr[0], parts, draft->span));
}

/* ---- sorts ----------------------------------------------------------------------------------- */

static bool is_long(const Graph *g, const Node *n) {
    int64_t count;
    return n->op == OP_SEGMENTS &&
           (!split_extent(g, n->src[0], 1, &count) || count >= LEAST_SORTED);
}

static NodeId sort_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                        void *context) {
    (void)context;
    const Node *n = &from->node[old];
    if (!is_long(from, n)) return graph_add(to, draft);
    int64_t rows, groups = GROUPS;
    const bool is_small = dim_is_const(from->dims, n->attr[0], &rows) && rows <= GROUPS;
    if (is_small) groups = rows;
    Node step = {.op = OP_GROUPS, .src_count = 2, .src = {draft->src[0]}, .span = draft->span};
    step.src[1] = tally(to, draft->src[0], n->attr[0], groups, SORTED_PARTS, draft->span);
    step.attr[0] = n->attr[0], step.attr[1] = (int)groups;
    const NodeId sorted = graph_hint(to, graph_add(to, &step), "groups");
    if (is_small) return sorted;
    step.op = OP_GROUPED, step.src[1] = sorted;
    return graph_add(to, &step);
}

/* ---- the passes ------------------------------------------------------------------------------ */

const Graph *split_counts(const Graph *g, const Machine *machine) {
    const int processors = machine_is_gpu(machine) ? machine->processors : CORES;
    bool *sorted = arena_array(g->arena, bool, g->count), any = false;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (split_is_count(g, n))
            any = true;
        else if (n->op == OP_COMBINE)
            sorted[split_sort_of(g, n)] = true;
    }
    return any ? graph_rewrite(g, count_rule, &(Counts){sorted, processors}) : g;
}

const Graph *split_sorts(const Graph *g) {
    bool any = false;
    if (g->attrs.max_kernels) return g;
    for (NodeId id = 1; id < g->count && !any; id++) any = is_long(g, &g->node[id]);
    return any ? graph_rewrite(g, sort_rule, NULL) : g;
}
