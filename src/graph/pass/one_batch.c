/* one_batch.c: both contractions of an attention get one batch, and what lies between them one
 * shape, where views between them take axes apart, or an operand lacks axes of the other's batch:
 *
 *     permute(dot(q[h m d], k[h b n d]))  becomes  dot(broadcast(q)[b h m d], permute(k)[b h n d])
 *     reshape(dot(q[w h m d], k))         becomes  dot(reshape(q)[b w h m d], reshape(k))
 *     dot(softmax(s[b h m n]), v[b c n])  becomes  dot(.., broadcast(v)[b h c n])
 *
 * needs: softmax is one node. keeps: meaning, bit for bit. breaks: nothing. */
#include "graph/pass/pass.h"

enum { ATOMS = 2 * RANK_MAX };

/* An atom is an axis of the scores, or a factor of one, that no view takes apart. */
typedef struct Atoms {
    int count, at[ATOMS];
} Atoms;

typedef struct Labels {
    Atoms axis[RANK_MAX]; /* of a node; of size 1: no atoms */
} Labels;

typedef enum Side { OF_BOTH, OF_LEFT, OF_RIGHT } Side; /* the first contraction's operands */

typedef struct Atom {
    Dim size;
    Side side;
    int first, second; /* its factors; 0: it has none */
} Atom;

/* An attention that gets one batch: the shape between its contractions is batch.. m.. keys.. */
typedef struct Aligned {
    NodeId scores, softmax, out;
    bool *between;                /* scores to out, without out */
    Labels *labels;               /* by node between */
    Vec(Atom) atoms;              /* from 1 */
    Atoms of_out, batch, m, keys; /* of_out: the batch of the second contraction alone */
} Aligned;

typedef struct Pass {
    const Graph *from;
    Aligned **of;      /* node -> the attention that it is a part of; NULL: none */
    NodeId *canonical; /* node -> the same values in the attention's shape */
} Pass;

/* ---- atoms ----------------------------------------------------------------------------------- */

static int new_atom(Arena *arena, Aligned *a, Dim size, Side side) {
    vec_push(arena, &a->atoms, ((Atom){size, side, 0, 0}));
    return a->atoms.count - 1;
}

/* Appends what the atom consists of; false: too many. */
static bool expand(const Aligned *a, int atom, Atoms *out) {
    const Atom *of = &a->atoms.at[atom];
    if (of->first) return expand(a, of->first, out) && expand(a, of->second, out);
    if (out->count == ATOMS) return false;
    out->at[out->count++] = atom;
    return true;
}

static bool expand_all(const Aligned *a, const Atoms *from, Atoms *out) {
    for (int i = 0; i < from->count; i++)
        if (!expand(a, from->at[i], out)) return false;
    return true;
}

/* All atoms of a node, in the order of its axes. */
static bool flatten(const Aligned *a, const Labels *labels, int rank, Atoms *out) {
    *out = (Atoms){0};
    for (int i = 0; i < rank; i++)
        if (!expand_all(a, &labels->axis[i], out)) return false;
    return true;
}

static bool is_among(const Atoms *all, int atom) {
    for (int i = 0; i < all->count; i++)
        if (all->at[i] == atom) return true;
    return false;
}

static bool are_equal(const Atoms *x, const Atoms *y) {
    for (int i = 0; i < x->count; i++)
        if (x->count != y->count || x->at[i] != y->at[i]) return false;
    return x->count == y->count;
}

/* Takes atoms from position *next on whose product is `size`, the last perhaps in part. */
static bool take(const Graph *g, Aligned *a, Atoms *flat, int *next, Dim size, Atoms *out) {
    Dims *d = g->dims;
    *out = (Atoms){0};
    while (!dim_is(d, size, 1)) {
        if (*next == flat->count) return false;
        const int atom = flat->at[*next];
        const Atom of = a->atoms.at[atom];
        if (dim_divides(d, of.size, size)) {
            size = dim_div(d, size, of.size, NOWHERE);
            out->at[out->count++] = atom;
            ++*next;
            continue;
        }
        if (!dim_divides(d, size, of.size)) return false;
        const int first = new_atom(g->arena, a, size, of.side);
        const Dim rest = dim_div(d, of.size, size, NOWHERE);
        const int second = new_atom(g->arena, a, rest, of.side);
        a->atoms.at[atom].first = first, a->atoms.at[atom].second = second;
        out->at[out->count++] = first;
        flat->at[*next] = second;
        return true;
    }
    return true;
}

