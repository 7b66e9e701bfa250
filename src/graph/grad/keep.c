/* keep.c: what a forward pass keeps for its backward pass: a minimum cut over bytes.
 *
 *     source -> v.in      v is an input, or is not computed again: contractions, scans, small sums
 *     v.in -> v.out       bytes of v; nothing for inputs and outputs of f, which are there
 *     v.out -> r.in       r reads v; r.in is the sink if r depends on a cotangent */
#include "graph/grad/cut.h"
#include "graph/grad/train_private.h"

#include <string.h>

enum { OPEN_SIZE = 1024, FAR = 100 };

/* ---- facts of nodes ----------------------------------------------------------------------- */

static int64_t bytes_of(const Facts *f, NodeId id) {
    const Node *n = &f->g->node[id];
    int64_t bytes = (int64_t)dtype_size(n->type), size;
    for (int i = 0; i < n->rank; i++) {
        if (!dim_value(f->g->dims, n->shape[i], f->symbols, &size) || size < 1) size = OPEN_SIZE;
        if (__builtin_mul_overflow(bytes, size, &bytes)) return INT64_C(1) << 40;
    }
    return bytes < INT64_C(1) << 40 ? bytes : INT64_C(1) << 40;
}

static void find_later(Facts *f, int inputs) {
    const Graph *g = f->g;
    for (int i = inputs; i < g->inputs.count; i++) f->later[g->inputs.at[i].node] = true;
    for (NodeId id = 1; id < g->count; id++)
        for (int i = 0; i < g->node[id].src_count; i++)
            f->later[id] |= f->later[g->node[id].src[i]];
}

bool is_view(const Node *n) { return op_info[n->op].class == VIEW; }

static void find_operands(Facts *f) {
    const Graph *g = f->g;
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        const bool reads = (n->op == OP_DOT && f->later[id]) || (is_view(n) && f->operand[id]);
        for (int i = 0; reads && i < n->src_count; i++) f->operand[n->src[i]] = true;
    }
    for (NodeId id = 1; id < g->count; id++) {
        f->again[id] = g->node[id].op == OP_DOT && g->node[id].attr[2];
        for (int i = 0; i < g->node[id].src_count; i++)
            f->again[id] |= f->again[g->node[id].src[i]];
    }
}

static void find_wanted(Facts *f, int outputs) {
    const Graph *g = f->g;
    for (NodeId id = 1; id < g->count; id++)
        for (int i = 0; f->later[id] && i < g->node[id].src_count; i++)
            if (!f->later[g->node[id].src[i]]) f->wanted[g->node[id].src[i]] = true;
    for (int i = outputs; i < g->outputs.count; i++)
        if (!f->later[g->outputs.at[i].node]) f->wanted[g->outputs.at[i].node] = true;
    memcpy(f->useful, f->wanted, sizeof *f->useful * (size_t)g->count);
}

/* From readers to sources. */
static void find_distance(Facts *f) {
    const Graph *g = f->g;
    for (NodeId id = g->count - 1; id > 0; id--) f->distance[id] = f->wanted[id] ? 0 : FAR;
    for (NodeId id = g->count - 1; id > 0; id--)
        for (int i = 0; !f->later[id] && i < g->node[id].src_count; i++) {
            const NodeId from = g->node[id].src[i];
            if (f->distance[id] + 1 < f->distance[from]) f->distance[from] = f->distance[id] + 1;
            f->useful[from] |= f->useful[id];
        }
}

Facts facts_of(const Graph *g, int inputs, int outputs) {
    Facts f = {.g = g};
    int64_t *symbols = arena_array(g->arena, int64_t, g->dims->symbols.count + 1);
    for (int i = 0; i < g->dims->symbols.count; i++) symbols[i] = OPEN_SIZE;
    f.symbols = symbols;
    f.later = arena_array(g->arena, bool, g->count);
    f.wanted = arena_array(g->arena, bool, g->count);
    f.useful = arena_array(g->arena, bool, g->count);
    f.given = arena_array(g->arena, bool, g->count);
    f.lifted = arena_array(g->arena, bool, g->count);
    f.again = arena_array(g->arena, bool, g->count);
    f.operand = arena_array(g->arena, bool, g->count);
    f.distance = arena_array(g->arena, int, g->count);
    find_later(&f, inputs);
    find_wanted(&f, outputs);
    find_operands(&f);
    find_distance(&f);
    for (int i = 0; i < inputs; i++) f.given[g->inputs.at[i].node] = true;
    for (int i = 0; i < outputs; i++) f.given[g->outputs.at[i].node] = true;
    return f;
}

/* ---- the network -------------------------------------------------------------------------- */

/* Sums of which little is left are not computed again. */
static bool is_small_sum(const Facts *f, NodeId id) {
    const Node *n = &f->g->node[id];
    const bool reduces = op_info[n->op].class == REDUCE || n->op == OP_MEAN || n->op == OP_VAR ||
                         n->op == OP_LOGSUMEXP || n->op == OP_CROSS_ENTROPY;
    return reduces && bytes_of(f, id) < bytes_of(f, n->src[0]) / 4;
}

/* What a contraction reads is stored anyway, unless it is a conversion. */
static bool is_stored_operand(const Facts *f, NodeId id) {
    const Graph *g = f->g;
    if (!f->operand[id] || is_view(&g->node[id])) return false;
    while (g->node[id].op == OP_CAST || is_view(&g->node[id])) id = g->node[id].src[0];
    return op_info[g->node[id].op].class != LEAF;
}

