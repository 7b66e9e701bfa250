/* graph.c: the array of nodes, and graph_add, the only way to add one.
 * In: drafts of nodes. Out: their ids, after infer.c has given them type and shape; equal nodes get
 * the same id. Frequent drafts follow below graph_add, one function each. */
#include "graph/graph.h"

#include <math.h>
#include <string.h>

enum { NODES_MIN = 64 };

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- graphs ------------------------------------------------------------------------------- */

/* Room for `cap` nodes, a power of 2; the table is twice that. */
static Graph *graph_with_room(Arena *arena, int cap) {
    Graph *g = arena_new_of(arena, Graph);
    g->arena = arena;
    g->cap = cap;
    g->node = arena_array(arena, Node, cap);
    g->count = 1; /* node 0 is not a node */
    g->table_size = 2 * cap;
    g->table = arena_array(arena, int32_t, g->table_size);
    return g;
}

Graph *graph_new(Arena *arena, Diag *diag, const Limits *limits, Dims *dims, const char *name) {
    Graph *g = graph_with_room(arena, NODES_MIN);
    g->diag = diag;
    g->limits = limits;
    g->dims = dims;
    g->name = arena_strdup(arena, name);
    g->span = NOWHERE;
    return g;
}

Graph *graph_like(const Graph *g) {
    int cap = NODES_MIN;
    while (cap < g->count) cap *= 2;
    Graph *to = graph_with_room(g->arena, cap);
    to->diag = g->diag;
    to->limits = g->limits;
    to->dims = g->dims;
    to->name = g->name;
    to->span = g->span;
    to->attrs = g->attrs;
    to->imports = g->imports;
    to->imported = g->imported;
    to->kept = g->kept;
    return to;
}

/* ---- equal nodes -------------------------------------------------------------------------- */

/* The key of a node: everything but its span and name, without padding between. */
enum { KEY_SIZE = 9 + SRC_MAX + 2 * RANK_MAX };

static void node_key(const Node *n, int32_t key[KEY_SIZE]) {
    int32_t head[9] = {(int32_t)n->op,
                       (int32_t)n->type,
                       n->rank,
                       n->weak,
                       n->src_count,
                       (int32_t)(uint32_t)n->bits,
                       (int32_t)(uint32_t)(n->bits >> 32),
                       n->twin,
                       n->stored};
    memcpy(key, head, sizeof head);
    memcpy(key + 9, n->src, sizeof n->src);
    memcpy(key + 9 + SRC_MAX, n->shape, sizeof n->shape);
    memcpy(key + 9 + SRC_MAX + RANK_MAX, n->attr, sizeof n->attr);
}

/* The slot of the equal node, or the empty slot where it belongs. */
static int32_t *table_slot(const Graph *g, const Node *n) {
    int32_t key[KEY_SIZE], other[KEY_SIZE];
    node_key(n, key);
    uint32_t mask = (uint32_t)g->table_size - 1;
    uint32_t i = (uint32_t)hash_bytes(key, sizeof key, 0) & mask;
    for (; g->table[i]; i = (i + 1) & mask) {
        node_key(&g->node[g->table[i]], other);
        if (!memcmp(key, other, sizeof key)) break;
    }
    return &g->table[i];
}

NodeId graph_find(const Graph *g, const Node *n) { return *table_slot(g, n); }

static void graph_grow(Graph *g) {
    g->node = arena_grow(g->arena, g->node, sizeof *g->node * (size_t)g->cap,
                         sizeof *g->node * 2 * (size_t)g->cap);
    g->cap *= 2;
    g->table_size *= 2;
    g->table = arena_array(g->arena, int32_t, g->table_size);
    for (NodeId id = 1; id < g->count; id++) *table_slot(g, &g->node[id]) = id;
}

/* ---- adding ------------------------------------------------------------------------------- */

/* Only constant sizes count; the others are at least 1. */
static bool check_elements(Graph *g, const Node *n) {
    int64_t count = 1, size;
    bool fits = true;
    for (int i = 0; i < n->rank; i++)
        if (dim_is_const(g->dims, n->shape[i], &size))
            fits = fits && !__builtin_mul_overflow(count, size, &count);
    if (fits && count <= g->limits->elements) return true;
    Text shape = text_new(g->arena);
    shape_print(g->dims, n->type, n->rank, n->shape, &shape);
    diag_error(g->diag, n->span, "%s has more than %lld elements (--limit elements)",
               text_get(&shape), (long long)g->limits->elements);
    return false;
}

static bool sources_given(const Node *n) {
    for (int i = 0; i < n->src_count; i++)
        if (!n->src[i]) return false;
    return true;
}

void node_order_sources(Node *n) {
    if (!op_info[n->op].commutes || n->src[0] <= n->src[1]) return;
    NodeId first = n->src[0];
    n->src[0] = n->src[1];
    n->src[1] = first;
}

