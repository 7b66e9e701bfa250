/* row_tiles.c: tiles with whole rows of a contraction's result, or parts of rows: their possible
 * numbers of columns, and the cost of not being square.
 * In: Machine, contraction. */
#include "sched/cost/cost.h"

#include <math.h>

enum {
    CPU_COLUMNS = 2048, /* the sums of a few rows of these stay in L2 */
    CPU_FEW = 8,        /* rows or columns of a contraction that a CPU does not pack: GEMV_MOST */
    GPU_COLUMNS = 256,  /* the sums of a few rows of these fit a block's registers */
    TILE = COST_TILE,   /* side of a square tile */
    TILE_SUMS = 32768,  /* accumulators of a block */
    LEAST_ROWS = 32,
    THREAD_SUMS = 16384, /* accumulators of a block without tensor cores */
};
static const double l2_share = 0.8;  /* of its rate, if tiles wait for their loads */
static const double fma_share = 0.4; /* of the peak, for products without tensor cores */
/* of the processors: with these busy, smaller tiles gain nothing */
static const double busy_share = 0.75;
static const double few_rows = 1.4; /* times as long, if a block waits for its loads */

static Dtype stored_type(const Graph *g, NodeId id) {
    while (g->node[id].op == OP_CAST) id = g->node[id].src[0];
    return g->node[id].type;
}

/* Both of one type: bf16 times f16 is a product of f32. */
static bool is_narrow(const Graph *g, const Node *dot) {
    Dtype left = stored_type(g, dot->src[0]);
    return dtype_size(left) == 2 && stored_type(g, dot->src[1]) == left;
}

int64_t tile_columns(const Machine *machine, const Graph *g, NodeId dot) {
    const Node *n = &g->node[dot];
    if (!machine_is_gpu(machine)) return CPU_COLUMNS;
    if (dtype_size(n->type) > sizeof(float)) return GPU_COLUMNS / 2;
    return machine_has_mma(machine) && is_narrow(g, n) ? 2 * GPU_COLUMNS : GPU_COLUMNS;
}

bool tile_has_columns(const Machine *machine, const Graph *g, NodeId dot, int64_t columns,
                      int dots) {
    const int64_t most = tile_columns(machine, g, dot);
    int64_t tile = 1;
    while (tile < columns && tile <= most) tile *= 2;
    return (machine_is_gpu(machine) ? tile : columns) * dots <= most;
}

/* By warpgroups, a tile has several segments, and four threads have a row of one; other vectors and
 * tiles do not cross segments. */
int cost_segment_step(const Machine *machine, const Graph *g, NodeId dot) {
    enum { OF_WARPGROUPS = 8, OF_OTHERS = 64 };
    return machine->wgmma && cost_product_weight(g, dot) == 1 ? OF_WARPGROUPS : OF_OTHERS;
}

/* ---- what it costs ------------------------------------------------------------------------- */

typedef struct Product {
    const Machine *machine;
    double batch, m, n, k;
    double size; /* bytes of an operand's element on tensor cores; 0: without them */
} Product;

static double tile_count(const Product *p, double tile_m, double tile_n) {
    return p->batch * ceil(p->m / tile_m) * ceil(p->n / tile_n);
}

/* Bound by the L2 reads of the tiles, or by multiply-adds, which also prefer square tiles. */
static double product_seconds(const Product *p, double tile_m, double tile_n) {
    const Machine *gpu = p->machine;
    double tiles = tile_count(p, tile_m, tile_n), clocks = 1e6 * gpu->clock;
    double each = (tile_m + tile_n) * p->k * p->size / (l2_share * gpu->l2 * clocks);
    if (!(p->size > 0)) {
        each = tile_m * tile_n * p->k / (fma_share * gpu->fma * clocks);
        each *= (tile_m + tile_n) / (2 * sqrt(tile_m * tile_n));
    }
    return each * ceil(tiles / gpu->processors);
}

static double without_rows(const Product *p) {
    bool small = !(p->size > 0) && tile_count(p, TILE, TILE) < p->machine->processors;
    return small ? product_seconds(p, TILE / 2, TILE / 2) : product_seconds(p, TILE, TILE);
}

static double with_rows(const Product *p, double columns) {
    double tile_m = TILE, tile_n = LEAST_ROWS;
    while (tile_n < columns) tile_n *= 2;
    if (!(p->size > 0)) return product_seconds(p, fmin(TILE, THREAD_SUMS / tile_n), tile_n);
    while (tile_m > LEAST_ROWS &&
           (tile_m * tile_n > TILE_SUMS ||
            tile_count(p, tile_m, columns) < busy_share * p->machine->processors))
        tile_m /= 2;
    return product_seconds(p, tile_m, columns) * (tile_m < TILE / 2 ? few_rows : 1);
}

static bool are_few(const Graph *g, const Node *n, int from, int to) {
    int64_t all = 1, size;
    for (int axis = from; axis < to; axis++) {
        if (!dim_is_const(g->dims, n->shape[axis], &size)) return false;
        all *= size;
    }
    return all <= CPU_FEW;
}

bool cost_reads_in_place(const Machine *machine, const Graph *g, NodeId dot) {
    const Node *n = &g->node[dot];
    const int batch = n->attr[0], kept = g->node[n->src[0]].rank - n->attr[1];
    if (machine_is_gpu(machine) || g->attrs.max_kernels) return false;
    return are_few(g, n, batch, kept) || are_few(g, n, kept, n->rank);
}

/* Of a contraction with few rows or columns: the time to pack what else is read in place. */
static double packing(const Machine *machine, const Graph *g, const Node *n) {
    const Node *left = &g->node[n->src[0]];
    const int batch = n->attr[0], kept = left->rank - n->attr[1];
    const double longer = fmax(cost_extent(g, n, batch, kept), cost_extent(g, n, kept, n->rank));
    const double elements =
        cost_extent(g, n, 0, batch) * longer * cost_extent(g, left, kept, left->rank);
    return elements * (double)dtype_size(n->type) / machine_bandwidth(machine);
}

double rows_delay(const Machine *machine, const Graph *g, NodeId dot, double columns) {
    const Node *n = &g->node[dot], *left = &g->node[n->src[0]];
    const int batch = n->attr[0], kept = left->rank - n->attr[1];
    if (cost_reads_in_place(machine, g, dot)) return packing(machine, g, n);
    if (!machine_is_gpu(machine)) return 0;
    Product p = {.machine = machine,
                 .batch = cost_extent(g, n, 0, batch),
                 .m = cost_extent(g, n, batch, kept),
                 .n = cost_extent(g, n, kept, n->rank),
                 .k = cost_extent(g, left, kept, left->rank)};
    if (machine_has_mma(machine) && cost_product_weight(g, dot) > 0)
        p.size = (double)dtype_size(stored_type(g, n->src[0]));
    /* tiles of warpgroups have several segments of longer rows side by side */
    if (machine->wgmma && p.size > 0 && p.n > columns && columns < GPU_COLUMNS)
        columns *= floor(GPU_COLUMNS / columns);
    return fmax(0, with_rows(&p, columns) - without_rows(&p));
}
