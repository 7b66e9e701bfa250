/* tiles.h: contractions by tiles: how c is blocked for the threads and the caches, and the
 * micro-kernel that adds the product of two panels to a tile of c. A panel is a part of an operand
 * in the order in which the micro-kernel reads it:
 *
 *     panel of a: for each k MR rows side by side       c[r][j] += a[k][r] * b[k][j]
 *     panel of b: for each k NR columns side by side    for all r < MR, j < NR, k < steps
 *
 * Sections as in lanes.h. */
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

static __attribute__((noinline)) int64_t fx_block_bytes(idx mr, idx nr, idx m, idx n, idx k,
                                                        idx count, idx size) {
    return fx_cut_block(mr, nr, m, n, k, count, size).bytes;
}

//@SECTION fx_cut_blocks
/* The products that take as long as packing an element, and as a row of a block that is part of a
 * row of c: another thread writes the cache line in which it ends. i8, 1000 x 1023 x 777, by two
 * threads of a Zen 4: 2.04 ms with blocks of whole rows, 2.45 with blocks of half rows. */
enum { FX_PACKING = 24, FX_ROW_END = 16384 };

/* The products in the time of the thread that is done last. */
static inline double fx_cut_time(const fx_cut *c, idx batch, idx m_panels, idx n_panels, idx k) {
    const idx turns = (batch * c->m_parts * c->n_parts + c->threads - 1) / c->threads;
    const double m = (double)((m_panels + c->m_parts - 1) / c->m_parts * c->rows);
    const double n = (double)((n_panels + c->n_parts - 1) / c->n_parts * c->columns);
    const double ends = c->n_parts > 1 ? FX_ROW_END * m : 0;
    return (double)turns * (((m + FX_PACKING) * (n + FX_PACKING)) * (double)k + ends);
}

/* Blocks of c: as large as possible, since each block packs its operands anew, and so many that
 * threads are done at the same time. At first they are as few as the tile allows. */
static inline void fx_cut_blocks(fx_cut *c, idx batch, idx m_panels, idx n_panels, idx k) {
    const fx_cut least = *c;
    const idx m_most = fx_least(least.m_parts + c->threads, m_panels);
    const idx blocks = FX_ROUND(batch * least.m_parts * least.n_parts, c->threads);
    double time = fx_cut_time(c, batch, m_panels, n_panels, k);
    if (c->threads == 1) return;
    for (idx m_parts = least.m_parts; m_parts <= m_most; m_parts++) {
        const idx even = blocks / (batch * m_parts), n_parts[] = {least.n_parts, even, even + 1};
        for (int i = 0; i < 3; i++) {
            fx_cut other = least;
            other.m_parts = m_parts;
            other.n_parts = fx_least(fx_most(n_parts[i], least.n_parts), n_panels);
            const double other_time = fx_cut_time(&other, batch, m_panels, n_panels, k);
            if (other_time < time) *c = other, time = other_time;
        }
    }
}

