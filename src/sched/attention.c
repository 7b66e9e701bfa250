/* attention.c: seeds of the attention family: each softmax between two contractions becomes one
 * cluster before anything else is fused, for no pair of its kernels would be one alone. Greedy
 * fusion then adds what makes the operands and what reads the result. In: clusters of one node. */
#include "sched/fusion.h"

typedef struct Seed {
    const Graph *g;
    Attention of;
    NodeId out, sum;
    bool *below; /* node is made from the scores */
    bool *above; /* node makes the result or the sum */
} Seed;

/* Nodes from the scores to the result; views and free nodes stand between them. */
static void find_between(Seed *s) {
    const Graph *g = s->g;
    s->below[s->of.scores] = true;
    for (NodeId id = s->of.scores + 1; id < g->count; id++)
        for (int i = 0; i < g->node[id].src_count; i++)
            s->below[id] |= s->below[g->node[id].src[i]];
    s->above[s->out] = s->above[s->sum] = true;
    for (NodeId id = g->count - 1; id > 0; id--)
        for (int i = 0; s->above[id] && i < g->node[id].src_count; i++)
            s->above[g->node[id].src[i]] = true;
}

static bool is_between(const Seed *s, NodeId id) { return s->below[id] && s->above[id]; }

static NodeId find_sum(const Graph *g, const Attention *a) {
    for (NodeId id = a->e + 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (n->op == OP_SUM && n->src[0] == a->e && n->attr[0] == g->node[a->max].attr[0])
            return id;
    }
    return 0;
}

/* All that lies between must be of the form: elements of the scores' shape, and the shift's rows. A
 * path through anything else would also be a cycle. */
static bool has_form(const Seed *s) {
    const Graph *g = s->g;
    const Node *scores = &g->node[s->of.scores], *max = &g->node[s->of.max];
    for (NodeId id = s->of.scores + 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (!is_between(s, id) || op_info[n->op].class == VIEW) continue;
        if (id == s->out || id == s->sum || id == s->of.max) continue;
        bool element = shape_equal(n->rank, n->shape, scores->rank, scores->shape);
        bool row = shape_equal(n->rank, n->shape, max->rank, max->shape);
        if (op_info[n->op].class != MAP || !(element || row)) return false;
    }
    return true;
}

/* Views in between are those that spread a row, and nothing else reads an element. */
static bool is_closed(const Clusters *c, const Seed *s) {
    const Graph *g = s->g;
    const Node *scores = &g->node[s->of.scores];
    for (NodeId id = s->of.scores; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (!is_between(s, id) || id == s->out) continue;
        if (op_info[n->op].class == VIEW && n->op != OP_BROADCAST) return false;
        if (op_info[n->op].class == VIEW) continue;
        if (!shape_equal(n->rank, n->shape, scores->rank, scores->shape)) continue;
        if (c->output[id]) return false;
        for (int i = c->reader_at[id]; i < c->reader_at[id + 1]; i++)
            if (!is_between(s, c->reader[i])) return false;
    }
    return true;
}

/* The result's space; its rows are those of the softmax. */
static Space seed_space(const Seed *s) {
    const Graph *g = s->g;
    const Node *out = &g->node[s->out];
    int kept = g->node[out->src[0]].rank - out->attr[1];
    Space space = space_of(g, s->out);
    for (int i = 0, k = 0; i < out->rank; i++) {
        if (dim_is(g->dims, out->shape[i], 1)) continue;
        if (i >= kept) space.reduced |= 1u << k;
        k++;
    }
    return space;
}

static void merge_seed(Clusters *c, const Seed *s) {
    Space space = seed_space(s);
    int into = c->of[s->out];
    for (NodeId id = s->of.scores; id < c->g->count; id++) {
        if (!is_between(s, id) || c->of[id] < 0) continue;
        c->inner[id] = id != s->out;
        if (c->of[id] == into) continue;
        Decision d = {id, s->out, FUSED, 2 * c->bytes[id], 0, false};
        if (c->g->node[id].op == OP_DOT || op_info[c->g->node[id].op].class == REDUCE)
            vec_push(c->arena, &c->plan->decisions, d);
        into = clusters_merge(c, c->of[id], into, &space);
    }
    c->at[into].family = F_ATTENTION;
}

void fuse_attention(Clusters *c) {
    for (NodeId id = 1; id < c->g->count; id++) {
        Seed s = {.g = c->g, .out = id};
        if (!find_attention(c->g, id, &s.of) || !(s.sum = find_sum(c->g, &s.of))) continue;
        s.below = arena_array(c->arena, bool, c->g->count);
        s.above = arena_array(c->arena, bool, c->g->count);
        find_between(&s);
        if (has_form(&s) && is_closed(c, &s)) merge_seed(c, &s);
    }
}
