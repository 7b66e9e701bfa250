/* scans.c: scans of few long rows or columns, for a GPU. One block takes a row, or as many columns
 * as a warp has lanes, from its start to its end, so few of them leave multiprocessors idle. needs:
 * simplified. keeps: meaning; sums are in another order, which is the same in every run. breaks:
 * nothing.
 *
 *     cumsum(x[R, S L])   becomes   c = x[R, S, L]
 *                                   cumsum(c) + shifted(cumsum(sum(c)))
 *
 * The elements are read twice, the second time partly from L2. A single pass with look-back (D.
 * Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016) reads
 * them once, but adds floats in an order that differs from run to run.
 *
 * Only if sizes are known. Where no number of chunks divides the axis, it is padded with
 * identities, and what they gave is not stored. */
#include "sched/split/split.h"

#include <math.h>

enum {
    WARP = 32,           /* columns of a block */
    BLOCK_BYTES = 16,    /* that a block moves in a clock: measured on an H200 */
    BLOCKS = 8,          /* that a multiprocessor should have */
    LEAST_OF_ROW = 2048, /* elements of a chunk, so that its threads have several each */
    LEAST_OF_COLUMN = 128,
    MOST_OF_CHUNK = 8192,  /* elements that a block scans in one step, if they are not in packs */
    MOST_OF_COLUMN = 2048, /* chunks of a column: one block adds them up */
    CHUNK_STEP = 8         /* a chunk is a multiple of it where the axis is padded: whole packs */
};
static const double worth = 0.8; /* of the time of one kernel: less is no gain */

typedef struct Split {
    const Graph *from;
    const Machine *machine;
    const bool *reduced; /* node -> does it depend on a reduction, or a scan? */
    struct Cut **cut; /* node -> in the new graph, with the axis in chunks; NULL: it is not cut */
} Split;

/* A scan of known sizes. */
typedef struct Scan {
    int axis;
    int64_t length, outer, inner; /* elements along the axis, outside of it and inside */
} Scan;

/* How one is cut: chunks * size is the length, or more where it is padded. */
typedef struct Chunks {
    int64_t count, size;
} Chunks;

typedef struct Cut {
    NodeId id; /* with two axes, of chunks and within one, instead of the axis */
    int axis;
    int64_t length;
    Chunks chunks;
} Cut;

/* ---- which ----------------------------------------------------------------------------------- */

static bool find_scan(const Graph *g, const Node *n, Scan *s) {
    *s = (Scan){.axis = n->attr[0], .outer = 1, .inner = 1};
    for (int i = 0; i < n->rank; i++) {
        int64_t extent;
        if (!dim_is_const(g->dims, n->shape[i], &extent) || !extent) return false;
        if (i == s->axis)
            s->length = extent;
        else if (i < s->axis)
            s->outer *= extent;
        else
            s->inner *= extent;
    }
    return n->rank < RANK_MAX;
}

/* Blocks of a kernel whose rows, or columns, are whole. */
static double block_count(const Scan *s) {
    const double all = (double)s->outer * (double)s->inner;
    return s->inner == 1 ? all : all / WARP;
}

/* The divisor of the axis that is next to the wanted number, give or take a half; else padding. */
static Chunks choose_chunks(const Split *s, const Scan *scan) {
    const int64_t least = scan->inner == 1 ? LEAST_OF_ROW : LEAST_OF_COLUMN;
    int64_t wanted = (int64_t)ceil(BLOCKS * s->machine->processors / block_count(scan));
    if (scan->inner > 1 && wanted > MOST_OF_COLUMN) wanted = MOST_OF_COLUMN;
    if (scan->inner == 1 && scan->length / wanted > MOST_OF_CHUNK)
        wanted = scan->length / MOST_OF_CHUNK;
    if (scan->length / wanted < least) wanted = scan->length / least;
    for (int64_t far = 0; far <= wanted / 2; far++)
        for (int64_t count = wanted - far; count <= wanted + far; count += far ? 2 * far : 1)
            if (count > 1 && scan->length % count == 0)
                return (Chunks){count, scan->length / count};
    if (wanted < 2) return (Chunks){1, scan->length};
    const int64_t size = (scan->length / wanted + CHUNK_STEP) / CHUNK_STEP * CHUNK_STEP;
    return (Chunks){(scan->length + size - 1) / size, size};
}

/* Seconds of a kernel that moves so many bytes in so many blocks. */
static double moving(const Machine *m, double bytes, double blocks) {
    const double rate = fmin(1e9 * m->bandwidth, ceil(blocks) * BLOCK_BYTES * 1e6 * m->clock);
    return bytes / rate + 1e-9 * m->launch;
}

/* As one kernel, and as several. */
static bool pays(const Split *s, const Node *n, const Scan *scan, const Chunks *c) {
    const Graph *g = s->from;
    const double elements = (double)scan->length * (double)scan->outer * (double)scan->inner;
    const double read = elements * (double)dtype_size(g->node[n->src[0]].type),
                 written = elements * (double)dtype_size(n->type);
    const double blocks = block_count(scan), all = blocks * (double)c->count;
    const double whole = moving(s->machine, read + written, blocks);
    const double parts = moving(s->machine, read, all) + moving(s->machine, read + written, all) +
                         moving(s->machine, 0, 1);
    return parts < worth * whole;
}

