/* roofline_draw.c: the roofline of a machine with the kernels of a function, as SVG in the page.
 * In: Rooflines, times. Out: HTML. Both axes are logarithmic: operations per byte, operations per
 * second. A ring is where a kernel is expected, a disc where it was measured. */
#include "report/report.h"

#include <math.h>

enum { WIDTH = 900, HEIGHT = 380, LEFT = 64, RIGHT = 150, TOP = 16, BOTTOM = 44 };

typedef struct Axes {
    double x0, x1, y0, y1; /* powers of 10 */
} Axes;

static double x_at(const Axes *a, double value) {
    return LEFT + (log10(value) - a->x0) / (a->x1 - a->x0) * (WIDTH - LEFT - RIGHT);
}

static double y_at(const Axes *a, double value) {
    return HEIGHT - BOTTOM - (log10(value) - a->y0) / (a->y1 - a->y0) * (HEIGHT - TOP - BOTTOM);
}

static void widen(double *low, double *high, double value) {
    if (!(value > 0)) return;
    *low = fmin(*low, floor(log10(value)));
    *high = fmax(*high, ceil(log10(value)));
}

static double most_rate(const ReportFunction *f, int *unit) {
    double most = 0;
    for (int u = 0; u < UNIT_COUNT; u++) {
        const double rate = machine_rate(f->rooflines->machine, u);
        if (f->rooflines->whole.times.ops[u] > 0 && rate > most) most = rate, *unit = u;
    }
    return most;
}

static Axes axes_of(const ReportFunction *f) {
    Axes a = {0, 2, 99, -99};
    int unit = 0;
    const double most = most_rate(f, &unit),
                 ridge = most / machine_bandwidth(f->rooflines->machine);
    widen(&a.x0, &a.x1, ridge);
    widen(&a.y0, &a.y1, most);
    for (int k = 0; k < f->rooflines->kernels.count; k++) {
        const Times *t = &f->rooflines->kernels.at[k].times;
        widen(&a.x0, &a.x1, roofline_intensity(t));
        widen(&a.y0, &a.y1, roofline_operations(t) / expected_seconds(f, k));
        if (f->measured && f->measured[k] > 0)
            widen(&a.y0, &a.y1, roofline_operations(t) / f->measured[k]);
    }
    return a;
}

static const char *rate_name(Arena *arena, int power) {
    static const char *const units[] = {"", "k", "M", "G", "T", "P"};
    const int group = power < 0 ? 0 : power / 3 > 5 ? 5 : power / 3;
    return arena_printf(arena, "%.0f %sop/s", pow(10, power - 3 * group), units[group]);
}

