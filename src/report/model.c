/* model.c: the text of the model, each line with the kernels that compute something of it.
 * In: plans, whose nodes know where they stand. Out: HTML; the line N is #LN. */
#include "report/report.h"

#include <string.h>

typedef struct Lines {
    const Source *source;
    int count;
    bool **has; /* by line: by kernel of all functions, in their order */
    int kernels;
} Lines;

static int line_of(const Lines *l, Span span) {
    int line, column;
    source_place(l->source, span.lo, &line, &column);
    return line;
}

static void mark(Lines *l, const Plan *plan, int group, int first) {
    for (int i = 0; i < plan->groups.at[group].nests.count; i++) {
        const NodeVec *nodes = &plan->groups.at[group].nests.at[i].nodes;
        for (int j = 0; j < nodes->count; j++) {
            const Span span = plan->g->node[nodes->at[j]].span;
            if (span.file == 0) l->has[line_of(l, span)][first + group] = true;
        }
    }
}

static Lines lines_of(const Report *r) {
    const Source *source = &r->c->diag->sources.at[0];
    Lines l = {.source = source, .count = 1};
    for (size_t i = 0; i < source->size; i++) l.count += source->text[i] == '\n';
    for (int f = 0; f < r->functions.count; f++)
        l.kernels += r->functions.at[f].f->plan->groups.count;
    l.has = arena_array(r->arena, bool *, l.count + 1);
    for (int i = 0; i <= l.count; i++) l.has[i] = arena_array(r->arena, bool, l.kernels + 1);
    for (int f = 0, first = 0; f < r->functions.count; f++) {
        const Plan *plan = r->functions.at[f].f->plan;
        for (int k = 0; k < plan->groups.count; k++) mark(&l, plan, k, first);
        first += plan->groups.count;
    }
    return l;
}

static void put_chips(const Report *r, const Lines *l, int line) {
    enum { MOST = 6 };
    int shown = 0;
    text_str(r->out, "<span class=\"chips\">");
    for (int f = 0, at = 0; f < r->functions.count; f++) {
        const Plan *plan = r->functions.at[f].f->plan;
        for (int k = 0; k < plan->groups.count; k++, at++) {
            if (!l->has[line][at] || ++shown > MOST) continue;
            text_printf(r->out, "<a class=\"chip h%d\" href=\"#k%d-%d\" title=\"%s\">%d</a>",
                        k % HUES, f, k, plan->groups.at[k].name, k);
        }
    }
    if (shown > MOST) text_printf(r->out, "<span class=\"dim\">+%d</span>", shown - MOST);
    text_str(r->out, "</span>");
}

void put_model(const Report *r) {
    const Lines l = lines_of(r);
    const char *at = l.source->text, *end = at + l.source->size;
    text_str(r->out,
             "<h2 id=\"model\">The model</h2>\n<p class=\"dim\">The numbers beside a line are the "
             "kernels that compute it.</p>\n<div class=\"scroll\"><div class=\"model\">\n");
    for (int line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t size = (size_t)((stop ? stop : end) - at);
        text_printf(r->out, "<div id=\"L%d\"><a class=\"no\" href=\"#L%d\">%d</a>", line, line,
                    line);
        put_chips(r, &l, line);
        html_bytes(r->out, at, size);
        text_str(r->out, "</div>\n");
        at += size + 1;
    }
    text_str(r->out, "</div></div>\n");
}
