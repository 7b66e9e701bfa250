/* gain.c: does it pay to make one kernel of two? The machine's time for both, by its roofline, plus
 * the second launch, minus the time of the fused kernel.
 * In: clusters. Out: Gain. */
#include "sched/fuse/fuse_private.h"

#include <math.h>

/* Memory traffic that fusion saves: values between the two, and inputs that both read. */
static int64_t saved_bytes(const Clusters *c, int a, int b) {
    int64_t bytes = 0;
    for (int i = 0; i < c->at[a].outs.count; i++) {
        NodeId n = c->at[a].outs.at[i];
        if (!reads_cluster(c, n, b)) continue;
        bytes += c->bytes[n] * (is_stored(c, n, a, b) ? 1 : 2);
    }
    const NodeVec *x = &c->at[a].ins, *y = &c->at[b].ins;
    for (int i = 0, j = 0; i < x->count && j < y->count;) {
        if (x->at[i] == y->at[j]) bytes += c->bytes[x->at[i]];
        if (x->at[i] <= y->at[j])
            i++;
        else
            j++;
    }
    return bytes;
}

/* ---- what is computed more than once ------------------------------------------------------- */

static double elements(const Clusters *c, const Space *s) {
    double n = 1;
    for (int i = 0; i < s->rank; i++) n *= (double)cost_dim(c->g, s->dim[i]);
    return n;
}

/* Are the leading axes of b those of a? Then a's values are computed once for each row of b. */
static bool is_row_of(const Space *a, const Space *b) {
    if (a->rank > b->rank) return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dim[i] != b->dim[i]) return false;
    return true;
}

/* Of the tiles of a product: half as much where these are so few that all of them are smaller. */
static double tile_side(const Clusters *c, NodeId dot) {
    const Work w = cost_node(c->plan->machine, c->g, dot);
    const bool are_few = w.tiles > 0 && 4 * w.tiles <= c->plan->machine->processors;
    return are_few ? COST_TILE / 2 : COST_TILE;
}

/* How often a GPU computes each element of an operand that a makes: once for every tile along the
 * other side, and for every batch that shares it, unless that has other keys of an attention. A CPU
 * packs operands, and so computes them once. */
static double operand_times(const Clusters *c, int a, int b) {
    double most = 0, own = elements(c, &c->at[a].space);
    for (int i = 0; i < c->at[b].nodes.count; i++) {
        const NodeId id = c->at[b].nodes.at[i];
        const Node *n = &c->g->node[id];
        const double splits = (double)(c->plan->splits[id] ? c->plan->splits[id] : 1);
        for (int s = 0; n->op == OP_DOT && s < 2; s++) {
            if (c->of[source_of(c->plan, n->src[s])] != a) continue;
            const Node *x = &c->g->node[n->src[0]];
            const int kept = x->rank - n->attr[1];
            double across = 1, spread = cost_elements(c->g, n->src[s]) / own / splits;
            for (int axis = s ? n->attr[0] : kept; axis < (s ? kept : n->rank); axis++)
                across *= (double)cost_dim(c->g, n->shape[axis]);
            double times = machine_is_gpu(c->plan->machine) ? ceil(across / tile_side(c, id)) : 1;
            times *= spread > 1 ? spread : 1;
            if (times > most) most = times;
        }
    }
    return most;
}

/* How often the values of producer a are computed inside of b, relative to a kernel of its own. */
static double times_inside(const Clusters *c, int a, int b, bool *is_operand) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    *is_operand = false;
    if (A->family != F_POINTWISE) return 1;
    if (B->dots) {
        double times = operand_times(c, a, b);
        *is_operand = times > 0;
        return times > 1 ? times : 1;
    }
    if (is_row_of(&A->space, &B->space)) return 1;
    double times = elements(c, &B->space) / elements(c, &A->space);
    return times > 1 ? times : 1;
}

/* ---- the gain ------------------------------------------------------------------------------ */

/* Outside of operands, the cost of recomputing cheap work is hidden behind memory. */
Work fuse_work(const Clusters *c, int a, int b) {
    bool is_operand;
    Work w = c->at[b].work, more = c->at[a].work;
    double times = times_inside(c, a, b, &is_operand);
    more.special *= times;
    if (is_operand) more.flops *= times;
    work_add(&w, &more);
    w.bytes = c->at[a].work.bytes + c->at[b].work.bytes - (double)saved_bytes(c, a, b);
    return w;
}

static double alone(const Clusters *c, const Work *w) {
    return cost_estimate(c->plan->machine, w).seconds;
}

/* Work in a prologue delays the products. */
static double delay(const Clusters *c, int a, double times) {
    const Work *once = &c->at[a].work;
    Work all = {.flops = times * once->flops, .special = times * once->special};
    return alone(c, &all);
}

