/* k_major.c: operands of products of which a tile would load single elements, since k is not
 * innermost in memory, are copied so that it is, for a GPU. Two sorts: where the batch is
 * innermost, neighbours belong to different products; and tensor cores transpose 16 bits only. A
 * result whose batch would be innermost is permuted by a kernel of its own, too. needs: simplified.
 * keeps: meaning. breaks: nothing.
 *
 *     einsum("ikc,jkc->ijc", l, r)       becomes       permute(l' @ r'^T), where l'[c, i, k] =
 *     permute(l) and r'[c, j, k] = permute(r), and the product [c, i, j] are stored
 */
#include "sched/split/split.h"

#include <math.h>

enum { SECTOR = 32, TILE = COST_TILE };

typedef struct Pass {
    const Graph *from;
    const Machine *machine;
    int *readers;         /* see split_readers */
    const NodeId *reader; /* the last one of each node */
    const bool *of_rows;  /* node: is it of a kernel that writes rows in their own order? */
    bool *copied[2];      /* product: is its left, its right operand? */
    bool *stored;         /* node: is it stored as it is before a permutation? */
} Pass;

static bool is_known(const Graph *g, const Node *n) {
    int64_t size;
    for (int i = 0; i < n->rank; i++)
        if (!dim_is_const(g->dims, n->shape[i], &size)) return false;
    return true;
}

/* Of a kernel that reads and writes the value. */
static double copy_seconds(const Pass *p, NodeId x) {
    static const double start = 2e-6;
    const double bytes = 2 * (double)cost_bytes(p->from, x);
    return bytes / machine_bandwidth(p->machine) + 1e-9 * p->machine->launch + start;
}

/* Does a permutation make the last axis in memory one of the first `batch`? */
static bool is_innermost(const Node *n, int batch) {
    for (int i = 0; i < batch && n->op == OP_PERMUTE && !n->stored; i++)
        if (n->attr[i] == n->rank - 1) return true;
    return false;
}

/* And one that is not summed? */
static bool is_mn_major(const Node *n, int summed) {
    for (int i = 0; i < n->rank - summed && n->op == OP_PERMUTE && !n->stored; i++)
        if (n->attr[i] == n->rank - 1) return true;
    return false;
}

/* ---- where the batch is innermost ------------------------------------------------------------ */

/* Tiles across, each of which loads the operand. */
static double tiles(const Graph *g, const Node *dot, int side) {
    const Node *left = &g->node[dot->src[0]];
    const int kept = left->rank - dot->attr[1];
    const double across =
        side ? cost_extent(g, dot, dot->attr[0], kept) : cost_extent(g, dot, kept, dot->rank);
    return across < TILE ? 1 : across / TILE;
}

/* Is a sector for each element, so many times, more than a copy? On an H200 128 products of 256 x
 * 256 x 256 take 349 us from l[i, k, c] and r[j, k, c], with results [i, j, c], of which storing
 * takes 120; copies of 11 us, and 16 us of their product. */
static bool crosses_sectors(const Pass *p, NodeId x, double times) {
    const double bytes = times * cost_elements(p->from, x) * SECTOR;
    return bytes / machine_bandwidth(p->machine) > copy_seconds(p, x);
}

/* The permutation that makes the batch of a result its innermost axis, through conversions that
 * nothing else reads; 0: there is none. */
static NodeId permutation_of(const Pass *p, NodeId dot) {
    const Graph *g = p->from;
    const NodeId *reader = p->reader;
    const int batch = g->node[dot].attr[0];
    NodeId id = dot;
    while (p->readers[id] == 1 && reader[id] && g->node[reader[id]].op == OP_CAST) id = reader[id];
    if (p->readers[id] != 1 || !reader[id]) return 0;
    const Node *n = &g->node[reader[id]];
    return n->op == OP_PERMUTE && n->attr[n->rank - 1] < batch ? reader[id] : 0;
}

/* ---- f32 and bytes on tensor cores ----------------------------------------------------------- */

/* What a product takes longer, of its time by warps, if one operand, or both, go through registers.
 */
typedef struct Slower {
    double one, both;
} Slower;

/* On an H200 2048 x 2048 x 2048 takes 303, 465 and 830 us by tf32x3, 189, 232 and 620 by bf16x3;
 * 46, 122 and 411 by tf32, of which warpgroups multiply those that are K-major, as of bytes: 17.5
 * and 58.5 of i8, 15.5 and 105 of f8. */
static Slower slower_of(const Pass *p, Dtype type) {
    static const Slower by_terms = {0.8, 2.8}, by_two = {0.5, 4.9}, by_three = {0.25, 2.4},
                        by_warpgroups = {1.2, 4.5}, by_warps = {0.4, 3.7}, of_bytes = {2.8, 5.6};
    const Precision precision = p->from->attrs.precision;
    const bool is_byte = type == T_I8 || (precision == P_F8 && dtype_is_float(type));
    if (dtype_size(type) == 1) return is_byte && p->machine->wgmma ? of_bytes : (Slower){0};
    if (type != T_F32) return (Slower){0};
    switch (precision) {
    case P_TF32X3: return by_terms;
    case P_BF16X3: return by_two;
    case P_BF16X6: return by_three;
    case P_TF32: return p->machine->wgmma ? by_warpgroups : by_warps;
    default: return (Slower){0};
    }
}