/* ---- which attentions ------------------------------------------------------------------------ */

/* The one contraction that the softmax is a function of, through pointwise operations and views. */
static NodeId find_scores(const Graph *g, NodeId softmax) {
    bool *above = arena_array(g->arena, bool, softmax + 1);
    NodeId found = 0;
    above[softmax] = true;
    for (NodeId id = softmax; id > 0; id--) {
        const Node *n = &g->node[id];
        if (!above[id]) continue;
        if (n->op == OP_DOT) {
            if (found || n->type != T_F32) return 0;
            found = id;
        }
        const bool passes = id == softmax || op_info[n->op].class == MAP || n->op == OP_RESHAPE ||
                            n->op == OP_PERMUTE;
        for (int i = 0; passes && i < n->src_count; i++) above[n->src[i]] = true;
    }
    return found;
}

/* Through what rounds, scales and drops weights, and views. */
static NodeId find_softmax(const Graph *g, NodeId weights) {
    for (NodeId id = weights; id;) {
        const Node *n = &g->node[id];
        if (n->op == OP_SOFTMAX) return n->type == T_F32 ? id : 0;
        id = n->op == OP_RESHAPE || n->op == OP_PERMUTE ? n->src[0] : weight_below(g, id);
    }
    return 0;
}

static void find_between(const Graph *g, Aligned *a) {
    bool *above = arena_array(g->arena, bool, g->count);
    a->between = arena_array(g->arena, bool, g->count);
    above[g->node[a->out].src[0]] = true;
    for (NodeId id = a->out - 1; id > a->scores; id--)
        for (int i = 0; above[id] && i < g->node[id].src_count; i++)
            above[g->node[id].src[i]] = true;
    a->between[a->scores] = true;
    for (NodeId id = a->scores + 1; id < a->out; id++)
        for (int i = 0; above[id] && i < g->node[id].src_count; i++)
            a->between[id] |= a->between[g->node[id].src[i]];
}

/* Does it take the softmax's row too, as gradients do? It is computed from the same scores. */
static bool is_log_sum(const Graph *g, const Aligned *a, NodeId id) {
    const Node *n = &g->node[id], *softmax = &g->node[a->softmax];
    return n->op == OP_LOGSUMEXP && n->src[0] == softmax->src[0] && n->attr[0] == softmax->attr[0];
}

/* Does nothing else read what lies between? */
static bool is_closed(const Graph *g, const bool *needed, const Aligned *a) {
    for (int i = 0; i < g->outputs.count; i++)
        if (a->between[g->outputs.at[i].node]) return false;
    for (NodeId id = a->scores + 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (!needed[id] || a->between[id] || is_log_sum(g, a, id)) continue;
        for (int i = 0; i < n->src_count; i++)
            if (a->between[n->src[i]] && (id != a->out || i > 0)) return false;
    }
    return true;
}

/* ---- labels ---------------------------------------------------------------------------------- */

static void label_scores(const Graph *g, Aligned *a) {
    const Node *n = &g->node[a->scores];
    const int batch = n->attr[0], kept = g->node[n->src[0]].rank - n->attr[1];
    vec_push(g->arena, &a->atoms, ((Atom){0}));
    for (int i = 0; i < n->rank; i++) {
        const Side side = i < batch ? OF_BOTH : i < kept ? OF_LEFT : OF_RIGHT;
        if (dim_is(g->dims, n->shape[i], 1)) continue;
        a->labels[a->scores].axis[i] = (Atoms){1, {new_atom(g->arena, a, n->shape[i], side)}};
    }
}

