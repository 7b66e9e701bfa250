/* may_fuse.c: the facts of fusion: may two kernels become one, and if not, why.
 * In: clusters. Out: the space of the fused kernel, or a reason. */
#include "sched/fuse/fuse_private.h"

#include <string.h>

const char *const reason_code[REASON_COUNT] = {
    "fused",     "cycle",    "space",  "axes",     "aligned", "operand", "order",
    "scatter",   "partial",  "scan",   "beside",   "chain",   "left",    "sums",
    "attention", "blocks",   "tile",   "bundle",   "ops",     "buffers", "recompute",
    "slower",    "constant", "panels", "measured", "across"};

const char *const reason_text[REASON_COUNT] = {
    "fused",
    "another kernel lies between them",
    "they iterate over different shapes and the value between them is stored",
    "they reduce along different axes",
    "a reduction would be read through a view that moves elements",
    "a contraction computes its operands element by element, and this one needs reductions",
    "one goes through an axis from its end, the other from its start",
    "a scatter is fused only with pointwise work, its sort of indices only with what computes them",
    "a kernel with partial sums of columns computes no scans",
    "the tiles of a contraction cannot compute a scan",
    "a contraction is fused only with reductions of its own result",
    "a kernel cannot compute two contractions one after the other",
    "contractions side by side need the same left operand, type and shape",
    "a kernel that adds contractions computes beside them only sums of the same left operands",
    "an attention, or a chain of contractions, is fused only with pointwise work",
    "a contraction of scaled blocks is fused only with pointwise work on its result",
    "a row of the result does not fit in one tile: it is too long, or open",
    "kernels over different shapes share a launch only if both are pointwise and join no parts",
    "the kernel would exceed limit kernel_ops",
    "the kernel would exceed limit kernel_buffers",
    "recomputing the producer for every reader costs more than storing it",
    "one kernel would take longer than the two",
    "one is computed once, from constant inputs, the other at every call",
    "contractions that are added pack their operands at every call",
    "fusec tune has found two kernels to be faster",
    "sums that all blocks add to are complete when the kernel ends"};

/* ---- may we: producer a into reader b ------------------------------------------------------ */

static bool is_edge(const Clusters *c, int a, int b) {
    for (int i = 0; i < c->at[a].outs.count; i++)
        if (reads_cluster(c, c->at[a].outs.at[i], b)) return true;
    return false;
}

/* Row kernels, contractions and attentions can store in any order. */
static bool stores_rearranged(const Clusters *c, int a, int b) {
    return c->at[a].family != F_POINTWISE || c->at[b].family != F_POINTWISE;
}

/* Is b only the result of a in another order, as an output? */
static bool is_rearranged_copy(const Clusters *c, int a, int b) {
    NodeId id = c->at[b].nodes.at[0], from = base_of(c->g, id);
    if (c->at[b].nodes.count != 1 || !c->copy[id] || !is_rearranged(c->g, id)) return false;
    const Space space = space_of(c->g, from), *own = &c->at[a].space;
    const Space rows = space_rows(own), groups = space_groups(own);
    return c->of[from] == a &&
           (space_equal(&space, own) || space_equal(&space, &rows) || space_equal(&space, &groups));
}

/* Is it what a computes, without the end of an axis? */
static bool is_cut_of(const Clusters *c, NodeId id, int a) {
    const NodeVec *nodes = &c->at[a].nodes;
    return is_cut_view(c->g, id) && c->of[base_of(c->g, id)] == a &&
           stores_cut_views(c->plan, nodes->at, nodes->count);
}

/* Is b only the result of a without the end of an axis, as an output? */
static bool is_cut_copy(const Clusters *c, int a, int b) {
    const NodeId id = c->at[b].nodes.at[0];
    if (c->at[b].nodes.count != 1 || !c->copy[id] || !is_cut_of(c, id, a)) return false;
    const Space space = space_of(c->g, base_of(c->g, id));
    return space_equal(&space, &c->at[a].space);
}

