/* sweep.c: rooflines at many values of one open dim: as a table, CSV, JSON, or a script for
 * gnuplot. In: Rooflines, a range. Out: text. The plan is the one for an open dim at every value.
 */
#include "roofline/roofline.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

typedef struct Sweeping {
    const Rooflines *r;
    const Sweep *sweep;
    int symbol;
    double *sizes;
    Text *out;
    json_t *rows; /* NULL: none are made */
    bool ok;
} Sweeping;

typedef void Row(Sweeping *s, int64_t value, const char *kernel, const Times *t);

/* ---- the values -------------------------------------------------------------------------- */

static int64_t next_value(const Sweep *s, int64_t value) {
    if (!s->factor) return value > INT64_MAX - s->step ? INT64_MAX : value + s->step;
    return value > INT64_MAX / s->factor ? INT64_MAX : value * s->factor;
}

int sweep_count(const Sweep *s) {
    int count = 0;
    for (int64_t v = s->from; v <= s->to && count <= SWEEP_MOST; v = next_value(s, v)) {
        count++;
        if (v == INT64_MAX) break;
    }
    return count;
}

/* One kernel, or -1 for all of a call, at all values. */
static void each_value(Sweeping *s, int kernel, Row *row) {
    const Rooflines *r = s->r;
    const int count = sweep_count(s->sweep);
    int64_t value = s->sweep->from;
    for (int i = 0; i < count; i++, value = next_value(s->sweep, value)) {
        s->sizes[s->symbol] = (double)value;
        const Times t = kernel < 0 ? times_whole(r, s->sizes)
                                   : times_of(r, &r->kernels.at[kernel].counts, s->sizes);
        row(s, value, kernel < 0 ? "whole" : r->kernels.at[kernel].name, &t);
    }
}

static void each_row(Sweeping *s, Row *row) {
    for (int i = 0; i < s->r->kernels.count; i++) each_value(s, i, row);
    if (s->r->kernels.count > 1) each_value(s, -1, row);
}

static Sweeping sweeping(const Rooflines *r, const Sweep *sweep, Text *out) {
    const Dims *d = r->plan->g->dims;
    Sweeping s = {.r = r, .sweep = sweep, .out = out, .ok = true};
    s.symbol = dim_symbol_find(d, sweep->dim);
    s.sizes = arena_array(d->arena, double, d->symbols.count);
    for (int i = 0; i < d->symbols.count; i++) s.sizes[i] = r->sizes[i];
    return s;
}

/* ---- text and CSV -------------------------------------------------------------------------- */

static double operations(const Times *t) { return roofline_intensity(t) * (t->read + t->written); }

static void put_line(Sweeping *s, int64_t value, const char *kernel, const Times *t) {
    text_printf(s->out, "%12lld  %-20s %11.4g %11.4g %10.4g %10.4g %10.4g %10.4g %10.4g  %s\n",
                (long long)value, kernel, t->read + t->written, operations(t),
                roofline_intensity(t), 1e6 * t->math, 1e6 * t->memory, 1e6 * t->lower,
                1e6 * t->upper, limit_name(t));
}

void sweep_table(const Rooflines *r, const Sweep *sweep, Text *out) {
    Sweeping s = sweeping(r, sweep, out);
    text_printf(out, "%12s  %-20s %11s %11s %10s %10s %10s %10s %10s  %s\n", sweep->dim, "kernel",
                "bytes", "operations", "intensity", "math us", "memory us", "lower us", "upper us",
                "bound");
    each_row(&s, put_line);
}

static void put_csv(Sweeping *s, int64_t value, const char *kernel, const Times *t) {
    text_printf(s->out, "%s,%lld,%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%s\n", s->r->plan->g->name,
                (long long)value, kernel, t->read + t->written, operations(t),
                roofline_intensity(t), 1e6 * t->math, 1e6 * t->memory, 1e6 * t->lower,
                1e6 * t->upper, limit_name(t));
}

