/* blocks.c: seeds for sums of scaled products of blocks: the contraction, its factors and the sum
 * over blocks become one cluster before anything else is fused, because no kernel could hold two of
 * them. Then tensor cores multiply a block at a time, and registers add up what is scaled.
 * In: clusters of one node. */
#include "sched/fuse/fuse_private.h"

enum { TMA_STEP = 16 }; /* bytes: rows of operands start at multiples of it */

/* ---- operands -------------------------------------------------------------------------------- */

static void row_major(const Graph *g, const Node *n, Dim *step) {
    Dim all = dim_const(g->dims, 1);
    for (int i = n->rank; i-- > 0; all = dim_mul(g->dims, all, n->shape[i])) step[i] = all;
}

static bool is_row_major(const Graph *g, const Node *n, const Dim *step) {
    Dim expected[RANK_MAX];
    row_major(g, n, expected);
    for (int i = 0; i < n->rank; i++)
        if (step[i] != expected[i] && !dim_is(g->dims, n->shape[i], 1)) return false;
    return true;
}

/* Elements between neighbours along each axis, in the stored value below reshapes and
 * permutations. */
static bool find_steps(const Plan *plan, NodeId id, Dim *step) {
    const Graph *g = plan->g;
    const Node *n = &g->node[id];
    Dim below[RANK_MAX];
    if (n->op == OP_INPUT || plan_is_work(plan, id) || plan->kept[id]) {
        row_major(g, n, step);
        return true;
    }
    if ((n->op != OP_PERMUTE && n->op != OP_RESHAPE) || !find_steps(plan, n->src[0], below))
        return false;
    if (n->op == OP_RESHAPE) {
        row_major(g, n, step);
        return is_row_major(g, &g->node[n->src[0]], below);
    }
    for (int i = 0; i < n->rank; i++) step[i] = below[n->attr[i]];
    return true;
}

/* Are the axes one, to memory? *step: of the innermost one. */
static bool is_flat(const Graph *g, const Node *n, const Dim *steps, int from, int to, Dim *step) {
    Dim next = 0;
    for (int i = to; i-- > from; next = dim_mul(g->dims, steps[i], n->shape[i])) {
        if (dim_is(g->dims, n->shape[i], 1)) continue;
        if (next && next != steps[i]) return false;
        if (!next) *step = steps[i];
    }
    return true;
}

/* Are there rows, with neighbouring blocks along k, and they and batches where TMA finds them? */
static bool is_copied(const Plan *plan, const Node *dot, int side) {
    const Graph *g = plan->g;
    const Node *x = &g->node[dot->src[side]];
    const int block = dot->attr[0] - 1, k = x->rank - 1;
    const Dim piece = dim_const(g->dims, TMA_STEP), one = dim_const(g->dims, 1);
    Dim step[RANK_MAX], row = 0, batch = piece; /* a single row has no step */
    if (!find_steps(plan, dot->src[side], step)) return false;
    if (step[k] != one || !dim_is(g->dims, step[block], F8_DEPTH)) return false;
    return is_flat(g, x, step, block + 1, k, &row) && is_flat(g, x, step, 0, block, &batch) &&
           row && dim_divides(g->dims, piece, row) && dim_divides(g->dims, piece, batch);
}

/* ---- which sums ------------------------------------------------------------------------------ */

static const char *obstacle(const Clusters *c, NodeId sum, NodeId id) {
    const Node *dot = &c->g->node[id];
    if (!c->plan->machine->wgmma) return "the architecture has no wgmma";
    if (!dot_sums_f8(c->g, dot))
        return "tensor cores add f8 products in 14 bits, as @precision(f8) allows";
    if (c->at[c->of[id]].family != F_DOT)
        return "the product is a part of an attention, or of a chain of contractions";
    for (int side = 0; side < 2; side++)
        if (!is_copied(c->plan, dot, side))
            return side ? "the right operand has no rows of neighbouring blocks"
                        : "the left operand has no rows of neighbouring blocks";
    return blocks_are_closed(c->g, &c->g->node[sum])
               ? NULL
               : "a value before the sum is read elsewhere, too";
}

static void merge(Clusters *c, NodeId id, NodeId sum, const Space *space) {
    const Decision d = {id, sum, FUSED, 2 * c->bytes[id], 0, false};
    c->inner[id] = true;
    if (c->of[id] == c->of[sum]) return;
    vec_push(c->arena, &c->plan->decisions, d);
    clusters_merge(c, c->of[id], c->of[sum], space);
}

/* Takes the node, from which all goes to the sum, and what is below it down to the contraction, and
 * pointwise work on factors that nothing else reads. */
static void take(Clusters *c, NodeId id, NodeId sum, const Space *space) {
    const Node *n = &c->g->node[id];
    const OpClass class = op_info[n->op].class;
    if (c->inner[id]) return;
    if (c->of[id] >= 0) {
        if ((class != DOT && class != MAP) || is_stored(c, id, c->of[sum], -1)) return;
        merge(c, id, sum, space);
    } else if (class != VIEW) {
        return;
    }
    for (int i = 0; class != DOT && i < source_count(c->g, id); i++) take(c, n->src[i], sum, space);
}

void fuse_blocks(Clusters *c) {
    for (NodeId id = 1; id < c->g->count; id++) {
        const NodeId dot = c->of[id] < 0 ? 0 : blocks_dot(c->g, &c->g->node[id]);
        if (!dot) continue;
        const char *why = obstacle(c, id, dot);
        if (why) {
            diag_remark(c->g->diag, c->g->node[dot].span,
                        "products of blocks are stored before they are scaled and added: %s", why);
            continue;
        }
        const Space space = space_of(c->g, id);
        c->inner[id] = true;
        take(c, c->g->node[id].src[0], id, &space);
        Cluster *k = &c->at[c->of[id]];
        k->family = F_DOT;
        k->space = space;
        k->blocks = id;
    }
}
