/* attention.c: split-KV (flash-decoding): with few queries and many keys, an attention has too few
 * tiles for a GPU. So its keys are split into chunks, and a second kernel combines the partial
 * results (Dao et al., "Flash-Decoding", 2023). needs: simplified. keeps: meaning; sums are in
 * another order. breaks: nothing.
 *
 *     x[batch.. m.. n]   becomes   x[batch.. chunk m.. n], -Inf but for the keys n of the chunk
 *     max, sum, out      become    the combined partial results: sums and outs are added, each
 *                                  times 2^(shift of its chunk - shift), which is exact
 *
 * Every chunk has all keys in its shape, and fully masked tiles are skipped. So the number of keys
 * may be open, and chunks may have different lengths. */
#include "sched/split/split.h"

#include <math.h>

enum {
    TILE = 64,        /* queries of a block */
    BLOCKS = 2,       /* on a multiprocessor: one loads while another multiplies */
    CHUNK_KEYS = 256, /* at least: partial results are stored, and read again */
    CHUNK_STEP = 128, /* chunks start at multiples of this many keys */
    MOST_CHUNKS = 64,
    MOST_OPEN_CHUNKS = 8 /* if the batch is open */
};

typedef struct Chunks {
    Attention of;
    int count;      /* of chunks */
    int64_t blocks; /* for each batch */
} Chunks;

typedef struct Split {
    const Graph *from;
    int processors;
    Vec(Chunks) all;
    int *of;       /* node -> index in `all` of the attention that it is inside of, -1 */
    NodeId *whole; /* node -> its replacement in the new graph */
    /* node inside -> its partial results, with the axis of the chunks after the batch */
    NodeId *partial;
    NodeId *wide; /* a function of a row's maximum and sum -> its replacement for each column */
    int *row;     /* such a node -> index in `all` */
} Split;

/* ---- how many ------------------------------------------------------------------------------- */

static Dim extents(const Graph *g, const Dim *shape, int count) {
    Dim all = dim_const(g->dims, 1);
    for (int i = 0; i < count; i++) all = dim_mul(g->dims, all, shape[i]);
    return all;
}

static Dim batch_of(const Graph *g, const Node *scores) {
    return extents(g, scores->shape, scores->attr[0]);
}

/* Tiles of queries, which a kernel has blocks for without chunks. */
static Dim tiles_of(const Graph *g, const Chunks *p, const Node *scores) {
    return dim_mul(g->dims, batch_of(g, scores), dim_const(g->dims, p->blocks));
}

/* Chunks that fill the multiprocessors; of few queries two where some would have a second block
 * without: on an H200 140 heads with one query and 2841 keys of 64 columns take 33 us in two chunks
 * and 42 whole, 160 heads with two queries and 3000 keys of 128 63 and 67. */
static int64_t chunks_for(int64_t tiles, int64_t rows, int processors) {
    enum { FEW = 16 };
    const int64_t slots = (int64_t)BLOCKS * processors, count = slots / tiles;
    return count == 1 && rows <= FEW && 2 * slots >= 3 * tiles ? 2 : count;
}

/* Only if the queries are known, and few: attentions with many fill a GPU. An open batch counts as
 * the least one that the facts allow. */
static bool may_split(const Graph *g, Chunks *p, int processors) {
    const Node *s = &g->node[p->of.scores], *out = &g->node[p->of.out];
    int64_t rows, keys, least, most;
    if (g->attrs.max_kernels || out->attr[1] != 1) return false;
    if (s->rank == RANK_MAX || g->node[out->src[1]].rank == RANK_MAX || out->rank == RANK_MAX)
        return false;
    if (g->node[s->src[0]].rank == RANK_MAX || g->node[s->src[1]].rank == RANK_MAX) return false;
    Dim queries = extents(g, s->shape + s->attr[0], s->rank - s->attr[0] - 1);
    if (!dim_is_const(g->dims, queries, &rows)) return false;
    p->blocks = (rows + TILE - 1) / TILE;
    Dim tiles = tiles_of(g, p, s);
    dim_range(g->dims, tiles, &least, &most);
    int64_t count = chunks_for(least > 1 ? least : 1, rows, processors);
    if (count > 1 && !dim_is_const(g->dims, tiles, &least)) count = MOST_OPEN_CHUNKS;
    if (count > MOST_CHUNKS) count = MOST_CHUNKS;
    if (dim_is_const(g->dims, s->shape[s->rank - 1], &keys) && count > keys / CHUNK_KEYS)
        count = keys / CHUNK_KEYS;
    p->count = (int)count;
    return count > 1;
}