static void put_axes(const Report *r, const Axes *a) {
    for (int p = (int)a->x0; p <= (int)a->x1; p++) {
        const double x = x_at(a, pow(10, p));
        text_printf(r->out,
                    "<path class=\"g\" d=\"M%.1f %d V%d\"/><text x=\"%.1f\" y=\"%d\" "
                    "text-anchor=\"middle\">%g</text>\n",
                    x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 16, pow(10, p));
    }
    for (int p = (int)a->y0; p <= (int)a->y1; p++) {
        const double y = y_at(a, pow(10, p));
        text_printf(r->out,
                    "<path class=\"g\" d=\"M%d %.1f H%d\"/><text x=\"%d\" y=\"%.1f\" "
                    "text-anchor=\"end\">%s</text>\n",
                    LEFT, y, WIDTH - RIGHT, LEFT - 5, y + 4, rate_name(r->arena, p));
    }
    text_printf(r->out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">operations per byte</text>\n",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
}

/* The slope of memory up to each unit's ridge, and the unit's roof. */
static void put_roofs(const Report *r, const ReportFunction *f, const Axes *a) {
    const Machine *machine = f->rooflines->machine;
    const double bandwidth = machine_bandwidth(machine);
    for (int u = 0; u < UNIT_COUNT; u++) {
        const double rate = machine_rate(machine, u);
        if (!(f->rooflines->whole.times.ops[u] > 0) || !(rate > 0)) continue;
        const double low = fmax(pow(10, a->x0), pow(10, a->y0) / bandwidth);
        if (rate < bandwidth * low) continue;
        text_printf(r->out, "<path class=\"roof\" d=\"M%.1f %.1f L%.1f %.1f H%d\"/>\n",
                    x_at(a, low), y_at(a, bandwidth * low), x_at(a, rate / bandwidth),
                    y_at(a, rate), WIDTH - RIGHT);
        text_printf(r->out, "<text x=\"%d\" y=\"%.1f\">%s %.3g Top/s</text>\n", WIDTH - RIGHT + 6,
                    y_at(a, rate) + 4, unit_name[u], 1e-12 * rate);
    }
}

/* Where points have a label already: the next one goes beside it. */
typedef struct Labels {
    int count;
    double *x, *y;
} Labels;

static double label_at(Labels *l, double x, double y) {
    enum { SIZE = 12, STEP = 13 }; /* rounding does not make a step one onto the same label */
    double at = x + 9;
    for (int i = 0; i < l->count; i++)
        if (fabs(l->x[i] - at) < SIZE && fabs(l->y[i] - y) < SIZE) at = l->x[i] + STEP, i = -1;
    l->x[l->count] = at, l->y[l->count++] = y;
    return at;
}

static void put_point(const Report *r, const Axes *a, Labels *labels, int kernel, double x,
                      double y, bool is_measured) {
    if (!(x > 0) || !(y > 0)) return;
    text_printf(r->out,
                "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"><title>kernel %d, %s: %.3g "
                "op/byte, %.3g Gop/s</title></circle>\n",
                is_measured ? "seen" : "said", x_at(a, x), y_at(a, y), kernel,
                is_measured ? "measured" : "expected", x, 1e-9 * y);
    text_printf(r->out, "<text x=\"%.1f\" y=\"%.1f\">%d</text>\n",
                label_at(labels, x_at(a, x), y_at(a, y)), y_at(a, y) + 4, kernel);
}

void put_rooflines(const Report *r, int function) {
    const ReportFunction *f = &r->functions.at[function];
    int unit = 0;
    if (!(most_rate(f, &unit) > 0)) return;
    const Axes a = axes_of(f);
    text_printf(
        r->out,
        "<h2>Roofline</h2>\n<p class=\"dim\">%s. A ring is where a kernel is expected%s.</p>\n",
        f->rooflines->machine->name, f->measured ? ", a disc where it was measured" : " to be");
    text_printf(r->out,
                "<figure><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                "role=\"img\" aria-label=\"roofline\"><style>svg text { font: 11px sans-serif; "
                "fill: currentColor } .g { stroke: #8884; fill: none } .roof { stroke: "
                "var(--accent); stroke-width: 2; fill: none } .said { stroke: var(--warn); "
                "stroke-width: 2; fill: none } .seen { fill: var(--good) }</style>\n",
                WIDTH, HEIGHT);
    put_axes(r, &a);
    put_roofs(r, f, &a);
    Labels labels = {0};
    labels.x = arena_array(r->arena, double, 2 * f->rooflines->kernels.count + 1);
    labels.y = arena_array(r->arena, double, 2 * f->rooflines->kernels.count + 1);
    for (int k = 0; k < f->rooflines->kernels.count; k++) {
        const Times *t = &f->rooflines->kernels.at[k].times;
        const double x = roofline_intensity(t), ops = roofline_operations(t);
        put_point(r, &a, &labels, k, x, ops / expected_seconds(f, k), false);
        if (f->measured && f->measured[k] > 0)
            put_point(r, &a, &labels, k, x, ops / f->measured[k], true);
    }
    text_str(r->out, "</svg></figure>\n");
}
