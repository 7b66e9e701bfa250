/* cmd_cache_show.c: fusec cache show: an entry with all its evidence.
 * In: the name of an entry. Out: identity, choice, trials; with --plot a drawing of the trials, by
 * gnuplot. */
#include "cli/cache_command.h"

#include <string.h>

enum { FIELD_SHOWN = 96 };

/* The first line of a value; a long one is cut. `but`: were put before. */
static void put_fields(CacheWork *w, const KeyFields *fields, const KeyFields *but) {
    for (int i = 0; i < fields->count; i++) {
        if (but && key_value(but, fields->at[i].name)) continue;
        const size_t start = w->out.size, line = strcspn(fields->at[i].value, "\n");
        const bool is_cut = line > FIELD_SHOWN || fields->at[i].value[line];
        text_printf(&w->out, "  %s", fields->at[i].name);
        text_pad(&w->out, start, 12);
        text_printf(&w->out, " %.*s%s\n", (int)(line > FIELD_SHOWN ? FIELD_SHOWN : line),
                    fields->at[i].value, is_cut ? " .." : "");
    }
}

static void put_code(CacheWork *w, const CacheEntry *e) {
    Arena *arena = w->s->arena;
    text_printf(&w->out, "code       %s\n", e->name);
    put_fields(w, &e->about, NULL);
    put_fields(w, &e->key, &e->about);
    text_printf(&w->out, "  made       %s, in %.2f s; last used %s; %s\n",
                date_text(arena, e->date), e->seconds, date_text(arena, e->used),
                bytes_text(arena, e->size));
}

/* ---- trials --------------------------------------------------------------------------------- */

static bool is_measured(const CacheTrial *t) {
    return t->outcome == OUTCOME_OK && t->median_ns > 0;
}

/* The fastest but the choice; NULL: there is no other. */
static const CacheTrial *runner_up(const CacheTrials *trials, const char *tile) {
    const CacheTrial *best = NULL;
    for (int i = 0; i < trials->count; i++) {
        const CacheTrial *t = &trials->at[i];
        if (is_measured(t) && strcmp(t->tile, tile) && (!best || t->median_ns < best->median_ns))
            best = t;
    }
    return best;
}

/* A tile may be faster in its race, but not in turns with the default alone: then it is no choice.
 */
static const char *slower_text(Arena *arena, double by, bool is_pinned) {
    if (by >= 0) return arena_printf(arena, "%.1f %% slower", 100 * by);
    return arena_printf(arena, "%.1f %% faster%s", -100 * by,
                        is_pinned ? "" : ", but in its race only");
}

static void put_choice(CacheWork *w, const CacheEntry *e, const CacheTrials *trials) {
    Arena *arena = w->s->arena;
    const CacheChoice *c = &e->choice;
    if (!e->has_choice) {
        text_str(&w->out, "  choice     none\n");
        return;
    }
    const CacheTrial *next = runner_up(trials, c->tile);
    text_printf(&w->out, "  choice     %s%s%s%s%s\n", c->tile, c->is_pinned ? " (pinned)" : "",
                c->is_imported ? " (imported, not verified here)" : "",
                c->median_ns > 0 ? ", " : "",
                c->median_ns > 0 ? time_text(arena, c->median_ns) : "");
    if (c->default_ns > 0 && c->median_ns > 0)
        text_printf(&w->out, "  default    %s: the choice is %.2f times as fast\n",
                    time_text(arena, c->default_ns), c->default_ns / c->median_ns);
    if (next && c->median_ns > 0)
        text_printf(&w->out, "  next best  %s, %s: %s\n", next->tile,
                    time_text(arena, next->median_ns),
                    slower_text(arena, next->median_ns / c->median_ns - 1, c->is_pinned));
    if (c->roofline_ns > 0 && c->median_ns > 0)
        text_printf(&w->out, "  roofline   %s: %.0f %% of it\n", time_text(arena, c->roofline_ns),
                    100 * c->roofline_ns / c->median_ns);
    text_printf(&w->out, "  chosen     %s%s%s\n", date_text(arena, c->date),
                c->driver ? ", driver " : "", c->driver ? c->driver : "");
}

static void put_number(CacheWork *w, int64_t value, int width) {
    if (value < 0)
        text_printf(&w->out, "%*s", width, "-");
    else
        text_printf(&w->out, "%*lld", width, (long long)value);
}

static void put_trial(CacheWork *w, const CacheTrial *t) {
    Text *out = &w->out;
    const bool is_tried = is_measured(t) || t->outcome != OUTCOME_OK;
    text_printf(out, "  %-9s", is_tried ? outcome_name(t->outcome) : "-");
    if (is_measured(t))
        text_printf(out, " %11s %5.1f%%", time_text(w->s->arena, t->median_ns), 100 * t->spread);
    else
        text_printf(out, " %11s %6s", "-", "-");
    put_number(w, t->registers, 5);
    put_number(w, t->spills, 7);
    put_number(w, t->shared_bytes, 8);
    t->error < 0 ? text_printf(out, " %6s", "-") : text_printf(out, " %6.2f", t->error);
    text_printf(out, "  %s%s%s\n", t->tile, t->ban ? "  banned: " : "", t->ban ? t->ban : "");
    if (t->note) text_printf(out, "            %s\n", t->note);
}

