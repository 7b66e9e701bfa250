/* products.c: split-K: few output tiles leave multiprocessors idle, or memory waiting, so the sums
 * along k are split, and a second kernel adds the partial results. needs: simplified. keeps:
 * meaning; sums are in another order. breaks: nothing.
 *
 *     a[M, K] b[N, K]   becomes   partial[s, M, N] = a[M, s, K/S] b[N, s, K/S], and
 *                                 partial[0] + partial[1] + .., or sum(partial, axis = 0)
 *
 * Only if sizes are known. Splits are a batch axis of the product; the epilogue is fused with the
 * additions, which are pointwise, or with the sums of many parts. Where no suitable number divides
 * K, what is left of it is a product of its own, whose epilogue has the additions. cost_split_k
 * says how many splits are the fastest, unless a pin does. */
#include "sched/split/split.h"

#include <string.h>

enum {
    SPLIT_LENGTH = 256, /* terms of a split, at least */
    LONG_SPLIT = 768,   /* terms of which the last step of a tile wastes little */
    TILE_STEP = 64,     /* terms that a tile multiplies at a time, */
    MMA_STEP = 16,      /* and an instruction, at least */
    PACK_BYTES = 16,
    SECTOR = 32,     /* bytes */
    MOST_ADDED = 16, /* parts whose sums an epilogue adds; those of more are reduced */
    REST_STEP = 8,   /* numbers of these parts that are tried where a rest is left */
    MOST_SPLITS = 1024
};
static const double open_part = 0.2, /* of the estimate: what takes so much longer may be faster */
    rest_seconds =
        3e-6; /* that a product of the rest takes longer than additions alone, on an H200 */

typedef struct Split {
    const Graph *from;
    const Machine *machine;
    bool *product;  /* node -> does it depend on a product? */
    bool *scores;   /* node -> does it depend on a reduction of a function of a product? */
    int64_t *parts; /* node -> splits; 0, 1: it stays whole */
    const FusePins *pins;
    OpenSplits *open;
} Split;

/* An attention multiplies a function of another product, through a reduction, and stays one
 * kernel. */
static void find_scores(Split *s) {
    const Graph *g = s->from;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        s->product[id] = n->op == OP_DOT;
        for (int i = 0; i < n->src_count; i++) {
            bool reduced = op_info[n->op].class == REDUCE && s->product[n->src[i]];
            s->product[id] |= s->product[n->src[i]];
            s->scores[id] |= s->scores[n->src[i]] || reduced;
        }
    }
}

static bool is_known(const Graph *g, const Node *n) {
    int64_t size;
    for (int i = 0; i < n->rank; i++)
        if (!dim_is_const(g->dims, n->shape[i], &size) || !size) return false;
    return true;
}

/* Can the first summed axis be split? */
static bool may_split(const Split *s, NodeId id) {
    const Graph *g = s->from;
    const Node *n = &g->node[id];
    if (n->op != OP_DOT || g->attrs.max_kernels || (n->type != T_F32 && n->type != T_I32))
        return false;
    if (dot_is_across(n)) return false;
    if (s->scores[n->src[0]] || s->scores[n->src[1]] || n->rank == RANK_MAX) return false;
    const Node *a = &g->node[n->src[0]], *b = &g->node[n->src[1]];
    if (a->rank == RANK_MAX || b->rank == RANK_MAX) return false;
    if (!is_known(g, n) || !is_known(g, a)) return false;
    if (cost_is_copied(s->machine, g, id)) return false;
    Chain chain; /* one kernel, unless the product is split */
    return !find_chain(g, id, &chain) || !chain_pays(s->machine, g, &chain);
}

/* Splits start at multiples of so many terms: on tensor cores, of those of a tile's step; where few
 * of the last step's are wasted, of a sector of L2 or of the packs that rows are read in, whichever
 * rows start at; rows that start anywhere are read element by element. */
static int64_t split_step(const Split *s, NodeId id, int64_t length, int64_t parts) {
    const Graph *g = s->from;
    const Node *n = &g->node[id];
    const size_t a = dtype_size(g->node[n->src[0]].type), b = dtype_size(g->node[n->src[1]].type);
    const int64_t size = (int64_t)(a < b ? a : b), pack = PACK_BYTES / size, sector = SECTOR / size;
    if (!(cost_product_weight(g, id) > 0)) return 1;
    if (length % pack) return MMA_STEP;
    if (length / parts < LONG_SPLIT) return TILE_STEP;
    return length % sector ? pack : sector;
}