/* Values that every kernel can compute for free: see Node.uniform and Node.scalar. */
static void mark_scalar(const Graph *g, Node *n) {
    OpClass class = op_info[n->op].class;
    bool leaf = n->op == OP_CONST || n->op == OP_DIM;
    int ops = leaf || n->op == OP_INPUT || class == MAP;
    bool on_host = class == MAP && !dtype_is_narrow(n->type) &&
                   (n->op == OP_CAST || op_has_text(n->op, IN_HOST));
    n->uniform = n->rank == 0 && (leaf || on_host);
    for (int i = 0; i < n->src_count; i++) {
        const Node *s = &g->node[n->src[i]];
        n->uniform = n->uniform && s->uniform;
        ops = ops && s->scalar ? ops + s->scalar : 0;
    }
    n->scalar = (uint8_t)(n->rank ? 0 : ops > 255 ? 255 : ops);
}

NodeId graph_add(Graph *g, const Node *draft) {
    Node n = *draft;
    if (!sources_given(&n) || !infer(g, &n)) return 0;
    node_order_sources(&n);
    int32_t *slot = table_slot(g, &n);
    if (*slot) return *slot;
    if (!check_elements(g, &n)) return 0;
    if (g->count > g->limits->nodes) {
        diag_error(g->diag, n.span, "'%s' needs more than %lld operations (--limit nodes)", g->name,
                   (long long)g->limits->nodes);
        return 0;
    }
    if (g->count == g->cap) {
        graph_grow(g);
        slot = table_slot(g, &n);
    }
    *slot = g->count;
    mark_scalar(g, &n);
    g->node[g->count] = n;
    return g->count++;
}

void graph_name(Graph *g, NodeId id, const char *name) {
    if (id && !g->node[id].name) g->node[id].name = name;
}

NodeId graph_hint(Graph *g, NodeId id, const char *hint) {
    if (id && !g->node[id].hint) g->node[id].hint = hint;
    return id;
}

/* ---- inputs, outputs, leaves -------------------------------------------------------------- */

NodeId graph_input(Graph *g, const char *name, Dtype type, int rank, const Dim *shape, Span span) {
    Node n = {.op = OP_INPUT, .type = type, .rank = rank, .attr = {g->inputs.count}, .span = span};
    if (rank) memcpy(n.shape, shape, sizeof *shape * (size_t)rank);
    NodeId id = graph_add(g, &n);
    GraphInput input = {arena_strdup(g->arena, name), id, span};
    if (id) vec_push(g->arena, &g->inputs, input);
    return id;
}

void graph_output(Graph *g, const char *name, NodeId node, Span span) {
    GraphOutput output = {arena_strdup(g->arena, name), node, span};
    if (node) vec_push(g->arena, &g->outputs, output);
}

NodeId graph_const(Graph *g, Dtype type, double value, Span span) {
    if (!dtype_is_float(type))
        return graph_const_int(g, type, dtype_convert(T_F64, type, (Scalar){.f = value}).i, span);
    return graph_add(g, &(Node){.op = OP_CONST,
                                .type = type,
                                .bits = bits_of(dtype_round(type, value)),
                                .span = span});
}

NodeId graph_const_int(Graph *g, Dtype type, int64_t value, Span span) {
    Scalar s = dtype_convert(T_I64, type, (Scalar){.i = value});
    uint64_t bits = dtype_is_float(type) ? bits_of(s.f) : (uint64_t)s.i;
    return graph_add(g, &(Node){.op = OP_CONST, .type = type, .bits = bits, .span = span});
}

NodeId graph_zero(Graph *g, Dtype type, Span span) {
    return dtype_is_float(type) ? graph_const(g, type, 0, span) : graph_const_int(g, type, 0, span);
}

NodeId graph_literal(Graph *g, bool is_int, double value, int64_t integer, Span span) {
    return graph_add(g, &(Node){.op = OP_CONST,
                                .type = is_int ? T_I64 : T_F64,
                                .weak = true,
                                .bits = is_int ? (uint64_t)integer : bits_of(value),
                                .span = span});
}

NodeId graph_dim(Graph *g, Dim dim, Span span) {
    if (!dim) return 0;
    return graph_add(g, &(Node){.op = OP_DIM, .attr = {dim}, .span = span});
}

NodeId graph_iota(Graph *g, Dim n, Span span) {
    if (!n) return 0;
    return graph_add(g, &(Node){.op = OP_IOTA, .rank = 1, .shape = {n}, .span = span});
}

NodeId graph_index(Graph *g, Dim n, Span span) {
    int64_t least, most;
    if (!n) return 0;
    dim_range(g->dims, n, &least, &most);
    const Dtype type = least > INT32_MAX ? T_I64 : T_I32;
    return graph_add(g,
                     &(Node){.op = OP_IOTA, .type = type, .rank = 1, .shape = {n}, .span = span});
}

