/* columns.c: reductions of a product's rows that are longer than a tile: each tile reduces a
 * chunk of a row, then the partial results are combined. So a loss over a vocabulary does not store
 * its logits. needs: simplified. keeps: meaning; sums are in another order. breaks: nothing.
 *
 *     max(x w[V, K])        becomes   max over c of max(x w[C, T, K])
 *     sum(exp(y - max(y)))  becomes   sum over c of sum(exp(y[c] - m[c])) exp(m[c] - max(m))
 *
 * Only if all readers of the product are reductions of its rows (Milakov & Gimelshein, "Online
 * normalizer calculation for softmax", 2018, for the second form). All chunks have one length: w is
 * padded with zeros, and the padding is masked in the reductions. */
#include "sched/split/split.h"

#include <math.h>
#include <string.h>

enum {
    CPU_CHUNK = 512, /* elements of a chunk, about */
    GPU_CHUNK = 128, /* which is one tile */
    CHUNK_STEP = 64, /* a chunk is a multiple of it */
    LEAST_CHUNKS = 4 /* fewer would need too much padding */
};

typedef struct Split {
    const Graph *from;
    Graph *to;
    const Machine *machine;
    /* node of a product's shape -> the product that it is a pointwise function of */
    NodeId *root;
    bool *refused;   /* a product with other readers than reductions */
    bool *after;     /* node -> does it depend on a reduction of a product? */
    NodeId *id;      /* node -> in the new graph */
    NodeId *chunked; /* node of a product's shape -> the same with rows in chunks, if made */
} Split;

/* ---- which products ------------------------------------------------------------------------ */

static bool is_reduced(const Node *n) {
    return op_info[n->op].class == REDUCE && n->op != OP_ARGMAX;
}

static int64_t row_length(const Graph *g, const Node *n) {
    int64_t length = 0;
    return n->rank && dim_is_const(g->dims, n->shape[n->rank - 1], &length) ? length : 0;
}

static int64_t chunk_most(const Split *s) {
    return machine_is_gpu(s->machine) ? GPU_CHUNK : CPU_CHUNK;
}

/* Is the last axis the only one of the right operand, and longer than a tile? */
static bool is_long(const Split *s, NodeId id) {
    const Node *n = &s->from->node[id];
    if (n->op != OP_DOT || n->rank == RANK_MAX) return false;
    const Node *left = &s->from->node[n->src[0]];
    return n->rank == left->rank - n->attr[1] + 1 &&
           row_length(s->from, n) > tile_columns(s->machine, s->from, id) &&
           row_length(s->from, n) > (LEAST_CHUNKS - 1) * chunk_most(s);
}

/* The elements relative to a reduction of their row can have only this form. */
typedef struct Shifted {
    NodeId x, max, shift;
} Shifted;

/* exp(x - m), where m is max(x) along the last axis, or 0 instead of -Inf. */
static bool find_shifted(const Graph *g, NodeId exp, Shifted *f) {
    if (g->node[exp].op != OP_EXP) return false;
    const Node *sub = &g->node[g->node[exp].src[0]];
    if (sub->op != OP_SUB || g->node[sub->src[1]].op != OP_BROADCAST) return false;
    *f = (Shifted){.x = sub->src[0], .shift = g->node[sub->src[1]].src[0]};
    f->max = split_maximum(g, f->shift);
    const Node *max = &g->node[f->max];
    return f->max && max->src[0] == f->x && max->attr[0] == 1 << (g->node[f->x].rank - 1);
}

static bool has_identity(const Node *n) {
    return dtype_is_float(n->type) || (n->op != OP_RMAX && n->op != OP_RMIN);
}

/* May node `id` read source s, an element of a product's rows? */
static bool may_read(const Split *s, NodeId id, NodeId source) {
    const Graph *g = s->from;
    const Node *n = &g->node[id], *x = &g->node[source];
    Shifted f;
    if (is_reduced(n))
        return n->attr[0] == 1 << (x->rank - 1) && has_identity(n) &&
               (!s->after[source] || (n->op == OP_SUM && find_shifted(g, source, &f)));
    if (op_info[n->op].class != MAP || s->root[id] != s->root[source]) return false;
    if (!s->after[id]) return true;
    return n->op == OP_EXP ? find_shifted(g, id, &f) : n->op == OP_SUB && !s->after[source];
}

