/* row_groups.c: a stage that goes through the groups of a row, as C: each group is read once for
 * each of its phases, while it is in L1. In: a stage of a Schedule with phases. Out: loops, with
 * what they compute. */
#include "emit/c/c.h"

static bool is_in_group(const Writer *w, int axis) {
    return w->b->group_axes >> w->b->axes.at[axis].number & 1;
}

/* The loops over the columns of a group, the lanes innermost. */
static void write_phase(Writer *w, int stage) {
    const Body *b = w->b;
    const int first = b->axes.count - body_group_count(b);
    w->level = 2;
    write_group_accumulators(w, stage, c_accumulator_start);
    for (int i = first; i < b->axes.count; i++)
        (b->axes.at[i].number == w->s->lane ? c_open_lanes : c_open_axis)(w, &b->axes.at[i]);
    w->is_aligned = !w->s->lane_is_row;
    c_elements(w, stage);
    w->is_aligned = false;
    c_close_loops(w, b->axes.count - first);
    write_group_accumulators(w, stage, c_accumulator_finish);
}

void c_row_groups(Writer *w, int stage) {
    const Body *b = w->b;
    const int phases = schedule_phases(w->s, stage);
    int loops = 0;
    w->level = 2;
    write_accumulators(w, stage, c_accumulator_start);
    for (int i = b->row_count; !is_in_group(w, i); i++, loops++) c_open_axis(w, &b->axes.at[i]);
    forget_groups(w, true);
    for (w->phase = 0; w->phase < phases; w->phase++) {
        write_group(w, stage, w->phase);
        if (has_elements(w, stage)) write_phase(w, stage);
    }
    w->phase = 0;
    c_close_loops(w, loops);
    w->level = 2;
    write_accumulators(w, stage, c_accumulator_finish);
}