/* Of the first summed axis. */
static int64_t summed_length(const Graph *g, NodeId id) {
    const Node *n = &g->node[id], *a = &g->node[n->src[0]];
    return cost_dim(g, a->shape[a->rank - n->attr[1]]);
}

/* Terms of each of the parts; what they leave is fewer than `parts` times the step. */
static int64_t part_length(const Split *s, NodeId id, int64_t parts) {
    const int64_t length = summed_length(s->from, id), step = split_step(s, id, length, parts);
    return parts > 1 ? length / parts / step * step : length;
}

static bool has_rest(const Split *s, NodeId id, int64_t parts) {
    return part_length(s, id, parts) * parts < summed_length(s->from, id);
}

static bool is_legal(const Split *s, NodeId id, int64_t parts) {
    return parts == 1 ||
           (parts > 1 && parts <= MOST_SPLITS && part_length(s, id, parts) >= SPLIT_LENGTH);
}

/* Of the time of the whole product, at most: a second launch is no gain. Less where estimates are
 * less sure: of splits that leave a rest or are no whole steps, and of fused multiply-adds, whose
 * blocks are faster where they are alone, at the end of the last wave. */
static double worth(const Split *s, NodeId id, int64_t parts) {
    const bool is_fma = !(cost_product_weight(s->from, id) > 0);
    if (has_rest(s, id, parts)) return is_fma ? 0.8 : 0.7;
    if (is_fma) return 0.85;
    return part_length(s, id, parts) % TILE_STEP ? 0.7 : 0.9;
}

/* Splits that may be more than this number. */
static int64_t next_parts(int64_t parts, bool with_rest) {
    return parts < MOST_ADDED || !with_rest ? parts + 1 : parts + REST_STEP;
}

/* Of the splits that leave a rest, or of the others: the fastest, if it is worth more than `best`
 * splits are, which take `seconds`. */
static int64_t faster(const Split *s, NodeId id, bool with_rest, int64_t best, double seconds) {
    const double most = seconds;
    for (int64_t parts = 2; is_legal(s, id, parts); parts = next_parts(parts, with_rest)) {
        if (has_rest(s, id, parts) != with_rest) continue;
        const double these =
            cost_split_k(s->machine, s->from, id, parts) + (with_rest ? rest_seconds : 0);
        if (these < seconds && these < worth(s, id, parts) * most) seconds = these, best = parts;
    }
    return best;
}

static int64_t fastest(const Split *s, NodeId id) {
    int64_t best = faster(s, id, false, 1, cost_split_k(s->machine, s->from, id, 1));
    return faster(s, id, true, best, cost_split_k(s->machine, s->from, id, best));
}

/* ---- what is decided elsewhere, and what may be --------------------------------------------- */

static const char *split_name(const Graph *g, NodeId id) {
    for (int i = 0; i < g->outputs.count; i++)
        if (g->outputs.at[i].node == id) return g->outputs.at[i].name;
    return arena_printf(g->arena, "%%%d:%s", id, node_op_name(g, &g->node[id]));
}

static void follow_pin(Split *s, const FusePin *pin) {
    const Graph *g = s->from;
    NodeId id = 1;
    while (id < g->count && (!s->parts[id] || strcmp(split_name(g, id), pin->a) != 0)) id++;
    if (id == g->count)
        diag_error(g->diag, pin->at, "%s has no product '%s' whose sums can be split", g->name,
                   pin->a);
    else if (!is_legal(s, id, pin->parts))
        diag_error(g->diag, pin->at, "the sums of '%s' cannot be split into %lld parts", pin->a,
                   (long long)pin->parts);
    else
        s->parts[id] = pin->parts;
}

/* The fastest others, if their estimates are close: at most two. */
static void add_open(Split *s, NodeId id) {
    enum { MOST_OPEN = 2 };
    const Graph *g = s->from;
    const double most = (1 + open_part) * cost_split_k(s->machine, g, id, s->parts[id]);
    OpenSplit found[MOST_OPEN + 1];
    int count = 0;
    for (int64_t parts = 1; parts <= MOST_SPLITS; parts++) {
        if (parts == s->parts[id] || !is_legal(s, id, parts) || has_rest(s, id, parts)) continue;
        const OpenSplit one = {split_name(g, id), parts, cost_split_k(s->machine, g, id, parts)};
        int at = count;
        if (one.seconds > most) continue;
        for (; at > 0 && found[at - 1].seconds > one.seconds; at--) found[at] = found[at - 1];
        found[at] = one;
        if (count < MOST_OPEN) count++;
    }
    for (int i = 0; i < count; i++) vec_push(g->arena, s->open, found[i]);
}