/* ---- which keys ----------------------------------------------------------------------------- */

static NodeId whole_number(Graph *g, int64_t n, Span at) {
    return graph_const_int(g, T_I64, n, at);
}

/* Chunks that have keys: if the batch is open, no more than there are blocks for. */
static NodeId chunks_in_use(Graph *g, const Chunks *p, const Node *scores, int processors) {
    Span at = scores->span;
    Dim tiles = tiles_of(g, p, scores);
    int64_t ignored;
    if (dim_is_const(g->dims, tiles, &ignored)) return whole_number(g, p->count, at);
    NodeId blocks = whole_number(g, (int64_t)BLOCKS * processors, at);
    NodeId each = graph_op(g, OP_DIV, blocks, graph_dim(g, tiles, at), 0, at);
    NodeId most = graph_op(g, OP_MIN, each, whole_number(g, p->count, at), 0, at);
    return graph_op(g, OP_MAX, most, whole_number(g, 1, at), 0, at);
}

/* max(least, ceil(keys / chunks)), rounded up to steps. */
static NodeId chunk_length(Graph *g, const Chunks *p, const Node *scores, int processors) {
    Span at = scores->span;
    Dim keys = scores->shape[scores->rank - 1],
        last = dim_sub(g->dims, keys, dim_const(g->dims, 1));
    int64_t known, batch, most = (int64_t)p->count * CHUNK_STEP;
    if (dim_is_const(g->dims, keys, &known) && dim_is_const(g->dims, batch_of(g, scores), &batch)) {
        int64_t length = (known + most - 1) / most * CHUNK_STEP;
        return graph_const_int(g, T_I32, length > CHUNK_KEYS ? length : CHUNK_KEYS, at);
    }
    NodeId step = whole_number(g, CHUNK_STEP, at);
    NodeId steps = graph_op(g, OP_MUL, chunks_in_use(g, p, scores, processors), step, 0, at);
    NodeId above = graph_op(g, OP_ADD, graph_dim(g, last, at), steps, 0, at);
    NodeId length = graph_op(g, OP_MUL, graph_op(g, OP_DIV, above, steps, 0, at), step, 0, at);
    length = graph_op(g, OP_MAX, length, whole_number(g, CHUNK_KEYS, at), 0, at);
    return graph_cast(g, length, T_I32, at);
}

/* Is key n one of chunk s? As bool[chunks, 1.., n], before which the batch axes are combined_sum. A
 * 32-bit length in 64-bit sums does not wrap, which the interval analysis of masks needs
 * (tile_mask.c). */
static NodeId is_own_key(Graph *g, const Chunks *p, const Node *scores, int processors) {
    Span at = scores->span;
    Dim shape[RANK_MAX], chunks = dim_const(g->dims, p->count);
    int rank = scores->rank - scores->attr[0] + 1;
    for (int i = 0; i < rank; i++) shape[i] = i ? dim_const(g->dims, 1) : chunks;
    NodeId number = graph_reshape(g, graph_iota(g, chunks, at), rank, shape, at);
    NodeId each = chunk_length(g, p, scores, processors);
    NodeId length = graph_cast(g, graph_broadcast(g, each, rank, shape, at), T_I64, at);
    NodeId start = graph_op(g, OP_MUL, graph_cast(g, number, T_I64, at), length, 0, at);
    NodeId end = graph_op(g, OP_ADD, start, length, 0, at);
    NodeId key = graph_cast(g, graph_index(g, scores->shape[scores->rank - 1], at), T_I64, at);
    return graph_op(g, OP_AND, graph_op(g, OP_LE, start, key, 0, at),
                    graph_op(g, OP_LT, key, end, 0, at), 0, at);
}

/* ---- partial results ------------------------------------------------------------------------ */

static int batch_axes(const Split *s, const Chunks *p) {
    return s->from->node[p->of.scores].attr[0];
}

/* shape[batch.. rest..] with the axis of the chunks: [batch.. chunks rest..]. */
static void with_chunks(Graph *g, int batch, int count, const Node *old, Dim *shape) {
    for (int i = 0; i < batch; i++) shape[i] = old->shape[i];
    for (int i = batch; i < old->rank; i++) shape[i + 1] = old->shape[i];
    shape[batch] = dim_const(g->dims, count);
}

/* Broadcasts x to all chunks. */
static NodeId for_chunks(Graph *g, NodeId x, int batch, int count, Span at) {
    const Node n = g->node[x];
    Dim shape[RANK_MAX];
    with_chunks(g, batch, 1, &n, shape);
    NodeId one = graph_reshape(g, x, n.rank + 1, shape, at);
    with_chunks(g, batch, count, &n, shape);
    return graph_broadcast(g, one, n.rank + 1, shape, at);
}

