/* tiles_blocks.h: contractions by tiles: how c is blocked for the threads and the caches, and what the
 * panels of an operand take, see tiles.h. Sections as in lanes.h. */
#pragma once
#include "rows.h"
//@BEGIN
//@SECTION MR NR_OF
/* The accumulators of a tile are in registers, MR rows of two vectors, with a row of b and one
 * element of a. MR is at most VL or a multiple of it: panels are written by whole vectors. */
#if VL == 16
#define MR 14 /* 28 of 32 registers */
#elif VL == 8
#define MR 6 /* 12 of 16 */
#elif defined(__aarch64__)
#define MR 12 /* 24 of 32 */
#else
#define MR 4 /* 8 of 16 */
#endif
#define NR_OF(TYPE) (8 * VL / (idx)sizeof(TYPE)) /* columns of two registers of 4 VL bytes */

//@SECTION EVEN_ROWS
/* Rows of the micro-kernel by which so many rows of c are as many panels as by MR, and all full. */
#define EVEN_PANEL(M) (((M) + ((M) + MR - 1) / MR - 1) / (((M) + MR - 1) / MR))
#define EVEN_ROWS(M)                                                                               \
    (EVEN_PANEL(M) <= VL ? EVEN_PANEL(M) : (EVEN_PANEL(M) + VL - 1) / VL * VL)

//@SECTION fx_tile
/* The block sizes of a contraction. They change its speed, and nothing else. */
typedef struct fx_tile {
    idx m, n;          /* rows and columns of c that a thread takes at a time; their sums and the */
                       /* panels of b stay in L3 */
    idx k;             /* products that are summed before accumulators leave the registers */
    idx block;         /* rows of a that are packed at a time, for L2 */
    idx group;         /* panels of b whose sums for these rows stay in L2 */
    idx rows, vectors; /* accumulators of the micro-kernel */
    idx parallel;      /* products from which threads pay */
} fx_tile;

//@SECTION fx_cut
typedef struct fx_cut {
    idx threads;
    idx m_parts, n_parts; /* blocks of c, all equal but for one row of panels and one column */
    idx rows, columns;    /* of which a block has a multiple */
    idx m, n, k;          /* rows and columns of the largest block; depth of a block of k */
    idx sum_rows;         /* rows of sums in memory: those of the block, or those in L2 */
    idx a, b;             /* elements of a panel */
    idx a_all, b_all;     /* elements of all panels in memory, in whole cache lines */
    idx bytes;            /* bytes of the panels and the sums, for one thread */
} fx_cut;

//@SECTION fx_cut_block fx_block_bytes
/* A contraction that is one block for one thread. Inlined: all is constant. */
LANES fx_cut fx_cut_block(idx mr, idx nr, idx m, idx n, idx k, idx count, idx size) {
    fx_cut c = {.threads = 1, .m = FX_ROUND(m, mr), .n = FX_ROUND(n, nr), .k = FX_ROUND(k, 16)};
    c.sum_rows = c.m;
    c.a = c.k * mr + VL; /* the last vector store reaches beyond the panel */
    c.b = (c.k + 1) * nr;
    c.a_all = fx_align(c.a * (c.m / mr) * size) / size;
    c.b_all = fx_align(count * c.b * (c.n / nr) * size) / size;
    c.bytes = (c.a_all + c.b_all + count * c.m * c.n) * size;
    return c;
}

SHARED_FUNCTION int64_t fx_block_bytes(idx mr, idx nr, idx m, idx n, idx k, idx count, idx size)
{
    return fx_cut_block(mr, nr, m, n, k, count, size).bytes;
}

//@SECTION fx_cut_blocks
/* The products that take as long as packing an element, and as a row of a block that is part of a
 * row of c: another thread writes the cache line in which it ends. i8, 1000 x 1023 x 777, by two
 * threads of a Zen 4: 2.04 ms with blocks of whole rows, 2.45 with blocks of half rows. */
enum { FX_PACKING = 24, FX_ROW_END = 16384 };

