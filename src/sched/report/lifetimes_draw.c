/* lifetimes_draw.c: memory over the kernels of a call, as SVG.
 * In: the lifetimes of buffers. Out: a drawing: kernels from left to right, bytes from the bottom
 * up: what is there during the whole call, then the slots of the workspace; a box for each buffer,
 * from the kernel that writes it to the last that reads it. Names in a model are letters and
 * digits: nothing is escaped. */
#include "sched/report/lifetimes.h"

#include <string.h>

enum { LEFT = 76, TOP = 28, BOTTOM = 96, WIDTH = 900, HEIGHT = 440, LABELS = 40, TICKS = 4 };
static const double line = 13, letter = 6.6; /* of a label's text */

static const char style[] =
    "<style>\n"
    ".memory text { font: 11px sans-serif; fill: #222 }\n"
    ".memory rect { stroke: #fff; stroke-width: 1 }\n"
    ".memory .input { fill: #b8c4d6 } .memory .output { fill: #9cb3d8 }\n"
    ".memory .kept { fill: #e0b25c }\n"
    ".memory .prepared { fill: #c9b7dc } .memory .temp { fill: #7cb798 }\n"
    ".memory .axis { stroke: #888 } .memory .peak { stroke: #c03a2b; stroke-dasharray: 4 3 }\n"
    "@media (prefers-color-scheme: dark) {\n"
    ".memory text { fill: #ddd } .memory rect { stroke: #16181c }\n"
    ".memory .input { fill: #46536a } .memory .output { fill: #3f5f96 }\n"
    ".memory .kept { fill: #93702a }\n"
    ".memory .prepared { fill: #6b5585 } .memory .temp { fill: #3b7458 } }\n"
    "</style>\n";

typedef struct Drawing {
    const Lifetimes *lifetimes;
    Text *out;
    double total;       /* bytes of the whole height */
    double *bottom;     /* by buffer: bytes below it */
    double step, scale; /* points of a kernel, of a byte */
} Drawing;

/* Fixed memory below, the workspace above. */
static void stack(Drawing *d) {
    const Lifetimes *l = d->lifetimes;
    double *slot = arena_array(l->plan->g->arena, double, l->slot_count + 1);
    for (int i = 0; i < l->buffers.count; i++) {
        if (l->buffers.at[i].role == LIFETIME_TEMP) continue;
        d->bottom[i] = d->total;
        d->total += l->buffers.at[i].bytes;
    }
    for (int i = 0; i < l->slot_count; i++) {
        slot[i] = d->total;
        d->total += l->slots[i];
    }
    for (int i = 0; i < l->buffers.count; i++)
        if (l->buffers.at[i].slot >= 0) d->bottom[i] = slot[l->buffers.at[i].slot];
    for (int i = 0; i < l->buffers.count; i++)
        for (int k = 0; l->buffers.at[i].input && k < l->buffers.count; k++)
            if (!strcmp(l->buffers.at[k].name, l->buffers.at[i].input)) d->bottom[i] = d->bottom[k];
}

static double y_of(const Drawing *d, double bytes) { return HEIGHT - BOTTOM - d->scale * bytes; }

static void put_box(const Drawing *d, int number) {
    const Lifetime *lifetime = &d->lifetimes->buffers.at[number];
    const double x = LEFT + d->step * lifetime->first, height = d->scale * lifetime->bytes;
    const double width = d->step * (lifetime->last - lifetime->first + 1);
    const double y = y_of(d, d->bottom[number]) - height;
    const char *bytes = bytes_text(d->lifetimes->plan->g->arena, lifetime->bytes);
    text_printf(
        d->out,
        "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s, "
        "%s, %s</title></rect>\n",
        lifetime_role[lifetime->role], x, y, width, height, lifetime->name,
        lifetime_role[lifetime->role], bytes);
    if (height >= line && width >= letter * (double)strlen(lifetime->name))
        text_printf(d->out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x + 4, y + height / 2 + 4,
                    lifetime->name);
}

static void put_axes(const Drawing *d) {
    const Lifetimes *l = d->lifetimes;
    const int skip = 1 + (l->kernels.count - 1) / LABELS;
    for (int i = 0; i <= TICKS && d->total > 0; i++) {
        const double value = d->total * i / TICKS;
        text_printf(d->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 6,
                    y_of(d, value) + 4, bytes_text(l->plan->g->arena, value));
    }
    for (int k = 0; k < l->kernels.count; k += skip) {
        const double x = LEFT + d->step * (k + 0.5);
        text_printf(
            d->out,
            "<text text-anchor=\"end\" transform=\"translate(%.1f %d) rotate(-35)\">%s</text>\n",
            x + 4, HEIGHT - BOTTOM + 16, l->kernels.at[k]);
    }
    text_printf(d->out, "<path class=\"axis\" fill=\"none\" d=\"M%d %d V%d H%d\"/>\n", LEFT, TOP,
                HEIGHT - BOTTOM, WIDTH - 12);
}

static void put_title(const Drawing *d) {
    const Lifetimes *l = d->lifetimes;
    int x = LEFT;
    for (int role = 0; role < LIFETIME_ROLES; role++) {
        if (!(l->role[role] > 0)) continue;
        text_printf(d->out,
                    "<rect class=\"%s\" x=\"%d\" y=\"6\" width=\"12\" height=\"12\"/>"
                    "<text x=\"%d\" y=\"16\">%s</text>\n",
                    lifetime_role[role], x, x + 16, lifetime_role[role]);
        x += 84;
    }
    if (!l->kernels.count) return;
    text_printf(d->out, "<text x=\"%d\" y=\"16\" text-anchor=\"end\">peak %s in %s</text>\n",
                WIDTH - 12, bytes_text(l->plan->g->arena, l->peak), l->kernels.at[l->peak_at]);
    const double at = LEFT + d->step * (l->peak_at + 0.5);
    text_printf(d->out, "<path class=\"peak\" d=\"M%.1f %d V%d\"/>\n", at, TOP, HEIGHT - BOTTOM);
}

void lifetimes_draw(const Lifetimes *l, Text *out) {
    Drawing d = {.lifetimes = l, .out = out};
    d.bottom = arena_array(l->plan->g->arena, double, l->buffers.count + 1);
    stack(&d);
    d.step = (double)(WIDTH - LEFT - 12) / (l->kernels.count ? l->kernels.count : 1);
    d.scale = d.total > 0 ? (HEIGHT - TOP - BOTTOM) / d.total : 0;
    text_printf(out,
                "<svg class=\"memory\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                "role=\"img\" "
                "aria-label=\"memory of %s over its kernels\">\n%s",
                WIDTH, HEIGHT, l->plan->g->name, style);
    for (int i = 0; i < l->buffers.count; i++) put_box(&d, i);
    put_axes(&d);
    put_title(&d);
    text_str(out, "</svg>\n");
}