static void put_failures(CacheWork *w, const CacheTrials *trials) {
    int counts[OUTCOME_COUNT] = {0};
    for (int i = 0; i < trials->count; i++) counts[trials->at[i].outcome]++;
    text_printf(&w->out, "  trials     %d", trials->count);
    for (int i = 0; i < OUTCOME_COUNT; i++)
        if (counts[i]) text_printf(&w->out, ", %d %s", counts[i], outcome_name((CacheOutcome)i));
    text_str(&w->out, "\n");
}

static void put_tuning(CacheWork *w, const CacheEntry *e, const CacheTrials *trials) {
    text_printf(&w->out, "tuning     %s\n", e->name);
    put_fields(w, &e->about, NULL);
    put_fields(w, &e->key, &e->about);
    put_choice(w, e, trials);
    put_failures(w, trials);
    if (trials->count)
        text_printf(&w->out, "  %-9s %11s %6s %4s %6s %7s %6s  %s\n", "outcome", "median", "spread",
                    "regs", "spills", "shared", "error", "tile");
    for (int i = 0; i < trials->count; i++) put_trial(w, &trials->at[i]);
}

static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

static json_t *trial_json(const CacheTrial *t) {
    return json_pack("{s:s, s:s, s:f, s:f, s:i, s:i, s:i, s:I, s:f, s:o, s:I, s:o}", "tile",
                     t->tile, "outcome", outcome_name(t->outcome), "median_ns", t->median_ns,
                     "spread", t->spread, "rounds", t->rounds, "registers", t->registers, "spills",
                     t->spills, "shared_bytes", (json_int_t)t->shared_bytes, "error", t->error,
                     "note", text_or_null(t->note), "date", (json_int_t)t->date, "ban",
                     text_or_null(t->ban));
}

static void add_json(CacheWork *w, const CacheEntry *e, const CacheTrials *trials) {
    const CacheChoice *c = &e->choice;
    json_t *list = json_array();
    for (int i = 0; i < trials->count; i++) json_array_append_new(list, trial_json(&trials->at[i]));
    json_object_update_new(w->json,
                           json_pack("{s:s, s:s, s:o, s:o, s:I, s:f, s:I, s:I}", "key", e->name,
                                     "kind", e->kind == CACHE_CODE ? "code" : "tuning", "about",
                                     fields_json(&e->about), "fields", fields_json(&e->key),
                                     "bytes", (json_int_t)e->size, "seconds", e->seconds, "date",
                                     (json_int_t)e->date, "used", (json_int_t)e->used));
    if (e->kind != CACHE_TUNING) {
        json_decref(list);
        return;
    }
    json_object_set_new(w->json, "trials", list);
    json_object_set_new(w->json, "choice",
                        e->has_choice
                            ? json_pack("{s:s, s:f, s:f, s:f, s:b, s:b, s:o, s:I}", "tile", c->tile,
                                        "median_ns", c->median_ns, "default_ns", c->default_ns,
                                        "roofline_ns", c->roofline_ns, "pinned", c->is_pinned,
                                        "imported", c->is_imported, "driver",
                                        text_or_null(c->driver), "date", (json_int_t)c->date)
                            : json_null());
}

/* ---- the drawing ---------------------------------------------------------------------------- */

static const char *script_of(Arena *arena, const CacheTrials *trials, const char *choice) {
    Text out = text_new(arena);
    int rows = 0;
    text_str(&out, "set terminal svg size 800,480\nset ylabel 'microseconds'\n"
                   "set xlabel 'trial'\nset yrange [0:*]\nset key top right\n$trials << END\n");
    for (int i = 0; i < trials->count; i++)
        if (is_measured(&trials->at[i])) {
            const CacheTrial *t = &trials->at[i];
            text_printf(&out, "%d %.6g %.6g\n", ++rows, 1e-3 * t->median_ns,
                        1e-3 * t->median_ns * t->spread / 2);
        }
    text_str(&out, "END\nset title '");
    plot_label(&out, choice ? choice : "no choice");
    text_str(&out, "'\nplot $trials using 1:2:3 with yerrorbars pointtype 7 title 'trials'\n");
    return rows ? text_get(&out) : NULL;
}

static bool draw(CacheWork *w, const CacheTrials *trials, const char *choice) {
    const char *script = script_of(w->s->arena, trials, choice);
    if (!script) {
        diag_error(w->s->diag, NOWHERE, "no trial was measured: there is nothing to draw");
        return false;
    }
    return gnuplot_draw(w->s, script, w->s->options->plot);
}

bool cache_show(CacheWork *w) {
    const CacheEntry *e = entry_find(w, w->words[0], CACHE_CODE, true);
    if (!e) return false;
    CacheTrials trials = {0};
    if (e->kind == CACHE_TUNING) trials = cache_trials(w->cache, w->s->diag, w->s->arena, &e->key);
    e->kind == CACHE_TUNING ? put_tuning(w, e, &trials) : put_code(w, e);
    if (w->json) add_json(w, e, &trials);
    if (!w->s->options->plot) return true;
    return draw(w, &trials, e->has_choice ? e->choice.tile : NULL);
}