/* After fusing a and b, do all stored values of cluster k fit the space? */
static bool stores_fit(const Clusters *c, int k, int a, int b, const Space *space) {
    for (int i = 0; i < c->at[k].outs.count; i++) {
        NodeId n = c->at[k].outs.at[i];
        if (!is_stored(c, n, a, b)) continue;
        if (stores_rearranged(c, a, b) && (is_rearranged(c->g, n) || is_cut_of(c, n, a)))
            n = base_of(c->g, n);
        if (op_info[c->g->node[n].op].class == PARTIAL) continue; /* an element for each column */
        if (op_info[c->g->node[n].op].class == SEGMENTS) continue;
        if (dot_is_across(&c->g->node[n])) continue; /* rows are those of a chain's n */
        uint32_t m = plan_alignment(c->g, n, space);
        if (m == MISALIGNED) return false;
        if (c->at[a].family == F_POINTWISE && c->at[b].family == F_POINTWISE &&
            m != (1u << space->rank) - 1)
            return false;
    }
    return true;
}

static bool any_stored(const Clusters *c, int k, int a, int b) {
    for (int i = 0; i < c->at[k].outs.count; i++)
        if (is_stored(c, c->at[k].outs.at[i], a, b)) return true;
    return false;
}

static bool share_left(const Clusters *c, int a, int b) {
    const Node *first = NULL;
    const int both[] = {a, b};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < c->at[both[k]].nodes.count; i++) {
            const Node *n = &c->g->node[c->at[both[k]].nodes.at[i]];
            if (n->op != OP_DOT) continue;
            if (!first) first = n;
            if (n->src[0] != first->src[0] || n->type != first->type ||
                memcmp(n->attr, first->attr, sizeof n->attr) != 0)
                return false;
        }
    return true;
}

/* Contractions with the same left operand over one space: side by side they read it once. */
static bool same_left(const Clusters *c, int a, int b) {
    return share_left(c, a, b) && space_equal(&c->at[a].space, &c->at[b].space) &&
           c->at[a].dots + c->at[b].dots <= DOTS_MAX;
}

/* Contractions of one kernel are added where their left operands differ. */
static bool adds_dots(const Clusters *c, int k) { return !share_left(c, k, k); }

/* Does a compute an operand of b's contraction? Then it is recomputed whenever the operand is
 * read. */
static bool feeds_dot(const Clusters *c, int a, int b) {
    for (int i = 0; i < c->at[b].nodes.count; i++) {
        const Node *n = &c->g->node[c->at[b].nodes.at[i]];
        if (n->op != OP_DOT) continue;
        for (int s = 0; s < 2; s++)
            if (c->of[source_of(c->plan, n->src[s])] == a) return true;
    }
    return false;
}

static bool is_constant(const Clusters *c, int k) {
    return nodes_constancy(c->plan, &c->at[k].nodes) >= CONSTANT;
}

/* Operands are read several times: their prologue must not read more than storing them would
 * save. */
static Reason join_operand(const Clusters *c, int a) {
    const Cluster *A = &c->at[a];
    int64_t in = 0, out = 0;
    for (int i = 0; i < A->ins.count; i++) in += c->bytes[A->ins.at[i]];
    for (int i = 0; i < A->outs.count; i++) out += c->bytes[A->outs.at[i]];
    return in > 2 * out ? NO_RECOMPUTE : FUSED;
}

/* ---- rows of a contraction's result -------------------------------------------------------- */

/* The axes of the space that come from the right operand. */
static uint32_t right_axes(const Graph *g, NodeId dot) {
    const Node *n = &g->node[dot];
    int before = g->node[n->src[0]].rank - n->attr[1];
    uint32_t axes = 0;
    for (int i = 0, k = 0; i < n->rank; i++) {
        if (dim_is(g->dims, n->shape[i], 1)) continue;
        if (i >= before) axes |= 1u << k;
        k++;
    }
    return axes;
}

/* Does a tile have whole rows, that is, the innermost axes of the right operand: all, or equal
 * segments of them? */
