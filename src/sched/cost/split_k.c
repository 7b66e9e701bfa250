/* split_k.c: the time of a product on a GPU whose sums along k are split.
 * In: Machine, contraction of known sizes. Fitted to bench/gpu_splits.py on an H200. */
#include "sched/cost/cost.h"

#include <math.h>

enum {
    LEAST_ROWS = 16, /* of a tile */
    HALF_ROWS = 64,  /* more rows may have tiles of these */
    MOST_ROWS = 128,
    LARGEST = 128 * 256, /* tile, which warpgroups alone have */
    WIDTHS = 8,
    WARP_WIDTHS = 3,
    STEP = 64,  /* terms that a tile multiplies at a time */
    SLICE = 32, /* columns that a block of a cluster adds up */
    MOST_CLUSTER = 8,
    HALF_PACK = 8,  /* bytes: rows that start at multiples of them come in pieces of as many */
    PACK = 16,      /* that TMA takes */
    SECTOR = 32,    /* of L2 */
    GEMV_ROWS = 16, /* at most; of numbers of few bits: */
    GEMV_NARROW_ROWS = 32,
    GEMV_COLUMNS = 8, /* of a block, at least; */
    FMA_COLUMNS = 32, /* of f32, of more than so many rows, or across k; else half as many */
    FMA_FEW_ROWS = 2
};

/* Columns of tiles: those of warps, then those that warpgroups alone have. */
static const double widths[WIDTHS] = {64, 128, 256, 144, 160, 192, 208, 224};
static const double converted = 0.12, /* clocks of a multiprocessor for a computed element, */
    odd = 0.3,                        /* and for one that is loaded alone, */
    odd_least = 0.075,                /* beside other blocks */
    l2_share = 0.7;                   /* of its rate, for partial results */

typedef struct Product {
    const Machine *machine;
    double batch, m, n, k;
    double left, right;       /* bytes of an element in memory */
    double weight;            /* see cost_product_weight */
    bool is_computed;         /* the right operand is no view of memory */
    bool left_odd, right_odd; /* rows in memory start at no multiples of 8 bytes */
    bool by_tma;              /* those of both start at multiples of 16 */
    bool crosses;             /* those of an operand start within sectors of L2 */
    bool is_across;           /* one is contiguous across k */
    bool is_gemv; /* few rows, and right operands contiguous along k, or f32: tiles of kind gemv */
} Product;

/* Elements that are read to make the node. */
static double read_elements(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    return cost_elements(g, n->op == OP_BROADCAST ? n->src[0] : id);
}

/* Of what computes a node from memory, the source that is the largest there. */
static NodeId largest_source(const Graph *g, const Node *n) {
    NodeId largest = n->src[0];
    for (int i = 1; i < n->src_count; i++)
        if (read_elements(g, n->src[i]) > read_elements(g, largest)) largest = n->src[i];
    return largest;
}

/* Is it made by a kernel before, or an input? */
static bool is_in_memory(const Node *n) {
    return !n->src_count || op_info[n->op].class == REDUCE || n->op == OP_DOT;
}

/* Bytes in memory for an element of the operand: half of one for weights of 4 bits. */
static double stored_bytes(const Graph *g, NodeId id) {
    const double elements = cost_elements(g, id);
    while (!is_in_memory(&g->node[id])) id = largest_source(g, &g->node[id]);
    return fmin(1, cost_elements(g, id) / elements) * (double)dtype_size(g->node[id].type);
}

/* Is an operand more than a view of floats in memory? */
static bool is_computed(const Graph *g, NodeId id) {
    for (; !is_in_memory(&g->node[id]); id = largest_source(g, &g->node[id])) {
        const Node *n = &g->node[id];
        const bool is_cast = n->op == OP_CAST && dtype_is_float(g->node[n->src[0]].type);
        if (op_info[n->op].class != VIEW && !is_cast) return true;
    }
    return false;
}

