/* panels.c: a tile of an operand of a wgmma kernel that TMA cannot bring: the producer warpgroup
 * copies its elements.
 * In: the operand. Out: text. */
#include "emit/cuda/cuda.h"

/* "m_start + row"; "column" where the tile starts at 0. */
static const char *position(Arena *arena, const PanelSide *side, const char *within) {
    return side->start ? arena_printf(arena, "%s + %s", side->start, within) : within;
}

static const char *left(Arena *arena, const PanelSide *side) {
    return side->start ? arena_printf(arena, "%s - %s", side->end, side->start) : side->end;
}

const char *cuda_panels(CudaWriter *c, const PanelCopy *p) {
    Arena *arena = c->w.arena;
    Text out = text_new(arena);
    const char *row = position(arena, &p->row, "row");
    const char *column = position(arena, &p->column, "column");
    const Fill fills[] = {
        {"SLOT", p->slot},
        {"ROWS", cuda_number(arena, p->rows)},
        {"PANELS", cuda_number(arena, p->panels)},
        {"EACH", cuda_number(arena, p->each)},
        {"INSIDE", arena_printf(arena, "%s, %s", left(arena, &p->row), left(arena, &p->column))},
        {"IDX", c->index},
        {"POSITIONS",
         arena_printf(arena, "%s = %s, %s = %s", p->row.name, row, p->column.name, column)},
        {"COPY_OF", fresh(&c->w, arena_printf(arena, "copy_%s", p->name))},
        {"COPY", p->copy},
        {"COUNT", p->condition && *p->condition
                      ? arena_printf(arena, "%s ? count : 0", p->condition)
                      : "count"},
        {"FROM", p->from}};
    TEMPLATE_FILL("cuda/wgmma_operand.cu", fills, &out);
    return text_get(&out);
}