static Reason check_rows(const Clusters *c, NodeId dot, const Space *space, int dots) {
    const uint32_t right = right_axes(c->g, dot), rows = space->reduced;
    const uint32_t inner = ((1u << space->rank) - 1) & ~((rows & (~rows + 1)) - 1);
    int64_t columns = 1, extent;
    if (!rows || rows != inner || (rows & ~right)) return NO_AXES;
    for (int i = 0; i < space->rank; i++) {
        if (!(rows >> i & 1)) continue;
        if (!dim_is_const(c->g->dims, space->dim[i], &extent)) return NO_TILE;
        columns *= extent;
        if (!tile_has_columns(c->plan->machine, c->g, dot, columns, dots)) return NO_TILE;
    }
    const int step = cost_segment_step(c->plan->machine, c->g, dot);
    return rows == right || columns % step == 0 ? FUSED : NO_TILE;
}

static NodeId find_node(const Clusters *c, int k, OpClass class) {
    for (int i = 0; i < c->at[k].nodes.count; i++) {
        NodeId id = c->at[k].nodes.at[i];
        if (op_info[c->g->node[id].op].class == class) return id;
    }
    return 0;
}

Reason join_columns(const Clusters *c, int a, int b, const Space *space) {
    const NodeId dot = find_node(c, c->at[a].dots ? a : b, DOT);
    return check_rows(c, dot, space, count_accumulators(c, a, b));
}

/* Reductions of the contraction's result, while the row is in its tile. */
static Reason join_rows(const Clusters *c, int a, int b, Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    *space = B->space;
    if (A->family != F_DOT) return is_edge(c, a, b) ? NO_OPERAND : NO_BESIDE;
    if (!is_edge(c, a, b)) return NO_BESIDE;
    if (find_node(c, b, SCAN)) return NO_SCAN;
    if (find_node(c, b, PARTIAL)) return NO_BESIDE;
    if (!space_equal(&A->space, &B->space)) return NO_SPACE;
    if (A->space.reduced && A->space.reduced != space->reduced) return NO_AXES;
    return check_rows(c, find_node(c, a, DOT), space, count_accumulators(c, a, a));
}

/* Does a contraction of cluster k have an operand that is packed once? */
static bool packs_once(const Clusters *c, int k) {
    for (int i = 0; plan_packs_once(c->plan) && i < c->at[k].nodes.count; i++) {
        const Node *n = &c->g->node[c->at[k].nodes.at[i]];
        for (int s = 0; s < 2; s++)
            if (n->op == OP_DOT && c->plan->constancy[n->src[s]] >= CONSTANT) return true;
    }
    return false;
}

/* Of contractions that are neither added nor have the same left operand. */
static Reason why_apart(const Clusters *c, int a, int b) {
    const bool is_chain = feeds_dot(c, a, b);
    if (!is_chain && (adds_dots(c, a) || adds_dots(c, b))) return NO_SUMS;
    return is_chain || is_edge(c, a, b) ? NO_CHAIN : NO_LEFT;
}

/* Contractions side by side, or added: their rows, if any, are the same. */
static Reason join_contractions(const Clusters *c, int a, int b, Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    const bool is_sum = are_dot_sums(c, a, b);
    if (!is_sum && !same_left(c, a, b)) return why_apart(c, a, b);
    if (is_sum && (packs_once(c, a) || packs_once(c, b))) return NO_PANELS;
    if (A->space.reduced && B->space.reduced && A->space.reduced != B->space.reduced)
        return NO_AXES;
    space->reduced = A->space.reduced | B->space.reduced;
    if (!space->reduced) return FUSED;
    return check_rows(c, find_node(c, a, DOT), space, count_accumulators(c, a, b));
}

/* Scaled blocks take pointwise epilogues. */
static Reason join_blocks(const Clusters *c, int a, int b, Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    *space = A->space;
    if (B->blocks || B->family != F_POINTWISE) return NO_BLOCKS;
    return space_equal(&A->space, &B->space) || is_rearranged_copy(c, a, b) ? FUSED : NO_SPACE;
}

/* A contraction takes pointwise prologues and epilogues, reductions of its rows, and contractions
 * with the same left operand. */