static bool label_reshape(const Graph *g, Aligned *a, NodeId id) {
    const Node *n = &g->node[id];
    Atoms flat;
    int next = 0;
    if (!flatten(a, &a->labels[n->src[0]], g->node[n->src[0]].rank, &flat)) return false;
    for (int i = 0; i < n->rank; i++)
        if (!take(g, a, &flat, &next, n->shape[i], &a->labels[id].axis[i])) return false;
    return next == flat.count;
}

/* The labels of its sources between, which must agree. */
static bool label_map(const Graph *g, Aligned *a, NodeId id) {
    const Node *n = &g->node[id];
    Atoms first, other;
    bool any = false;
    for (int i = 0; i < n->src_count; i++) {
        const Labels *labels = &a->labels[n->src[i]];
        if (!a->between[n->src[i]]) continue;
        if (!flatten(a, labels, n->rank, any ? &other : &first)) return false;
        if (any && !are_equal(&first, &other)) return false;
        a->labels[id] = *labels;
        any = true;
    }
    return any;
}

static bool label(const Graph *g, Aligned *a, NodeId id) {
    const Node *n = &g->node[id];
    if (n->op == OP_RESHAPE) return label_reshape(g, a, id);
    if (n->op == OP_PERMUTE)
        for (int i = 0; i < n->rank; i++)
            a->labels[id].axis[i] = a->labels[n->src[0]].axis[n->attr[i]];
    else if (op_info[n->op].class == MAP || id == a->softmax)
        return label_map(g, a, id);
    return n->op == OP_PERMUTE;
}

/* ---- the shape ------------------------------------------------------------------------------- */

/* The atoms of the axes [from, to) of the weights. */
static bool atoms_of(const Graph *g, const Aligned *a, int from, int to, Atoms *out) {
    const Labels *labels = &a->labels[g->node[a->out].src[0]];
    *out = (Atoms){0};
    for (int i = from; i < to; i++)
        if (!expand_all(a, &labels->axis[i], out)) return false;
    return true;
}

/* Does the softmax run over the keys? */
static bool is_over_keys(const Graph *g, const Aligned *a) {
    const Node *n = &g->node[a->softmax];
    Atoms over = {0};
    for (int i = 0; i < n->rank; i++)
        if (n->attr[0] >> i & 1 && !expand_all(a, &a->labels[a->softmax].axis[i], &over))
            return false;
    return are_equal(&over, &a->keys) && over.count > 0;
}

/* The batch: that of the second contraction, then what else only one operand of the first one has
 * and is no row, or both have. */
static bool choose_shape(const Graph *g, Aligned *a) {
    const Node *out = &g->node[a->out];
    const int rank = g->node[out->src[0]].rank, batch = out->attr[0], kept = rank - out->attr[1];
    Atoms m;
    if (!atoms_of(g, a, 0, batch, &a->of_out) || !atoms_of(g, a, batch, kept, &m) ||
        !atoms_of(g, a, kept, rank, &a->keys) || a->of_out.count + m.count > ATOMS)
        return false;
    a->batch = a->of_out;
    for (int i = 0; i < m.count; i++) {
        Atoms *to = a->atoms.at[m.at[i]].side == OF_LEFT ? &a->m : &a->batch;
        to->at[to->count++] = m.at[i];
    }
    for (int i = 0; i < a->keys.count; i++)
        if (a->atoms.at[a->keys.at[i]].side != OF_RIGHT) return false;
    return is_over_keys(g, a);
}

static int rank_of_m(const Aligned *a) { return a->m.count ? a->m.count : 1; }

static bool has_room(const Graph *g, const Aligned *a) {
    const Node *scores = &g->node[a->scores], *out = &g->node[a->out];
    const int batch = a->batch.count, m = rank_of_m(a), keys = a->keys.count;
    const int columns = out->rank - g->node[out->src[0]].rank + out->attr[1];
    const int widest = m > keys ? m : keys;
    return batch + m + keys <= RANK_MAX && batch + widest + scores->attr[1] <= RANK_MAX &&
           batch + columns + keys <= RANK_MAX && batch + m + columns <= RANK_MAX;
}