/* ---- elementwise -------------------------------------------------------------------------- */

NodeId graph_map(Graph *g, Op op, NodeId a, NodeId b, NodeId c, Span span) {
    Node n = {.op = op, .src_count = op_sources(op), .src = {a, b, c}, .span = span};
    return graph_add(g, &n);
}

NodeId graph_cast(Graph *g, NodeId x, Dtype type, Span span) {
    if (!x || (g->node[x].type == type && !g->node[x].weak)) return x;
    return graph_add(
        g, &(Node){.op = OP_CAST, .type = type, .src_count = 1, .src = {x}, .span = span});
}

/* ---- views -------------------------------------------------------------------------------- */

static Node view_of(Op op, NodeId x, int rank, const Dim *shape, Span span) {
    Node n = {.op = op, .src_count = 1, .src = {x}, .rank = rank, .span = span};
    if (rank) memcpy(n.shape, shape, sizeof *shape * (size_t)rank);
    return n;
}

NodeId graph_positions(Graph *g, int rank, const Dim *shape, Span span) {
    Dim count = dim_const(g->dims, 1);
    for (int i = 0; count && i < rank; i++) count = dim_mul(g->dims, count, shape[i]);
    if (!count) {
        diag_error(g->diag, span, "the number of elements overflows 64 bits");
        return 0;
    }
    Node iota = {.op = OP_IOTA, .type = T_I64, .rank = 1, .shape = {count}, .span = span};
    return graph_reshape(g, graph_add(g, &iota), rank, shape, span);
}

static bool has_shape(const Graph *g, NodeId x, int rank, const Dim *shape) {
    return shape_equal(g->node[x].rank, g->node[x].shape, rank, shape);
}

NodeId graph_reshape(Graph *g, NodeId x, int rank, const Dim *shape, Span span) {
    if (!x || has_shape(g, x, rank, shape)) return x;
    Node n = view_of(OP_RESHAPE, x, rank, shape, span);
    return graph_add(g, &n);
}

NodeId graph_permute(Graph *g, NodeId x, const int *perm, Span span) {
    if (!x) return 0;
    Node n = {.op = OP_PERMUTE, .src_count = 1, .src = {x}, .span = span};
    bool moves = false;
    for (int i = 0; i < g->node[x].rank; i++) {
        n.attr[i] = perm[i];
        moves = moves || perm[i] != i;
    }
    return moves ? graph_add(g, &n) : x;
}

NodeId graph_broadcast(Graph *g, NodeId x, int rank, const Dim *shape, Span span) {
    if (!x || has_shape(g, x, rank, shape)) return x;
    int added = rank - g->node[x].rank;
    if (added > 0) {
        Dim wider[RANK_MAX];
        for (int i = 0; i < rank; i++)
            wider[i] = i < added ? dim_const(g->dims, 1) : g->node[x].shape[i - added];
        x = graph_reshape(g, x, rank, wider, span);
        if (!x || has_shape(g, x, rank, shape)) return x;
    }
    Node n = view_of(OP_BROADCAST, x, rank, shape, span);
    return graph_add(g, &n);
}

NodeId graph_slice(Graph *g, NodeId x, const Dim *start, const Dim *extent, Span span) {
    if (!x || has_shape(g, x, g->node[x].rank, extent)) return x; /* every slice starts at 0 */
    Node n = view_of(OP_SLICE, x, g->node[x].rank, extent, span);
    memcpy(n.attr, start, sizeof *start * (size_t)n.rank);
    return graph_add(g, &n);
}

NodeId graph_pad(Graph *g, NodeId x, const Dim *before, const Dim *shape, NodeId value, Span span) {
    if (!x || !value || has_shape(g, x, g->node[x].rank, shape)) return value ? x : 0;
    Node n = view_of(OP_PAD, x, g->node[x].rank, shape, span);
    n.src_count = 2;
    n.src[1] = value;
    memcpy(n.attr, before, sizeof *before * (size_t)n.rank);
    return graph_add(g, &n);
}

NodeId graph_flip(Graph *g, NodeId x, uint32_t axes, Span span) {
    if (!x || !axes) return x;
    return graph_add(
        g,
        &(Node){.op = OP_FLIP, .src_count = 1, .src = {x}, .attr = {(int32_t)axes}, .span = span});
}

NodeId graph_scatter(Graph *g, NodeId base, NodeId indices, NodeId x, int axis, Op with,
                     Span span) {
    if (!base || !indices || !x) return 0;
    return graph_add(g, &(Node){.op = OP_SCATTER,
                                .src_count = 3,
                                .src = {base, indices, x},
                                .attr = {axis, (int32_t)with},
                                .span = span});
}