static NodeId own_keys(const Split *s, Graph *g, const Chunks *p, NodeId x) {
    const Node *scores = &s->from->node[p->of.scores];
    NodeId none = graph_const(g, T_F32, -INFINITY, scores->span);
    return graph_op(g, OP_WHERE, is_own_key(g, p, scores, s->processors), x, none, scores->span);
}

static NodeId partial_of(const Split *s, Graph *g, const Chunks *p, NodeId old) {
    Node n = s->from->node[old];
    const int batch = batch_axes(s, p);
    Dim shape[RANK_MAX];
    for (int i = 0; i < n.src_count; i++)
        n.src[i] = s->partial[n.src[i]]
                       ? s->partial[n.src[i]]
                       : for_chunks(g, s->whole[n.src[i]], batch, p->count, n.span);
    switch (op_info[n.op].class) {
    case DOT: return graph_dot(g, n.src[0], n.src[1], batch + 1, n.attr[1], n.span);
    case REDUCE: return graph_reduce(g, n.op, n.src[0], (uint32_t)n.attr[0] << 1, n.span);
    case VIEW: /* a row over its keys */
        with_chunks(g, batch, p->count, &n, shape);
        return graph_broadcast(g, n.src[0], n.rank + 1, shape, n.span);
    default: return graph_add(g, &n);
    }
}

/* The input of the softmax, which may be the product itself, has the chunk's own keys alone. */
static NodeId make_partial(const Split *s, Graph *g, const Chunks *p, NodeId old) {
    NodeId partial = partial_of(s, g, p, old);
    return old == p->of.x ? own_keys(s, g, p, partial) : partial;
}

/* ---- combining them ---------------------------------------------------------------------------
 * A row's maximum and sum are combined twice: as rows, and for each column of the result. So one
 * kernel computes all of the result, and no kernel computes the rows unless another node reads
 * them. */

/* [rows.. 1..] broadcast to the columns of `like`, [rows.. columns..]. */
static NodeId at_columns(Graph *g, NodeId row, int rows, int rank, const Dim *like, Span at) {
    Dim shape[RANK_MAX];
    for (int i = 0; i < rank; i++) shape[i] = i < rows ? like[i] : dim_const(g->dims, 1);
    return graph_broadcast(g, graph_reshape(g, row, rank, shape, at), rank, like, at);
}

/* A partial row, or result, as [batch.. chunks rest..] of like[batch.. rest..]. */
static NodeId partial_at(const Split *s, Graph *g, const Chunks *p, NodeId old, const Node *like) {
    Dim shape[RANK_MAX];
    const int rows = s->from->node[p->of.scores].rank - 1;
    with_chunks(g, batch_axes(s, p), p->count, like, shape);
    if (old == p->of.out) return s->partial[old];
    return at_columns(g, s->partial[old], rows + 1, like->rank + 1, shape, like->span);
}

static NodeId combined(const Split *s, Graph *g, const Chunks *p, Op op, NodeId partials,
                       const Node *like) {
    NodeId all = graph_reduce(g, op, partials, 1u << batch_axes(s, p), like->span);
    return graph_reshape(g, all, like->rank, like->shape, like->span);
}

static NodeId combined_max(const Split *s, Graph *g, const Chunks *p, const Node *like) {
    return combined(s, g, p, OP_RMAX, partial_at(s, g, p, p->of.max, like), like);
}

/* The sum over the chunks times 2^(shift of the chunk - shift); a chunk whose keys are all masked
 * adds nothing. */
static NodeId combined_sum(const Split *s, Graph *g, const Chunks *p, NodeId old, NodeId shift,
                           const Node *like) {
    Span at = like->span;
    NodeId zero = graph_const(g, T_F32, 0, at);
    NodeId all = for_chunks(g, shift, batch_axes(s, p), p->count, at);
    NodeId by = graph_op(g, OP_SUB, partial_at(s, g, p, p->of.shift, like), all, 0, at);
    NodeId empty = graph_op(g, OP_EQ, partial_at(s, g, p, p->of.sum, like), zero, 0, at);
    NodeId factor = graph_op(g, OP_WHERE, empty, zero, graph_op(g, OP_EXP2, by, 0, 0, at), at);
    NodeId x = graph_op(g, OP_MUL, partial_at(s, g, p, old, like), factor, 0, at);
    return combined(s, g, p, OP_SUM, x, like);
}

