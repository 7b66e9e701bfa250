/* page.c: the page: what a person looks for first stands first.
 * In: a Report. Out: HTML. */
#include "report/report.h"

static void put_tile(const Report *r, const char *title, const char *value, const char *more) {
    text_printf(r->out, "<div>%s<b>%s</b><span class=\"dim\">%s</span></div>\n", title, value,
                more);
}

static double expected_whole(const ReportFunction *f) {
    double seconds = 0;
    for (int k = 0; k < f->f->plan->groups.count; k++)
        if (!f->f->plan->groups.at[k].once) seconds += expected_seconds(f, k);
    return seconds;
}

static void put_summary(const Report *r, const ReportFunction *f) {
    const Plan *plan = f->f->plan;
    const Times *t = &f->rooflines->whole.times;
    const double expected = expected_whole(f);
    const double whole = f->measured ? f->measured[plan->groups.count] : 0;
    const double moved = t->read + t->written;
    const Dim alone = plan_moved(f->unfused->plan);
    const double unfused = alone ? (double)cost_dim(plan->g, alone) : 0;
    text_str(r->out, "<div class=\"tiles\">\n");
    put_tile(r, "kernels", arena_printf(r->arena, "%d", f->lifetimes->kernels.count),
             arena_printf(r->arena, "one per op: %d", f->unfused->kernels.count));
    if (whole > 0)
        put_tile(r, "measured", html_time(r->arena, whole),
                 arena_printf(r->arena, "expected %s", html_time(r->arena, expected)));
    else
        put_tile(r, "expected", html_time(r->arena, expected),
                 arena_printf(r->arena, "at least %s", html_time(r->arena, t->lower)));
    put_tile(r, "bound by", limit_name(t),
             arena_printf(r->arena, "%.3g operations per byte", roofline_intensity(t)));
    put_tile(r, "moved", bytes_text(r->arena, moved),
             arena_printf(r->arena, "one kernel per op: %s", bytes_text(r->arena, unfused)));
    put_tile(r, "peak memory", bytes_text(r->arena, f->lifetimes->peak),
             arena_printf(r->arena, "workspace %s", bytes_text(r->arena, f->lifetimes->workspace)));
    text_str(r->out, "</div>\n");
}

static void put_drawings(const Report *r, int function) {
    const ReportFunction *f = &r->functions.at[function];
    put_rooflines(r, function);
    text_str(r->out, "<h2>Memory over the kernels</h2>\n<figure>");
    lifetimes_draw(f->lifetimes, r->out);
    text_str(r->out, "</figure>\n<h2>The plan</h2>\n");
    if (f->drawing)
        text_printf(r->out,
                    "<p class=\"dim\">A box is a kernel; a dashed arrow goes through memory.</p>\n"
                    "<div class=\"scroll plan\">%s</div>\n",
                    f->drawing);
    else
        text_str(r->out, "<p>It is drawn by Graphviz: <code>dot</code> is not installed.</p>\n");
}

/* What a person looks for first. */
static void put_top(const Report *r, int number) {
    const ReportFunction *f = &r->functions.at[number];
    const Plan *plan = f->f->plan;
    text_printf(r->out, "<section id=\"f%d\">\n<h1>%s</h1>\n<p class=\"dim\">-O%d, planned for %s",
                number, plan->g->name, plan->opt, plan->machine->name);
    if (r->device && f->measured) {
        text_str(r->out, "; measured on ");
        html_text(r->out, r->device);
    }
    if (*r->dims) text_printf(r->out, "; %s", r->dims);
    if (plan->g->dims->symbols.count)
        text_printf(r->out, "; numbers are for %s", plan_nominal_sizes(plan));
    text_str(r->out, "</p>\n");
    put_summary(r, f);
    put_kernels(r, number);
    text_str(r->out, "</section>\n");
}

static void put_rest(const Report *r, int number) {
    const char *name = r->functions.at[number].f->plan->g->name;
    text_printf(r->out, "<section id=\"d%d\">\n", number);
    if (r->functions.count > 1) text_printf(r->out, "<h1>%s in detail</h1>\n", name);
    put_drawings(r, number);
    put_each_kernel(r, number);
    put_apart(r, number);
    put_trials(r, number);
    text_str(r->out, "</section>\n");
}

static void put_head(const Report *r) {
    text_str(r->out,
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    html_text(r->out, r->c->name);
    text_printf(r->out, " | fusec</title>\n<style>\n%s</style></head><body>\n<nav>", html_style);
    for (int i = 0; i < r->functions.count; i++)
        text_printf(r->out, "<a href=\"#f%d\">%s</a>", i, r->functions.at[i].f->plan->g->name);
    text_printf(r->out, "<a href=\"#model\">model</a>%s</nav>\n",
                r->c->source.size ? "<a href=\"#source\">source</a>" : "");
}

void report_print(Report *r) {
    put_head(r);
    for (int i = 0; i < r->functions.count; i++) put_top(r, i);
    put_model(r);
    for (int i = 0; i < r->functions.count; i++) put_rest(r, i);
    put_source(r);
    text_str(r->out, "<p class=\"dim\">Made by <code>");
    html_text(r->out, r->command);
    text_str(r->out, "</code></p>\n</body></html>\n");
}
