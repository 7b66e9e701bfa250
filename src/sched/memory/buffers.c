/* buffers.c: buffers between kernels: names, types, live ranges; then bytes and operations of each
 * kernel.
 * needs: groups in order. makes: buffers, and the reads, writes and numbers of groups. */
#include "sched/memory/memory.h"

#include <string.h>

/* ---- buffers ------------------------------------------------------------------------------- */

/* Buffers come in order: inputs, outputs, temps. */
static int signature_count(const Plan *p) {
    int all = p->g->inputs.count + p->g->outputs.count;
    return all < p->buffers.count ? all : p->buffers.count;
}

enum { NAMED = 256 }; /* buffers that may have a name of the model; later ones are numbered */

/* Does one of the first buffers have the name? */
static bool is_of_first(const Plan *p, const char *name, int count) {
    for (int i = 0; i < p->buffers.count && i < count; i++)
        if (!strcmp(p->buffers.at[i].name, name)) return true;
    return false;
}

static bool name_used(const Plan *p, const char *name) {
    const int count = signature_count(p);
    if (is_of_first(p, name, count > NAMED ? count : NAMED)) return true;
    for (int i = 0; i < p->g->dims->symbols.count; i++)
        if (!strcmp(p->g->dims->symbols.at[i].name, name)) return true;
    return false;
}

static const char *fresh_name(Plan *p, const char *wanted) {
    Arena *a = p->g->arena;
    while (name_used(p, wanted)) wanted = arena_printf(a, "%s_", wanted);
    return wanted;
}

/* What is only reshaped has the elements, and the name, of what it was made from. */
static const Node *reshaped(const Graph *g, const Node *n) {
    while (n->op == OP_RESHAPE && !n->name) n = &g->node[n->src[0]];
    return n;
}

/* Its name in the model or in the formula of a composite: "h"; "h_temp" if an input or output has
 * it, "matmul_temp" if it has none. Where another temp has that, it is numbered: "h2"; late ones
 * are numbered by their nodes, which needs no search. */
static const char *temp_name(Plan *p, NodeId id) {
    const Node *n = reshaped(p->g, &p->g->node[id]);
    const char *stem = plan_stem(p->g, n), *base = stem ? stem : node_op_name(p->g, n);
    if (!stem || is_of_first(p, stem, signature_count(p)))
        base = arena_printf(p->g->arena, "%s_temp", base);
    if (p->buffers.count >= NAMED)
        return fresh_name(p, arena_printf(p->g->arena, "%s_%d_value", base, id));
    const char *name = base;
    for (int i = 2; name_used(p, name); i++) name = arena_printf(p->g->arena, "%s%d", base, i);
    return name;
}

/* A short name with a number after it cannot collide, unless it could be a macro's. */
const char *plan_stem(const Graph *g, const Node *n) {
    enum { MOST = 24 };
    const char *name = n->name;
    bool plain = name && name[0] >= 'a' && name[0] <= 'z' && strlen(name) <= MOST;
    if (plain && strncmp(name, "fx_", 3) != 0) return name;
    return n->op == OP_CAST && !n->hint ? plan_stem(g, &g->node[n->src[0]]) : n->hint;
}

static int add_buffer(Plan *p, BufferKind kind, int number, const char *name, NodeId node) {
    Buffer b = {.kind = kind,
                .number = number,
                .node = node,
                .first = -1,
                .slot = -1,
                .input = -1,
                .may_be = -1};
    b.name = name;
    b.type = p->g->node[node].type;
    b.elements = node_elements(p->g, node);
    b.last = kind == B_TEMP ? -1 : p->groups.count;
    vec_push(p->g->arena, &p->buffers, b);
    return p->buffers.count - 1;
}

static void add_signature(Plan *p) {
    const Graph *g = p->g;
    for (int i = 0; i < g->inputs.count; i++) {
        int b =
            add_buffer(p, B_INPUT, i, fresh_name(p, g->inputs.at[i].name), g->inputs.at[i].node);
        p->buffers.at[b].constant = plan_packs_once(p) && g->attrs.constant[i];
        p->buffers.at[b].consumed = g->attrs.consumed && g->attrs.consumed[i];
        if (p->buffers.at[b].consumed) p->buffers.at[b].last = -1;
        p->buffer_of[g->inputs.at[i].node] = b;
    }
    for (int i = 0; i < g->outputs.count; i++) {
        NodeId s = storage_of(g, g->outputs.at[i].node);
        int b = add_buffer(p, B_OUTPUT, i, fresh_name(p, g->outputs.at[i].name), s);
        p->buffers.at[b].elements = node_elements(g, g->outputs.at[i].node);
        if (p->buffer_of[s] < 0) p->buffer_of[s] = b;
    }
}