/* Is it [rows.. 1..] with the result's rows? */
static bool is_row(const Split *s, const Chunks *p, const Node *n) {
    const Node *scores = &s->from->node[p->of.scores];
    const int rows = scores->rank - 1;
    if (n->rank < rows) return false;
    for (int i = 0; i < n->rank; i++)
        if (i < rows ? n->shape[i] != scores->shape[i] : !dim_is(s->from->dims, n->shape[i], 1))
            return false;
    return true;
}

/* Computes what depends on a row's maximum or sum for each column. */
static NodeId follow(Split *s, Graph *g, const Chunks *p, NodeId old) {
    Node n = s->from->node[old];
    const Node *out = &s->from->node[p->of.out];
    const int rows = s->from->node[p->of.scores].rank - 1;
    if (!is_row(s, p, &n)) return 0;
    if (n.op == OP_RESHAPE) return s->wide[n.src[0]];
    if (op_info[n.op].class != MAP) return 0;
    for (int i = 0; i < n.src_count; i++)
        n.src[i] = s->wide[n.src[i]]
                       ? s->wide[n.src[i]]
                       : at_columns(g, s->whole[n.src[i]], rows, out->rank, out->shape, n.span);
    return graph_add(g, &n);
}

/* The attention whose maximum or sum a row depends on; NULL: none. */
static const Chunks *row_of(const Split *s, const Node *n) {
    for (int i = 0; i < n->src_count; i++)
        if (s->wide[n->src[i]]) return &s->all.at[s->row[n->src[i]]];
    return NULL;
}

/* Of a stored partial result. */
static const char *partial_name(const Attention *a, NodeId old) {
    if (old == a->max) return "partial_max";
    if (old == a->shift) return "partial_shift";
    if (old == a->sum) return "partial_sum";
    return old == a->out ? "partial_out" : NULL;
}

static NodeId split_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    Split *s = context;
    const Node *n = &from->node[old];
    const Chunks *p = s->of[old] < 0 ? row_of(s, n) : &s->all.at[s->of[old]];
    for (int i = 0; i < n->src_count; i++) s->whole[n->src[i]] = draft->src[i];
    if (!p) return graph_add(to, draft);
    const Attention *a = &p->of;
    const Node *out = &from->node[a->out];
    if (s->of[old] >= 0) s->partial[old] = make_partial(s, to, p, old);
    graph_name(to, s->partial[old], partial_name(a, old));
    s->row[old] = (int)(p - s->all.at);
    if (old == a->max) {
        s->wide[old] = combined_max(s, to, p, out);
        return combined_max(s, to, p, n);
    }
    if (old == a->sum) {
        s->wide[old] = combined_sum(s, to, p, old, s->wide[a->shift], out);
        return combined_sum(s, to, p, old, s->whole[a->shift], n);
    }
    if (old == a->out) return combined_sum(s, to, p, old, s->wide[a->shift], n);
    s->wide[old] = follow(s, to, p, old);
    bool is_spread = n->op == OP_BROADCAST && s->of[old] < 0 && s->wide[n->src[0]] &&
                     shape_equal(n->rank, n->shape, out->rank, out->shape);
    return is_spread ? s->wide[n->src[0]] : graph_add(to, draft);
}

/* Marks the nodes inside; false: some are inside of another, whose result they are scores of. One
 * kernel cannot have both. */
static bool take(const Graph *g, const Attention *a, bool *taken) {
    for (NodeId i = 1; i < g->count; i++)
        if (a->between[i] && taken[i]) return false;
    for (NodeId i = 1; i < g->count; i++) taken[i] |= a->between[i];
    return true;
}

const Graph *split_attention(const Graph *g, const Machine *machine) {
    Split s = {.from = g, .processors = machine->processors};
    s.of = arena_array(g->arena, int, g->count);
    s.row = arena_array(g->arena, int, g->count);
    s.whole = arena_array(g->arena, NodeId, g->count);
    s.partial = arena_array(g->arena, NodeId, g->count);
    s.wide = arena_array(g->arena, NodeId, g->count);
    bool *taken = arena_array(g->arena, bool, g->count);
    for (NodeId id = 0; id < g->count; id++) s.of[id] = -1;
    for (NodeId id = 1; id < g->count; id++) {
        Chunks p = {0};
        if (!find_attention(g, id, &p.of) || !take(g, &p.of, taken)) continue;
        if (!attention_pays(machine, g, &p.of) || !may_split(g, &p, machine->processors)) continue;
        for (NodeId i = 1; i < g->count; i++)
            if (p.of.between[i]) s.of[i] = s.all.count;
        vec_push(g->arena, &s.all, p);
    }
    return s.all.count ? graph_rewrite(g, split_rule, &s) : g;
}