/* Seconds of all warps for a product, in tiles of which the last wave may be few. */
static double product_seconds(const Pass *p, NodeId dot) {
    const Graph *g = p->from;
    const Node *n = &g->node[dot], *a = &g->node[n->src[0]];
    const int batch = n->attr[0], kept = a->rank - n->attr[1];
    const double k = cost_extent(g, a, kept, a->rank), rows = cost_extent(g, n, batch, kept);
    const double columns = cost_extent(g, n, kept, n->rank);
    const double count = cost_extent(g, n, 0, batch) * ceil(rows / TILE) * ceil(columns / TILE);
    const double waves = cost_waves(p->machine, count, false);
    return waves * TILE * TILE * k * cost_product_weight(g, dot) /
           (1e6 * p->machine->clock * p->machine->mma);
}

/* Do copies of the operands that are MN-major save more than they take? */
static bool pays(const Pass *p, NodeId dot) {
    const Graph *g = p->from;
    const Node *n = &g->node[dot];
    const Dtype type = g->node[n->src[0]].type;
    const Slower slower = slower_of(p, type);
    double copies = 0;
    int count = 0;
    if (g->node[n->src[1]].type != type) return false;
    for (int side = 0; side < 2; side++) {
        const NodeId x = n->src[side];
        if (!is_mn_major(&g->node[x], n->attr[1])) continue;
        if (!is_known(g, &g->node[x])) return false;
        count++;
        if (!side || x != n->src[0]) copies += copy_seconds(p, x);
    }
    const double longer = count > 1 ? slower.both : count ? slower.one : 0;
    return longer > 0 && longer * product_seconds(p, dot) > copies;
}

/* ---- the pass -------------------------------------------------------------------------------- */

static const bool *find_rows(const Graph *g) {
    bool *rows = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        rows[id] = class != MAP && class != VIEW && n->op != OP_INPUT;
        for (int i = 0; i < n->src_count; i++) rows[id] |= rows[n->src[i]];
    }
    return rows;
}

static const NodeId *find_reader(const Graph *g) {
    NodeId *reader = arena_array(g->arena, NodeId, g->count);
    for (NodeId id = 1; id < g->count; id++)
        for (int i = 0; i < g->node[id].src_count; i++) reader[g->node[id].src[i]] = id;
    return reader;
}

/* Contractions of attentions and of chains of heads, which load tiles in their own ways. */
static const bool *find_chained(const Graph *g) {
    bool *chained = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        Attention a;
        Chain c;
        if (g->node[id].op != OP_DOT) continue;
        if (find_attention(g, id, &a)) chained[a.out] = chained[a.scores] = true;
        if (dot_is_across(&g->node[id])) chained[id] = true;
        if (!g->node[id].attr[0] || !find_chain(g, id, &c)) continue;
        chained[id] = true;
        for (int i = 0; i < c.count; i++) chained[c.scores[i]] = true;
    }
    return chained;
}

static void find_operand(Pass *p, NodeId dot, int side, bool is_slow) {
    const Graph *g = p->from;
    const Node *n = &g->node[dot], *x = &g->node[n->src[side]];
    const bool is_apart = is_innermost(x, n->attr[0]) && is_known(g, x) &&
                          crosses_sectors(p, n->src[side], tiles(g, n, side));
    p->copied[side][dot] = is_apart || (is_slow && is_mn_major(x, n->attr[1]));
    if (is_apart && p->of_rows[x->src[0]]) p->stored[x->src[0]] = true;
}

static bool find(Pass *p) {
    const Graph *g = p->from;
    const bool *chained = find_chained(g);
    bool any = false;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (n->op != OP_DOT || chained[id] || !is_known(g, n)) continue;
        const bool is_slow = pays(p, id);
        for (int side = 0; side < 2; side++) {
            find_operand(p, id, side, is_slow);
            any |= p->copied[side][id];
        }
        const NodeId permuted = permutation_of(p, id);
        if (!permuted || !crosses_sectors(p, permuted, 1)) continue;
        p->stored[g->node[permuted].src[0]] = any = true;
    }
    return any;
}

static NodeId k_major_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                           void *context) {
    const Pass *p = context;
    Node n = *draft;
    for (int side = 0; side < 2 && n.op == OP_DOT; side++) {
        if (!p->copied[side][old]) continue;
        Node copy = from->node[from->node[old].src[side]];
        copy.src[0] = to->node[draft->src[side]].src[0];
        copy.stored = true;
        n.src[side] = graph_add(to, &copy);
    }
    const NodeId made = graph_add(to, &n);
    if (!p->stored[old]) return made;
    Node kept = {.op = OP_PERMUTE, .src_count = 1, .src = {made}, .span = n.span, .stored = true};
    for (int i = 0; i < to->node[made].rank; i++) kept.attr[i] = i;
    return graph_add(to, &kept);
}

const Graph *split_k_major(const Graph *g, const Machine *machine) {
    Pass p = {.from = g, .machine = machine};
    if (!machine_is_gpu(machine) || !machine_has_mma(machine) || g->attrs.max_kernels) return g;
    p.readers = split_readers(g);
    p.reader = find_reader(g);
    p.of_rows = find_rows(g);
    p.stored = arena_array(g->arena, bool, g->count);
    for (int side = 0; side < 2; side++) p.copied[side] = arena_array(g->arena, bool, g->count);
    return find(&p) ? graph_rewrite(g, k_major_rule, &p) : g;
}