/* Contractions that only a backward pass has are meant to be computed again. */
static bool is_computed_once(const Facts *f, NodeId id) {
    const OpClass class = op_info[f->g->node[id].op].class;
    if (f->again[id] || f->lifted[id]) return false;
    return class == DOT || class == SCAN || is_small_sum(f, id) || is_stored_operand(f, id);
}

/* Of equal bytes, the value nearest to the backward pass is kept, but no view of another value. */
static int64_t capacity_of(const Facts *f, NodeId id) {
    double weight = f->given[id] ? 0 : (double)bytes_of(f, id);
    if (weight > 0 && is_view(&f->g->node[id]) &&
        bytes_of(f, id) >= bytes_of(f, f->g->node[id].src[0]))
        return CUT_NEVER;
    for (int i = 0; i < f->distance[id]; i++) weight *= 1.1;
    return (int64_t)weight;
}

enum { SOURCE, SINK, PLACES }; /* then two places for each node */

static int place_in(NodeId id) { return PLACES + 2 * id; }
static int place_out(NodeId id) { return PLACES + 2 * id + 1; }

static Network network_of(const Facts *f) {
    const Graph *g = f->g;
    Network n = network_new(g->arena, PLACES + 2 * g->count);
    for (NodeId id = 1; id < g->count; id++) {
        const Node *node = &g->node[id];
        if (f->later[id] || !f->useful[id]) continue;
        network_edge(&n, place_in(id), place_out(id), capacity_of(f, id));
        if (node->op == OP_INPUT || is_computed_once(f, id))
            network_edge(&n, SOURCE, place_in(id), CUT_NEVER);
        if (f->wanted[id]) network_edge(&n, place_out(id), SINK, CUT_NEVER);
        for (int i = 0; i < node->src_count; i++)
            network_edge(&n, place_out(node->src[i]), place_in(id), CUT_NEVER);
    }
    return n;
}

/* ---- fewer bytes ---------------------------------------------------------------------------- */

static KeptNodes cut_once(const Facts *f) {
    Network n = network_of(f);
    const bool *before = network_cut(&n, SOURCE, SINK);
    KeptNodes nodes = {0};
    for (NodeId id = 1; id < f->g->count; id++) {
        const bool cut = before[place_in(id)] && !before[place_out(id)];
        if (!f->later[id] && cut && f->g->node[id].op != OP_INPUT)
            vec_push(f->g->arena, &nodes, id);
    }
    return nodes;
}

static int64_t kept_bytes(const Facts *f, const KeptNodes *nodes) {
    int64_t bytes = 0;
    for (int i = 0; i < nodes->count; i++)
        if (!f->given[nodes->at[i]]) bytes += bytes_of(f, nodes->at[i]);
    return bytes;
}

/* Operations that make a node, roughly. */
static double work_of(const Facts *f, NodeId id) {
    const Node *n = &f->g->node[id];
    double work = (double)bytes_of(f, n->src_count ? n->src[0] : id);
    int64_t size;
    for (int i = f->g->node[n->src[1]].rank - n->attr[1] - 1; n->op == OP_DOT && i >= n->attr[0];
         i--)
        work *= dim_value(f->g->dims, f->g->node[n->src[1]].shape[i], f->symbols, &size)
                    ? (double)size
                    : OPEN_SIZE;
    return work;
}

/* Nodes that are not computed again, and that what is kept is made of. */
static const bool *find_blockers(const Facts *f, const KeptNodes *nodes) {
    const Graph *g = f->g;
    bool *blocks = arena_array(g->arena, bool, g->count),
         *made = arena_array(g->arena, bool, g->count);
    for (int i = 0; i < nodes->count; i++) made[nodes->at[i]] = !f->given[nodes->at[i]];
    for (NodeId id = g->count - 1; id > 0; id--) {
        blocks[id] = made[id] && is_computed_once(f, id);
        for (int i = 0; made[id] && !blocks[id] && i < g->node[id].src_count; i++)
            made[g->node[id].src[i]] = true;
    }
    return blocks;
}

/* The one that saves most bytes for its work; 0: all that is kept has to be. */
static NodeId best_to_lift(const Facts *f, const KeptNodes *nodes) {
    const bool *blocks = find_blockers(f, nodes);
    NodeId best = 0;
    double most = 0;
    for (NodeId id = 1; id < f->g->count; id++) {
        const double saves = blocks[id] ? (double)bytes_of(f, id) / work_of(f, id) : 0;
        if (saves < most || !blocks[id]) continue;
        if (best && saves == most && bytes_of(f, id) <= bytes_of(f, best)) continue;
        best = id;
        most = saves;
    }
    return best;
}

KeptNodes keep_nodes(Facts *f, const KeepLimit *limit) {
    KeptNodes nodes = cut_once(f);
    int64_t most = limit->bytes ? limit->bytes : INT64_MAX;
    const double part = limit->part > 0 ? limit->part * (double)kept_bytes(f, &nodes) : 0;
    if (part > 0 && part < (double)most) most = (int64_t)part;
    while (kept_bytes(f, &nodes) > most) {
        const NodeId id = best_to_lift(f, &nodes);
        if (!id) break;
        f->lifted[id] = true;
        nodes = cut_once(f);
    }
    return nodes;
}
