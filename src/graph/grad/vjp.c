/* vjp.c: reverse mode: the vector-Jacobian product of a function.
 * In: the graph of f, and which inputs' cotangents are asked for. Out: a graph that computes them.
 *   needs   the graph that lowering makes, with its composites
 *   keeps   the values of f's nodes, which are copied; rounding as docs/gradients.md states
 *   breaks  nothing */
#include "graph/grad/grad_private.h"
#include "graph/pass/pass.h"

/* ---- f ------------------------------------------------------------------------------------ */

static const HandWritten *by_hand_of(const Sweep *w, NodeId id) {
    for (int i = 0; i < w->d->by_hand.count; i++)
        for (int k = 0; k < w->d->by_hand.at[i].outputs; k++)
            if (w->d->by_hand.at[i].output[k] == id) return &w->d->by_hand.at[i];
    return NULL;
}

/* The node behind a result of a hand-written call. */
static NodeId value_of(const HandWritten *call, NodeId output) {
    int i = 0;
    while (call->output[i] != output) i++;
    return call->value[i];
}

static const bool *find_live(const Sweep *w) {
    const Graph *f = w->f;
    bool *live = arena_array(f->arena, bool, f->count);
    for (int i = 0; i < f->outputs.count; i++) live[f->outputs.at[i].node] = true;
    for (NodeId id = f->count - 1; id > 0; id--) {
        const Node *n = &f->node[id];
        if (!live[id]) continue;
        for (int i = 0; i < n->src_count; i++) live[n->src[i]] = true;
        const HandWritten *call = n->op == OP_INPUT ? by_hand_of(w, id) : NULL;
        if (!call) continue;
        live[value_of(call, id)] = true;
        for (int i = 0; i < call->outputs; i++) live[call->output[i]] = true;
        for (int i = 0; i < call->inputs; i++) live[call->input[i]] = true;
    }
    return live;
}

static bool input_moves(const Sweep *w, NodeId id, const bool *moves) {
    for (int i = 0; i < w->d->inputs; i++)
        if (w->f->inputs.at[i].node == id) return w->d->wrt[i];
    const HandWritten *call = by_hand_of(w, id);
    for (int i = 0; call && i < call->inputs; i++)
        if (moves[call->input[i]]) return true;
    return false;
}

static const bool *find_moving(const Sweep *w) {
    const Graph *f = w->f;
    bool *moves = arena_array(f->arena, bool, f->count);
    for (NodeId id = 1; id < f->count; id++) {
        const Node *n = &f->node[id];
        if (!dtype_is_float(n->type) || n->op == OP_STOP_GRADIENT) continue;
        if (n->op == OP_INPUT) moves[id] = input_moves(w, id, moves);
        for (int i = 0; i < n->src_count; i++) moves[id] = moves[id] || moves[n->src[i]];
    }
    return moves;
}

static bool copy_f(Sweep *w) {
    const Graph *f = w->f;
    for (int i = 0; i < w->d->inputs; i++) {
        const GraphInput *input = &f->inputs.at[i];
        const Node *n = &f->node[input->node];
        w->copy[input->node] =
            graph_input(w->to, input->name, n->type, n->rank, n->shape, input->span);
    }
    for (NodeId id = 1; id < f->count; id++) {
        Node draft = f->node[id];
        if (!w->live[id] || w->copy[id]) continue;
        if (draft.op == OP_INPUT) {
            w->copy[id] = w->copy[value_of(by_hand_of(w, id), id)];
            continue;
        }
        for (int i = 0; i < draft.src_count; i++) draft.src[i] = w->copy[draft.src[i]];
        w->copy[id] = graph_add(w->to, &draft);
        if (!w->copy[id]) return false;
        graph_name(w->to, w->copy[id], draft.name);
    }
    return true;
}

/* ---- cotangents --------------------------------------------------------------------------- */