/* Do the rows of an operand in memory start at no multiples of so many bytes? */
static bool is_uneven(const Graph *g, NodeId id, int bytes) {
    while (!is_in_memory(&g->node[id])) id = largest_source(g, &g->node[id]);
    const Node *n = &g->node[id];
    return n->rank > 1 && cost_dim(g, n->shape[n->rank - 1]) * (int64_t)dtype_size(n->type) % bytes;
}

/* Is the last axis of the operand another one in memory? */
static bool is_permuted(const Graph *g, NodeId id) {
    for (; !is_in_memory(&g->node[id]); id = largest_source(g, &g->node[id])) {
        const Node *n = &g->node[id];
        if (n->op == OP_PERMUTE && n->attr[n->rank - 1] != n->rank - 1) return true;
    }
    return false;
}

/* What an operand is a view of; 0: it is padded, and loads have guards. */
static NodeId viewed(const Graph *g, NodeId id) {
    for (; op_info[g->node[id].op].class == VIEW; id = g->node[id].src[0])
        if (g->node[id].op == OP_PAD) return 0;
    return id;
}

/* Of f32, multiplied by fused multiply-adds: the operand with many rows is in memory as it is, and
 * both are loaded without guards. What computes the other one is a kernel of its own, see
 * fuse_gain. */
static bool is_for_fma(const Machine *machine, const Graph *g, NodeId dot, int many) {
    const Node *n = &g->node[dot];
    const NodeId of_many = viewed(g, n->src[many]), of_few = viewed(g, n->src[!many]);
    return machine_is_gpu(machine) && n->type == T_F32 && !(cost_product_weight(g, dot) > 0) &&
           g->node[n->src[0]].type == T_F32 && g->node[n->src[1]].type == T_F32 && of_few &&
           of_many && is_in_memory(&g->node[of_many]);
}

/* Of 16-bit floats where the rows of the right operand are shorter than a sector. */
static bool has_short_rows(const Machine *machine, const Graph *g, NodeId dot, int64_t columns) {
    const Node *n = &g->node[dot], *a = &g->node[n->src[0]], *b = &g->node[n->src[1]];
    return machine_has_mma(machine) && columns * 2 < SECTOR && a->type == b->type &&
           (a->type == T_BF16 || a->type == T_F16) && !is_permuted(g, n->src[0]) &&
           is_permuted(g, n->src[1]);
}

/* On an H200 8024 x 4 x 976 of bf16 takes 8.4 us so instead of 18.6, 11432 x 12 x 1960 21 instead
 * of 44, 30000 x 8 x 4096 68 instead of 95; 30000 x 16 x 4096 takes 67 as it is. 2248 x 14 x 7216
 * took 21 instead of 19. */
bool cost_is_turned(const Machine *machine, const Graph *g, NodeId dot) {
    enum { FEW_COLUMNS = 16, HALF_COLUMNS = 8, MANY_ROWS = 2048, LEAST_K = 64 };
    const Node *n = &g->node[dot], *a = &g->node[n->src[0]];
    const int kept = a->rank - n->attr[1];
    int64_t columns = 1, size;
    for (int i = kept; i < n->rank; i++, columns *= size)
        if (!dim_is_const(g->dims, n->shape[i], &size)) return false;
    if (columns < 2 || columns > FEW_COLUMNS) return false;
    if (!has_short_rows(machine, g, dot, columns) && !is_for_fma(machine, g, dot, 0)) return false;
    const double least = columns > HALF_COLUMNS ? 1.5 * MANY_ROWS : MANY_ROWS;
    return cost_extent(g, n, n->attr[0], kept) >= least &&
           cost_extent(g, a, kept, a->rank) >= LEAST_K;
}