/* ---- reductions, matmul ------------------------------------------------------------------- */

NodeId graph_reduce(Graph *g, Op op, NodeId x, uint32_t axes, Span span) {
    return graph_add(
        g, &(Node){.op = op, .src_count = 1, .src = {x}, .attr = {(int32_t)axes}, .span = span});
}

NodeId graph_scan(Graph *g, Op op, NodeId x, int axis, bool reverse, Span span) {
    return graph_add(
        g, &(Node){.op = op, .src_count = 1, .src = {x}, .attr = {axis, reverse}, .span = span});
}

NodeId graph_dot(Graph *g, NodeId a, NodeId b, int batch, int summed, Span span) {
    return graph_add(
        g, &(Node){
               .op = OP_DOT, .src_count = 2, .src = {a, b}, .attr = {batch, summed}, .span = span});
}

/* ---- questions ---------------------------------------------------------------------------- */

const ImportFunction *node_function(const Graph *g, const Node *n) {
    if (!op_is_call(n->op) || n->attr[0] < 0 || n->attr[0] >= g->imported.count)
        BUG("%s of function %d", op_info[n->op].name, n->attr[0]);
    return &g->imported.at[n->attr[0]];
}

const char *node_op_name(const Graph *g, const Node *n) {
    return op_is_call(n->op) ? node_function(g, n)->name : op_info[n->op].name;
}

bool node_is_const(const Node *n, double *value) {
    if (n->op != OP_CONST) return false;
    if (dtype_is_float(n->type))
        memcpy(value, &n->bits, sizeof *value);
    else
        *value = (double)(int64_t)n->bits;
    return true;
}

int node_literal_power(const Graph *g, const Node *n) {
    if (n->op != OP_POW) return -1;
    const Node *b = &g->node[n->src[1]];
    while (b->op == OP_CAST || b->op == OP_BROADCAST || b->op == OP_RESHAPE)
        b = &g->node[b->src[0]];
    double value;
    if (!node_is_const(b, &value)) return -1;
    return value >= 0 && value <= 64 && value == floor(value) ? (int)value : -1;
}

bool node_is_all(const Graph *g, NodeId id, double number) {
    double value;
    for (; op_info[g->node[id].op].class == VIEW; id = g->node[id].src[0])
        if (g->node[id].op == OP_PAD) return false; /* the padding has another value */
    return node_is_const(&g->node[id], &value) && value == number;
}

const char *precision_name(Precision precision) {
    static const char *const names[PRECISION_COUNT] = {
        [P_IEEE] = "ieee",     [P_TF32] = "tf32",     [P_TF32X3] = "tf32x3",
        [P_BF16X3] = "bf16x3", [P_BF16X6] = "bf16x6", [P_F8] = "f8"};
    return names[precision];
}

int precision_bits(Precision precision) {
    static const int bits[PRECISION_COUNT] = {[P_TF32] = 11, [P_TF32X3] = 22, [P_BF16X3] = 16};
    return bits[precision];
}

static bool is_f8(const Graph *g, NodeId id) {
    while (g->node[id].op == OP_CAST && dtype_size(g->node[id].type) > 1) id = g->node[id].src[0];
    return dtype_is_float(g->node[id].type) && dtype_size(g->node[id].type) == 1;
}

bool dot_sums_f8(const Graph *g, const Node *dot) {
    return g->attrs.precision == P_F8 && is_f8(g, dot->src[0]) && is_f8(g, dot->src[1]);
}

Dim node_elements(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    Dim count = dim_const(g->dims, 1);
    for (int i = 0; i < n->rank; i++) count = dim_mul(g->dims, count, n->shape[i]);
    return count;
}

bool node_has_same_axes(const Graph *g, const Node *a, const Node *b) {
    int i = 0, j = 0;
    for (;; i++, j++) {
        while (i < a->rank && dim_is(g->dims, a->shape[i], 1)) i++;
        while (j < b->rank && dim_is(g->dims, b->shape[j], 1)) j++;
        if (i == a->rank || j == b->rank) return i == a->rank && j == b->rank;
        if (a->shape[i] != b->shape[j]) return false;
    }
}

bool shape_equal(int rank_a, const Dim *a, int rank_b, const Dim *b) {
    return rank_a == rank_b && (!rank_a || !memcmp(a, b, sizeof *a * (size_t)rank_a));
}

void shape_print(const Dims *dims, Dtype type, int rank, const Dim *shape, Text *out) {
    if (type != T_NONE) text_str(out, dtype_name(type));
    if (!rank && type != T_NONE) return;
    text_char(out, '[');
    for (int i = 0; i < rank; i++) {
        if (i) text_str(out, ", ");
        dim_print(dims, shape[i], out);
    }
    text_char(out, ']');
}