static Reason join_contraction(const Clusters *c, int a, int b, Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    *space = A->family == F_DOT ? A->space : B->space;
    if (A->family == F_ROW || B->family == F_ROW) return join_rows(c, a, b, space);
    if (A->family == F_DOT && B->family == F_DOT) return join_contractions(c, a, b, space);
    if (A->family == F_DOT) {
        Space rows = space_rows(&A->space);
        bool is_row = A->space.reduced && space_equal(&B->space, &rows);
        bool fits = space_equal(&A->space, &B->space) || is_row || is_rearranged_copy(c, a, b);
        return fits ? FUSED : NO_SPACE;
    }
    if (any_stored(c, a, a, b)) return feeds_dot(c, a, b) ? NO_RECOMPUTE : NO_SPACE;
    if (plan_packs_once(c->plan) && is_constant(c, a)) return FUSED;
    return feeds_dot(c, a, b) ? join_operand(c, a) : FUSED;
}

static bool has_costly(const Clusters *c, int k) {
    for (int i = 0; i < c->at[k].nodes.count; i++)
        if (op_info[c->g->node[c->at[k].nodes.at[i]].op].costly) return true;
    return false;
}

/* A function of pairs of a query and a key, of few costly operations: heads and batches share it,
 * but each loads it as often as it would compute it. */
static bool is_of_pairs(const Clusters *c, int a, const Space *scores) {
    enum { FEW = 2 };
    const Space *own = &c->at[a].space;
    int costly = 0;
    for (int i = 0; i < c->at[a].nodes.count; i++)
        costly += op_info[c->g->node[c->at[a].nodes.at[i]].op].costly;
    if (costly > FEW || own->rank < 2 || own->rank > scores->rank) return false;
    for (int i = 1; i <= own->rank; i++)
        if (own->dim[own->rank - i] != scores->dim[scores->rank - i]) return false;
    return true;
}

/* An attention or a chain. */
static bool is_seed(const Cluster *k) { return k->family >= F_ATTENTION; }

/* Work over a shape that is neither that of the scores nor of the result is recomputed for every
 * element that reads it. */
static Reason join_around_attention(const Clusters *c, int a, int b) {
    const Cluster *A = &c->at[a];
    if (any_stored(c, a, a, b)) return feeds_dot(c, a, b) ? NO_RECOMPUTE : NO_SPACE;
    if (feeds_dot(c, a, b)) return join_operand(c, a);
    for (int i = 0; i < c->at[b].nodes.count; i++) {
        NodeId id = c->at[b].nodes.at[i];
        Space space = space_of(c->g, id);
        if (c->g->node[id].op != OP_DOT) continue;
        if (space_equal(&A->space, &space) || is_of_pairs(c, a, &space)) return FUSED;
    }
    return has_costly(c, a) ? NO_RECOMPUTE : FUSED;
}

/* An attention, or a chain, takes pointwise prologues, work between its contractions, epilogues,
 * and work on its rows. */
static Reason join_attention(const Clusters *c, int a, int b, Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    *space = is_seed(A) ? A->space : B->space;
    if (A->family != F_POINTWISE && B->family != F_POINTWISE) return NO_ATTENTION;
    if (is_seed(B)) return join_around_attention(c, a, b);
    Space rows = space_rows(space);
    bool fits = space_equal(&B->space, space) || space_equal(&B->space, &rows);
    return fits || is_rearranged_copy(c, a, b) ? FUSED : NO_SPACE;
}

/* Does it need to go through rows from their start? Of equal elements, argmax takes the first. */
static bool goes_forward(const Clusters *c, int k) {
    if (c->at[k].space.backward) return false;
    for (int i = 0; i < c->at[k].nodes.count; i++) {
        const Op op = c->g->node[c->at[k].nodes.at[i]].op;
        if (op_info[op].class == SCAN || op == OP_ARGMAX) return true;
    }
    return false;
}

/* Is there a node of one class in a or b, and one of the other class in a or b? */
static bool has_both(const Clusters *c, int a, int b, OpClass x, OpClass y) {
    return (find_node(c, a, x) || find_node(c, b, x)) && (find_node(c, a, y) || find_node(c, b, y));
}