/* From sources to readers: what depends on a product, and which products only reductions read. */
static void find_products(Split *s) {
    const Graph *g = s->from;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (is_long(s, id)) s->root[id] = id;
        for (int i = 0; i < n->src_count; i++) {
            const NodeId x = n->src[i];
            s->after[id] |= s->after[x] || (is_reduced(n) && s->root[x]);
            if (op_info[n->op].class == MAP && s->root[x] && !s->root[id]) s->root[id] = s->root[x];
        }
    }
    for (NodeId id = 1; id < g->count; id++)
        for (int i = 0; i < g->node[id].src_count; i++) {
            NodeId x = g->node[id].src[i];
            if (s->root[x] && !may_read(s, id, x)) s->refused[s->root[x]] = true;
        }
    for (int i = 0; i < g->outputs.count; i++) s->refused[s->root[g->outputs.at[i].node]] = true;
}

static bool is_split(const Split *s, NodeId id) {
    const Node *n = &s->from->node[id];
    NodeId root = is_reduced(n) ? s->root[n->src[0]] : 0;
    return root && !s->refused[root];
}

/* ---- rows in chunks ------------------------------------------------------------------------ */

static int64_t chunk_count(const Split *s, const Node *n) {
    return (row_length(s->from, n) + chunk_most(s) - 1) / chunk_most(s);
}

/* Elements of a chunk of n's rows: all chunks have the same length. */
static int64_t chunk_length(const Split *s, const Node *n) {
    int64_t count = chunk_count(s, n), length = (row_length(s->from, n) + count - 1) / count;
    if (machine_is_gpu(s->machine)) return GPU_CHUNK;
    return (length + CHUNK_STEP - 1) / CHUNK_STEP * CHUNK_STEP;
}

/* Axis a of x, in the new graph, becomes two: chunks, and elements of a chunk. */
static NodeId cut(Split *s, NodeId x, int a, int64_t count, int64_t length, Span span) {
    Graph *g = s->to;
    const Node n = g->node[x];
    Dim none = dim_const(g->dims, 0), before[RANK_MAX], shape[RANK_MAX];
    for (int i = 0; i < n.rank; i++) before[i] = none, shape[i] = n.shape[i];
    shape[a] = dim_const(g->dims, count * length);
    if (shape[a] != n.shape[a])
        x = graph_pad(g, x, before, shape, graph_const(g, n.type, 0, span), span);
    for (int i = n.rank; i > a; i--) shape[i] = shape[i - 1];
    shape[a] = dim_const(g->dims, count);
    shape[a + 1] = dim_const(g->dims, length);
    return graph_reshape(g, x, n.rank + 1, shape, span);
}

static NodeId chunked(Split *s, NodeId old);

/* The right operand in chunks. */
static NodeId chunked_dot(Split *s, const Node *n) {
    const int batch = n->attr[0];
    NodeId right = cut(s, s->id[n->src[1]], batch, chunk_count(s, n), chunk_length(s, n), n->span);
    return graph_dot(s->to, s->id[n->src[0]], right, batch, n->attr[1], n->span);
}

static void chunked_shape(Split *s, const Node *n, Dim *shape) {
    for (int i = 0; i + 1 < n->rank; i++) shape[i] = n->shape[i];
    shape[n->rank - 1] = dim_const(s->to->dims, chunk_count(s, n));
    shape[n->rank] = dim_const(s->to->dims, chunk_length(s, n));
}

static NodeId chunked_map(Split *s, const Node *n) {
    Node draft = *n;
    for (int i = 0; i < n->src_count; i++) draft.src[i] = chunked(s, n->src[i]);
    chunked_shape(s, n, draft.shape);
    draft.rank++;
    return graph_add(s->to, &draft);
}

/* A value of a row, [.., 1], for each element of each chunk of it. */
static NodeId spread(Split *s, NodeId row, const Node *like) {
    Dim shape[RANK_MAX], one = dim_const(s->to->dims, 1);
    const Node n = s->to->node[row];
    memcpy(shape, n.shape, sizeof shape);
    shape[n.rank] = one;
    row = graph_reshape(s->to, row, n.rank + 1, shape, like->span);
    chunked_shape(s, like, shape);
    return graph_broadcast(s->to, row, like->rank + 1, shape, like->span);
}

static NodeId make_chunked(Split *s, NodeId old) {
    const Node *n = &s->from->node[old];
    const Node *from = &s->from->node[n->src[0]];
    Dim shape[RANK_MAX];
    if (s->root[old] == old) return chunked_dot(s, n);
    if (op_info[n->op].class == MAP) return chunked_map(s, n);
    if (n->op == OP_BROADCAST && from->rank == n->rank) {
        if (dim_is(s->from->dims, from->shape[n->rank - 1], 1))
            return spread(s, s->id[n->src[0]], n);
        chunked_shape(s, n, shape);
        return graph_broadcast(s->to, chunked(s, n->src[0]), n->rank + 1, shape, n->span);
    }
    return cut(s, s->id[old], n->rank - 1, chunk_count(s, n), chunk_length(s, n), n->span);
}