/* The products in the time of the thread that is done last. */
static inline double fx_cut_time(const fx_cut *c, idx m_parts, idx n_parts, idx batch,
                                 idx m_panels, idx n_panels, idx k) {
    const idx turns = (batch * m_parts * n_parts + c->threads - 1) / c->threads;
    const double m = (double)((m_panels + m_parts - 1) / m_parts * c->rows);
    const double n = (double)((n_panels + n_parts - 1) / n_parts * c->columns);
    const double ends = n_parts > 1 ? FX_ROW_END * m : 0;
    return (double)turns * (((m + FX_PACKING) * (n + FX_PACKING)) * (double)k + ends);
}

/* Blocks of c: as large as possible, since each block packs its operands anew, and so many that
 * threads are done at the same time. At first they are as few as the tile allows. One loop with one
 * call: the C compiler takes longer for this function than for the loops of a contraction. */
static inline void fx_cut_blocks(fx_cut *c, idx batch, idx m_panels, idx n_panels, idx k) {
    const idx m_least = c->m_parts, n_least = c->n_parts;
    const idx m_most = fx_least(m_least + c->threads, m_panels);
    const idx blocks = FX_ROUND(batch * m_least * n_least, c->threads);
    double least = INFINITY;
    for (idx i = 3 * m_least; c->threads > 1 && i < 3 * (m_most + 1); i++) {
        const idx m_parts = i / 3, more = blocks / (batch * m_parts) + i % 3 - 1;
        const idx n_parts = i % 3 ? fx_least(fx_most(more, n_least), n_panels) : n_least;
        const double time = fx_cut_time(c, m_parts, n_parts, batch, m_panels, n_panels, k);
        if (time < least) c->m_parts = m_parts, c->n_parts = n_parts, least = time;
    }
}

//@SECTION fx_cut_of
/* `size`: bytes of an element; a block has a multiple of `columns`. */
SHARED_FUNCTION fx_cut fx_cut_of(const fx_tile *t, idx batch, idx m, idx n, idx k, idx count,
                                 idx size, idx columns)
{
    const idx mr = t->rows, nr = 4 * VL / size * t->vectors;
    const idx m_block = t->block < mr ? mr : t->block / mr * mr;
    const idx unit = FX_ROUND(columns, nr);
    const idx m_panels = (m + mr - 1) / mr, n_panels = (n + unit - 1) / unit;
    const double work = (double)batch * (double)m * (double)n * (double)k;
    fx_cut c = {.rows = mr, .columns = unit};
    c.threads = work < (double)t->parallel ? 1 : fx_threads();
    c.m_parts = fx_least((m + t->m - 1) / t->m, m_panels);
    c.n_parts = fx_least((n * count + t->n - 1) / t->n, n_panels);
    fx_cut_blocks(&c, batch, m_panels, n_panels, k);
    const idx k_parts = (k + t->k - 1) / t->k;
    c.threads = fx_least(c.threads, batch * c.m_parts * c.n_parts);
    c.m = (m_panels + c.m_parts - 1) / c.m_parts * mr;
    c.n = (n_panels + c.n_parts - 1) / c.n_parts * unit;
    c.k = FX_ROUND((k + k_parts - 1) / k_parts, 16); /* whole vectors, and whole AMX tiles */
    c.sum_rows = c.m < m_block || k_parts > 1 ? c.m : m_block;
    const idx block = c.m < m_block ? c.m : m_block;
    const idx group = unit > t->group * nr ? unit : t->group * nr;
    c.a = c.k * mr + VL; /* the last vector store reaches beyond the panel */
    c.b = (c.k + 1) * nr; /* not a multiple of a page, to avoid conflicts in the cache */
    c.a_all = fx_align(c.a * (block / mr) * size) / size;
    c.b_all = fx_align(count * c.b * (c.n / nr) * size) / size;
    c.bytes = (c.a_all + c.b_all) * size +
              fx_align(count * c.sum_rows * (k_parts > 1 || c.n < group ? c.n : group) * size);
    return c;
}

//@SECTION fx_cut_bytes
SHARED_FUNCTION int64_t fx_cut_bytes(const fx_tile *t, idx batch, idx m, idx n, idx k, idx count,
                                     idx size, idx columns)
{
    const fx_cut c = fx_cut_of(t, batch, m, n, k, count, size, columns);
    return c.threads * c.bytes;
}

//@SECTION fx_next_block
/* A contraction and its blocks of c, which threads share: each takes the next when it is done with
 * one. Of a block a step has a block of k, `rows` rows and `columns` columns. */