/* dh of h, for the emitted text. */
static void name_cotangent(const Sweep *w, NodeId id, NodeId cotangent) {
    const char *name = w->f->node[id].name;
    if (name) graph_name(w->to, cotangent, arena_printf(w->to->arena, "d%s", name));
}

/* Adds to the cotangent of a node of f. */
static bool give(Sweep *w, NodeId id, NodeId cotangent, Span at) {
    const Dtype type = dtype_compute(w->f->node[id].type);
    const Steps s = {w->to, type, at};
    cotangent = graph_cast(w->to, cotangent, type, at);
    if (cotangent && w->cotangent[id]) cotangent = step_add(&s, w->cotangent[id], cotangent);
    w->cotangent[id] = cotangent;
    return cotangent != 0;
}

NodeId backward_value(const Sweep *w, NodeId id) {
    return w->again[id] ? w->again[id] : w->copy[id];
}

NodeId rule_source(const Rule *r, int i) {
    return graph_cast(r->s.g, backward_value(r->sweep, r->n->src[i]), r->s.type, r->s.at);
}

NodeId rule_value(const Rule *r) {
    return graph_cast(r->s.g, backward_value(r->sweep, r->id), r->s.type, r->s.at);
}

NodeId rule_reduced(const Rule *r, int i) {
    return graph_cast(r->s.g, r->sweep->copy[r->n->src[i]], r->s.type, r->s.at);
}

bool rule_wants(const Rule *r, int i) { return r->sweep->moves[r->n->src[i]]; }

bool rule_give(const Rule *r, int i, NodeId cotangent) {
    if (!cotangent) return false;
    return !rule_wants(r, i) || give(r->sweep, r->n->src[i], cotangent, r->s.at);
}

bool rule_zero(const Rule *r) {
    if (r->sweep->d->warns)
        diag_warning(r->s.g->diag, r->n->span, "'%s' has no derivative: the cotangent is zero here",
                     node_op_name(r->sweep->f, r->n));
    return true;
}

/* ---- hand-written calls ------------------------------------------------------------------- */

static NodeId zeros(const Steps *s, const Node *like) {
    return graph_broadcast(s->g, step_number(s, 0), like->rank, like->shape, s->at);
}

/* The cotangents of the results, as the backward takes them. */
static int hand_cotangents(const Sweep *w, const HandWritten *call, NodeId *to) {
    int count = 0;
    for (int i = 0; i < call->outputs; i++) {
        const NodeId id = call->output[i], given = w->cotangent[id];
        const Node *n = &w->f->node[id];
        const Steps s = {w->to, n->type, n->span};
        if (dtype_is_float(n->type))
            to[count++] = given ? graph_cast(w->to, given, n->type, n->span) : zeros(&s, n);
    }
    return count;
}

static bool hand_rule(Sweep *w, const HandWritten *call) {
    const Graph *b = call->backward;
    NodeId *input = arena_array(w->to->arena, NodeId, b->inputs.count + 1);
    NodeId *output = arena_array(w->to->arena, NodeId, b->outputs.count + 1);
    int next = 0;
    for (int i = 0; i < call->inputs; i++) input[i] = w->copy[call->input[i]];
    hand_cotangents(w, call, input + call->inputs);
    if (!splice(w->to, b, input, output)) return false;
    for (int i = 0; i < call->inputs; i++) {
        const NodeId id = call->input[i];
        if (!dtype_is_float(w->f->node[id].type)) continue;
        const NodeId cotangent = output[next++];
        if (w->moves[id] && !give(w, id, cotangent, w->f->node[call->output[0]].span)) return false;
    }
    return true;
}

/* A call is reached when all its results have their cotangents: at the one of the least id. */
static bool input_rule(Sweep *w, NodeId id) {
    const HandWritten *call = by_hand_of(w, id);
    bool reached = false;
    if (!call || call->output[0] != id) return true;
    for (int i = 0; i < call->outputs; i++)
        reached = reached || (w->moves[call->output[i]] && w->cotangent[call->output[i]]);
    return !reached || hand_rule(w, call);
}