void sweep_csv(const Rooflines *r, const Sweep *sweep, bool with_head, Text *out) {
    Sweeping s = sweeping(r, sweep, out);
    if (with_head)
        text_printf(out,
                    "function,%s,kernel,bytes,operations,intensity,math_us,memory_us,lower_us,"
                    "upper_us,bound\n",
                    sweep->dim);
    each_row(&s, put_csv);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_row(Sweeping *s, int64_t value, const char *kernel, const Times *t) {
    json_t *row = json_pack("{s:I, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s}", "value",
                            (json_int_t)value, "kernel", kernel, "bytes", t->read + t->written,
                            "operations", operations(t), "intensity", roofline_intensity(t),
                            "math_us", 1e6 * t->math, "memory_us", 1e6 * t->memory, "lower_us",
                            1e6 * t->lower, "upper_us", 1e6 * t->upper, "bound", limit_name(t));
    if (!row || json_array_append_new(s->rows, row) != 0) s->ok = false;
}

bool sweep_json(const Rooflines *r, const Sweep *sweep, struct json_t *functions) {
    Text none = text_new(r->plan->g->arena);
    Sweeping s = sweeping(r, sweep, &none);
    s.rows = json_array();
    if (!s.rows) return false;
    each_row(&s, put_row);
    json_t *function =
        json_pack("{s:s, s:s, s:s, s:o}", "name", r->plan->g->name, "machine", r->machine->name,
                  "dim", sweep->dim, "rows", s.rows); /* takes the rows, also where it fails */
    return s.ok && function && !json_array_append_new(functions, function);
}

/* ---- a drawing ------------------------------------------------------------------------------- */

/* gnuplot runs what stands in backquotes: nothing but these characters is given to it. */
void plot_label(Text *out, const char *text) {
    for (; *text; text++)
        text_char(out, isalnum((unsigned char)*text) || strchr(" :=,.-", *text) ? *text : ' ');
}

/* intensity, operations per second if all overlaps, and the value */
static void put_point(Sweeping *s, int64_t value, const char *kernel, const Times *t) {
    (void)kernel;
    if (t->lower > 0 && roofline_intensity(t) > 0)
        text_printf(s->out, "%.6g %.6g %lld\n", roofline_intensity(t), operations(t) / t->lower,
                    (long long)value);
}

/* The unit whose ceiling is drawn: the busiest of the last value. */
static Unit ceiling_of(const Sweeping *s) {
    const int count = sweep_count(s->sweep);
    int64_t value = s->sweep->from;
    for (int i = 1; i < count; i++) value = next_value(s->sweep, value);
    s->sizes[s->symbol] = (double)value;
    return times_whole(s->r, s->sizes).busiest;
}

void sweep_plot(const Rooflines *r, const Sweep *sweep, Text *out) {
    Sweeping s = sweeping(r, sweep, out);
    const Unit unit = ceiling_of(&s);
    for (int i = 0; i < r->kernels.count; i++) {
        text_printf(out, "$k%d << END\n", i);
        each_value(&s, i, put_point);
        text_str(out, "END\n");
    }
    text_str(out, "set terminal svg size 800,520 background rgb 'white'\nset logscale xy\n"
                  "set xlabel 'operations per byte'\nset ylabel 'operations per second'\n"
                  "set format y '10^{%T}'\nset key bottom right\nset grid\nset title '");
    plot_label(out, arena_printf(r->plan->g->arena, "%s on %s, %s = %lld .. %lld", r->plan->g->name,
                                 r->machine->name, sweep->dim, (long long)sweep->from,
                                 (long long)sweep->to));
    text_printf(out,
                "'\nset xrange [0.1:%.4g]\nset samples 1000\n"
                "plot (x * %.6g < %.6g ? x * %.6g : %.6g) linewidth 2 linecolor 'black' title '%s'",
                fmax(1e4, 10 * roofline_ridge(r, unit)), machine_bandwidth(r->machine),
                machine_rate(r->machine, unit), machine_bandwidth(r->machine),
                machine_rate(r->machine, unit), unit_name[unit]);
    for (int i = 0; i < r->kernels.count; i++) {
        text_printf(out, ", $k%d using 1:2 with linespoints pointtype 7 title '", i);
        plot_label(out, r->kernels.at[i].name);
        text_printf(out, "', $k%d using 1:2:3 with labels offset 0,0.7 notitle", i);
    }
    text_char(out, '\n');
}