/* Calls read a copy, or, on a GPU, the constant itself. */
static void use_constant(const Plan *p, Buffer *b, int group) {
    const bool once = p->groups.at[group].once;
    if (plan_packs_once(p)) {
        b->prepared |= !once;
    } else {
        b->constant |= once;
        b->in_place |= !once;
    }
}

static void use(Plan *p, IntVec *list, int buffer, int group, bool writes) {
    Buffer *b = &p->buffers.at[buffer];
    if (writes)
        b->first = group;
    else if ((b->kind == B_TEMP || b->consumed) && b->last < group)
        b->last = group;
    if (p->constancy && b->kind == B_INPUT && p->g->attrs.constant[b->number])
        use_constant(p, b, group);
    for (int i = 0; i < list->count; i++)
        if (list->at[i] == buffer) return;
    vec_push(p->g->arena, list, buffer);
}

static void add_writes(Plan *p, int number) {
    Group *group = &p->groups.at[number];
    for (int i = 0; i < group->nests.count; i++) {
        const LoopNest *nest = &group->nests.at[i];
        for (int k = 0; k < nest->stored.count; k++) {
            NodeId n = nest->stored.at[k];
            bool found = false;
            for (int b = p->g->inputs.count; b < signature_count(p); b++) {
                if (p->buffers.at[b].node != n) continue;
                use(p, &group->writes, b, number, true);
                found = true;
            }
            if (found) continue;
            p->buffer_of[n] = add_buffer(p, B_TEMP, p->buffers.count, temp_name(p, n), n);
            p->buffers.at[p->buffer_of[n]].prepared = group->once;
            use(p, &group->writes, p->buffer_of[n], number, true);
        }
    }
}

/* A buffer below the views of a node, or those of a free scalar's sources. */
static void add_read(Plan *p, NodeId id, int number) {
    NodeId base = source_of(p, id);
    const Node *n = &p->g->node[base];
    if (n->op != OP_INPUT && p->group_of[base] == number) return;
    if (n->op == OP_INPUT || plan_is_work(p, base) || p->kept[base]) {
        use(p, &p->groups.at[number].reads, p->buffer_of[base], number, false);
        return;
    }
    for (int i = 0; i < n->src_count; i++) add_read(p, n->src[i], number);
}

/* Does a conversion turn bytes into floats, exactly? */
static bool is_float_of_byte(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    Dtype from = n->op == OP_CAST ? g->node[n->src[0]].type : T_NONE;
    return n->type == T_F32 && (from == T_I8 || from == T_U8);
}

/* The narrowest type that holds all elements of an operand exactly. */
static Dtype panels_type(const Plan *p, NodeId id, int group) {
    const Graph *g = p->g;
    while ((is_transparent(g, id) && g->node[id].op != OP_PAD) ||
           (is_float_of_byte(g, id) && p->group_of[id] == group))
        id = g->node[id].src[0];
    return g->node[id].type;
}

/* Reads an operand that is packed once from its panels. */
static bool add_panels(Plan *p, const Node *dot, int side, int number) {
    Group *group = &p->groups.at[number];
    NodeId operand = dot->src[side], base = source_of(p, operand);
    if (dot->op != OP_DOT || !group->packs_once[side]) return false;
    if (plan_panels(p, number, operand, side == 0) >= 0) return true;
    const Node *n = &p->g->node[base];
    const char *of = n->op == OP_INPUT ? p->g->inputs.at[n->attr[0]].name : op_info[n->op].name;
    const char *name = arena_printf(p->g->arena, "%s_%d_panels", of, p->buffers.count);
    int b = add_buffer(p, B_PANELS, p->buffers.count, fresh_name(p, name), operand);
    p->buffers.at[b].type = panels_type(p, operand, number);
    p->buffers.at[b].prepared = true;
    p->buffers.at[b].is_left = side == 0;
    p->buffers.at[b].first = p->buffers.at[b].last = number;
    use(p, &group->reads, b, number, false);
    return true;
}

/* Reads: values that the nodes of the group need from outside. */
static void add_reads(Plan *p, int number) {
    Group *group = &p->groups.at[number];
    for (int i = 0; i < group->nests.count; i++) {
        const NodeVec *nodes = &group->nests.at[i].nodes;
        for (int k = 0; k < nodes->count; k++) {
            const Node *n = &p->g->node[nodes->at[k]];
            bool copy = is_transparent(p->g, nodes->at[k]);
            if (is_only_packed(p, group, nodes->at[k])) continue;
            if (n->op == OP_INPUT) add_read(p, nodes->at[k], number);
            for (int s = 0; s < (copy ? 1 : n->src_count); s++)
                if (!add_panels(p, n, s, number)) add_read(p, n->src[s], number);
        }
    }
}

