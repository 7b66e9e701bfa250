/* attention.c: attentions: five flattened axes (batch, query, key, depth, column), and the values
 * that separate the pieces of the kernel. */
#include "kernel/build/build.h"

void attention_axes(Builder *b, NodeId scores, NodeId out) {
    const Node *s = &b->g->node[scores], *o = &b->g->node[out];
    const Node *q = &b->g->node[s->src[0]];
    const Dims *d = b->g->dims;
    int batch = s->attr[0], depth = s->attr[1], m = q->rank - batch - depth, rows = batch + m;
    Ix row[RANK_MAX], key[RANK_MAX], along[RANK_MAX], column[RANK_MAX];
    flat_axis(b, ATTENTION_BATCH, batch, s->shape, row);
    flat_axis(b, ATTENTION_QUERY, m, s->shape + batch, row + batch);
    flat_axis(b, ATTENTION_KEY, s->rank - rows, s->shape + rows, key);
    flat_axis(b, ATTENTION_DEPTH, depth, q->shape + rows, along);
    flat_axis(b, ATTENTION_COLUMN, o->rank - rows, o->shape + rows, column);
    int k = 0, r = 0;
    for (int i = 0; i < rows; i++)
        if (!dim_is(d, s->shape[i], 1)) b->axis_of[k++] = b->reduce_of[r++] = row[i];
    for (int i = rows; i < s->rank; i++)
        if (!dim_is(d, s->shape[i], 1)) b->reduce_of[r++] = key[i - rows];
    for (int i = rows; i < o->rank; i++)
        if (!dim_is(d, o->shape[i], 1)) b->axis_of[k++] = column[i - rows];
    b->body->row_count = ATTENTION_KEY;
    b->body->lane = ATTENTION_COLUMN;
    b->body->rows =
        dim_mul(b->g->dims, b->x->extent[ATTENTION_BATCH], b->x->extent[ATTENTION_QUERY]);
    b->body->cols = b->x->extent[ATTENTION_COLUMN];
}

/* The score before masks and conversions; conversions are rebuilt without the mask. */
static int unmasked(Builder *b, int x) {
    Value v = b->body->values.at[x];
    const Body body = draft_body(b->body);
    int side = value_mask_side(&body, x);
    if (side) return unmasked(b, v.src[side]);
    if (v.kind != V_CAST) return x;
    int below = unmasked(b, v.src[0]);
    if (below == v.src[0]) return x;
    v.src[0] = below;
    return add_value(b, v);
}

/* The exponential in the rounded, scaled and masked one: see weight_below. */
static int exponential_below(const Draft *b, int value) {
    const Value *v = &b->values.at[value];
    while (v->kind == V_CAST || v->op != OP_EXP2) {
        int i = v->kind == V_OP && v->op == OP_WHERE ? 1 : 0;
        const ValueKind kind = b->values.at[v->src[i]].kind;
        if (v->kind == V_OP && (kind == V_CONST || kind == V_UNIFORM || kind == V_LOAD)) i++;
        v = &b->values.at[value = v->src[i]];
    }
    return value;
}

/* In the form that find_attention requires: weights = rounded e, e = exp2(scaled x - shift). The
 * scores are built before their readers. */
void attention_values(Builder *b) {
    const Draft *body = b->body;
    AttentionValues p = {.sum = -1};
    while (body->accs.at[p.scores].op != OP_DOT) p.scores++;
    for (int i = 0; i < body->accs.count; i++) {
        const Accumulator *a = &body->accs.at[i];
        if (a->op == OP_RMAX) p.max = i;
        if (a->op == OP_SUM) p.sum = i;
        if (a->op == OP_DOT) p.out = i;
    }
    p.x = body->accs.at[p.max].value;
    p.weights = body->accs.at[p.out].value;
    p.e = exponential_below(body, p.weights);
    p.shift = body->values.at[body->values.at[p.e].src[0]].src[1];
    p.unmasked = unmasked(b, p.x);
    b->body->attention = p;
}
