/* kernels.c: a table of the kernels, what is known of each, what was not fused, and trials of
 * tiles. In: plans, rooflines, measured times. Out: HTML; kernel K of function F is #kF-K. */
#include "report/report.h"

#include <math.h>
#include <string.h>

double expected_seconds(const ReportFunction *f, int kernel) {
    return launch_seconds(f->f->plan, kernel, &f->f->kernels);
}

static bool is_measured(const ReportFunction *f) {
    return f->measured && f->measured[f->f->plan->groups.count] > 0;
}

static double seconds_of(const ReportFunction *f, int kernel) {
    return is_measured(f) && f->measured[kernel] > 0 ? f->measured[kernel]
                                                     : expected_seconds(f, kernel);
}

/* ---- the table ------------------------------------------------------------------------------ */

static void put_row(const Report *r, int function, int k, double total) {
    const ReportFunction *f = &r->functions.at[function];
    const Plan *plan = f->f->plan;
    const Times *t = &f->rooflines->kernels.at[k].times;
    const double share = total > 0 ? 100 * seconds_of(f, k) / total : 0;
    text_printf(r->out,
                "<tr><td><a class=\"chip h%d\" href=\"#k%d-%d\">%d</a></td><td><code>%s</code><br>"
                "<span class=\"dim\">%s%s</span></td>",
                k % HUES, function, k, k, plan->groups.at[k].name,
                family_name[plan->groups.at[k].family],
                plan->groups.at[k].once ? ", once, from constants" : "");
    text_printf(
        r->out,
        "<td class=\"n\">%s</td><td class=\"n\">%.3g</td><td>%s</td><td class=\"n\">%s</td>",
        bytes_text(r->arena, t->read + t->written), 1e-9 * roofline_operations(t), limit_name(t),
        html_time(r->arena, t->lower));
    text_printf(r->out, "<td class=\"n\">%s</td>", html_time(r->arena, expected_seconds(f, k)));
    if (is_measured(f))
        text_printf(r->out, "<td class=\"n\">%s</td>", html_time(r->arena, f->measured[k]));
    text_printf(
        r->out,
        "<td style=\"min-width:6rem\">%.0f %%<span class=\"bar\" style=\"width:%.1f%%\"></span>"
        "</td></tr>\n",
        share, share < 1 ? 1 : share);
}

static void put_table(const Report *r, int function) {
    const ReportFunction *f = &r->functions.at[function];
    const Plan *plan = f->f->plan;
    double total = 0;
    for (int k = 0; k < plan->groups.count; k++)
        if (!plan->groups.at[k].once) total += seconds_of(f, k);
    text_printf(
        r->out,
        "<div class=\"scroll\"><table><tr><th></th><th>kernel</th><th class=\"n\">moved</th>"
        "<th class=\"n\">Gop</th><th>bound by</th><th class=\"n\">at least</th>"
        "<th class=\"n\">expected</th>%s<th>of the whole</th></tr>\n",
        is_measured(f) ? "<th class=\"n\">measured</th>" : "");
    for (int k = 0; k < plan->groups.count; k++) put_row(r, function, k, total);
    text_str(r->out, "</table></div>\n");
}

/* ---- one kernel ----------------------------------------------------------------------------- */

static void put_buffers(const Report *r, const Plan *plan, const char *title,
                        const IntVec *buffers) {
    text_printf(r->out, "<dt>%s</dt><dd>", title);
    for (int i = 0; i < buffers->count; i++) {
        const int b = buffers->at[i];
        const Dim size = buffer_bytes(plan, b);
        text_printf(r->out, "%s<code>%s</code> <span class=\"dim\">%s</span>", i ? ", " : "",
                    plan->buffers.at[b].name,
                    size ? bytes_text(r->arena, (double)cost_dim(plan->g, size)) : "");
    }
    text_str(r->out, "</dd>\n");
}

/* "softmax (12), mul (13)", with links to the lines. */
static void put_ops(const Report *r, const Plan *plan, const Group *group) {
    enum { MOST = 24 };
    int shown = 0;
    text_str(r->out, "<dt>fused</dt><dd>");
    for (int i = 0; i < group->nests.count; i++) {
        const NodeVec *nodes = &group->nests.at[i].nodes;
        for (int j = 0; j < nodes->count && ++shown <= MOST; j++) {
            const Node *n = &plan->g->node[nodes->at[j]];
            int line, column;
            text_printf(r->out, "%s%s", shown > 1 ? ", " : "", node_op_name(plan->g, n));
            if (n->span.file != 0) continue;
            source_place(&r->c->diag->sources.at[0], n->span.lo, &line, &column);
            text_printf(r->out, " <a href=\"#L%d\">%d</a>", line, line);
        }
    }
    if (shown > MOST) text_str(r->out, ", ..");
    text_str(r->out, "</dd>\n");
}

static void put_waves(const Report *r, const Waves *w) {
    if (!(w->tiles > 0)) return;
    text_printf(r->out, "<dt>waves</dt><dd>%.4g tiles", w->tiles);
    if (w->m && w->n) text_printf(r->out, " of %d &times; %d", w->m, w->n);
    text_printf(r->out,
                " in %.3g waves, the last %.0f %% full; %.0f %% of the tiles is work</dd>\n",
                w->waves, 100 * w->last, 100 * w->padded);
    text_printf(r->out,
                "<dt>occupancy</dt><dd>%.0f %%, limited by %s; %d block%s of %d threads</dd>\n",
                100 * w->occupancy, w->limited, w->blocks, w->blocks == 1 ? "" : "s", w->threads);
}