/* ---- numbers ------------------------------------------------------------------------------- */

static Dim sum_bytes(const Plan *p, const IntVec *buffers) {
    Dim sum = dim_const(p->g->dims, 0);
    for (int i = 0; i < buffers->count && sum; i++) {
        Dim bytes = buffer_bytes(p, buffers->at[i]);
        sum = bytes ? dim_add(p->g->dims, sum, bytes) : 0;
    }
    return sum;
}

/* Elements that are left of a buffer by the slices through which it is read, at most. */
static int64_t sliced_elements(const Plan *p, NodeId id, int64_t all) {
    for (; is_transparent(p->g, id) && !p->kept[id]; id = p->g->node[id].src[0]) {
        int64_t own;
        const Dim elements = p->g->node[id].op == OP_SLICE ? node_elements(p->g, id) : 0;
        if (elements && dim_is_const(p->g->dims, elements, &own) && own < all) all = own;
    }
    return all;
}

/* Elements that a take reads of a table of `all`, at most: whole sectors of memory for each of the
 * pieces that are contiguous. */
static int64_t taken_elements(const Plan *p, const Node *take, int64_t all) {
    const int64_t sector = machine_is_gpu(p->machine) ? 32 : 64; /* bytes */
    const int64_t size = (int64_t)dtype_size(take->type);
    const Node *table = &p->g->node[take->src[0]];
    const Dim elements = node_elements(p->g, (NodeId)(take - p->g->node));
    int64_t piece = 1, extent, taken;
    if (!elements || !dim_is_const(p->g->dims, elements, &taken)) return all;
    for (int i = take->attr[0] + 1; i < table->rank; i++) {
        if (!dim_is_const(p->g->dims, table->shape[i], &extent)) return all;
        piece *= extent;
    }
    if (!piece) return all;
    const int64_t sectors = (piece * size + sector - 1) / sector;
    const double read = (double)(taken / piece) * (double)(sectors * sector / size);
    return read < (double)all ? (int64_t)read : all;
}

/* What groups read: scratch of one walk over all of them. */
typedef struct Reading {
    int *seen;         /* node -> the last group that has read through it, from 1 on */
    int64_t *elements; /* buffer -> what the group reads of it */
} Reading;

static void count_read(const Plan *p, int number, NodeId id, NodeId base, int64_t most,
                       Reading *r) {
    const int buffer = p->buffer_of[source_of(p, base)];
    int64_t all;
    const bool is_whole = most == INT64_MAX; /* another take has other elements */
    if (buffer < 0 || (is_whole && r->seen[id] == number + 1)) return;
    if (is_whole) r->seen[id] = number + 1;
    const Dim elements = p->buffers.at[buffer].elements;
    if (!elements || !dim_is_const(p->g->dims, elements, &all)) return;
    const int64_t whole = sliced_elements(p, id, all), left = all - r->elements[buffer];
    const int64_t more = whole < most ? whole : most;
    r->elements[buffer] += more < left ? more : left;
}

/* Leaves out what no slice has, and no take. */
static void leave_out_skipped(Plan *p, int number, Reading *r) {
    Group *group = &p->groups.at[number];
    int64_t skipped = 0, all;
    for (int i = 0; i < group->reads.count; i++) r->elements[group->reads.at[i]] = 0;
    for (int i = 0; i < group->nests.count; i++) {
        const NodeVec *nodes = &group->nests.at[i].nodes;
        for (int k = 0; k < nodes->count; k++) {
            const Node *n = &p->g->node[nodes->at[k]];
            const bool copy = is_transparent(p->g, nodes->at[k]);
            for (int s = 0; s < (copy ? 1 : n->src_count); s++) {
                const bool is_table = op_info[n->op].class == GATHER && s == 0;
                count_read(p, number, copy ? nodes->at[k] : n->src[s], n->src[s],
                           is_table ? taken_elements(p, n, INT64_MAX) : INT64_MAX, r);
            }
        }
    }
    for (int i = 0; i < group->reads.count; i++) {
        const Buffer *b = &p->buffers.at[group->reads.at[i]];
        const int64_t read = r->elements[group->reads.at[i]];
        if (!read || b->kind == B_PANELS || !dim_is_const(p->g->dims, b->elements, &all)) continue;
        skipped += (all - read) * (int64_t)dtype_size(b->type);
    }
    if (!skipped || !group->bytes_read) return;
    group->bytes_read = dim_sub(p->g->dims, group->bytes_read, dim_const(p->g->dims, skipped));
    group->work.bytes -= (double)skipped;
}