static Reason join_row_kernels(const Clusters *c, int a, int b, Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    *space = A->space;
    space->backward = A->space.backward || B->space.backward;
    if (!space_equal(&A->space, &B->space)) return NO_SPACE;
    if (A->space.groups || B->space.groups || A->space.reduced != B->space.reduced)
        return join_groups(c, a, b, space);
    if (has_both(c, a, b, PARTIAL, SCAN)) return NO_PARTIAL;
    return space->backward && (goes_forward(c, a) || goes_forward(c, b)) ? NO_ORDER : FUSED;
}

/* Do both combine elements by the same indices in the same way, and do warps have all results? */
static bool are_binned_alike(const Clusters *c, int a, int b) {
    const Node *first = NULL;
    const int both[] = {a, b};
    int64_t bytes = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < c->at[both[k]].nodes.count; i++) {
            const NodeId id = c->at[both[k]].nodes.at[i];
            const Node *n = &c->g->node[id];
            if (op_info[n->op].class != SEGMENTS) continue;
            if (n->op != OP_BINNED) return false;
            if (!first) first = n;
            if (n->type != first->type || n->src[1] != first->src[1] ||
                memcmp(n->attr, first->attr, sizeof n->attr) != 0 ||
                !shape_equal(n->rank, n->shape, first->rank, first->shape))
                return false;
            bytes += cost_bin_bytes(c->g, id);
        }
    return cost_bin_tables(c->plan->machine, bytes) > 0;
}

/* A sort of indices takes their prologue, which it computes several times: every block of a GPU
 * reads all of them. What is combined without a sort is computed once. */
static Reason join_segments(const Clusters *c, int a, int b, Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    *space = B->space;
    if (A->family == F_SEGMENTS && B->family == F_SEGMENTS)
        return space_equal(&A->space, space) && are_binned_alike(c, a, b) ? FUSED : NO_SCATTER;
    if (A->family != F_POINTWISE || B->family != F_SEGMENTS || !is_edge(c, a, b)) return NO_SCATTER;
    if (find_node(c, a, COMBINE)) return NO_SCATTER;
    if (any_stored(c, a, a, b)) return NO_RECOMPUTE;
    const bool is_once = c->g->node[find_node(c, b, SEGMENTS)].op == OP_BINNED;
    if (is_once && space_equal(&A->space, space)) return FUSED;
    return has_costly(c, a) ? NO_RECOMPUTE : join_operand(c, a);
}

/* The space of the fused kernel, or the reason against it. */
static Reason join_space(const Clusters *c, int a, int b, Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    Space rows;
    const bool are_pointwise = A->family == F_POINTWISE && B->family == F_POINTWISE;
    if ((A->joins || B->joins) && !are_pointwise) return NO_SPACE;
    if (A->joins && !space_equal(&A->space, &B->space)) return NO_SPACE;
    if (A->family == F_SEGMENTS || B->family == F_SEGMENTS) return join_segments(c, a, b, space);
    if (!are_pointwise && (find_node(c, a, COMBINE) || find_node(c, b, COMBINE))) return NO_SCATTER;
    if (A->blocks || B->blocks) return join_blocks(c, a, b, space);
    if (is_seed(A) || is_seed(B)) return join_attention(c, a, b, space);
    if (A->family == F_DOT || B->family == F_DOT) return join_contraction(c, a, b, space);
    if (A->family == F_ROW && B->family == F_ROW) return join_row_kernels(c, a, b, space);
    if (A->family == F_ROW) {
        *space = A->space;
        rows = space_rows(&A->space);
        const Space groups = space_groups(&A->space);
        bool fits = space_equal(&B->space, space) || space_equal(&B->space, &rows) ||
                    space_equal(&B->space, &groups);
        return fits || is_rearranged_copy(c, a, b) || is_cut_copy(c, a, b) ? FUSED : NO_SPACE;
    }
    *space = B->space;
    if (space_equal(&A->space, space) || !any_stored(c, a, a, b)) return FUSED;
    return stores_fit(c, a, a, b, space) ? FUSED : NO_SPACE;
}

