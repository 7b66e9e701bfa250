/* tiles.h: contractions by tiles: the micro-kernel that adds the product of two panels to a tile of
 * c. A panel is a part of an operand in the order in which the micro-kernel reads it:
 *
 *     panel of a: for each k MR rows side by side       c[r][j] += a[k][r] * b[k][j]
 *     panel of b: for each k NR columns side by side    for all r < MR, j < NR, k < steps
 *
 * Sections as in lanes.h. */
#pragma once
#include "squares.h"
#include "tiles_blocks.h"
//@BEGIN
//@SECTION FETCH_LINES
/* Prefetches so many bytes into L2, line by line. */
#define FETCH_LINES(p, bytes)                                                                      \
    for (size_t line = 0; line < (bytes); line += 64)                                              \
        __builtin_prefetch((const char *)(p) + line, 0, 2)

//@SECTION FX_DEEP
/* Is a block of k not the first? Its products are added to sums. */
#define FX_DEEP(k_first) ((k_first) > 0)
#define FX_ADDS          1

//@SECTION FX_ADDS
/* Has a contraction of this file several blocks of k? Else no micro-kernel needs to read sums,
 * which would be a quarter of the time that it takes to compile. */
#ifndef FX_ADDS
#define FX_ADDS 0
#endif

//@SECTION FX_TEN
/* Rows of a last panel of which 9 or 10 may be valid. */
#define FX_TEN(rows) (rows)
#define FX_HAS_TEN   1

//@SECTION FX_HAS_TEN
#ifndef FX_HAS_TEN
#define FX_HAS_TEN 0
#endif

//@SECTION TILE_SUMS TILE_SUMS_BY TILE_ROWS TILE_FUNCTION EACH_TILE
/* The micro-kernel, for `rows` rows of a by `panels` panels of b: sums[ALL][V vectors] = the
 * product of two panels, or += with `add`. Panels are `left_size` and `right_size` elements apart,
 * rows of sums `stride`, and the sums of the next panel of b follow after `sums_size`. The last
 * panel of a has `rest` valid rows (0: it is full, too); where that is a constant, one or two of
 * the loops are compiled, and that of ten rows if a contraction of this file needs it. Not inlined:
 * the loop needs all registers, and gcc keeps the accumulators in registers only if it is told to
 * unroll those over them. The sums are not in L1: each of the first steps prefetches a row of them,
 * and then one of the next tile. A panel of b may have a HEAD before its steps. */
#define EACH_TILE(ALL)                                                                             \
    for (idx panel = 0; panel < panels; panel++)                                                   \
        for (idx row = 0; row < rows; row += ALL)
#define TILE_SUMS(ALL, V, REG, TYPE, HEAD, ADD, START)                                             \
    TILE_SUMS_BY(TILE_STEP, ALL, V, REG, TYPE, HEAD, ADD, START)
#define TILE_SUMS_BY(STEP, ALL, V, REG, TYPE, HEAD, ADD, START)                                    \
    EACH_TILE(ALL) {                                                                               \
        const TYPE *a = (const TYPE *)left + row / ALL * left_size;                                \
        const TYPE *b = (const TYPE *)right + panel * right_size + HEAD;                           \
        TYPE *const c = (TYPE *)sums + panel * sums_size + row * stride;                           \
        if (rows - row >= ALL || rest > (FX_HAS_TEN ? 10 : 8) || !rest || ALL <= 4)                \
            TILE_ROWS(STEP, ALL, V, REG, TYPE, ALL, ADD, START)                                    \
        else if (FX_HAS_TEN && rest > 8)                                                           \
            TILE_ROWS(STEP, (ALL < 10 ? ALL : 10), V, REG, TYPE, ALL, ADD, START)                  \
        else if (rest > 4)                                                                         \
            TILE_ROWS(STEP, (ALL < 8 ? ALL : 8), V, REG, TYPE, ALL, ADD, START)                    \
        else if (rest > 2) TILE_ROWS(STEP, 4, V, REG, TYPE, ALL, ADD, START)                       \
        else TILE_ROWS(STEP, 2, V, REG, TYPE, ALL, ADD, START)                                     \
    }