/* Do warpgroups multiply what a makes for b? Their operands have 16 bits. */
static bool feeds_wgmma(const Clusters *c, int a, int b) {
    const Machine *gpu = c->plan->machine;
    bool any = false;
    if (!machine_is_gpu(gpu) || !gpu->wgmma) return false;
    for (int i = 0; i < c->at[b].nodes.count; i++) {
        const NodeId id = c->at[b].nodes.at[i];
        const Node *n = &c->g->node[id];
        for (int s = 0; n->op == OP_DOT && s < 2; s++) {
            if (c->of[source_of(c->plan, n->src[s])] != a) continue;
            if (cost_product_weight(c->g, id) != 1) return false;
            any = true;
        }
    }
    return any;
}

/* What products of few rows of f32, which are bound by the bytes of their right operands, take
 * longer by stages in shared memory than from memory to registers. On an H200 1 x 4096 x 4096 takes
 * 43 us so, and 19, 4 x 14336 x 4096 140 and 62, 8 columns of 30000 x 4096 364 and 140. */
static const double staged = 1.5;

static bool has_gemv(const Clusters *c, NodeId id) {
    return c->g->node[id].op == OP_DOT && cost_is_gemv_fma(c->plan->machine, c->g, id);
}

/* Does a make the few rows of such a product? Then it would have stages. */
static bool feeds_gemv(const Clusters *c, int a, int b) {
    if (c->at[b].family > F_DOT) return false;
    for (int i = 0; i < c->at[b].nodes.count; i++) {
        const NodeId id = c->at[b].nodes.at[i];
        for (int s = 0; has_gemv(c, id) && s < 2; s++)
            if (c->of[source_of(c->plan, c->g->node[id].src[s])] == a) return true;
    }
    return false;
}

/* Has a or b such products, and would one kernel of both have stages? It adds them up, or reduces
 * their rows, or they are several that do not share few rows, with right operands of one layout. */
static bool stages_gemv(const Clusters *c, int a, int b, const Space *space) {
    NodeId dots[DOTS_MAX];
    int count = 0, gemvs = 0, nodes;
    if (c->at[a].family > F_DOT || c->at[b].family > F_DOT) return false;
    if (c->at[a].dots + c->at[b].dots > DOTS_MAX) return false;
    const NodeId *node = clusters_nodes(c, a, b, &nodes);
    for (int i = 0; i < nodes; i++) {
        gemvs += has_gemv(c, node[i]);
        if (c->g->node[node[i]].op == OP_DOT) dots[count++] = node[i];
    }
    if (!gemvs) return false;
    if (space && space->reduced) return true;
    if (count == 1) return false;
    return gemvs < count || are_dot_sums(c, a, b) ||
           !cost_may_share_rows(c->plan->machine, c->g, dots, count);
}

static bool is_along_k(const Graph *g, NodeId x) {
    const Node *n = &g->node[x];
    return n->op != OP_PERMUTE || n->attr[n->rank - 1] == n->rank - 1;
}

/* Does a make operands of products that are multiplied by fused multiply-adds in tiles, and has the
 * choice? along: both operands of one are rows along k. */
static bool feeds_fma(const Clusters *c, int a, int b, bool *along) {
    bool any = false;
    *along = false;
    if (!machine_is_gpu(c->plan->machine) || c->g->attrs.max_kernels) return false;
    for (int i = 0; i < c->at[b].nodes.count; i++) {
        const NodeId id = c->at[b].nodes.at[i];
        const Node *n = &c->g->node[id];
        for (int s = 0; n->op == OP_DOT && s < 2; s++) {
            if (c->of[source_of(c->plan, n->src[s])] != a) continue;
            if (cost_product_weight(c->g, id) > 0 || has_gemv(c, id)) return false;
            *along = *along || (is_along_k(c->g, n->src[0]) && is_along_k(c->g, n->src[1]));
            any = true;
        }
    }
    return any;
}

/* Does a make operands of products by tf32, which warpgroups multiply from memory only? */
static bool feeds_tf32(const Clusters *c, int a, int b) {
    enum { TF32 = 2 }; /* its weight */
    const Machine *gpu = c->plan->machine;
    bool any = false;
    if (!machine_is_gpu(gpu) || !gpu->wgmma || c->g->attrs.max_kernels) return false;
    for (int i = 0; i < c->at[b].nodes.count; i++) {
        const NodeId id = c->at[b].nodes.at[i];
        const Node *n = &c->g->node[id];
        for (int s = 0; n->op == OP_DOT && s < 2; s++)
            any = any || (c->of[source_of(c->plan, n->src[s])] == a &&
                          cost_product_weight(c->g, id) == TF32);
    }
    return any;
}

/* On an H200 2048 x 2048 x 2048 takes 46 us by warpgroups, and 121 by warps, with relu(x). */
static double delay_by_warps(const Clusters *c, int b) {
    static const double part = 1.3;
    return part * alone(c, &c->at[b].work);
}