/* Has it so few rows that the other operand is read once, without tiles? */
static bool is_gemv(const Machine *machine, const Graph *g, NodeId dot, bool is_turned) {
    const Node *n = &g->node[dot];
    const NodeId right = n->src[!is_turned];
    const int kept = g->node[n->src[0]].rank - n->attr[1];
    const bool by_warps = machine_has_mma(machine) && !is_permuted(g, right);
    if (cost_product_weight(g, dot) > 0 ? !by_warps : !is_for_fma(machine, g, dot, !is_turned))
        return false;
    const bool is_narrow = is_computed(g, right) && stored_bytes(g, right) <= 1;
    const double rows =
        is_turned ? cost_extent(g, n, kept, n->rank) : cost_extent(g, n, n->attr[0], kept);
    return rows <= (is_narrow ? GEMV_NARROW_ROWS : GEMV_ROWS);
}

static Product product_of(const Machine *machine, const Graph *g, NodeId dot) {
    const Node *n = &g->node[dot], *a = &g->node[n->src[0]];
    const int batch = n->attr[0], kept = a->rank - n->attr[1];
    const bool is_turned = cost_is_turned(machine, g, dot);
    const NodeId left = n->src[is_turned], right = n->src[!is_turned];
    const double rows = cost_extent(g, n, batch, kept), columns = cost_extent(g, n, kept, n->rank);
    return (Product){.machine = machine,
                     .batch = cost_extent(g, n, 0, batch),
                     .m = is_turned ? columns : rows,
                     .n = is_turned ? rows : columns,
                     .k = cost_extent(g, a, kept, a->rank),
                     .left = stored_bytes(g, left),
                     .right = stored_bytes(g, right),
                     .weight = cost_product_weight(g, dot),
                     .is_computed = is_computed(g, right),
                     .left_odd = is_uneven(g, left, HALF_PACK),
                     .right_odd = is_uneven(g, right, HALF_PACK),
                     .by_tma = !is_uneven(g, left, PACK) && !is_uneven(g, right, PACK),
                     .crosses = is_uneven(g, left, SECTOR) || is_uneven(g, right, SECTOR),
                     .is_across = is_permuted(g, left) || is_permuted(g, right),
                     .is_gemv = is_gemv(machine, g, dot, is_turned)};
}

bool cost_is_gemv_fma(const Machine *machine, const Graph *g, NodeId dot) {
    if (!machine_is_gpu(machine) || cost_product_weight(g, dot) > 0) return false;
    return is_gemv(machine, g, dot, cost_is_turned(machine, g, dot));
}

bool cost_may_share_rows(const Machine *machine, const Graph *g, const NodeId *dot, int count) {
    const bool is_across = is_permuted(g, g->node[dot[0]].src[1]);
    for (int i = 0; i < count; i++) {
        if (cost_is_turned(machine, g, dot[i])) return false;
        if (is_permuted(g, g->node[dot[i]].src[1]) != is_across) return false;
    }
    return true;
}

bool cost_is_copied(const Machine *machine, const Graph *g, NodeId dot) {
    const Product p = product_of(machine, g, dot);
    const double tiles = p.batch * ceil(p.m / MOST_ROWS) * ceil(p.n / MOST_ROWS);
    const bool is_wide = p.m <= HALF_ROWS && !p.left_odd; /* copies take longer than they save */
    return p.weight > 0 && !is_wide && !p.is_gemv && (p.left_odd || p.right_odd) &&
           tiles >= COST_COPIED * machine->processors;
}

/* Multiplications per clock, and bytes from L2: warpgroups take 128 rows. */
static bool by_wgmma(const Product *p, double rows) {
    return p->machine->wgmma && rows == MOST_ROWS && p->left == 2 && p->right == 2 &&
           !p->left_odd && !p->right_odd;
}

static double rate(const Product *p, double rows) {
    return by_wgmma(p, rows) ? p->machine->wgmma : p->machine->mma;
}