#define TILE_ROWS(STEP, ROWS, V, REG, TYPE, NEXT, ADD, START)                                      \
    {                                                                                              \
        typedef REG Row __attribute__((aligned(sizeof(TYPE)), may_alias));                         \
        enum { WIDTH = sizeof(REG) / sizeof(TYPE) };                                               \
        REG sum[ROWS][V] = {{{0}}};                                                                \
        START                                                                                      \
        TILE_STEPS(STEP, ROWS, V, REG, NEXT, ADD)                                                  \
        if (add) READ_SUMS(TYPE, +=)                                                               \
        TYPE *to = c;                                                                              \
        EACH_SUM_ROW {                                                                             \
            EACH_SUM_OF_ROW *(Row *)(to + v * WIDTH) = sum[r][v];                                  \
            NEXT_ROW(to, stride);                                                                  \
        }                                                                                          \
    }
#define READ_SUMS(TYPE, TO)                                                                        \
    {                                                                                              \
        const TYPE *from = c;                                                                      \
        EACH_SUM_ROW {                                                                             \
            EACH_SUM_OF_ROW sum[r][v] TO *(const Row *)(from + v * WIDTH);                         \
            NEXT_ROW(from, stride);                                                                \
        }                                                                                          \
    }
/* gcc would compute the addresses of all rows ahead, and keep them in memory: that takes a quarter
 * of the time that it takes to compile a micro-kernel. */
#define NEXT_ROW(p, stride)                                                                        \
    (p) += (stride);                                                                               \
    __asm__("" : "+r"(p))
#define FROM_ZERO /* where sums start */
#define FROM(SUM) EACH_SUM sum[r][v] = SUM;
#define TILE_STEP_OF(ROWS, V, REG, NEXT, FACTORS)                                                  \
    {                                                                                              \
        REG row[V];                                                                                \
        EACH_VECTOR_OF(V) row[v] = *(const Row *)(b + v * WIDTH);                                  \
        FACTORS                                                                                    \
        a += NEXT;                                                                                 \
        b += V * WIDTH;                                                                            \
    }
