/* explain.c: `fusec explain` with --roofline, --sweep, --memory.
 * In: a compilation. Out: text, CSV, JSON, or a drawing, by the suffix of -o. */
#include "cli/command.h"

#include "sched/report/lifetimes.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sweep_wants =
    "a range of a dim with at most 10000 values, as in B=1..8192*2 or N=64..1024+64";

/* Doublings if neither a factor nor a step follows. */
bool sweep_read(Arena *arena, const char *text, Sweep *sweep) {
    enum { NAME = 64 };
    char how = '*', more;
    long long from, to, by = 2;
    char name[NAME + 1];
    const int found =
        sscanf(text, "%64[^=]=%lld..%lld%c%lld%c", name, &from, &to, &how, &by, &more);
    const bool is_factor = how == '*';
    if ((found != 3 && found != 5) || from < 1 || to < from || by < 1 + is_factor ||
        (how != '*' && how != '+'))
        return false;
    *sweep = (Sweep){arena_strdup(arena, name), from, to, is_factor ? by : 0, is_factor ? 0 : by};
    return sweep_count(sweep) <= SWEEP_MOST;
}

static bool is_open_dim(Session *s, const Plan *plan, const char *option, const char *dim) {
    if (!dim || dim_symbol_find(plan->g->dims, dim) >= 0) return true;
    diag_error(s->diag, NOWHERE, "%s: fn %s has no open dim '%s'", option, plan->g->name, dim);
    return false;
}

static void put_advice(const Advices *all, int function, Text *out) {
    const char *head = "\nadvice\n";
    for (int i = 0; i < all->count; i++) {
        if (all->at[i].function != function) continue;
        text_printf(out, "%s  %s: %s\n", head, all->at[i].name, all->at[i].text);
        head = "";
    }
}

static const Rooflines *rooflines_of(Session *s, const Function *f) {
    const Options *o = s->options;
    if (!is_open_dim(s, f->plan, "--shard", o->shard.dim) ||
        !is_open_dim(s, f->plan, "--sweep", o->sweep.dim))
        return NULL;
    return rooflines_make(f->plan, &f->kernels, o->shard);
}

typedef struct Document {
    Session *s;
    const Compilation *c;
    Text *out;
    json_t *functions;
    bool ok;
} Document;

static void write_document(void *of) {
    Document *d = of;
    for (int i = 0; i < d->c->functions.count; i++) {
        const Rooflines *r = rooflines_of(d->s, &d->c->functions.at[i]);
        if (!r) return;
        d->ok = d->ok && sweep_json(r, &d->s->options->sweep, d->functions);
    }
    json_t *top = json_pack("{s:i, s:O}", "version", 1, "functions", d->functions);
    char *text = top && d->ok ? json_dumps(top, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) : NULL;
    if (text)
        text_printf(d->out, "%s\n", text);
    else
        diag_refuse(d->s->diag, "out of memory for the JSON");
    free(text);
    json_decref(top);
}

static void free_document(void *of) { json_decref(((Document *)of)->functions); }

static bool sweep_as_json(Session *s, const Compilation *c, Text *out) {
    Document d = {s, c, out, json_array(), true};
    ensure(write_document, free_document, &d);
    return diag_status(s->diag) == STATUS_OK;
}

bool is_drawing_path(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && !strcmp(dot, ".svg");
}

bool explain_rooflines(Session *s, const Compilation *c, Text *out) {
    const Options *o = s->options;
    const char *dot = o->output ? strrchr(o->output, '.') : NULL;
    const bool is_csv = dot && !strcmp(dot, ".csv");
    if (o->sweep.dim && (o->json || (dot && !strcmp(dot, ".json"))))
        return sweep_as_json(s, c, out);
    const Advices advice = o->sweep.dim ? (Advices){0} : advice_make(s, c, &o->compile);
    for (int i = 0; i < c->functions.count; i++) {
        const Rooflines *r = rooflines_of(s, &c->functions.at[i]);
        if (!r) return false;
        if (i && !is_csv && !is_drawing_path(o->output)) text_char(out, '\n');
        if (!o->sweep.dim)
            rooflines_explain(r, out), put_advice(&advice, i, out);
        else if (is_drawing_path(o->output))
            sweep_plot(r, &o->sweep, out);
        else if (is_csv)
            sweep_csv(r, &o->sweep, !i, out);
        else
            sweep_table(r, &o->sweep, out);
    }
    return true;
}

/* ---- memory --------------------------------------------------------------------------------- */

bool explain_memory(Session *s, const Compilation *c, Text *out) {
    const bool is_drawing = is_drawing_path(s->options->output);
    if (is_drawing && c->functions.count != 1) {
        diag_error(s->diag, NOWHERE, "a drawing is of one function, and the model has %d: add --fn",
                   c->functions.count);
        return false;
    }
    for (int i = 0; i < c->functions.count; i++) {
        const Lifetimes *lifetimes = lifetimes_of(c->plans[i]);
        if (i) text_char(out, '\n');
        if (is_drawing)
            lifetimes_draw(lifetimes, out);
        else
            lifetimes_explain(lifetimes, lifetimes_of(plan_unfused(c->plans[i])), out);
    }
    return true;
}