static bool may_split(const Split *s, NodeId id, Scan *scan, Chunks *chunks) {
    const Node *n = &s->from->node[id];
    if (op_info[n->op].class != SCAN || s->reduced[n->src[0]] || s->from->attrs.max_kernels)
        return false;
    if (!find_scan(s->from, n, scan)) return false;
    *chunks = choose_chunks(s, scan);
    return chunks->count > 1 && pays(s, n, scan, chunks);
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* x with another shape at the axes from `axis` on, of which the first `dropped` are replaced. */
static NodeId reshaped(Graph *g, NodeId x, int axis, int dropped, const Dim *by, int count,
                       Span span) {
    const Node n = g->node[x];
    Dim shape[RANK_MAX];
    for (int i = 0; i < axis; i++) shape[i] = n.shape[i];
    for (int i = 0; i < count; i++) shape[axis + i] = by[i];
    for (int i = axis + dropped; i < n.rank; i++) shape[i - dropped + count] = n.shape[i];
    return graph_reshape(g, x, n.rank - dropped + count, shape, span);
}

static NodeId identity(Graph *g, const Node *scan) {
    const Dtype type = dtype_compute(scan->type);
    const Scalar one = reduction_identity(reduction_of(scan->op), type);
    return dtype_is_float(type) ? graph_const(g, type, one.f, scan->span)
                                : graph_const_int(g, type, one.i, scan->span);
}

/* For each chunk, the result of those before it: [.., count, 1, ..] of results of chunks. */
static NodeId before_chunks(Graph *g, const Node *scan, NodeId chunks, const Cut *c) {
    const bool reverse = scan->attr[1];
    const Dim front = dim_const(g->dims, !reverse), size = dim_const(g->dims, c->chunks.count);
    const NodeId running = graph_scan(g, scan->op, chunks, c->axis, reverse, scan->span);
    const NodeId others = split_part(g, running, c->axis, reverse, c->chunks.count - 1, scan->span);
    return split_padded(g, others, c->axis, front, size, identity(g, scan), scan->span);
}

/* A value of the new graph in chunks. */
static NodeId in_chunks(Graph *g, NodeId x, const Cut *c, NodeId padding, Span span) {
    const Dim two[] = {dim_const(g->dims, c->chunks.count), dim_const(g->dims, c->chunks.size)};
    const Dim size = dim_const(g->dims, c->chunks.count * c->chunks.size);
    const NodeId all = split_padded(g, x, c->axis, dim_const(g->dims, 0), size, padding, span);
    return reshaped(g, all, c->axis, 1, two, 2, span);
}

/* What is cut, in one piece again. */
static NodeId in_one(Graph *g, const Cut *c, Span span) {
    const Dim all = dim_const(g->dims, c->chunks.count * c->chunks.size);
    return split_part(g, reshaped(g, c->id, c->axis, 2, &all, 1, span), c->axis, 0, c->length,
                      span);
}

/* Computed in a type that has an identity. */
static NodeId scan_of_chunks(Graph *g, const Node *n, const Cut *c) {
    const Reduction *r = reduction_of(n->op);
    NodeId x = graph_cast(g, n->src[0], dtype_compute(n->type), n->span);
    x = in_chunks(g, x, c, identity(g, n), n->span);
    const NodeId chunks = graph_reduce(g, r->op, x, 2u << c->axis, n->span);
    split_name_parts(g, chunks, n);
    const NodeId before = before_chunks(g, n, chunks, c);
    const NodeId own = graph_scan(g, n->op, x, c->axis + 1, n->attr[1], n->span);
    return graph_cast(g, graph_op(g, r->pair, own, before, 0, n->span), n->type, n->span);
}

/* How the first source that is cut is, of a pointwise operation: it is computed in chunks, too, and
 * so in the same kernel. */
static const Cut *cut_source(const Split *s, const Node *n) {
    if (op_info[n->op].class != MAP || n->rank == RANK_MAX) return NULL;
    for (int i = 0; i < n->src_count; i++)
        if (s->cut[n->src[i]]) return s->cut[n->src[i]];
    return NULL;
}

static bool is_cut_alike(const Cut *a, const Cut *b) {
    return a && a->axis == b->axis && a->chunks.count == b->chunks.count;
}

static NodeId split_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    const Split *s = context;
    const Node *n = &from->node[old];
    Scan scan;
    Cut cut = {0};
    if (may_split(s, old, &scan, &cut.chunks)) {
        cut.axis = scan.axis, cut.length = scan.length;
        cut.id = scan_of_chunks(to, draft, &cut);
    } else {
        const Cut *source = cut_source(s, n);
        if (!source) return graph_add(to, draft);
        cut = *source;
        Node map = *draft;
        for (int i = 0; i < n->src_count; i++) {
            const Cut *own = s->cut[n->src[i]];
            map.src[i] = is_cut_alike(own, source)
                             ? own->id
                             : in_chunks(to, draft->src[i], source, 0, n->span);
        }
        cut.id = graph_add(to, &map);
    }
    s->cut[old] = arena_array(from->arena, Cut, 1);
    *s->cut[old] = cut;
    return in_one(to, &cut, draft->span);
}

const Graph *split_scans(const Graph *g, const Machine *machine) {
    Split s = {g, machine, split_reduced(g), arena_array(g->arena, struct Cut *, g->count)};
    Scan scan;
    Chunks chunks;
    bool any = false;
    for (NodeId id = 1; id < g->count; id++) any |= may_split(&s, id, &scan, &chunks);
    return any ? graph_rewrite(g, split_rule, &s) : g;
}