typedef struct fx_blocks {
    const fx_cut *cut;
    idx batch, m, n, k;
    idx rows, columns;
    idx panel;        /* columns of one */
    idx count, size;  /* products of an element of c, and the bytes of one */
    char *packed;     /* the panels and the sums of all threads */
    idx next;
} fx_blocks;

/* A thread's step. At first all is 0. */
typedef struct fx_block {
    idx batch, m_first, m_end, n_first, n_end; /* the block of c */
    idx k_first, k_stop, m_start, m_stop, n_start, n_stop;
    bool packs_a, packs_b; /* are panels of these to be packed? */
    char *memory;
    void *a, *b, *sum; /* panels of a, of b, and the sums of the step */
} fx_block;

/* Where part i of so many rows (columns) begins. */
static inline idx fx_part(idx size, idx panel, idx parts, idx i) {
    return fx_least((size + panel - 1) / panel * i / parts * panel, size);
}

static inline bool fx_take_block(fx_blocks *of, fx_block *at) {
    const fx_cut *c = of->cut;
    idx block;
#pragma omp atomic capture
    block = of->next++;
    if (block >= of->batch * c->m_parts * c->n_parts) return false;
    const idx i = block / c->n_parts % c->m_parts, j = block % c->n_parts;
    at->batch = block / (c->m_parts * c->n_parts);
    at->m_first = fx_part(of->m, c->rows, c->m_parts, i);
    at->m_end = fx_part(of->m, c->rows, c->m_parts, i + 1);
    at->n_first = fx_part(of->n, c->columns, c->n_parts, j);
    at->n_end = fx_part(of->n, c->columns, c->n_parts, j + 1);
    at->memory = of->packed + fx_thread() * c->bytes;
    return true;
}

/* The next step: first along n, then m, then k, then of the next block. False: there is none. */
SHARED_FUNCTION bool fx_next_block(fx_blocks *of, fx_block *at)
{
    const fx_cut *c = of->cut;
    at->n_start = at->n_stop;
    if (at->n_start == at->n_end) {
        at->m_start = at->m_stop;
        if (at->m_start == at->m_end) {
            at->k_first = at->k_stop;
            if (!at->k_stop || at->k_first >= of->k) {
                if (!fx_take_block(of, at)) return false;
                at->k_first = 0;
            }
            at->k_stop = at->k_first + c->k, at->m_start = at->m_first;
        }
        at->m_stop = fx_least(at->m_start + of->rows, at->m_end), at->n_start = at->n_first;
    }
    at->n_stop = fx_least(at->n_start + of->columns, at->n_end);
    at->packs_a = at->n_start == at->n_first, at->packs_b = at->m_start == at->m_first;
    char *const b = at->memory + c->a_all * of->size, *const sums = b + c->b_all * of->size;
    const idx column = (at->n_start - at->n_first) * of->count;
    const idx row = (at->m_start - at->m_first) * of->panel;
    at->a = at->memory, at->b = b + column / of->panel * c->b * of->size;
    at->sum = sums + (c->k < of->k ? (column * c->sum_rows + row) * of->size : 0);
    return true;
}

//@SECTION fx_cut_given
/* The same if the panels of a or b are packed already: they take no memory here. */
static inline fx_cut fx_cut_given(fx_cut c, bool a, bool b, idx size) {
    c.bytes -= (a * c.a_all + b * c.b_all) * size;
    if (a) c.a_all = 0;
    if (b) c.b_all = 0;
    return c;
}

//@SECTION fx_cut_total
static inline int64_t fx_cut_total(fx_cut c) { return c.threads * c.bytes; }

//@SECTION fx_panel_size
/* Elements of a panel that is packed once, with room for the last vector store or load. The size is
 * not a multiple of a page, to avoid conflicts in the cache. */
static inline idx fx_panel_size(idx width, idx steps) { return FX_ROUND(steps * width + VL, 64); }

//@SECTION fx_panels_bytes
/* Bytes of all panels of an operand with `own` rows (columns), in panels of `width`. */
static inline int64_t fx_panels_bytes(idx batch, idx own, idx width, idx steps, idx size) {
    return batch * ((own + width - 1) / width) * fx_panel_size(width, steps) * size;
}
