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
static void segments_part(const int32_t *restrict row, idx count, idx rows, idx first, idx end,
                          int32_t *restrict start)
{
    int32_t *restrict position = start + rows + 1;
    int32_t placed = 0;
    memset(start + first, 0, sizeof *start * (size_t)(end - first));
    for (idx i = 0; i < count; i++) {
        placed += row[i] < first;
        if (row[i] >= first && row[i] < end) start[row[i]]++;
    }
    for (idx r = first; r < end; r++) start[r] = placed += start[r];
    if (end == rows) start[rows] = placed;
    for (idx i = count - 1; i >= 0; i--)
        if (row[i] >= first && row[i] < end) position[--start[row[i]]] = (int32_t)i;
}

//@SECTION segments
/* Each thread reads all of `row`, and has a part of the rows. */
static void segments(const int32_t *row, idx count, idx rows, int32_t *start, idx parallel)
{
    const idx parts = count + rows < parallel ? 1 : fx_least(fx_threads(), rows);
#pragma omp parallel for schedule(static) if (parts > 1)
    for (idx part = 0; part < parts; part++)
        segments_part(row, count, rows, part * rows / parts, (part + 1) * rows / parts, start);
}