#define EACH_ROW(ROWS, V, REG, ACROSS, ADD)                                                        \
    EACH_ROW_OF(ROWS) {                                                                            \
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
    EACH_ROW_OF(ROWS) {                                                                            \
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
#if VL == 16
#define TILE_STEPS(STEP, ROWS, V, REG, NEXT, ADD)                                                  \
    NOT_UNROLLED for (idx p = 0; p < steps; p++) {                                                 \
        if (p < 2 * ROWS) EACH_VECTOR_OF(V) __builtin_prefetch(c + p * stride + v * WIDTH, 1);     \
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
        if (p / 4 < 2 * ROWS) __builtin_prefetch(c + p / 4 * stride, 1);                           \
        EACH_OF_FOUR_STEPS STEP(ROWS, V, REG, NEXT, ADD)                                           \
    }                                                                                              \
    NOT_UNROLLED for (; p < steps; p++) STEP(ROWS, V, REG, NEXT, ADD)
#endif
#define EACH_VECTOR_OF(V) _Pragma("GCC unroll 4") for (int v = 0; v < V; v++)
#define EACH_ROW_OF(ROWS) _Pragma("GCC unroll 14") for (int r = 0; r < ROWS; r++)
#define EACH_SUM_ROW EACH_ROW_OF((int)(sizeof sum / sizeof *sum))
#define EACH_SUM_OF_ROW EACH_VECTOR_OF((int)(sizeof *sum / sizeof **sum))
#define EACH_SUM EACH_SUM_ROW EACH_SUM_OF_ROW
#define MUL_ADD(sum, x, y) sum += x * y
#if defined(__clang__) && VL == 16 /* by default clang prefers 256-bit vectors */
#define FULL_VECTORS __attribute__((min_vector_width(512)))
#else
#define FULL_VECTORS
#endif
#define TILE_FUNCTION static __attribute__((noinline, unused)) FULL_VECTORS void

//@SECTION tile_sums_f32
TILE_FUNCTION tile_sums_f32(idx steps, const float *restrict left, idx left_size,
                            const float *restrict right, idx right_size,
                            float *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                            idx panels, idx rest)
{
    add &= FX_ADDS;
    TILE_SUMS(MR, 2, f32, float, 0, MUL_ADD, FROM_ZERO)
}

//@SECTION FX_HALF_OF TILE_HALF TILE_HALF_BY TILE_STEP_HALF
/* Has the last panel of n columns one vector of them? */
#define FX_HALF_OF(n) ((n) % (2 * VL) && (n) % (2 * VL) <= VL)
/* TILE_SUMS of the first vector of one panel. */
#define TILE_HALF(REG, TYPE, HEAD, ADD, START)                                                     \
    enum { across = 1 };                                                                           \
    TILE_HALF_BY(TILE_STEP_HALF, REG, TYPE, HEAD, ADD, START)
#define TILE_HALF_BY(STEP, REG, TYPE, HEAD, ADD, START)                                            \
    (void)right_size, (void)sums_size, (void)panels;                                               \
    for (idx row = 0; row < rows; row += MR) {                                                     \
        const TYPE *a = (const TYPE *)left + row / MR * left_size;                                 \
        const TYPE *b = (const TYPE *)right + HEAD;                                                \
        TYPE *const c = (TYPE *)sums + row * stride;                                               \
        if (rows - row >= MR || rest > 4 || !rest)                                                 \
            TILE_ROWS(STEP, MR, 1, REG, TYPE, MR, ADD, START)                                      \
        else TILE_ROWS(STEP, 4, 1, REG, TYPE, MR, ADD, START)                                      \
    }
#define TILE_STEP_HALF(ROWS, V, REG, NEXT, ADD)                                                    \
    {                                                                                              \
        const REG row[V] = {*(const Row *)b};                                                      \
        EACH_ROW(ROWS, V, REG, across, ADD)                                                        \
        a += NEXT;                                                                                 \
        b += 2 * WIDTH;                                                                            \
    }

//@SECTION FX_HALF_F32 tile_half_f32
#if VL == 16
#define FX_HALF_F32(n) FX_HALF_OF(n)
TILE_FUNCTION tile_half_f32(idx steps, const float *restrict left, idx left_size,
                            const float *restrict right, idx right_size,
                            float *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                            idx panels, idx rest)
{
    add &= FX_ADDS;
    TILE_HALF(f32, float, 0, MUL_ADD, FROM_ZERO)
}
#else
#define FX_HALF_F32(n) 0
#define tile_half_f32  tile_sums_f32
#endif

//@SECTION TILE_STEP_ACROSS
#define TILE_STEP_ACROSS(ROWS, V, REG, NEXT, ADD)                                                  \
    TILE_STEP_OF(ROWS, V, REG, NEXT, EACH_ROW(ROWS, V, REG, across, ADD))

//@SECTION TILE_SUMS_IN_PLACE
/* TILE_SUMS of few rows that are `left_size` apart in memory. The last tile has rows of the one
 * before it, too; fewer than a tile's are taken one by one. Where rows of the next product of a
 * batch follow, they are prefetched. */
#define TILE_SUMS_IN_PLACE(ALL, V, REG, TYPE, HEAD, ADD, START)                                    \
    const idx across = left_size;                                                                  \
    (void)rest;                                                                                    \
    for (idx panel = 0; panel < panels; panel++)                                                   \
        for (idx next = 0, count; next < rows; next += count) {                                    \
            count = rows >= ALL ? ALL : 1;                                                         \
            const idx row = fx_least(next, rows - count);                                          \
            const TYPE *a = (const TYPE *)left + row * across;                                     \
            const TYPE *b = (const TYPE *)right + panel * right_size + HEAD;                       \
            TYPE *const c = (TYPE *)sums + panel * sums_size + row * stride;                       \
            for (idx r = 0; !panel && r < count; r++)                                              \
                FETCH_LINES(a + (rows + r) * across, (size_t)steps * sizeof(TYPE));                \
            if (count == ALL) TILE_ROWS(TILE_STEP_ACROSS, ALL, V, REG, TYPE, 1, ADD, START)        \
            else TILE_ROWS(TILE_STEP_ACROSS, 1, V, REG, TYPE, 1, ADD, START)                       \
        }

//@SECTION FX_COUNTED
/* Rows behind which are others' sums. */
#define FX_COUNTED(rows) (rows)
#define FX_COUNTS        1

//@SECTION TILE_ACROSS
#ifndef FX_COUNTS
#define FX_COUNTS 0
#endif
/* sums += the product where a is not packed: elements of its rows are `next` apart, rows `across`:
 * the sums of another product, or its columns. If a product of this file counts its rows, none
 * beyond the last is touched; else they are whole panels. */
#define TILE_ACROSS(REG, TYPE, ADD, START)                                                         \
    for (idx panel = 0; panel < panels; panel++)                                                   \
        for (idx row = 0, count; row < rows; row += count) {                                       \
            const TYPE *a = (const TYPE *)left + row * across;                                     \
            const TYPE *b = (const TYPE *)right + panel * right_size;                              \
            TYPE *const c = (TYPE *)sums + panel * sums_size + row * stride;                       \
            count = !FX_COUNTS || rows - row >= MR ? MR : rows - row >= 4 ? 4 : 1;                 \
            if (count == MR)                                                                       \
                ROWS_ACROSS(MR, REG, TYPE, ADD, START)                                             \
            else if (count == 4)                                                                   \
                ROWS_ACROSS(4, REG, TYPE, ADD, START)                                              \
            else                                                                                   \
                TILE_ROWS(TILE_STEP_ACROSS, 1, 2, REG, TYPE, next, ADD, START)                     \
        }
#if defined(__aarch64__)
#define ROWS_ACROSS(ROWS, REG, TYPE, ADD, START)                                                   \
    {                                                                                              \
        if (FX_COUNTS && across == 1) TILE_ROWS(TILE_STEP, ROWS, 2, REG, TYPE, next, ADD, START)   \
        else TILE_ROWS(TILE_STEP_ACROSS, ROWS, 2, REG, TYPE, next, ADD, START)                     \
    }
#else
#define ROWS_ACROSS(ROWS, REG, TYPE, ADD, START)                                                   \
    TILE_ROWS(TILE_STEP_ACROSS, ROWS, 2, REG, TYPE, next, ADD, START)
#endif

//@SECTION tile_sums_across_f32
TILE_FUNCTION tile_sums_across_f32(idx steps, const float *restrict left, idx across, idx next,
                                   const float *restrict right, idx right_size,
                                   float *restrict sums, idx sums_size, idx stride, idx rows,
                                   idx panels)
{
    enum { add = 1 };
    TILE_ACROSS(f32, float, MUL_ADD, FROM_ZERO)
}

//@SECTION f64_row
typedef double f64_row __attribute__((vector_size(4 * VL)));

//@SECTION tile_sums_f64
TILE_FUNCTION tile_sums_f64(idx steps, const double *restrict left, idx left_size,
                            const double *restrict right, idx right_size,
                            double *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                            idx panels, idx rest)
{
    add &= FX_ADDS;
    TILE_SUMS(MR, 2, f64_row, double, 0, MUL_ADD, FROM_ZERO)
}

//@SECTION tile_sums_i32
TILE_FUNCTION tile_sums_i32(idx steps, const int32_t *restrict left, idx left_size,
                            const int32_t *restrict right, idx right_size,
                            int32_t *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                            idx panels, idx rest)
{
    add &= FX_ADDS;
    TILE_SUMS(MR, 2, u32, int32_t, 0, MUL_ADD, FROM_ZERO)
}

//@SECTION u64_row
typedef uint64_t u64_row __attribute__((vector_size(4 * VL)));

//@SECTION tile_sums_i64
TILE_FUNCTION tile_sums_i64(idx steps, const int64_t *restrict left, idx left_size,
                            const int64_t *restrict right, idx right_size,
                            int64_t *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                            idx panels, idx rest)
{
    add &= FX_ADDS;
    TILE_SUMS(MR, 2, u64_row, int64_t, 0, MUL_ADD, FROM_ZERO)
}
