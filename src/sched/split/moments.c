/* moments.c: means and variances over outer and inner axes, as those of the channels of a batch, or
 * over outer ones: on a GPU one kernel reads everything once, and keeps each inner row for the
 * second sum, or, where these are short, each column, or chunks of long columns; the next combines
 * what it has found of them. One kernel for both would have to keep all that it reduces, or read it
 * twice. needs: simplified. keeps: meaning; sums are in another order, and differences are from the
 * mean of a row, which is more exact. breaks: nothing.
 *
 *     s = sum(x[N, C, K], axis = [0, 2])     becomes   p = sum(x, axis = 2), s = sum(p, axis = 0)
 *     sum((x - s/(N K))^2, axis = [0, 2])    becomes   sum(sum((x - p/K)^2, axis = 2), axis = 0) +
 *                                                      K * sum((p/K - s/(N K))^2, axis = 0)
 *
 * With N for K, and the axes exchanged, where K is short; of long columns x[N, C] as
 * x[chunks, N / chunks, C].
 *
 * Source: T. F. Chan, G. H. Golub and R. J. LeVeque, "Updating Formulae and a Pairwise Algorithm
 * for Computing Sample Variances", 1979. Where x is read again with the results, one kernel stays,
 * if it fills the machine.
 */
#include "sched/split/split.h"

#include <math.h>

enum {
    LEAST_ROW = 512,     /* elements of an inner row, for which a warp or more are busy */
    MOST_ROW = 16384,    /* that threads keep in registers */
    LEAST_WHOLE = 32768, /* elements that are reduced to one: fewer are kept by one block */
    ROWS_EACH = 4,       /* inner rows of each multiprocessor, at least */
    SHORT_ROW = 64,      /* elements of an inner row: a warp would read few neighbours at a time */
    LEAST_COLUMN = 32,   /* elements of a column that threads share, */
    MOST_COLUMN = 512,   /* and keep in registers */
    COLUMNS_EACH = 128,  /* columns of each multiprocessor, at least */
    WARP = 32,
    LEAST_LONG = 1 << 22, /* elements of long columns: of fewer, blocks may be too few */
    LEAST_MANY = 2048,    /* rows, where all multiprocessors have columns: fewer stay in L2 */
    STRIP = 64,           /* columns of a block, if there are as many side by side */
    CHUNK_BYTES = 16384,  /* that it keeps of a chunk */
    MOST_CHUNK = 256,     /* rows of one, if that is not more */
    MOST_CHUNKS = 1000    /* of a column, where these may have more rows */
};

/* A sum, and that of the squares of differences, in the graph before. */
typedef struct Moments {
    NodeId sum, squares;
    uint32_t first, then;     /* axes: those of a part, and those along which there are parts */
    int64_t count;            /* elements of a part */
    int64_t chunks;           /* of long columns, of which x becomes so many parts; else 0 */
    NodeId parts, of_part, x; /* in the graph that is made: of the parts, sums and means */
} Moments;

typedef struct Pass {
    const Graph *from;
    const Machine *machine;
    Vec(Moments) found;
} Pass;

/* ---- what is found --------------------------------------------------------------------------- */

/* The sum whose quotient by a number it is, also as a product if that is a power of two; else 0. */
static NodeId divided_sum(const Graph *g, const Node *n, double by) {
    if (n->op != OP_DIV && n->op != OP_MUL) return 0;
    const bool swapped = n->op == OP_MUL && g->node[n->src[0]].op != OP_SUM;
    const NodeId sum = n->src[swapped];
    const double number = n->op == OP_DIV ? by : 1 / by;
    return g->node[sum].op == OP_SUM && node_is_all(g, n->src[!swapped], number) ? sum : 0;
}

NodeId split_variance(const Graph *g, NodeId id) {
    const Node *n = &g->node[id], *product = &g->node[n->src[0]];
    int64_t whole;
    if (n->op != OP_SUM || n->type != T_F32 || product->op != OP_MUL ||
        product->src[0] != product->src[1])
        return 0;
    const Node *difference = &g->node[product->src[0]];
    if (difference->op != OP_SUB || g->node[difference->src[1]].op != OP_BROADCAST) return 0;
    if (!split_extent(g, product->src[0], (uint32_t)n->attr[0], &whole)) return 0;
    const NodeId id_of_sum =
        divided_sum(g, &g->node[g->node[difference->src[1]].src[0]], (double)whole);
    const Node *sum = &g->node[id_of_sum];
    const bool is_same = sum->attr[0] == n->attr[0] && sum->src[0] == difference->src[0];
    return is_same ? id_of_sum : 0;
}