/* Bytes of a step that a block loads, as many times as it takes longer than at the rate of L2; see
 * wgmma_time.c. TMA spares rows that there are not; where rows start within sectors, two blocks may
 * share the right operand, and the blocks of clusters together bring 2000 to 2300 bytes per clock
 * on an H200. */
static double step_bytes(const Product *p, double rows, double columns, double blocks,
                         bool is_clustered) {
    static const double crossing_apart = 3.6;
    const double share = fmin(1, blocks / p->machine->processors);
    if (!by_wgmma(p, rows) || !p->by_tma) return (rows * p->left + columns * p->right) * STEP;
    const bool in_pairs = p->crosses && !is_clustered && p->m > rows;
    const double bytes = fmin(rows, p->m) * p->left + columns * p->right / (in_pairs ? 2 : 1);
    const double most = is_clustered ? crossing_apart : COST_CROSSING;
    const double times = p->crosses     ? fmax(COST_CROSSING_ALONE, most * share)
                         : is_clustered ? COST_APART
                                        : 1;
    return times * bytes * STEP;
}

/* By fused multiply-adds: tiles of 64 x 64 and 128 x 128 elements; of f32 in memory also those of
 * 64 x 128 and 32 x 64. */
static double fma_clocks(const Product *p, double rows, double columns, double splits) {
    const bool is_plain = p->left == sizeof(float) && p->right == sizeof(float) &&
                          !p->is_computed && machine_has_mma(p->machine);
    const double tiles = splits * p->batch * ceil(p->m / rows) * ceil(p->n / columns);
    if (rows != columns && !is_plain) return INFINITY;
    return p->k / splits * cost_fma_tiles(p->machine, tiles, (int)rows, (int)columns, p->is_across);
}

/* Clocks in tiles of `rows` x `columns`; is_clustered: the blocks of a cluster have one.
 * Multiprocessors without a tile are idle in the last wave; blocks on one multiprocessor hide each
 * other's start. */
static double tile_clocks(const Product *p, double rows, double columns, double splits,
                          bool is_clustered) {
    const Machine *gpu = p->machine;
    const double blocks = splits * p->batch * ceil(p->m / rows) * ceil(p->n / columns);
    const double waves = ceil(blocks / gpu->processors), steps = ceil(p->k / splits / STEP);
    const double l2 = by_wgmma(p, rows) ? gpu->l2_tma : gpu->l2;
    const double bytes = p->batch * p->k * (p->m * p->left + p->n * p->right);
    const double multiply = rows * columns * STEP * p->weight / rate(p, rows);
    const double load = step_bytes(p, rows, columns, blocks, is_clustered) / l2;
    const double convert = p->is_computed ? converted * columns * STEP : 0;
    const double each = fmax(odd_least, odd * fmin(1, gpu->processors / blocks));
    const double alone = each * STEP * (p->left_odd * rows + p->right_odd * columns);
    const double products = p->weight > 0
                                ? waves * steps * fmax(fmax(multiply, load), fmax(convert, alone))
                                : fma_clocks(p, rows, columns, splits);
    const double memory =
        bytes * gpu->clock / (1e3 * gpu->bandwidth) * waves * gpu->processors / blocks;
    return gpu->start * fmin(1, gpu->processors / blocks) + fmax(products, memory);
}

/* The first kernel writes all partial results, and the second one reads them: from L2 where they
 * stay there. */
static double added_seconds(const Product *p, double splits) {
    const Machine *gpu = p->machine;
    const double bytes = splits * p->batch * p->m * p->n * sizeof(float);
    const bool stays = bytes < 1048576.0 * gpu->l2_size;
    const double rate =
        stays ? 1e6 * gpu->clock * gpu->processors * gpu->l2 * l2_share : 1e9 * gpu->bandwidth;
    return splits > 1 ? 1e-9 * gpu->launch + 2 * bytes / rate : 0;
}