static void decide(Split *s) {
    const Graph *g = s->from;
    for (NodeId id = 1; id < g->count; id++)
        if (may_split(s, id)) s->parts[id] = fastest(s, id);
    for (int i = 0; s->pins && i < s->pins->count; i++)
        if (!s->pins->at[i].b && !strcmp(s->pins->at[i].fn, g->name))
            follow_pin(s, &s->pins->at[i]);
    for (NodeId id = 1; s->open && id < g->count; id++)
        if (s->parts[id]) add_open(s, id);
}

/* ---- the pass ------------------------------------------------------------------------------- */

/* The first terms of the summed axis, which becomes two: the outer one is the first of all. */
static NodeId cut(Graph *g, NodeId id, int axis, int64_t splits, int64_t length, Span span) {
    const NodeId even = split_part(g, id, axis, 0, splits * length, span);
    const Node x = g->node[even];
    Dim shape[RANK_MAX], count = dim_const(g->dims, splits);
    int perm[RANK_MAX];
    for (int i = 0; i <= x.rank; i++) {
        shape[i] = x.shape[i <= axis ? i : i - 1];
        perm[i] = i == 0 ? axis : i <= axis ? i - 1 : i;
    }
    shape[axis] = count;
    shape[axis + 1] = dim_div(g->dims, x.shape[axis], count, span);
    return graph_permute(g, graph_reshape(g, even, x.rank + 1, shape, span), perm, span);
}

/* partial[0] + partial[1] + .. */
static NodeId add_partials(Graph *g, NodeId partial, int64_t splits, Span span) {
    if (splits > MOST_ADDED) return graph_reduce(g, OP_SUM, partial, 1, span);
    const Node x = g->node[partial];
    Dim start[RANK_MAX], shape[RANK_MAX];
    NodeId sum = 0;
    for (int i = 0; i < x.rank; i++) start[i] = dim_const(g->dims, 0), shape[i] = x.shape[i];
    shape[0] = dim_const(g->dims, 1);
    for (int64_t i = 0; i < splits; i++) {
        start[0] = dim_const(g->dims, i);
        const NodeId one = graph_slice(g, partial, start, shape, span);
        sum = sum ? graph_map(g, OP_ADD, sum, one, 0, span) : one;
    }
    return sum;
}

/* The product of the terms from `first` on. */
static NodeId rest_product(Graph *g, const Node *dot, int64_t first) {
    NodeId part[2];
    for (int i = 0; i < 2; i++) {
        const Node *x = &g->node[dot->src[i]];
        const int axis = x->rank - dot->attr[1];
        const int64_t length = cost_dim(g, x->shape[axis]);
        part[i] = split_part(g, dot->src[i], axis, first, length - first, dot->span);
    }
    return graph_dot(g, part[0], part[1], dot->attr[0], dot->attr[1], dot->span);
}

static NodeId split_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    const Split *s = context;
    (void)from;
    const int64_t splits = s->parts[old];
    if (splits <= 1) return graph_add(to, draft);
    const Span span = draft->span;
    const int batch = draft->attr[0], summed = draft->attr[1];
    const int64_t length = part_length(s, old, splits);
    NodeId part[2];
    for (int i = 0; i < 2; i++) {
        const NodeId x = draft->src[i];
        part[i] = cut(to, x, to->node[x].rank - summed, splits, length, span);
    }
    NodeId partial = graph_dot(to, part[0], part[1], batch + 1, summed, span);
    split_name_parts(to, partial, draft);
    NodeId sum =
        graph_reshape(to, add_partials(to, partial, splits, span), draft->rank, draft->shape, span);
    if (!has_rest(s, old, splits)) return sum;
    return graph_map(to, OP_ADD, sum, rest_product(to, draft, splits * length), 0, span);
}

const Graph *split_products(const Graph *g, const Machine *machine, const FusePins *pins,
                            OpenSplits *open) {
    Split s = {.from = g, .machine = machine, .pins = pins, .open = open};
    bool any = false;
    s.product = arena_array(g->arena, bool, g->count);
    s.scores = arena_array(g->arena, bool, g->count);
    s.parts = arena_array(g->arena, int64_t, g->count);
    find_scores(&s);
    decide(&s);
    for (NodeId id = 1; id < g->count && !any; id++) any = s.parts[id] > 1;
    return any ? graph_rewrite(g, split_rule, &s) : g;
}