static NodeId chunked(Split *s, NodeId old) {
    if (!s->chunked[old]) s->chunked[old] = make_chunked(s, old);
    return s->chunked[old];
}

/* ---- reductions of chunks ------------------------------------------------------------------ */

/* x, or the identity of op after the end of the model's row. */
static NodeId inside(Split *s, NodeId x, Op op, const Node *row) {
    Graph *g = s->to;
    const Node n = g->node[x];
    const int64_t length = row_length(s->from, row),
                  all = chunk_count(s, row) * chunk_length(s, row);
    if (length == all) return x;
    NodeId at = graph_index(g, dim_const(g->dims, all), n.span);
    const Dtype type = g->node[at].type;
    at = graph_reshape(g, at, 2, &n.shape[n.rank - 2], n.span);
    NodeId valid = graph_op(g, OP_LT, at, graph_const_int(g, type, length, n.span), 0, n.span);
    return graph_op(g, OP_WHERE, valid, x,
                    graph_const(g, n.type, reduction_of(op)->identity, n.span), n.span);
}

/* A reduction of every chunk of a row: [.., C, 1]. */
static NodeId reduced_chunks(Split *s, Op op, NodeId x) {
    return graph_reduce(s->to, op, x, 1u << (s->to->node[x].rank - 1), s->to->node[x].span);
}

/* The same, as parts of a reduction of the whole row. */
static NodeId parts_of(Split *s, const Node *whole, NodeId x) {
    const NodeId parts = reduced_chunks(s, whole->op, x);
    split_name_parts(s->to, parts, whole);
    return parts;
}

/* [.., C, 1] as [.., C] */
static NodeId row_of_partials(Split *s, NodeId partials) {
    const Node n = s->to->node[partials];
    return graph_reshape(s->to, partials, n.rank - 1, n.shape, n.span);
}

static NodeId combined(Split *s, Op op, NodeId partials) {
    return reduced_chunks(s, op, row_of_partials(s, partials));
}

/* Each chunk relative to its own maximum, or 0 if that is -Inf; then all relative to that of the
 * row. */
static NodeId split_shifted(Split *s, const Shifted *f, const Node *n) {
    Graph *g = s->to;
    const Span span = n->span;
    const Node *row = &s->from->node[f->x];
    const Dtype type = row->type;
    NodeId x = inside(s, chunked(s, f->x), OP_RMAX, row), max = reduced_chunks(s, OP_RMAX, x);
    NodeId empty = graph_op(g, OP_EQ, max, graph_const(g, type, -INFINITY, span), 0, span);
    NodeId shift = graph_op(g, OP_WHERE, empty, graph_const(g, type, 0, span), max, span);
    NodeId e = graph_op(g, OP_EXP, graph_op(g, OP_SUB, x, shift, 0, span), 0, 0, span);
    NodeId sum = row_of_partials(s, parts_of(s, n, e));
    NodeId by = graph_op(g, OP_SUB, row_of_partials(s, max), s->id[f->shift], 0, span);
    by = graph_op(g, OP_EXP, by, 0, 0, span);
    return reduced_chunks(s, OP_SUM, graph_op(g, OP_MUL, sum, by, 0, span));
}

static NodeId split_reduction(Split *s, NodeId old) {
    const Node *n = &s->from->node[old], *row = &s->from->node[n->src[0]];
    Shifted f;
    if (s->after[n->src[0]] && find_shifted(s->from, n->src[0], &f))
        return split_shifted(s, &f, n);
    NodeId x = inside(s, chunked(s, n->src[0]), n->op, row);
    return combined(s, n->op, parts_of(s, n, x));
}

/* ---- the pass ------------------------------------------------------------------------------ */

static NodeId split_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    Split *s = context;
    s->to = to;
    for (int i = 0; i < from->node[old].src_count; i++)
        s->id[from->node[old].src[i]] = draft->src[i];
    return is_split(s, old) ? split_reduction(s, old) : graph_add(to, draft);
}

const Graph *split_columns(const Graph *g, const Machine *machine) {
    Split s = {.from = g, .machine = machine};
    bool any = false;
    s.root = arena_array(g->arena, NodeId, g->count);
    s.refused = arena_array(g->arena, bool, g->count);
    s.after = arena_array(g->arena, bool, g->count);
    s.id = arena_array(g->arena, NodeId, g->count);
    s.chunked = arena_array(g->arena, NodeId, g->count);
    find_products(&s);
    for (NodeId id = 1; id < g->count && !any; id++) any = is_split(&s, id);
    return any ? graph_rewrite(g, split_rule, &s) : g;
}
