/* cmd_cache_why.c: fusec cache why: would this model be compiled, or have default tiles, and why?
 * In: a model with options, as of fusec run. Out: for the code of each function and the choices of
 * its kernels, that they are there, or the first field in which they differ from the nearest. */
#include "cli/cache_command.h"

#include <string.h>

typedef struct Why {
    CacheWork *w;
    FusecContext *context;
    json_t *functions;
} Why;

/* What the fields are called in sentences. */
static const char *words_of(const char *field) {
    static const char *const words[][2] = {{"text", "the text of the model"},
                                           {"options", "the options"},
                                           {"choices", "what `fusec tune` has chosen"},
                                           {"fusec", "the version of fusec"},
                                           {"function", "the function"},
                                           {"device", "the device"},
                                           {"arch", "the architecture of the GPU"},
                                           {"chip", "the processor"},
                                           {"size", "the size of the GPU"},
                                           {"features", "the features of the processor"},
                                           {"compiler", "the compiler"},
                                           {"version", "the version of the compiler"},
                                           {"nvrtc", "the version of NVRTC"},
                                           {"flags", "the flags of the compiler"},
                                           {"source", "the emitted source"},
                                           {"threads", "the number of threads"},
                                           {"toolchain", "the version of the compiler"},
                                           {"kernel", "the kernel"},
                                           {"part", "the part of the kernel"},
                                           {"family", "the family of the kernel"},
                                           {"shape", "the sizes"},
                                           {"numeric", "the numeric mode"},
                                           {"kernel text", "the text of the kernel"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i][0], field)) return words[i][1];
    return field; /* "dim N" */
}

/* Too long to be shown? */
static bool is_long(const char *field) {
    return !strcmp(field, "source") || !strcmp(field, "kernel text");
}

/* what: "not in the cache", "entry" */
static void put_difference(Text *out, const CacheDifference *d, const char *missing,
                           const char *nearest) {
    if (!strcmp(d->field, "new")) {
        text_printf(out, "%s, nor anything like it\n", missing);
        return;
    }
    text_printf(out, "%s; the nearest %s differs in %s\n", missing, nearest, words_of(d->field));
    if (!is_long(d->field))
        text_printf(out, "  here   %s\n  there  %s\n", d->wanted ? d->wanted : "(not given)",
                    d->found ? d->found : "(not given)");
    if (d->count > 1) text_printf(out, "  and in %d more\n", d->count - 1);
}

static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

/* Adds to the object what differs. */
static void add_difference(json_t *to, const CacheDifference *d) {
    const bool is_shown = !is_long(d->field);
    json_object_update_new(to, json_pack("{s:s, s:o, s:o, s:i}", "field", d->field, "here",
                                         text_or_null(is_shown ? d->wanted : NULL), "there",
                                         text_or_null(is_shown ? d->found : NULL), "differences",
                                         strcmp(d->field, "new") ? d->count : 0));
}

/* ---- code ----------------------------------------------------------------------------------- */

/* The object that its choices are added to; NULL without --json. */
static json_t *put_code(Why *why, const char *function, const CacheDifference *d) {
    Text *out = &why->w->out;
    text_printf(out, "%s: ", function);
    if (d->is_found)
        text_str(out, "its code is in the cache\n");
    else
        put_difference(out, d, "not in the cache", "entry");
    if (!why->functions) return NULL;
    json_t *one = json_pack("{s:s, s:b}", "function", function, "found", d->is_found);
    if (!d->is_found) add_difference(one, d);
    json_array_append_new(why->functions, one);
    return one;
}

static bool explain_code(Why *why, const Program *program, json_t **object) {
    Session *s = why->w->s;
    Device *device = context_device(why->context);
    CacheDifference d;
    const KeyFields key = device->key(device, s->diag, program);
    if (!key.count) {
        diag_refuse(s->diag, "the code for this device is not kept: its compiler is not known");
        return false;
    }
    if (!cache_why(context_cache(why->context), s->diag, s->arena, CACHE_CODE, &key,
                   &program->about, &d))
        return false;
    *object = put_code(why, program->model_name, &d);
    return true;
}

/* ---- choices -------------------------------------------------------------------------------- */

