/* chain.c: chains of contractions: the axes of an attention, one more for the depth of each further
 * score, and the accumulators of scores and results. */
#include "kernel/build/build.h"

static bool is_score(const Builder *b, NodeId id) {
    return b->g->node[id].op == OP_DOT && b->plan->inner[id];
}

static int depth_axis(int score) { return score ? ATTENTION_COLUMN + score : ATTENTION_DEPTH; }

int chain_depth(const Builder *b, NodeId dot) {
    const LoopNest *nest = &b->plan->groups.at[b->group].nests.at[b->nest];
    int score = 0;
    for (int i = 0; nest->nodes.at[i] != dot; i++) score += is_score(b, nest->nodes.at[i]);
    return depth_axis(score);
}

static void add_depth(Builder *b, NodeId dot) {
    const Node *n = &b->g->node[dot], *x = &b->g->node[n->src[0]];
    Ix along[RANK_MAX];
    const int axis = chain_depth(b, dot);
    if (axis != ATTENTION_DEPTH)
        flat_axis(b, axis, n->attr[1], x->shape + x->rank - n->attr[1], along);
}

void chain_axes(Builder *b, const LoopNest *nest) {
    NodeId scores = 0, out = 0;
    for (int i = nest->nodes.count - 1; i >= 0; i--) {
        const NodeId id = nest->nodes.at[i];
        if (b->g->node[id].op != OP_DOT) continue;
        if (is_score(b, id))
            scores = id;
        else if (!dot_is_across(&b->g->node[id]))
            out = id;
    }
    attention_axes(b, scores, out);
    for (int i = 0; i < nest->nodes.count; i++)
        if (is_score(b, nest->nodes.at[i])) add_depth(b, nest->nodes.at[i]);
}

/* Is the right operand of a result also that of a score, read in the same order? */
static int right_of(const Builder *b, const ChainValues *c, const Accumulator *out) {
    const Draft *body = b->body;
    const Value *v = &body->values.at[out->index];
    for (int i = 0; i < c->count && v->kind == V_LOAD && !v->guard; i++) {
        const Value *u = &body->values.at[body->accs.at[c->scores[i]].index];
        Ix by[2 * RANK_MAX];
        if (u->kind != V_LOAD || u->guard || u->attr != v->attr ||
            b->x->extent[ATTENTION_COLUMN] != b->x->extent[c->depth[i]])
            continue;
        for (int k = 0; k < 2 * RANK_MAX; k++) by[k] = -1;
        by[ATTENTION_COLUMN] = ix_axis(b->x, c->depth[i]);
        if (ix_replace(b->x, v->ix, by, 2 * RANK_MAX) == u->ix) return i;
    }
    return -1;
}

/* The score whose left operand is this value, whose rows are m and columns are those of results. */
static int left_of(const Builder *b, const ChainValues *c, int value) {
    const Draft *body = b->body;
    const Value *v = &body->values.at[value];
    for (int i = 0; i < c->count && v->kind == V_LOAD; i++) {
        const Value *u = &body->values.at[body->accs.at[c->scores[i]].value];
        Ix by[2 * RANK_MAX];
        if (u->kind != V_LOAD || u->guard || u->attr != v->attr) continue;
        for (int k = 0; k < 2 * RANK_MAX; k++) by[k] = -1;
        by[ATTENTION_COLUMN] = ix_axis(b->x, c->depth[i]);
        if (ix_replace(b->x, v->ix, by, 2 * RANK_MAX) == u->ix) return i;
    }
    return -1;
}

static AcrossValues across_values(Builder *b, const ChainValues *c, NodeId id) {
    const Node *n = &b->g->node[id];
    const int batch = n->attr[0], rows = b->g->node[n->src[0]].rank - n->attr[1];
    AcrossValues a = {.is_there = true, .weights = -1};
    Ix index[RANK_MAX];
    for (int i = 0; i < c->out_count; i++) {
        const Value *out = &b->body->values.at[b->body->accs.at[c->outs[i]].result];
        if (b->g->node[out->node].src[0] == across_weights(b->g, id)) a.weights = i;
    }
    a.right = dot_operand(b, n, 1, ATTENTION_COLUMN, ATTENTION_QUERY);
    a.left = left_of(b, c, a.right);
    if (a.weights < 0 || (a.left < 0 && machine_is_gpu(b->plan->machine)))
        BUG("build: %%%d is no result of its chain", id);
    flat_index(b, ATTENTION_BATCH, batch, n->shape, index);
    flat_index(b, ATTENTION_KEY, rows - batch, n->shape + batch, index + batch);
    flat_index(b, ATTENTION_COLUMN, n->rank - rows, n->shape + rows, index + rows);
    a.ix = ix_flatten(b->x, n->rank, index, n->shape);
    a.buffer = kernel_buffer(b, b->plan->buffer_of[id], true);
    return a;
}

void chain_values(Builder *b, const LoopNest *nest) {
    const Draft *body = b->body;
    ChainValues c = {0};
    for (int i = 0; i < body->accs.count; i++) {
        const NodeId dot = body->values.at[body->accs.at[i].result].node;
        if (!is_score(b, dot)) {
            c.outs[c.out_count++] = i;
            continue;
        }
        c.depth[c.count] = chain_depth(b, dot);
        c.scores[c.count++] = i;
    }
    for (int i = 0; i < c.out_count; i++)
        c.right_of[i] = right_of(b, &c, &body->accs.at[c.outs[i]]);
    for (int i = 0; i < nest->stored.count; i++)
        if (dot_is_across(&b->g->node[nest->stored.at[i]]))
            c.across = across_values(b, &c, nest->stored.at[i]);
    b->body->chain = c;
}
