/* segments.h: a stable sort of the positions 0 .. count - 1 by their rows, a counting sort. `start`
 * gets rows + 1 numbers, where the positions of each row start and where those of the last one end;
 * behind them are the positions. Sections as in lanes.h. */
#pragma once
#include "rows.h"
//@BEGIN
//@SECTION --
/* ---- segments ------------------------------------------------------------------------------ */

//@SECTION segments_part
/* Of the rows from `first` to `end`. Positions are placed from the last one on, each before the
 * later ones of its row. */
SHARED_FUNCTION void segments_part(const int32_t *restrict row, idx count, idx rows, idx first,
                                   idx end, int32_t *restrict start)
{
    int32_t *restrict own = start + first, *restrict position = start + rows + 1;
    const uint32_t size = (uint32_t)(end - first);
    int32_t placed = 0;
    memset(own, 0, sizeof *own * size);
    for (idx i = 0; i < count; i++) placed += row[i] < first;
    for (idx i = 0; i < count; i++)
        if ((uint32_t)row[i] - (uint32_t)first < size) own[row[i] - first]++;
    for (idx r = 0; r < size; r++) own[r] = placed += own[r];
    if (end == rows) start[rows] = placed;
    for (idx i = count - 1; i >= 0; i--)
        if ((uint32_t)row[i] - (uint32_t)first < size) position[--own[row[i] - first]] = (int32_t)i;
}

//@SECTION sort_segments
/* Each thread reads all of `row`, and has a part of the rows. */
SHARED_FUNCTION void sort_segments(const int32_t *row, idx count, idx rows, int32_t *start,
                                   idx parallel)
{
    const idx parts = count + rows < parallel ? 1 : fx_least(fx_threads(), rows);
#pragma omp parallel for schedule(static) if (parts > 1)
    for (idx part = 0; part < parts; part++)
        segments_part(row, count, rows, part * rows / parts, (part + 1) * rows / parts, start);
}

//@SECTION part_of_vectors
/* The positions of each of `parts` parts: whole vectors. */
LANES idx part_of_vectors(idx count, idx parts) {
    return ((count + parts - 1) / parts + VL - 1) / VL * VL;
}

//@SECTION tally_rows
/* Counts rows in four tallies in turn, `apart` from each other: equal rows that follow each other
 * would wait for the sum before. 0: in one. */
SHARED_FUNCTION void tally_rows(const int32_t *row, idx count, int32_t *tally, idx apart)
{
    idx i = 0;
    for (; i + 4 <= count; i += 4) {
        tally[row[i]]++;
        tally[apart + row[i + 1]]++;
        tally[2 * apart + row[i + 2]]++;
        tally[3 * apart + row[i + 3]]++;
    }
    for (; i < count; i++) tally[row[i]]++;
}

//@SECTION add_tallies
LANES void add_tallies(const int32_t *four, idx rows, int32_t *sum) {
    for (idx r = 0; r < rows; r++)
        sum[r] = four[r] + four[rows + r] + four[2 * rows + r] + four[3 * rows + r];
}

//@SECTION ADD_ROWS
/* Adds x by row, each of `parts` parts of it to sums of its own; of `count` elements of x each part
 * has as many rows of `columns`. In the order of x, whatever the number of threads. */
#define ADD_ROWS(NAME, TYPE, ADDED)                                                                \
    static void NAME(const int32_t *row, const TYPE *x, idx count, idx columns, idx bins,          \
                     idx parts, TYPE *sums, idx parallel)                                          \
    {                                                                                              \
        const idx size = (count / columns + parts - 1) / parts * columns;                          \
        _Pragma("omp parallel for schedule(static) if (count >= parallel)")                        \
        for (idx part = 0; part < parts; part++) {                                                 \
            const idx end = fx_least((part + 1) * size, count);                                    \
            TYPE *const own = sums + part * bins;                                                  \
            memset(own, 0, sizeof *own * (size_t)bins);                                            \
            for (idx i = part * size; i < end; i++)                                                \
                own[row[i]] = (TYPE)((ADDED)own[row[i]] + (ADDED)x[i]);                            \
        }                                                                                          \
    }

//@SECTION add_rows_f32
ADD_ROWS(add_rows_f32, float, float)

//@SECTION add_rows_f64
ADD_ROWS(add_rows_f64, double, double)

//@SECTION add_rows_i32
ADD_ROWS(add_rows_i32, int32_t, uint32_t)

//@SECTION add_rows_i64
ADD_ROWS(add_rows_i64, int64_t, uint64_t)
