/* cmd_cache_why.c: fusec cache why: would this model be compiled, and why?
 * In: a model with options, as of fusec run. Out: for each function, that its code is there, or the
 * first field in which it differs from the nearest entry. */
#include "cli/cache_command.h"

#include <string.h>

typedef struct Why {
    CacheWork *w;
    FusecContext *context;
    json_t *functions;
} Why;

/* What the fields are called in sentences. */
static const char *words_of(const char *field) {
    static const char *const words[][2] = {
        {"text", "the text of the model"}, {"options", "the options"},
        {"fusec", "the version of fusec"}, {"function", "the function"},
        {"device", "the device"},          {"arch", "the architecture of the GPU"},
        {"chip", "the processor"},         {"features", "the features of the processor"},
        {"compiler", "the compiler"},      {"version", "the version of the compiler"},
        {"nvrtc", "the version of NVRTC"}, {"flags", "the flags of the compiler"},
        {"source", "the emitted source"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i][0], field)) return words[i][1];
    return field; /* "dim N" */
}

static void put_difference(Why *why, const char *function, const CacheDifference *d) {
    Text *out = &why->w->out;
    if (d->is_found) {
        text_printf(out, "%s: its code is in the cache\n", function);
    } else if (!strcmp(d->field, "new")) {
        text_printf(out, "%s: not in the cache, nor anything like it\n", function);
    } else {
        const bool is_source = !strcmp(d->field, "source"); /* too long to be shown */
        text_printf(out, "%s: not in the cache; the nearest entry differs in %s\n", function,
                    words_of(d->field));
        if (!is_source)
            text_printf(out, "  here   %s\n  there  %s\n", d->wanted ? d->wanted : "(not given)",
                        d->found ? d->found : "(not given)");
        if (d->count > 1) text_printf(out, "  and in %d more\n", d->count - 1);
    }
}

static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

static json_t *difference_json(const char *function, const CacheDifference *d) {
    if (d->is_found) return json_pack("{s:s, s:b}", "function", function, "found", 1);
    const bool is_source = !strcmp(d->field, "source");
    return json_pack("{s:s, s:b, s:s, s:o, s:o, s:i}", "function", function, "found", 0, "field",
                     d->field, "here", text_or_null(is_source ? NULL : d->wanted), "there",
                     text_or_null(is_source ? NULL : d->found), "differences",
                     strcmp(d->field, "new") ? d->count : 0);
}

static bool explain_one(Why *why, const Program *program) {
    Session *s = why->w->s;
    Device *device = context_device(why->context);
    Cache *cache = context_cache(why->context);
    CacheDifference d;
    if (!cache) {
        diag_refuse(s->diag, "there is no cache to look into");
        return false;
    }
    const KeyFields key = device->key(device, s->diag, program);
    if (!key.count) {
        diag_refuse(s->diag, "the code for this device is not kept: its compiler is not known");
        return false;
    }
    if (!cache_why(cache, s->diag, s->arena, &key, &program->about, &d)) return false;
    put_difference(why, program->model_name, &d);
    if (why->functions)
        json_array_append_new(why->functions, difference_json(program->model_name, &d));
    return true;
}

static void explain(void *of) {
    Why *why = of;
    Session *s = why->w->s;
    CompileOptions options = s->options->compile;
    context_target(why->context, &options);
    const Compilation *c = compile_file(s, &options);
    bool ok = c && c->programs && diag_status(s->diag) == STATUS_OK;
    for (int i = 0; ok && i < c->functions.count; i++) ok = explain_one(why, &c->programs[i]);
}

static void close_context(void *of) { context_close(((Why *)of)->context); }

bool cache_explain(CacheWork *w) {
    Why why = {.w = w, .context = context_open(w->s)};
    if (!why.context) return false;
    if (w->json) {
        why.functions = json_array();
        json_object_set_new(w->json, "functions", why.functions);
    }
    w->s->options->files.at[0] = w->words[0]; /* the model */
    ensure(explain, close_context, &why);
    return diag_status(w->s->diag) == STATUS_OK;
}