//@SECTION fx_cut_of
/* `size`: bytes of an element; a block has a multiple of `columns`. */
static inline fx_cut fx_cut_of(const fx_tile *t, idx batch, idx m, idx n, idx k, idx count,
                               idx size, idx columns) {
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
static __attribute__((noinline)) int64_t fx_cut_bytes(const fx_tile *t, idx batch, idx m, idx n,
                                                      idx k, idx count, idx size, idx columns) {
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
static __attribute__((noinline)) bool fx_next_block(fx_blocks *of, fx_block *at) {
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

//@SECTION fx_cut_given fx_cut_total
/* The same if the panels of a or b are packed already: they take no memory here. */
static inline fx_cut fx_cut_given(fx_cut c, bool a, bool b, idx size) {
    c.bytes -= (a * c.a_all + b * c.b_all) * size;
    if (a) c.a_all = 0;
    if (b) c.b_all = 0;
    return c;
}
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

//@SECTION WIDEN
/* Converts elements of a panel to the type in which they are multiplied. */
#define WIDEN(LOAD, STORE)                                                                         \
    for (idx i = 0; i < count; i += VL) STORE(to + i, LOAD(from + i, VL), VL)

//@SECTION widen_bf16
LANES void widen_bf16(float *to, const bf16 *from, idx count) { WIDEN(ld_bf16, st_f32); }

//@SECTION widen_f16
LANES void widen_f16(float *to, const f16 *from, idx count) { WIDEN(ld_f16, st_f32); }

//@SECTION widen_f8e4m3
LANES void widen_f8e4m3(float *to, const f8e4m3 *from, idx count) { WIDEN(ld_f8e4m3, st_f32); }

//@SECTION widen_f8e5m2
LANES void widen_f8e5m2(float *to, const f8e5m2 *from, idx count) { WIDEN(ld_f8e5m2, st_f32); }

//@SECTION widen_f32
LANES void widen_f32(float *to, const float *from, idx count) { WIDEN(ld_f32, st_f32); }

//@SECTION widen_i32
LANES void widen_i32(int32_t *to, const int32_t *from, idx count) { WIDEN(ld_i32, st_i32); }

//@SECTION widen_i8
LANES void widen_i8(int32_t *to, const int8_t *from, idx count) { WIDEN(ld_i8, st_i32); }

//@SECTION widen_u8
LANES void widen_u8(int32_t *to, const uint8_t *from, idx count) { WIDEN(ld_u8, st_i32); }

//@SECTION widen_i8_f32
LANES void widen_i8_f32(float *to, const int8_t *from, idx count) {
    for (idx i = 0; i < count; i += VL)
        st_f32(to + i, __builtin_convertvector(ld_i8(from + i, VL), f32), VL);
}

//@SECTION widen_u8_f32
LANES void widen_u8_f32(float *to, const uint8_t *from, idx count) {
    for (idx i = 0; i < count; i += VL)
        st_f32(to + i, __builtin_convertvector(ld_u8(from + i, VL), f32), VL);
}

//@SECTION TRANSPOSE
/* Transposes a square of VL vectors in log2(VL) rounds, each of which interleaves its halves. All
 * is unrolled, with -O2 too: the square is in registers. */
#define TRANSPOSE(REG)                                                                             \
    _Pragma("GCC unroll 4") for (int round = 1; round < VL; round *= 2) {                          \
        REG old[VL];                                                                               \
        _Pragma("GCC unroll 16") for (int i = 0; i < VL; i++) old[i] = square[i];                  \
        _Pragma("GCC unroll 8") for (int i = 0; i < VL / 2; i++) {                                 \
            square[2 * i] = __builtin_shufflevector(old[i], old[i + VL / 2], LANES_LOW);           \
            square[2 * i + 1] = __builtin_shufflevector(old[i], old[i + VL / 2], LANES_HIGH);      \
        }                                                                                          \
    }

//@SECTION transpose_8
LANES void transpose_8(u8 *square) {
    TRANSPOSE(u8)
}

//@SECTION TRANSPOSE_QUARTERS HALVES_LOW HALVES_HIGH
/* Transposes squares of N elements in 128 bits, those of each N vectors side by side: KIND##_LOW
 * and KIND##_HIGH interleave within 128 bits, which x86 does faster than across them. */
#define TRANSPOSE_QUARTERS(REG, N, KIND)                                                           \
    _Pragma("GCC unroll 4") for (int first = 0; first < VL; first += N)                            \
        _Pragma("GCC unroll 3") for (int round = 1; round < N; round *= 2) {                       \
        REG old[N];                                                                                \
        _Pragma("GCC unroll 8") for (int i = 0; i < N; i++) old[i] = square[first + i];            \
        _Pragma("GCC unroll 4") for (int i = 0; i < N / 2; i++) {                                  \
            square[first + 2 * i] = __builtin_shufflevector(old[i], old[i + N / 2], KIND##_LOW);   \
            square[first + 2 * i + 1] =                                                            \
                __builtin_shufflevector(old[i], old[i + N / 2], KIND##_HIGH);                      \
        }                                                                                          \
    }
#if VL == 16
#define HALVES_LOW  0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define HALVES_HIGH 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#else
#define HALVES_LOW  0, 1, 2, 3, 8, 9, 10, 11
#define HALVES_HIGH 4, 5, 6, 7, 12, 13, 14, 15
#endif

//@SECTION TRANSPOSE_HALVES
/* The same, with two such squares in a vector. */
#define TRANSPOSE_HALVES(REG, KIND)                                                                \
    TRANSPOSE_QUARTERS(REG, VL / 2, KIND)                                                          \
    _Pragma("GCC unroll 8") for (int i = 0; i < VL / 2; i++) {                                     \
        const REG a = square[i], b = square[i + VL / 2];                                           \
        square[i] = __builtin_shufflevector(a, b, HALVES_LOW);                                     \
        square[i + VL / 2] = __builtin_shufflevector(a, b, HALVES_HIGH);                           \
    }

//@SECTION transpose_16
#if VL == 16
#define WORDS_LOW  0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27
#define WORDS_HIGH 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31
LANES void transpose_16(u16 *square) {
    TRANSPOSE_HALVES(u16, WORDS)
}
#else
LANES void transpose_16(u16 *square) {
    TRANSPOSE(u16)
}
#endif

//@SECTION transpose_32
#if VL == 16
#define DOUBLES_LOW  0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define DOUBLES_HIGH 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define EVEN_QUARTERS 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27
#define ODD_QUARTERS  4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31
LANES void transpose_32(u32 *square) {
    TRANSPOSE_QUARTERS(u32, 4, DOUBLES)
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) {
        const u32 a = square[i], b = square[i + 4], c = square[i + 8], d = square[i + 12];
        const u32 left = __builtin_shufflevector(a, b, HALVES_LOW);
        const u32 right = __builtin_shufflevector(a, b, HALVES_HIGH);
        const u32 left_2 = __builtin_shufflevector(c, d, HALVES_LOW);
        const u32 right_2 = __builtin_shufflevector(c, d, HALVES_HIGH);
        square[i] = __builtin_shufflevector(left, left_2, EVEN_QUARTERS);
        square[i + 4] = __builtin_shufflevector(left, left_2, ODD_QUARTERS);
        square[i + 8] = __builtin_shufflevector(right, right_2, EVEN_QUARTERS);
        square[i + 12] = __builtin_shufflevector(right, right_2, ODD_QUARTERS);
    }
}
#elif VL == 8
#define DOUBLES_LOW  0, 8, 1, 9, 4, 12, 5, 13
#define DOUBLES_HIGH 2, 10, 3, 11, 6, 14, 7, 15
LANES void transpose_32(u32 *square) {
    TRANSPOSE_HALVES(u32, DOUBLES)
}
#else
LANES void transpose_32(u32 *square) {
    TRANSPOSE(u32)
}
#endif

//@SECTION transpose_64
/* A vector is two registers: so are its four quarters transposed, and two of them exchanged. */
#if VL == 16
#define HALF_LOW  0, 8, 1, 9, 2, 10, 3, 11
#define HALF_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#elif VL == 8
#define HALF_LOW  0, 4, 1, 5
#define HALF_HIGH 2, 6, 3, 7
#else
#define HALF_LOW  0, 2
#define HALF_HIGH 1, 3
#endif
LANES void transpose_64(u64 *square) {
    enum { H = VL / 2 };
    i64_half to[VL][2];
    _Pragma("GCC unroll 4") for (int quarter = 0; quarter < 4; quarter++) {
        const int down = quarter / 2, right = quarter % 2;
        i64_half part[H];
        _Pragma("GCC unroll 8") for (int i = 0; i < H; i++)
            part[i] = ((pair64){.i = (i64)square[down * H + i]}).i_half[right];
        _Pragma("GCC unroll 3") for (int round = 1; round < H; round *= 2) {
            i64_half old[H];
            _Pragma("GCC unroll 8") for (int i = 0; i < H; i++) old[i] = part[i];
            _Pragma("GCC unroll 4") for (int i = 0; i < H / 2; i++) {
                part[2 * i] = __builtin_shufflevector(old[i], old[i + H / 2], HALF_LOW);
                part[2 * i + 1] = __builtin_shufflevector(old[i], old[i + H / 2], HALF_HIGH);
            }
        }
        _Pragma("GCC unroll 8") for (int i = 0; i < H; i++) to[right * H + i][down] = part[i];
    }
    _Pragma("GCC unroll 16") for (int i = 0; i < VL; i++)
        square[i] = (u64)((pair64){.i_half = {to[i][0], to[i][1]}}).i;
}

//@SECTION FETCH_LINES
/* Prefetches so many bytes into L2, line by line. */
#define FETCH_LINES(p, bytes)                                                                      \
    for (size_t line = 0; line < (bytes); line += 64)                                              \
        __builtin_prefetch((const char *)(p) + line, 0, 2)

//@SECTION TILE_SUMS TILE_ROWS TILE_FUNCTION EACH_TILE
/* The micro-kernel, for `rows` rows of a by `panels` panels of b: sums[ALL][V vectors] = the
 * product of two panels, or += with `add`. Panels are `left_size` and `right_size` elements apart,
 * rows of sums `stride`, and the sums of the next panel of b follow after `sums_size`. The last
 * panel of a has `rest` valid rows (0: it is full, too); where that is a constant, one or two of
 * the loops are compiled. Not inlined: the loop needs all registers, and gcc keeps the accumulators
 * in registers only if it is told to unroll those over them. The sums are not in L1: every fourth
 * step prefetches half a row of them, as if their rows were contiguous. A panel of b may have a
 * HEAD before its steps. */
#define EACH_TILE(ALL)                                                                             \
    for (idx panel = 0; panel < panels; panel++)                                                   \
        for (idx row = 0; row < rows; row += ALL)
#define TILE_SUMS(ALL, V, REG, TYPE, HEAD, ADD, START)                                             \
    EACH_TILE(ALL) {                                                                               \
        const TYPE *a = (const TYPE *)left + row / ALL * left_size;                                \
        const TYPE *b = (const TYPE *)right + panel * right_size + HEAD;                           \
        TYPE *const c = (TYPE *)sums + panel * sums_size + row * stride;                           \
        if (rows - row >= ALL || rest > 8 || !rest || ALL <= 4)                                    \
            TILE_ROWS(TILE_STEP, ALL, V, REG, TYPE, ALL, ADD, START)                               \
        else if (rest > 4)                                                                         \
            TILE_ROWS(TILE_STEP, (ALL < 8 ? ALL : 8), V, REG, TYPE, ALL, ADD, START)               \
        else if (rest > 2) TILE_ROWS(TILE_STEP, 4, V, REG, TYPE, ALL, ADD, START)                  \
        else TILE_ROWS(TILE_STEP, 2, V, REG, TYPE, ALL, ADD, START)                                \
    }
#define TILE_ROWS(STEP, ROWS, V, REG, TYPE, NEXT, ADD, START)                                      \
    {                                                                                              \
        typedef REG Row __attribute__((aligned(sizeof(TYPE)), may_alias));                         \
        enum { WIDTH = sizeof(REG) / sizeof(TYPE) };                                               \
        REG sum[ROWS][V];                                                                          \
        EACH_SUM(ROWS, V) sum[r][v] = START;                                                       \
        TILE_STEPS(STEP, ROWS, V, REG, NEXT, ADD)                                                  \
        if (add) EACH_SUM(ROWS, V) sum[r][v] += *(Row *)(c + r * stride + v * WIDTH);              \
        EACH_SUM(ROWS, V) *(Row *)(c + r * stride + v * WIDTH) = sum[r][v];                        \
    }
#define TILE_STEP_OF(ROWS, V, REG, NEXT, FACTORS)                                                  \
    {                                                                                              \
        REG row[V];                                                                                \
        EACH_VECTOR_OF(V) row[v] = *(const Row *)(b + v * WIDTH);                                  \
        FACTORS                                                                                    \
        a += NEXT;                                                                                 \
        b += V * WIDTH;                                                                            \
    }
#define EACH_ROW(ROWS, V, REG, ACROSS, ADD)                                                        \
    _Pragma("GCC unroll 14") for (int r = 0; r < ROWS; r++) {                                      \
        const REG x = a[r * ACROSS] - (REG){0};                                                    \
        EACH_VECTOR_OF(V) ADD(sum[r][v], x, row[v]);                                               \
    }
#if defined(__aarch64__)
/* An instruction takes its factor from a lane of a register. gcc would load each factor by itself
 * if it knew that the lanes are in memory. */
#define TILE_STEP(ROWS, V, REG, NEXT, ADD)                                                         \
    TILE_STEP_OF(ROWS, V, REG, NEXT, EACH_ROW_OF_LANES(ROWS, V, REG, ADD))
#define EACH_ROW_OF_LANES(ROWS, V, REG, ADD)                                                       \
    REG factors[(ROWS + WIDTH - 1) / WIDTH];                                                       \
    _Pragma("GCC unroll 14") for (int i = 0; i < (ROWS + WIDTH - 1) / WIDTH; i++) {                \
        factors[i] = *(const Row *)(a + i * WIDTH);                                                \
        __asm__("" : "+w"(factors[i]));                                                            \
    }                                                                                              \
    _Pragma("GCC unroll 14") for (int r = 0; r < ROWS; r++) {                                      \
        const REG x = factors[r / WIDTH][r % WIDTH] - (REG){0};                                    \
        EACH_VECTOR_OF(V) ADD(sum[r][v], x, row[v]);                                               \
    }
#else
#define TILE_STEP(ROWS, V, REG, NEXT, ADD)                                                         \
    TILE_STEP_OF(ROWS, V, REG, NEXT, EACH_ROW(ROWS, V, REG, 1, ADD))
#endif
/* Where a tile takes 32 registers, unrolled steps make gcc spill some, and compile for longer.
 * Where it takes 16, a step is short: the loop would be a sixth of the instructions. */
#define NOT_UNROLLED _Pragma("GCC unroll 1")
#define FETCH_SUMS(REG) __builtin_prefetch((const char *)c + p / 4 * sizeof(REG), 1)
#if VL == 16
#define TILE_STEPS(STEP, ROWS, V, REG, NEXT, ADD)                                                  \
    NOT_UNROLLED for (idx p = 0; p < steps; p++) {                                                 \
        FETCH_SUMS(REG);                                                                           \
        STEP(ROWS, V, REG, NEXT, ADD)                                                              \
    }
#else
#if defined(__aarch64__)
#define EACH_OF_FOUR_STEPS NOT_UNROLLED for (int q = 0; q < 4; q++)
#else
/* Of four steps without a loop, gcc 12 reads the row of b from memory again for each row of a:
 * three loads in a cycle, where there is room for two. */
#define EACH_OF_FOUR_STEPS _Pragma("GCC unroll 2") for (int q = 0; q < 4; q++)
#endif
#define TILE_STEPS(STEP, ROWS, V, REG, NEXT, ADD)                                                  \
    idx p = 0;                                                                                     \
    for (; p + 4 <= steps; p += 4) {                                                               \
        FETCH_SUMS(REG);                                                                           \
        EACH_OF_FOUR_STEPS STEP(ROWS, V, REG, NEXT, ADD)                                           \
    }                                                                                              \
    NOT_UNROLLED for (; p < steps; p++) STEP(ROWS, V, REG, NEXT, ADD)
#endif
#define EACH_VECTOR_OF(V) _Pragma("GCC unroll 4") for (int v = 0; v < V; v++)
#define EACH_SUM(ROWS, V)                                                                          \
    _Pragma("GCC unroll 14") for (int r = 0; r < ROWS; r++) EACH_VECTOR_OF(V)
#define MUL_ADD(sum, x, y) sum += x * y
#if defined(__clang__) && VL == 16 /* by default clang prefers 256-bit vectors */
#define TILE_FUNCTION static __attribute__((noinline, unused, min_vector_width(512))) void
#else
#define TILE_FUNCTION static __attribute__((noinline, unused)) void
#endif

//@SECTION tile_sums_f32
TILE_FUNCTION tile_sums_f32(idx steps, const float *restrict left, idx left_size,
                            const float *restrict right, idx right_size,
                            float *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                            idx panels, idx rest) {
    TILE_SUMS(MR, 2, f32, float, 0, MUL_ADD, (f32){0})
}

//@SECTION TILE_STEP_ACROSS
#define TILE_STEP_ACROSS(ROWS, V, REG, NEXT, ADD)                                                  \
    TILE_STEP_OF(ROWS, V, REG, NEXT, EACH_ROW(ROWS, V, REG, across, ADD))

//@SECTION tile_sums_rows_f32
/* The same if a is not packed: its rows are `across` apart, the sums of another product. */
TILE_FUNCTION tile_sums_rows_f32(idx steps, const float *restrict left, idx across,
                                 const float *restrict right, idx right_size,
                                 float *restrict sums, idx sums_size, idx stride, bool add,
                                 idx rows, idx panels) {
    EACH_TILE(MR) {
        const float *a = left + row * across, *b = right + panel * right_size;
        float *const c = sums + panel * sums_size + row * stride;
        TILE_ROWS(TILE_STEP_ACROSS, MR, 2, f32, float, 1, MUL_ADD, (f32){0})
    }
}

//@SECTION TILE_COLUMNS
/* sums += the product where the rows of a are columns of memory: those of a step are contiguous,
 * and steps `across` apart. No row beyond the last is touched: others' sums follow. */
#define TILE_COLUMNS(REG, TYPE, ADD, START)                                                        \
    for (idx panel = 0; panel < panels; panel++)                                                   \
        for (idx row = 0, count; row < rows; row += count) {                                       \
            const TYPE *a = (const TYPE *)left + row;                                              \
            const TYPE *b = (const TYPE *)right + panel * right_size;                              \
            TYPE *const c = (TYPE *)sums + panel * sums_size + row * stride;                       \
            count = rows - row >= MR ? MR : rows - row >= 4 ? 4 : 1;                               \
            if (count == MR)                                                                       \
                TILE_ROWS(TILE_STEP, MR, 2, REG, TYPE, across, ADD, START)                         \
            else if (count == 4)                                                                   \
                TILE_ROWS(TILE_STEP, 4, 2, REG, TYPE, across, ADD, START)                          \
            else                                                                                   \
                TILE_ROWS(TILE_STEP_ACROSS, 1, 2, REG, TYPE, across, ADD, START)                   \
        }

//@SECTION tile_sums_columns_f32
TILE_FUNCTION tile_sums_columns_f32(idx steps, const float *restrict left, idx across,
                                    const float *restrict right, idx right_size,
                                    float *restrict sums, idx sums_size, idx stride, idx rows,
                                    idx panels) {
    enum { add = 1 };
    TILE_COLUMNS(f32, float, MUL_ADD, (f32){0})
}

//@SECTION f64_row
typedef double f64_row __attribute__((vector_size(4 * VL)));

//@SECTION tile_sums_f64
TILE_FUNCTION tile_sums_f64(idx steps, const double *restrict left, idx left_size,
                            const double *restrict right, idx right_size,
                            double *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                            idx panels, idx rest) {
    TILE_SUMS(MR, 2, f64_row, double, 0, MUL_ADD, (f64_row){0})
}

//@SECTION tile_sums_i32
TILE_FUNCTION tile_sums_i32(idx steps, const int32_t *restrict left, idx left_size,
                            const int32_t *restrict right, idx right_size,
                            int32_t *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                            idx panels, idx rest) {
    TILE_SUMS(MR, 2, u32, int32_t, 0, MUL_ADD, (u32){0})
}

//@SECTION u64_row
typedef uint64_t u64_row __attribute__((vector_size(4 * VL)));

//@SECTION tile_sums_i64
TILE_FUNCTION tile_sums_i64(idx steps, const int64_t *restrict left, idx left_size,
                            const int64_t *restrict right, idx right_size,
                            int64_t *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                            idx panels, idx rest) {
    TILE_SUMS(MR, 2, u64_row, int64_t, 0, MUL_ADD, (u64_row){0})
}

//@SECTION st_quarters
/* Stores each 128 bits of x, `step` bytes apart. */
LANES void st_quarters(uint8_t *to, idx step, u32 x) {
    typedef uint64_t words __attribute__((vector_size(VL * 4)));
    typedef uint64_t quarter __attribute__((vector_size(16), may_alias, aligned(1)));
    const words v = (words)x;
#if VL == 16
    *(quarter *)(to + 3 * step) = __builtin_shufflevector(v, v, 6, 7);
    *(quarter *)(to + 2 * step) = __builtin_shufflevector(v, v, 4, 5);
#endif
#if VL >= 8
    *(quarter *)(to + step) = __builtin_shufflevector(v, v, 2, 3);
#endif
    *(quarter *)to = __builtin_shufflevector(v, v, 0, 1);
}

//@SECTION cross_words
/* Transposes 8 x 8 elements of 32 bits: 8 columns, `stride` elements apart, become 8 rows. Registers
 * are loaded by quarters of 512 bits, two columns to a register: columns a multiple of 4 KiB apart
 * are in one set of L1, which holds the lines of 8, and fewer quarters than registers are in two
 * lines. f32 4095 x 4097, one thread of a Zen 4: 6.2 ms, and 7.4 by whole registers. */
#if VL >= 8
typedef uint32_t quarter_32 __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint32_t half_32 __attribute__((vector_size(32)));
LANES half_32 two_quarters(const uint32_t *low, const uint32_t *high) {
    return __builtin_shufflevector(*(const quarter_32 *)low, *(const quarter_32 *)high, 0, 1, 2, 3,
                                   4, 5, 6, 7);
}
LANES void cross_words(void *to, idx pitch, const void *from, idx stride) {
    const uint32_t *const x = from;
    half_32 square[8];
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) {
        square[i] = two_quarters(x + i * stride, x + (i + 4) * stride);
        square[i + 4] = two_quarters(x + i * stride + 4, x + (i + 4) * stride + 4);
    }
    _Pragma("GCC unroll 2") for (int round = 1; round < 4; round *= 2) {
        half_32 old[8];
        _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++) old[i] = square[i];
        _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) {
            const half_32 a = old[i / 2 * 4 + i % 2], b = old[i / 2 * 4 + i % 2 + 2];
            square[2 * i] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
            square[2 * i + 1] = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
        }
    }
    _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++)
        memcpy((uint32_t *)to + i * pitch, &square[i], sizeof square[i]);
}
#else
LANES void cross_words(void *to, idx pitch, const void *from, idx stride) {
    for (idx i = 0; i < 8; i += VL)
        for (idx j = 0; j < 8; j += VL) {
            u32 square[VL];
            for (idx l = 0; l < VL; l++)
                square[l] = ld_32((const uint32_t *)from + (i + l) * stride + j, VL);
            transpose_32(square);
            for (idx l = 0; l < VL; l++) st_32((uint32_t *)to + (j + l) * pitch + i, square[l], VL);
        }
}
#endif