/* Is the batch that of the scores, with its axes of size 1, are no axes taken apart, and has the
 * softmax the order of the second contraction? Permutations of scores are moved by lift.c. */
static bool is_aligned(const Graph *g, const Aligned *a) {
    if (g->node[a->scores].attr[0] != g->node[a->out].attr[0]) return false;
    for (int i = 0; i < a->batch.count; i++)
        if (a->atoms.at[a->batch.at[i]].side != OF_BOTH) return false;
    for (NodeId id = a->scores; id < a->out; id++) {
        const Op op = g->node[id].op;
        if (a->between[id] && (op == OP_RESHAPE || (op == OP_PERMUTE && id > a->softmax)))
            return false;
    }
    return a->batch.count == a->of_out.count;
}

static Aligned *find_aligned(const Graph *g, const bool *needed, NodeId id) {
    const Node *out = &g->node[id];
    if (!needed[id] || out->op != OP_DOT || out->type != T_F32) return NULL;
    const NodeId softmax = find_softmax(g, out->src[0]);
    const NodeId scores = softmax ? find_scores(g, softmax) : 0;
    if (!scores) return NULL;
    Aligned *a = arena_new_of(g->arena, Aligned);
    *a = (Aligned){.scores = scores, .softmax = softmax, .out = id};
    a->labels = arena_array(g->arena, Labels, g->count);
    find_between(g, a);
    if (!is_closed(g, needed, a)) return NULL;
    label_scores(g, a);
    for (NodeId i = scores + 1; i < id; i++)
        if (a->between[i] && !label(g, a, i)) return NULL;
    const bool is_one = choose_shape(g, a) && has_room(g, a) && !is_aligned(g, a);
    return is_one ? a : NULL;
}

/* ---- views ----------------------------------------------------------------------------------- */

static int add_sizes(const Aligned *a, const Atoms *atoms, Dim *shape, int rank) {
    for (int i = 0; i < atoms->count; i++) shape[rank++] = a->atoms.at[atoms->at[i]].size;
    return rank;
}

static int canonical_shape(Graph *g, const Aligned *a, Dim *shape) {
    int rank = add_sizes(a, &a->batch, shape, 0);
    if (!a->m.count) shape[rank++] = dim_const(g->dims, 1);
    return add_sizes(a, &a->keys, shape, add_sizes(a, &a->m, shape, rank));
}

/* x with the axes `from`, then others, to the axes `to`, then the same others. */
static NodeId reordered(Graph *g, const Aligned *a, NodeId x, const Atoms *from, const Atoms *to,
                        int others, const Dim *other, Span at) {
    Dim shape[ATOMS + RANK_MAX];
    int perm[ATOMS + RANK_MAX], rank = add_sizes(a, from, shape, 0);
    for (int i = 0; i < others; i++) shape[rank++] = other[i];
    for (int i = 0; i < rank; i++) perm[i] = i;
    for (int i = 0; i < to->count; i++)
        for (int k = 0; k < from->count; k++)
            if (from->at[k] == to->at[i]) perm[i] = k;
    return graph_permute(g, graph_reshape(g, x, rank, shape, at), perm, at);
}

static void append(Atoms *to, const Atoms *from) {
    for (int i = 0; i < from->count; i++) to->at[to->count++] = from->at[i];
}

/* Of `from`, those that `in` has (or has not). */
static Atoms chosen(const Atoms *from, const Atoms *in, bool has) {
    Atoms out = {0};
    for (int i = 0; i < from->count; i++)
        if (is_among(in, from->at[i]) == has) out.at[out.count++] = from->at[i];
    return out;
}

/* An operand of the axes `own`, in this order, and then `others`: gets all of the batch, and
 * after it `rows` (one of size 1 if there are none) and the others. */