/* Measured on an H200, whose GPCs have 16 and 18 multiprocessors. */
double cost_clusters(const Machine *machine, int blocks) {
    static const double filled[MOST_CLUSTER + 1] = {1, 1, 1, 0.89, 0.91, 0.834, 0.775, 0.796, 0.91};
    return floor(machine->processors * filled[blocks] / blocks);
}

/* Each reads its share from the memory of the others: Luo et al., "Benchmarking and Dissecting the
 * Nvidia Hopper GPU Architecture via Microbenchmarking" (2024), have 14 bytes per clock and
 * multiprocessor. */
double cost_cluster_sums(double rows, double columns, int blocks) {
    static const double meeting = 1500, remote = 14;
    const double share = ceil(columns / SLICE / blocks) * SLICE;
    return meeting + rows * share * (blocks - 1) * sizeof(float) / remote;
}

/* Columns of a block: see kernel/tile/gemv_fma.c. */
static double gemv_columns(const Product *p) {
    if (p->weight > 0) return GEMV_COLUMNS;
    return p->m > FMA_FEW_ROWS || p->is_across ? FMA_COLUMNS : FMA_COLUMNS / 2;
}

/* Clocks where operands go from memory to registers, in blocks of a few columns: the share of the
 * bandwidth that so many blocks get. */
static double gemv_clocks(const Product *p, double splits) {
    const Machine *gpu = p->machine;
    const double blocks = splits * p->batch * ceil(p->n / gemv_columns(p));
    const double bytes = p->batch * p->k * p->n * p->right;
    return gpu->start +
           bytes * gpu->clock / (1e3 * gpu->bandwidth) * fmax(1, gpu->processors / blocks);
}

/* Rows of the smallest tile that holds all rows; of large products, and by fused multiply-adds, of
 * the smaller tile. */
static double least_rows(const Product *p) {
    double rows = LEAST_ROWS;
    if (p->m > MOST_ROWS || !(p->weight > 0)) return HALF_ROWS;
    while (rows < p->m) rows *= 2;
    return rows;
}

/* By warpgroups, the blocks of a cluster have a part of each tile's sums, with no second kernel.
 * Tiles of which most rows are padding take longer: see wgmma_time.c. */
static double clustered_clocks(const Product *p, double rows, double columns) {
    const double tiles = p->batch * ceil(p->m / rows) * ceil(p->n / columns);
    const double padding = 4 * p->m <= rows ? 1.5 : 1;
    double least = INFINITY;
    if (!by_wgmma(p, rows) || !p->by_tma || p->is_computed) return least;
    for (int parts = 2; parts <= MOST_CLUSTER && parts * STEP <= p->k; parts++) {
        if (tiles > cost_clusters(p->machine, parts)) continue;
        const double added = cost_cluster_sums(fmin(rows, p->m), columns, parts);
        const double products = tile_clocks(p, rows, columns, parts, true);
        least = fmin(least, padding * (products + added) + COST_CLUSTER_START);
    }
    return least;
}

double cost_split_k(const Machine *machine, const Graph *g, NodeId dot, int64_t splits) {
    const Product p = product_of(machine, g, dot);
    double least = INFINITY;
    if (p.is_gemv)
        return gemv_clocks(&p, (double)splits) / (1e6 * machine->clock) +
               added_seconds(&p, (double)splits);
    if (!(p.weight > 0)) least = tile_clocks(&p, HALF_ROWS / 2, HALF_ROWS, (double)splits, false);
    for (double rows = least_rows(&p); rows <= MOST_ROWS; rows *= 2)
        for (int i = 0; i < WIDTHS; i++)
            if (by_wgmma(&p, rows) || (i < WARP_WIDTHS && rows * widths[i] < LARGEST)) {
                least = fmin(least, tile_clocks(&p, rows, widths[i], (double)splits, false));
                if (splits == 1) least = fmin(least, clustered_clocks(&p, rows, widths[i]));
            }
    return least / (1e6 * machine->clock) + added_seconds(&p, (double)splits);
}