/* Parts that are inner rows: does a warp or more have work in each, and are there enough? */
static bool has_long_rows(const Pass *p, int64_t row, int64_t rows) {
    return row >= LEAST_ROW && row <= MOST_ROW &&
           rows >= (int64_t)ROWS_EACH * p->machine->processors;
}

/* Parts that are columns, next to each other in memory. */
static bool has_short_rows(const Pass *p, int64_t row, int64_t column, int64_t columns) {
    return row > 1 && row < SHORT_ROW && column >= LEAST_COLUMN && column <= MOST_COLUMN &&
           columns >= (int64_t)COLUMNS_EACH * p->machine->processors;
}

/* ---- long columns ---------------------------------------------------------------------------- */

/* The first of the reduced axes, if they follow each other; else the rank. */
static int first_axis(uint32_t axes, int rank) {
    int first = 0;
    while (first < rank && !(axes >> first & 1)) first++;
    const uint32_t from = axes >> first;
    return from & (from + 1) ? rank : first;
}

/* Columns side by side. */
static int64_t neighbours(const Graph *g, const Node *sum, int first) {
    int64_t count;
    const uint32_t kept = ~(uint32_t)sum->attr[0] & ((1u << sum->rank) - 1);
    return split_extent(g, sum->src[0], kept >> first << first, &count) ? count : 0;
}

/* Bytes in memory of an element of what is reduced. */
static int64_t read_size(const Graph *g, NodeId x) {
    while (g->node[x].op == OP_CAST) x = g->node[x].src[0];
    return (int64_t)dtype_size(g->node[x].type);
}

/* Rows of a chunk, which divide the column's, about as many as are wanted; 0: none do. On an H200
 * the first kernel of 65536 x 512 of bf16 takes 19.7 us with 128 rows and 23.0 with 512. */
static int64_t chunk_rows(int64_t length, int64_t row_bytes) {
    const int64_t wide = CHUNK_BYTES / row_bytes, most = wide < MOST_CHUNK ? MOST_CHUNK : wide;
    int64_t wanted = wide < length / MOST_CHUNKS ? length / MOST_CHUNKS : wide;
    if (wanted > most) wanted = most;
    for (int64_t rows = wanted; rows <= most; rows++)
        if (length % rows == 0) return rows;
    for (int64_t rows = wanted; rows >= LEAST_COLUMN; rows--)
        if (length % rows == 0) return rows;
    return 0;
}

/* Are columns so long, and so few, that two kernels take less time? One that reads them again, with
 * all that depends on the results, stays where each multiprocessor has columns. */
static bool has_few_long(const Pass *p, const Moments *m, int64_t length, int64_t beside) {
    const Graph *g = p->from;
    const NodeId x = g->node[m->sum].src[0];
    const double columns = cost_elements(g, m->sum), all = columns * (double)length;
    const double blocks = ceil(columns / (beside < WARP ? (double)beside : WARP));
    if (all < LEAST_LONG && !split_is_slow(p->machine, blocks, all * (double)read_size(g, x), 1))
        return false;
    return blocks < p->machine->processors ||
           (length >= LEAST_MANY && !split_is_read_again(g, m->sum, m->squares));
}

/* Of columns that are longer than a block keeps. */
static bool has_long_columns(const Pass *p, Moments *m) {
    const Graph *g = p->from;
    const Node *sum = &g->node[m->sum];
    const int first = first_axis((uint32_t)sum->attr[0], sum->rank);
    int64_t length;
    if (first == sum->rank || sum->rank == RANK_MAX) return false;
    if (!split_extent(g, sum->src[0], (uint32_t)sum->attr[0], &length)) return false;
    const int64_t beside = neighbours(g, sum, first);
    if (!beside || length <= MOST_COLUMN || !has_few_long(p, m, length, beside)) return false;
    m->count = chunk_rows(length, read_size(g, sum->src[0]) * (beside < STRIP ? beside : STRIP));
    if (!m->count) return false;
    m->chunks = length / m->count;
    m->then = 1u << first, m->first = 2u << first;
    return true;
}

/* x[.., chunks, rows of a chunk, ..] */
static NodeId in_chunks(Graph *g, const Node *sum, const Moments *m) {
    const Node x = g->node[sum->src[0]];
    const uint32_t axes = (uint32_t)sum->attr[0];
    const int first = first_axis(axes, x.rank);
    Dim shape[RANK_MAX];
    int rank = first;
    for (int i = 0; i < first; i++) shape[i] = x.shape[i];
    shape[rank++] = dim_const(g->dims, m->chunks);
    shape[rank++] = dim_const(g->dims, m->count);
    for (int i = first; i < x.rank; i++)
        if (!(axes >> i & 1)) shape[rank++] = x.shape[i];
    return graph_reshape(g, sum->src[0], rank, shape, sum->span);
}