static NodeId operand(Graph *g, const Aligned *a, NodeId x, const Atoms *own, const Atoms *rows,
                      int others, const Dim *other, Span at) {
    Atoms to = chosen(&a->batch, own, true);
    Dim shape[ATOMS + RANK_MAX], spread[ATOMS + RANK_MAX];
    int rank = add_sizes(a, &a->batch, spread, 0);
    append(&to, rows);
    x = reordered(g, a, x, own, &to, others, other, at);
    for (int i = 0; i < a->batch.count; i++)
        shape[i] = is_among(own, a->batch.at[i]) ? spread[i] : dim_const(g->dims, 1);
    const int first = rank;
    if (!rows->count) spread[rank++] = dim_const(g->dims, 1);
    rank = add_sizes(a, rows, spread, rank);
    for (int i = 0; i < others; i++) spread[rank++] = other[i];
    for (int i = first; i < rank; i++) shape[i] = spread[i];
    return graph_broadcast(g, graph_reshape(g, x, rank, shape, at), rank, spread, at);
}

/* Values between, in the attention's shape: to that of `like`. */
static NodeId restored(Graph *g, const Aligned *a, NodeId x, const Labels *labels,
                       const Node *like) {
    Atoms own, flat, all = a->batch;
    flatten(a, labels, like->rank, &own);
    append(&all, &a->m);
    append(&all, &a->keys);
    flat = chosen(&all, &own, true); /* without keys, of a row */
    x = reordered(g, a, x, &flat, &own, 0, NULL, like->span);
    return graph_reshape(g, x, like->rank, like->shape, like->span);
}

/* ---- the rule -------------------------------------------------------------------------------- */

static NodeId dot_like(Graph *g, const Node *dot, NodeId left, NodeId right, int batch,
                       int summed) {
    Node draft = *dot;
    if (!left || !right) return 0;
    draft.src[0] = left, draft.src[1] = right;
    draft.attr[0] = batch, draft.attr[1] = summed;
    draft.type = T_NONE;
    draft.rank = 0;
    return graph_add(g, &draft);
}

/* The axes of an operand of the first contraction. */
static Atoms operand_atoms(const Graph *from, const Aligned *a, Side side) {
    Atoms all, out = {0};
    flatten(a, &a->labels[a->scores], from->node[a->scores].rank, &all);
    for (int i = 0; i < all.count; i++) {
        const Side of = a->atoms.at[all.at[i]].side;
        if (of == OF_BOTH || of == side) out.at[out.count++] = all.at[i];
    }
    return out;
}

static NodeId aligned_scores(Graph *to, const Graph *from, const Aligned *a, const Node *draft) {
    const Node x = to->node[draft->src[0]];
    const int depth = draft->attr[1];
    const Dim *along = x.shape + x.rank - depth;
    const Atoms left = operand_atoms(from, a, OF_LEFT), right = operand_atoms(from, a, OF_RIGHT);
    const NodeId q = operand(to, a, draft->src[0], &left, &a->m, depth, along, draft->span);
    const NodeId k = operand(to, a, draft->src[1], &right, &a->keys, depth, along, draft->span);
    return dot_like(to, draft, q, k, a->batch.count, depth);
}

/* v[batch.. columns.. keys..] */
static NodeId aligned_values(Graph *to, const Aligned *a, const Node *draft) {
    const Node v = to->node[draft->src[1]];
    const int columns = v.rank - draft->attr[0] - draft->attr[1];
    Dim shape[ATOMS + RANK_MAX], spread[ATOMS + RANK_MAX], one = dim_const(to->dims, 1);
    int rank = add_sizes(a, &a->batch, spread, 0);
    for (int i = 0; i < columns; i++) spread[rank++] = v.shape[draft->attr[0] + i];
    rank = add_sizes(a, &a->keys, spread, rank);
    for (int i = 0; i < rank; i++)
        shape[i] = i < a->of_out.count || i >= a->batch.count ? spread[i] : one;
    const NodeId x = graph_reshape(to, draft->src[1], rank, shape, draft->span);
    return graph_broadcast(to, x, rank, spread, draft->span);
}