/* What tiles of fused multiply-adds take longer by operands that are not copied while others are
 * multiplied, as parts of their time, and functions, which wait for each other, of theirs. On an
 * H200 16384 x 256 x 256 takes 52 us, with relu(x) 57, exp(x) 72, and 154 where the right operand
 * is a power; 2048 x 2048 x 2048 358 us, with relu(x) 386, and 474 where both operands are rows
 * along k. */
static double delay_by_fma(const Clusters *c, int a, int b, double times, bool along) {
    static const double across_k = 0.08, along_k = 0.3, special = 8;
    Work all = {.special = special * times * c->at[a].work.special};
    return alone(c, &all) + (along ? along_k : across_k) * alone(c, &c->at[b].work);
}

/* Clocks of a multiprocessor in which producer warps compute and store an element of an operand,
 * and those that each byte that it is read from and each operation add. Fitted to an H200: x (16384
 * x 1024) times 256 columns takes 45 us where it is gelu(x), 26 where x is scaled; in two kernels
 * 37 and 35. */
static const double fed = 0.07, fed_byte = 0.025, fed_special = 0.08, fed_flop = 0.02;

/* What producers take longer than the rest of the fused kernel, which they are ahead of. Of few
 * tiles, sums along k are split, and so no multiprocessor is idle. */
static double delay_by_producers(const Clusters *c, int a, double times, const Work *both) {
    const Machine *gpu = c->plan->machine;
    const Cluster *A = &c->at[a];
    double bytes = A->work.bytes;
    for (int i = 0; i < A->outs.count; i++) bytes -= (double)c->bytes[A->outs.at[i]];
    const double clocks = fed * elements(c, &A->space) + fed_byte * bytes +
                          fed_special * A->work.special + fed_flop * A->work.flops;
    const double seconds = times * clocks / (1e6 * gpu->clock * gpu->processors);
    Work by_wgmma = *both;
    by_wgmma.products *= gpu->mma / gpu->wgmma;
    by_wgmma.tiles = 0;
    return fmax(0, seconds - alone(c, &by_wgmma));
}

/* What products lose if their tiles must have whole rows of this space. */
static double delay_by_rows(const Clusters *c, int a, const Space *space) {
    const Cluster *A = &c->at[a];
    double columns = count_accumulators(c, a, a);
    if (!A->dots || A->space.reduced || !space->reduced) return 0;
    for (int i = 0; i < space->rank; i++)
        if (space->reduced >> i & 1) columns *= (double)cost_dim(c->g, space->dim[i]);
    for (int i = 0; i < A->nodes.count; i++) {
        NodeId id = A->nodes.at[i];
        if (c->g->node[id].op != OP_DOT) continue;
        bool fits = columns <= (double)tile_columns(c->plan->machine, c->g, id);
        return fits ? rows_delay(c->plan->machine, c->g, id, columns) : 0;
    }
    return 0;
}

/* The space whose rows a contraction and its reader b, not one itself, need whole. */
static const Space *rows_of_reader(const Cluster *B, const Space *joined) {
    return joined && B->family == F_POINTWISE ? joined : &B->space;
}

/* Is an operand computed from constants before any call, in no more memory than these take? */
static bool is_prepared(const Clusters *c, int a) {
    const Cluster *A = &c->at[a];
    int64_t in = 0, out = 0;
    if (plan_packs_once(c->plan) || nodes_constancy(c->plan, &A->nodes) < CONSTANT) return false;
    for (int i = 0; i < A->ins.count; i++) in += c->bytes[A->ins.at[i]];
    for (int i = 0; i < A->outs.count; i++) out += c->bytes[A->outs.at[i]];
    return out <= in;
}

Gain fuse_gain(const Clusters *c, int a, int b, const Space *space) {
    bool is_operand;
    double times = times_inside(c, a, b, &is_operand);
    Work both = fuse_work(c, a, b);
    double seconds = alone(c, &c->at[b].work) - alone(c, &both);
    if (!is_operand || !is_prepared(c, a))
        seconds += alone(c, &c->at[a].work) + 1e-9 * c->plan->machine->launch;
    bool along;
    if (is_operand && feeds_fma(c, a, b, &along))
        seconds -= delay_by_fma(c, a, b, times, along);
    else if (is_operand && feeds_tf32(c, a, b))
        seconds -= delay_by_warps(c, b);
    else if (is_operand)
        seconds -=
            feeds_wgmma(c, a, b) ? delay_by_producers(c, a, times, &both) : delay(c, a, times);
    if (is_operand && feeds_gemv(c, a, b)) seconds -= staged * alone(c, &c->at[b].work);
    if (!is_operand && stages_gemv(c, a, b, space)) seconds -= staged * alone(c, &both);
    if (c->at[b].family <= F_ROW) seconds -= delay_by_rows(c, a, rows_of_reader(&c->at[b], space));
    return (Gain){.bytes = saved_bytes(c, a, b),
                  .time = (int64_t)rint(1e12 * seconds),
                  .lost = times > 1 ? NO_RECOMPUTE : NO_GAIN};
}