/* ---- the walk ----------------------------------------------------------------------------- */

/* A node that is no float, and computed from floats that move. */
static bool loses_cotangent(const Sweep *w, const Node *n) {
    if (dtype_is_float(n->type)) return false;
    for (int i = 0; i < n->src_count; i++)
        if (w->moves[n->src[i]]) return true;
    return false;
}

static bool node_rule(Sweep *w, NodeId id) {
    const Node *n = &w->f->node[id];
    const Rule r = {w, n, id, {w->to, dtype_compute(n->type), n->span}, w->cotangent[id]};
    if (!w->live[id]) return true;
    if (n->op == OP_INPUT) return input_rule(w, id);
    if (loses_cotangent(w, n)) return rule_zero(&r);
    if (!w->moves[id] || !r.dy) return true;
    name_cotangent(w, id, r.dy);
    switch (op_info[n->op].class) {
    case MAP: return map_rule(&r);
    case VIEW: return view_rule(&r);
    case GATHER: return take_rule(&r);
    case REDUCE:
    case SCAN: return reduce_rule(&r);
    case DOT: return dot_rule(&r);
    case COMPOSITE: return composite_rule(&r);
    default: BUG("no derivative of %s", op_info[n->op].name);
    }
}

static NodeId seed(const Sweep *w, const GraphOutput *output) {
    const Node *n = &w->f->node[output->node];
    if (w->d->is_scalar) return graph_const(w->to, n->type, 1, output->span);
    return graph_input(w->to, arena_printf(w->to->arena, "d%s", output->name), n->type, n->rank,
                       n->shape, output->span);
}

static bool seed_outputs(Sweep *w) {
    for (int i = 0; i < w->f->outputs.count; i++) {
        const GraphOutput *output = &w->f->outputs.at[i];
        if (!dtype_is_float(w->f->node[output->node].type)) continue;
        const NodeId cotangent = seed(w, output);
        if (!cotangent || !give(w, output->node, cotangent, output->span)) return false;
    }
    return true;
}

static void put_outputs(Sweep *w) {
    const Graph *f = w->f;
    for (int i = 0; w->d->with_value && i < f->outputs.count; i++)
        graph_output(w->to, f->outputs.at[i].name, w->copy[f->outputs.at[i].node],
                     f->outputs.at[i].span);
    for (int i = 0; i < w->d->inputs; i++) {
        const GraphInput *input = &f->inputs.at[i];
        const Node *n = &f->node[input->node];
        const Steps s = {w->to, n->type, input->span};
        if (!w->d->wrt[i]) continue;
        NodeId cotangent = w->cotangent[input->node];
        cotangent = cotangent ? graph_cast(w->to, cotangent, n->type, input->span) : zeros(&s, n);
        graph_output(w->to, arena_printf(w->to->arena, "d%s", input->name), cotangent, input->span);
    }
}

Graph *vjp(const Derivation *d) {
    const Graph *f = d->f;
    Arena *arena = f->arena;
    Sweep w = {.d = d, .f = f, .to = graph_like(f)};
    w.live = find_live(&w);
    w.moves = find_moving(&w);
    w.weights = f->attrs.strict ? arena_array(arena, bool, f->count) : softmax_weights(f);
    w.copy = arena_array(arena, NodeId, f->count);
    w.cotangent = arena_array(arena, NodeId, f->count);
    w.again = arena_array(arena, NodeId, f->count);
    w.row_dot = arena_array(arena, NodeId, f->count);
    if (!copy_f(&w) || !seed_outputs(&w)) return NULL;
    for (NodeId id = f->count - 1; id > 0; id--)
        if (!node_rule(&w, id)) return NULL;
    put_outputs(&w);
    return graph_rewrite(w.to, NULL, NULL);
}