/* Reads of the fused kernel, without what one of the two made for the other. */
static int count_reads(const Clusters *c, int a, int b) {
    const NodeVec *x = &c->at[a].ins, *y = &c->at[b].ins;
    int count = 0;
    for (int i = 0, j = 0; i < x->count || j < y->count;) {
        bool right = i == x->count || (j < y->count && y->at[j] < x->at[i]);
        NodeId n = right ? y->at[j] : x->at[i];
        i += i < x->count && x->at[i] == n;
        j += j < y->count && y->at[j] == n;
        bool inner = c->g->node[n].op != OP_INPUT && (c->of[n] == a || c->of[n] == b);
        count += !inner;
    }
    return count;
}

enum { LOOPS_MAX = 48 }; /* reductions of one kernel: stages are counted in 64 bits */

static Reason check_limits(const Clusters *c, int a, int b) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    if (A->nodes.count + B->nodes.count > c->g->limits->kernel_ops) return NO_OPS;
    if (A->loops + B->loops > LOOPS_MAX) return NO_OPS;
    int64_t buffers = count_reads(c, a, b);
    for (int i = 0; i < A->outs.count; i++) buffers += is_stored(c, A->outs.at[i], a, b);
    for (int i = 0; i < B->outs.count; i++) buffers += is_stored(c, B->outs.at[i], a, b);
    return buffers > c->g->limits->kernel_buffers ? NO_BUFFERS : FUSED;
}

/* Work that is computed once is not fused with work of every call, if it is costly; except operands
 * of contractions, which are packed once. */
static bool divides(const Clusters *c, int a, int b) {
    Constancy A = nodes_constancy(c->plan, &c->at[a].nodes);
    Constancy B = nodes_constancy(c->plan, &c->at[b].nodes);
    if (A == CONSTANT_KEPT && B == VARIES) return !(c->at[b].family == F_DOT && feeds_dot(c, a, b));
    return A == VARIES && B == CONSTANT_KEPT;
}

Reason may_fuse(Clusters *c, int a, int b, Space *space) {
    Reason r = divides(c, a, b) ? NO_CONSTANT : join_space(c, a, b, space);
    if (r == FUSED) r = check_limits(c, a, b);
    if (r == FUSED && !(stores_fit(c, a, a, b, space) && stores_fit(c, b, a, b, space)))
        r = NO_SPACE;
    if (r == FUSED) r = join_aligned(c, a, b, space);
    if (r == FUSED) r = join_places(c, a, b);
    if (r == FUSED && has_path(c, a, b)) r = NO_CYCLE;
    return r;
}

/* ---- siblings: readers of one value that do not need each other ---- */

static bool independent(Clusters *c, int a, int b) {
    return !is_edge(c, a, b) && !is_edge(c, b, a) && !has_path(c, a, b) && !has_path(c, b, a);
}

/* Fusing siblings gains nothing if one of them is computed once. */
static bool differ(const Clusters *c, int a, int b) {
    return is_constant(c, a) != is_constant(c, b);
}

Reason may_join(Clusters *c, int a, int b, Space *space) {
    Reason r = differ(c, a, b) ? NO_CONSTANT : join_space(c, a, b, space);
    if (r == FUSED && !space_equal(&c->at[a].space, &c->at[b].space)) r = NO_SPACE;
    if (r == FUSED) r = check_limits(c, a, b);
    if (r == FUSED) r = join_aligned(c, a, b, space);
    return r == FUSED && !independent(c, a, b) ? NO_CYCLE : r;
}

enum { BUNDLE_OUTS = 32 }; /* values that a kernel of several loop nests may store */

Reason may_bundle(Clusters *c, int a, int b) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    if (A->family != F_POINTWISE || B->family != F_POINTWISE) return NO_BUNDLE;
    if (A->joins || B->joins) return NO_BUNDLE;
    Reason r = differ(c, a, b) ? NO_CONSTANT : check_limits(c, a, b);
    if (r == FUSED && A->outs.count + B->outs.count > BUNDLE_OUTS) r = NO_BUFFERS;
    return r == FUSED && !independent(c, a, b) ? NO_CYCLE : r;
}
