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

//@SECTION tally_rows
/* How many of the positions in each part of them are of each row; each part has as many. */
SHARED_FUNCTION void tally_rows(const int32_t *row, idx count, idx rows, idx parts, int32_t *tally,
                                idx parallel)
{
    const idx size = (count + parts - 1) / parts;
#pragma omp parallel for schedule(static) if (count >= parallel)
    for (idx part = 0; part < parts; part++) {
        const idx first = part * size, end = fx_least(first + size, count);
        int32_t *const own = tally + part * rows;
        memset(own, 0, sizeof *own * (size_t)rows);
        for (idx i = first; i < end; i++) own[row[i]]++;
    }
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