//@SECTION u8x4 cross_bytes
/* Transposes 16 registers of bytes: squares of 16 x 16, one for each 128 bits, which x86
 * interleaves faster than whole registers. Row k of square i becomes row 16 i + k of `to`. */
typedef uint8_t u8x4 __attribute__((vector_size(VL * 4)));
#define PAIR(i, n)    (i), (i) + (n)
#define PAIRS_4(i, n) PAIR(i, n), PAIR((i) + 1, n), PAIR((i) + 2, n), PAIR((i) + 3, n)
#define PAIRS_8(i, n) PAIRS_4(i, n), PAIRS_4((i) + 4, n)
#if VL == 16
#define BYTES(i) PAIRS_8(i, 64), PAIRS_8(i + 16, 64), PAIRS_8(i + 32, 64), PAIRS_8(i + 48, 64)
#elif VL == 8
#define BYTES(i) PAIRS_8(i, 32), PAIRS_8(i + 16, 32)
#else
#define BYTES(i) PAIRS_8(i, 16)
#endif
LANES void cross_bytes(void *to, idx pitch, u8x4 *x) {
    _Pragma("GCC unroll 4") for (int round = 1; round < 16; round *= 2) {
        u8x4 old[16];
        _Pragma("GCC unroll 16") for (int i = 0; i < 16; i++) old[i] = x[i];
        _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++) {
            x[2 * i] = __builtin_shufflevector(old[i], old[i + 8], BYTES(0));
            x[2 * i + 1] = __builtin_shufflevector(old[i], old[i + 8], BYTES(8));
        }
    }
    _Pragma("GCC unroll 16") for (int i = 0; i < 16; i++)
        st_quarters((uint8_t *)to + i * pitch, 16 * pitch, (u32)x[i]);
}