static Dim all_flops(const Plan *p, NodeId id) {
    const Graph *g = p->g;
    const Node *n = &g->node[id];
    OpClass class = op_info[n->op].class;
    if (class != MAP && class != REDUCE && class != PARTIAL && class != SCAN && class != DOT)
        return dim_const(g->dims, 0);
    Dim flops = node_elements(g, class == REDUCE || class == PARTIAL ? n->src[0] : id);
    if (n->op == OP_CAST || join_axis(n) >= 0) return dim_const(g->dims, 0);
    if (class != DOT) return flops;
    const Node *a = &g->node[n->src[0]];
    for (int i = a->rank - n->attr[1]; i < a->rank && flops; i++)
        flops = dim_mul(g->dims, flops, a->shape[i]);
    return flops ? dim_mul(g->dims, flops, dim_const(g->dims, 2)) : 0;
}

Dim plan_node_flops(const Plan *p, NodeId id) {
    Dims *d = p->g->dims;
    Dim flops = all_flops(p, id);
    return flops && p->splits[id] > 1 ? dim_div(d, flops, dim_const(d, p->splits[id]), NOWHERE)
                                      : flops;
}

static void add_numbers(Plan *p, int number, Reading *r) {
    Group *group = &p->groups.at[number];
    group->bytes_read = sum_bytes(p, &group->reads);
    leave_out_skipped(p, number, r);
    group->bytes_written = sum_bytes(p, &group->writes);
    group->flops = dim_const(p->g->dims, 0);
    for (int i = 0; i < group->nests.count; i++) {
        const NodeVec *nodes = &group->nests.at[i].nodes;
        for (int k = 0; k < nodes->count && group->flops; k++) {
            Dim flops = plan_node_flops(p, nodes->at[k]);
            group->flops = flops ? dim_add(p->g->dims, group->flops, flops) : 0;
        }
    }
}

void plan_buffers(Plan *p) {
    Arena *a = p->g->arena;
    find_panels(p);
    p->buffer_of = arena_array(a, int, p->g->count);
    for (int i = 0; i < p->g->count; i++) p->buffer_of[i] = -1;
    add_signature(p);
    for (int k = 0; k < p->groups.count; k++) {
        p->groups.at[k].name = arena_printf(a, "%s_%d", p->g->name, k);
        add_writes(p, k);
    }
    for (int k = 0; k < p->groups.count; k++) add_reads(p, k);
    Reading reading = {arena_array(a, int, p->g->count),
                       arena_array(a, int64_t, p->buffers.count + 1)};
    for (int k = 0; k < p->groups.count; k++) add_numbers(p, k, &reading);
    choose_slots(p);
}

/* ---- the contract -------------------------------------------------------------------------- */

/* A note for one pair of kernels that were not fused. */
static void note_pair(const Plan *p, const Decision *d) {
    const Node *a = &p->g->node[d->a], *b = &p->g->node[d->b];
    const char *format = d->horizontal ? "this %s is not in one kernel with its neighbour %s: %s"
                                       : "this %s is not fused with its source %s: %s";
    diag_note(p->g->diag, b->span, format, node_op_name(p->g, b), node_op_name(p->g, a),
              reason_text[d->reason]);
}

/* Kernels that were never a candidate pair: neither reads the other, nor an input of the other. */
static void note_unrelated(const Plan *p, const Decision *const *pairs, int count) {
    for (int k = 1; k < p->groups.count; k++) {
        bool found = p->groups.at[k].once;
        for (int i = 0; i < count && !found; i++) {
            int a = p->group_of[pairs[i]->a], b = p->group_of[pairs[i]->b];
            found = (a == k && b < k) || (b == k && a < k);
        }
        if (found) continue;
        NodeId id = p->groups.at[k].nests.at[0].stored.at[0];
        diag_note(p->g->diag, p->g->node[id].span,
                  "this %s has a kernel of its own: it reads neither results nor inputs of the "
                  "kernels before",
                  node_op_name(p->g, &p->g->node[id]));
    }
}

bool plan_check_max_kernels(const Plan *p) {
    const FnAttrs *attrs = &p->g->attrs;
    int count = plan_called(p);
    if (!attrs->max_kernels || count <= attrs->max_kernels) return true;
    diag_error(p->g->diag, attrs->max_kernels_span, "%s needs %d kernels, but promises at most %d",
               p->g->name, count, attrs->max_kernels);
    int pair_count;
    const Decision **pairs = plan_pairs_apart(p, &pair_count);
    for (int i = 0; i < pair_count; i++) note_pair(p, pairs[i]);
    note_unrelated(p, pairs, pair_count);
    return false;
}