/* ---- inner rows, and short ones -------------------------------------------------------------- */

/* Do the sizes suit two kernels? Chooses the parts. */
static bool is_suitable(const Pass *p, Moments *m) {
    const Graph *g = p->from;
    const Node *sum = &g->node[m->sum];
    const uint32_t inner = split_inner_axes(g, sum), outer = (uint32_t)sum->attr[0] & ~inner;
    const uint32_t all = (1u << sum->rank) - 1;
    int64_t row, column, rows, columns;
    if (!inner) return has_long_columns(p, m);
    if (split_is_read_again(g, m->sum, m->squares)) return false;
    if (!outer || !split_extent(g, sum->src[0], all & ~inner, &rows)) return false;
    if (!split_extent(g, sum->src[0], inner, &row) ||
        !split_extent(g, sum->src[0], outer, &column) ||
        !split_extent(g, sum->src[0], all & ~outer, &columns))
        return false;
    *m = (Moments){
        .sum = m->sum, .squares = m->squares, .first = inner, .then = outer, .count = row};
    if (row * column >= LEAST_WHOLE && has_long_rows(p, row, rows)) return true;
    m->first = outer, m->then = inner, m->count = column;
    return has_short_rows(p, row, column, columns);
}

static void find(Pass *p) {
    const Graph *g = p->from;
    for (NodeId id = 1; id < g->count; id++) {
        Moments m = {.sum = split_variance(g, id), .squares = id};
        if (m.sum && is_suitable(p, &m)) vec_push(g->arena, &p->found, m);
    }
}

/* ---- what it becomes ------------------------------------------------------------------------- */

static NodeId square(Graph *g, NodeId x) { return graph_map(g, OP_MUL, x, x, 0, g->node[x].span); }

static NodeId sum_rule(Graph *g, const Node *sum, Moments *m) {
    m->x = m->chunks ? in_chunks(g, sum, m) : sum->src[0];
    m->parts = graph_reduce(g, OP_SUM, m->x, m->first, sum->span);
    split_name_parts(g, m->parts, sum);
    const NodeId count = split_number_like(g, (double)m->count, m->parts);
    m->of_part = graph_map(g, OP_DIV, m->parts, count, 0, sum->span);
    const NodeId whole = graph_reduce(g, OP_SUM, m->parts, m->then, sum->span);
    return graph_reshape(g, whole, sum->rank, sum->shape, sum->span);
}

/* `mean`: as it is in the new graph. */
static NodeId squares_rule(Graph *g, const Node *n, const Moments *m, NodeId mean) {
    const Span at = n->span;
    const Node part = g->node[m->of_part];
    Dim shape[RANK_MAX];
    for (int i = 0; i < part.rank; i++)
        shape[i] = m->then >> i & 1 ? dim_const(g->dims, 1) : part.shape[i];
    mean = graph_reshape(g, mean, part.rank, shape, at);
    const NodeId inside = graph_map(g, OP_SUB, m->x, split_like(g, m->of_part, m->x), 0, at);
    const NodeId parts = graph_reduce(g, OP_SUM, square(g, inside), m->first, at);
    split_name_parts(g, parts, n);
    const NodeId between = graph_map(g, OP_SUB, m->of_part, split_like(g, mean, m->of_part), 0, at);
    const NodeId apart = graph_reduce(g, OP_SUM, square(g, between), m->then, at);
    const NodeId within = graph_reduce(g, OP_SUM, parts, m->then, at);
    const NodeId count = split_number_like(g, (double)m->count, apart);
    const NodeId whole =
        graph_map(g, OP_ADD, within, graph_map(g, OP_MUL, apart, count, 0, at), 0, at);
    return graph_reshape(g, whole, n->rank, n->shape, at);
}

static NodeId moments_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                           void *context) {
    Pass *p = context;
    (void)from;
    for (int i = 0; i < p->found.count; i++) {
        Moments *m = &p->found.at[i];
        if (m->sum == old && !m->parts) return sum_rule(to, draft, m);
        if (m->squares != old) continue;
        const NodeId difference = to->node[draft->src[0]].src[0];
        return squares_rule(to, draft, m, to->node[to->node[difference].src[1]].src[0]);
    }
    return graph_add(to, draft);
}

const Graph *split_moments(const Graph *g, const Machine *machine) {
    Pass p = {.from = g, .machine = machine};
    if (!machine_is_gpu(machine) || g->attrs.max_kernels) return g;
    find(&p);
    return p.found.count ? graph_rewrite(g, moments_rule, &p) : g;
}