/* The line of the emitted text that describes the kernel's function; 0: there is none. */
static int source_line(const Report *r, const char *name) {
    const char *text = text_get(&r->c->source);
    const char *at = strstr(text, arena_printf(r->arena, "/* %s: ", name));
    int line = 1;
    if (!at) return 0;
    for (const char *p = text; p < at; p++) line += *p == '\n';
    return line;
}

static void put_kernel(const Report *r, int function, int k) {
    const ReportFunction *f = &r->functions.at[function];
    const Plan *plan = f->f->plan;
    const Group *group = &plan->groups.at[k];
    const char *code = plan->groups.at[f->f->kernels.function[k]].name;
    const int line = source_line(r, code);
    text_printf(r->out,
                "<section id=\"k%d-%d\"><h3><span class=\"chip h%d\">%d</span> %s</h3>\n<dl>",
                function, k, k % HUES, k, group->name);
    put_ops(r, plan, group);
    put_buffers(r, plan, "reads", &group->reads);
    put_buffers(r, plan, "writes", &group->writes);
    for (int body = 0; body < f->f->kernels.at[k]->bodies.count; body++) {
        Text tile = text_new(r->arena);
        tile_print(&f->f->kernels.tiles[k][body], &tile);
        text_printf(r->out, "<dt>tile</dt><dd><code>%s</code></dd>\n", text_get(&tile));
    }
    const Roofline *roofline = &f->rooflines->kernels.at[k];
    for (int i = 0; i < roofline->waves.count; i++) put_waves(r, &roofline->waves.at[i]);
    if (line)
        text_printf(r->out, "<dt>source</dt><dd><a href=\"#S%d\"><code>%s</code></a></dd>\n", line,
                    code);
    text_str(r->out, "</dl></section>\n");
}

void put_kernels(const Report *r, int function) {
    const ReportFunction *f = &r->functions.at[function];
    text_str(r->out, "<h2>Kernels</h2>\n");
    put_table(r, function);
    for (int i = 0; i < f->advice.count; i++) {
        text_str(r->out, "<p class=\"warn\">");
        html_text(r->out, f->advice.at[i]);
        text_str(r->out, "</p>\n");
    }
}

void put_each_kernel(const Report *r, int function) {
    text_str(r->out, "<h2>Each kernel</h2>\n");
    for (int k = 0; k < r->functions.at[function].f->plan->groups.count; k++)
        put_kernel(r, function, k);
}

/* ---- what stayed apart ---------------------------------------------------------------------- */

static void put_pair(const Report *r, const Plan *plan, const Decision *d) {
    const double us = 1e-6 * (double)d->time;
    text_printf(r->out, "<tr><td><code>%s</code></td><td><code>%s</code></td><td>",
                plan_group(plan, d->a)->name, plan_group(plan, d->b)->name);
    html_text(r->out, reason_text[d->reason]);
    text_printf(r->out, "</td><td class=\"n\">%s%.3g &micro;s</td></tr>\n",
                us < 0 ? "loses " : "saves ", fabs(us));
}

void put_apart(const Report *r, int function) {
    const Plan *plan = r->functions.at[function].f->plan;
    int count;
    const Decision **pairs = plan_pairs_apart(plan, &count);
    if (!count) return;
    text_str(r->out,
             "<h2>Kept apart</h2>\n<div class=\"scroll\"><table><tr><th>kernel</th><th>and</th>"
             "<th>because</th><th class=\"n\">one kernel</th></tr>\n");
    for (int i = 0; i < count; i++) put_pair(r, plan, pairs[i]);
    text_str(r->out, "</table></div>\n");
}

/* ---- trials --------------------------------------------------------------------------------- */

static void put_trial(const Report *r, const CacheTrial *t, const char *choice) {
    const bool is_choice = choice && !strcmp(choice, t->tile);
    text_str(r->out, "<tr><td><code>");
    html_text(r->out, t->tile);
    text_printf(
        r->out,
        "</code>%s</td><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%.1f %%</td></tr>\n",
        is_choice ? " <b>chosen</b>" : "", outcome_name(t->outcome),
        html_time(r->arena, 1e-9 * t->median_ns), 100 * t->spread);
}

void put_trials(const Report *r, int function) {
    const ReportFunction *f = &r->functions.at[function];
    if (f->trials.count) text_str(r->out, "<h2>Tuning</h2>\n");
    for (int i = 0; i < f->trials.count; i++) {
        const ReportTrials *of = &f->trials.at[i];
        text_printf(r->out, "<h3>%s on ", f->f->plan->groups.at[of->kernel].name);
        html_text(r->out, of->device);
        text_str(r->out, "</h3>\n<div class=\"scroll\"><table><tr><th>tile</th><th>outcome</th>"
                         "<th class=\"n\">median</th><th class=\"n\">spread</th></tr>\n");
        for (int t = 0; t < of->trials.count; t++) put_trial(r, &of->trials.at[t], of->choice);
        text_str(r->out, "</table></div>\n");
    }
}
