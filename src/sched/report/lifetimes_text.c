/* lifetimes_text.c: memory over the kernels of a call, for people: fusec explain --memory.
 * In: the lifetimes of buffers, and those at a kernel for each op. Out: a line for each buffer,
 * with a mark under each kernel that finds it in memory; a bar for each kernel; the totals. */
#include "sched/report/lifetimes.h"

#include <string.h>

enum { COLUMNS = 48, BAR = 32 };

static const char *bytes(const Lifetimes *l, double value) {
    return bytes_text(l->plan->g->arena, value);
}

static int columns_of(const Lifetimes *l) {
    return l->kernels.count < COLUMNS ? l->kernels.count : COLUMNS;
}

/* Of many kernels several share a column. */
static bool column_holds(const Lifetimes *l, const Lifetime *lifetime, int column) {
    const int columns = columns_of(l), count = l->kernels.count;
    for (int k = column * count / columns; k < (column + 1) * count / columns; k++)
        if (lifetime_holds(lifetime, k)) return true;
    return false;
}

static void put_buffer(const Lifetimes *l, const Lifetime *lifetime, int width, Text *out) {
    text_printf(out, "  %-*s  ", width, lifetime->name);
    for (int c = 0; c < columns_of(l); c++)
        text_char(out, column_holds(l, lifetime, c) ? '#' : '.');
    text_printf(out, "  %10s  ", bytes(l, lifetime->bytes));
    if (lifetime->input)
        text_printf(out, "in %s\n", lifetime->input);
    else if (lifetime->role == LIFETIME_TEMP)
        text_printf(out, "slot %d\n", lifetime->slot);
    else
        text_printf(out, "%s\n", lifetime_role[lifetime->role]);
}

/* Largest first. */
static void put_held(const Lifetimes *l, int kernel, Text *out) {
    enum { MOST = 6 };
    bool *done = arena_array(l->plan->g->arena, bool, l->buffers.count + 1);
    for (int n = 0; n <= MOST; n++) {
        int next = -1;
        for (int i = 0; i < l->buffers.count; i++)
            if (!done[i] && lifetime_holds(&l->buffers.at[i], kernel) &&
                (next < 0 || l->buffers.at[i].bytes > l->buffers.at[next].bytes))
                next = i;
        if (next < 0) break;
        done[next] = true;
        text_printf(out, "%s%s", n ? ", " : " ", n < MOST ? l->buffers.at[next].name : "..");
    }
    text_char(out, '\n');
}

static void put_kernels(const Lifetimes *l, Text *out) {
    size_t width = 0;
    for (int k = 0; k < l->kernels.count; k++)
        if (strlen(l->kernels.at[k]) > width) width = strlen(l->kernels.at[k]);
    text_str(out, "\nin memory while a kernel runs\n");
    for (int k = 0; k < l->kernels.count; k++) {
        const int length = l->peak > 0 ? (int)(BAR * l->in_use[k] / l->peak + 0.5) : 0;
        text_printf(out, "  %-*s  %10s  %.*s%s\n", (int)width, l->kernels.at[k],
                    bytes(l, l->in_use[k]), length, "################################",
                    k == l->peak_at ? " peak" : "");
    }
}

static double temps(const Lifetimes *l) { return l->role[LIFETIME_TEMP]; }

static void put_totals(const Lifetimes *l, const Lifetimes *unfused, Text *out) {
    text_str(out, "\ntotal\n");
    for (int role = 0; role < LIFETIME_TEMP; role++)
        if (l->role[role] > 0)
            text_printf(out, "  %-9s %s\n", lifetime_role[role], bytes(l, l->role[role]));
    text_printf(out, "  workspace %s in %d slot%s", bytes(l, l->workspace), l->slot_count,
                l->slot_count == 1 ? "" : "s");
    if (temps(l) > l->workspace) text_printf(out, ", which %s of values share", bytes(l, temps(l)));
    text_printf(out, "\n  peak      %s", bytes(l, l->peak));
    if (l->kernels.count) {
        text_printf(out, " in %s:", l->kernels.at[l->peak_at]);
        put_held(l, l->peak_at, out);
    }
    text_printf(out, "  one kernel per op: peak %s, workspace %s in %d slot%s, %d kernel%s\n",
                bytes(l, unfused->peak), bytes(l, unfused->workspace), unfused->slot_count,
                unfused->slot_count == 1 ? "" : "s", unfused->kernels.count,
                unfused->kernels.count == 1 ? "" : "s");
}

void lifetimes_explain(const Lifetimes *l, const Lifetimes *unfused, Text *out) {
    const Graph *g = l->plan->g;
    size_t width = 0;
    text_printf(out, "fn %s at -O%d: memory over %d kernel%s\n", g->name, l->plan->opt,
                l->kernels.count, l->kernels.count == 1 ? "" : "s");
    if (g->dims->symbols.count)
        text_printf(out, "sizes are for %s (-D gives others)\n", plan_nominal_sizes(l->plan));
    if (l->kernels.count > COLUMNS) text_str(out, "a column is several kernels\n");
    text_char(out, '\n');
    for (int i = 0; i < l->buffers.count; i++)
        if (strlen(l->buffers.at[i].name) > width) width = strlen(l->buffers.at[i].name);
    for (int i = 0; i < l->buffers.count; i++) put_buffer(l, &l->buffers.at[i], (int)width, out);
    put_kernels(l, out);
    put_totals(l, unfused, out);
}