static NodeId aligned_out(Graph *to, const Graph *from, const Pass *p, const Aligned *a, NodeId old,
                          const Node *draft) {
    const Node *was = &from->node[old];
    const NodeId weights = p->canonical[was->src[0]];
    const int kept = from->node[was->src[0]].rank - was->attr[1], columns = was->rank - kept;
    const Dim *column = was->shape + kept;
    const NodeId v = aligned_values(to, a, draft);
    const NodeId x = dot_like(to, draft, weights, v, a->batch.count, a->keys.count);
    Atoms all = a->batch, own;
    append(&all, &a->m);
    atoms_of(from, a, 0, kept, &own);
    const NodeId y = reordered(to, a, x, &all, &own, columns, column, was->span);
    return graph_reshape(to, y, was->rank, was->shape, was->span);
}

/* An operand of a pointwise operation: in the attention's shape. */
static NodeId beside(Graph *to, const Aligned *a, NodeId x, const Labels *labels, int rank,
                     Span at) {
    Dim shape[RANK_MAX];
    Atoms own, all = a->batch;
    flatten(a, labels, rank, &own);
    append(&all, &a->m);
    append(&all, &a->keys);
    const int canonical = canonical_shape(to, a, shape);
    return graph_reshape(to, reordered(to, a, x, &own, &all, 0, NULL, at), canonical, shape, at);
}

static NodeId aligned_map(Graph *to, const Pass *p, const Aligned *a, NodeId old,
                          const Node *draft) {
    const Node *was = &p->from->node[old];
    Node n = *draft;
    n.rank = canonical_shape(to, a, n.shape);
    for (int i = 0; i < n.src_count; i++)
        n.src[i] = a->between[was->src[i]]
                       ? p->canonical[was->src[i]]
                       : beside(to, a, n.src[i], &a->labels[old], was->rank, n.span);
    return graph_add(to, &n);
}

/* A softmax, or the log of its sum, over the keys. */
static NodeId aligned_row(Graph *to, const Pass *p, const Aligned *a, NodeId old,
                          const Node *draft) {
    Node n = *draft;
    n.rank = canonical_shape(to, a, n.shape);
    n.src[0] = p->canonical[p->from->node[old].src[0]];
    n.attr[0] = (int32_t)(((1u << a->keys.count) - 1) << (n.rank - a->keys.count));
    return graph_add(to, &n);
}

static NodeId rule(Graph *to, const Graph *from, NodeId old, const Node *draft, void *context) {
    Pass *p = context;
    const Aligned *a = p->of[old];
    const Node *was = &from->node[old];
    if (!a) return graph_add(to, draft);
    if (old == a->out) return aligned_out(to, from, p, a, old, draft);
    if (is_log_sum(from, a, old)) {
        Labels row = a->labels[was->src[0]];
        for (int i = 0; i < was->rank; i++)
            if (was->attr[0] >> i & 1) row.axis[i].count = 0;
        return restored(to, a, aligned_row(to, p, a, old, draft), &row, was);
    }
    NodeId *made = &p->canonical[old];
    if (op_info[was->op].class == VIEW)
        *made = p->canonical[was->src[0]];
    else if (old == a->scores)
        *made = aligned_scores(to, from, a, draft);
    else
        *made = old == a->softmax ? aligned_row(to, p, a, old, draft)
                                  : aligned_map(to, p, a, old, draft);
    return *made ? restored(to, a, *made, &a->labels[old], was) : 0;
}

const Graph *one_batch(const Graph *g) {
    Pass p = {.from = g, .of = arena_array(g->arena, Aligned *, g->count)};
    const bool *needed = graph_needed(g);
    bool any = false;
    p.canonical = arena_array(g->arena, NodeId, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        Aligned *a = find_aligned(g, needed, id);
        if (!a || p.of[a->scores]) continue;
        any = true;
        for (NodeId i = a->scores; i < g->count; i++)
            if (a->between[i] || i == id || is_log_sum(g, a, i)) p.of[i] = a;
    }
    return any ? graph_rewrite(g, rule, &p) : g;
}