static const char *state_words(const Recall *r) {
    static const char *const words[] = {
        [RECALL_USED] = "its choice is in the cache: ",
        [RECALL_MISSING] = "nothing was chosen",
        [RECALL_IMPORTED] = "its choice was imported and not verified here, `fusec tune` does: ",
        [RECALL_UNFIT] = "its choice is not used, it is not legal here: "};
    return TABLE_ROW(words, r->state, "recall");
}

static const char *state_name(const Recall *r) {
    static const char *const names[] = {[RECALL_USED] = "used",
                                        [RECALL_MISSING] = "missing",
                                        [RECALL_IMPORTED] = "imported",
                                        [RECALL_UNFIT] = "not legal"};
    return TABLE_ROW(names, r->state, "recall");
}

/* Trials without a choice are of a search that was interrupted, or their tiles are banned. */
static void put_missing(Why *why, const Recall *r, const CacheDifference *d) {
    Session *s = why->w->s;
    const CacheTrials trials =
        cache_trials(context_cache(why->context), s->diag, s->arena, &r->key);
    if (trials.count)
        text_printf(&why->w->out, "%s, of %d tiles that were tried\n", state_words(r),
                    trials.count);
    else
        put_difference(&why->w->out, d, state_words(r), "choice");
}

static json_t *choice_json(const Recall *r, const CacheDifference *d) {
    json_t *one = json_pack("{s:s, s:s}", "kernel", r->kernel, "state", state_name(r));
    if (r->part) json_object_set_new(one, "part", json_string(r->part));
    if (r->state == RECALL_MISSING)
        add_difference(one, d);
    else
        json_object_set_new(one, "tile", json_string(r->choice.tile));
    return one;
}

/* Most functions have no other partition to choose: one that is new is not worth a word. */
static bool explain_choice(Why *why, const char *function, const Recall *r, json_t *choices) {
    Session *s = why->w->s;
    const bool is_partition = !strcmp(r->kernel, PARTITION);
    CacheDifference d = {.field = "new"};
    if (r->state == RECALL_MISSING && !cache_why(context_cache(why->context), s->diag, s->arena,
                                                 CACHE_TUNING, &r->key, r->about, &d))
        return false;
    if (is_partition && r->state == RECALL_MISSING && !strcmp(d.field, "new")) return true;
    text_printf(&why->w->out, "%s%s%s%s: ", is_partition ? function : r->kernel,
                is_partition ? ", partition" : "", r->part ? ":" : "", r->part ? r->part : "");
    if (r->state == RECALL_MISSING)
        put_missing(why, r, &d);
    else
        text_printf(&why->w->out, "%s%s\n", state_words(r), r->choice.tile);
    if (choices) json_array_append_new(choices, choice_json(r, &d));
    return true;
}

/* ---- both ----------------------------------------------------------------------------------- */

static bool explain_one(Why *why, const Program *program, int function, const Recalls *recalls) {
    json_t *object = NULL, *choices = why->functions ? json_array() : NULL;
    bool ok = explain_code(why, program, &object);
    for (int i = 0; ok && i < recalls->count; i++)
        if (recalls->at[i].function == function)
            ok = explain_choice(why, program->model_name, &recalls->at[i], choices);
    if (!object)
        json_decref(choices);
    else
        json_object_set_new(object, "choices", choices);
    return ok;
}

static void explain(void *of) {
    Why *why = of;
    Session *s = why->w->s;
    CompileOptions options = s->options->compile;
    Recalls recalls = {0};
    if (!context_cache(why->context)) {
        diag_refuse(s->diag, "there is no cache to look into");
        return;
    }
    context_target(why->context, &options);
    const Compilation *c = compile_tuned(s, why->context, &options, &recalls);
    bool ok = c && c->programs && diag_status(s->diag) == STATUS_OK;
    for (int i = 0; ok && i < c->functions.count; i++)
        ok = explain_one(why, &c->programs[i], i, &recalls);
}

static void close_context(void *of) { context_close(((Why *)of)->context); }

bool cache_explain(CacheWork *w) {
    Why why = {.w = w};
    if (!cache_found(w, false) || !(why.context = context_open(w->s))) return false;
    if (w->json) {
        why.functions = json_array();
        json_object_set_new(w->json, "functions", why.functions);
    }
    w->s->options->files.at[0] = w->words[0]; /* the model */
    ensure(explain, close_context, &why);
    return diag_status(w->s->diag) == STATUS_OK;
}
