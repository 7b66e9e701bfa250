/* option_values.c: the value of each option.
 * In: a row of option_table.c and the text of its value. Out: a field of Options, or an error. */
#include "cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CHOICES_MOST = 26, THREADS_MOST = 1 << 16, REPEAT_MOST = 1 << 30, MIB_MOST = 1 << 20 };

static bool usage_error(Diag *diag, const char *option, const char *wants, const char *value) {
    diag_error(diag, NOWHERE, "%s wants %s, not '%s'", option, wants, value);
    return false;
}

static bool parse_integer(const char *text, int64_t lo, int64_t hi, int64_t *value) {
    char *end;
    errno = 0;
    long long parsed = strtoll(text, &end, 10);
    *value = parsed;
    return end != text && !*end && !errno && parsed >= lo && parsed <= hi;
}

static bool wrong_choice(Diag *diag, const char *option, const char *value,
                         const char *const *names, int count) {
    Text wants = text_new(diag->arena);
    for (int i = 0; i < count; i++)
        text_printf(&wants, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", names[i]);
    usage_error(diag, option, text_get(&wants), value);
    suggest(diag, strcmp(value, "gpu") ? value : "cuda", names, count);
    return false;
}

/* Which of the row's choices `value` is, counted from 0. */
static bool parse_choice(Diag *diag, const OptionRow *row, const char *value, int *number) {
    const char *names[CHOICES_MOST];
    int count = 0;
    for (char *word = arena_printf(diag->arena, "%s", row->choices), *end; word; word = end) {
        end = strchr(word, ' ');
        if (end) *end++ = 0;
        if (count == CHOICES_MOST) BUG("%s has more than %d choices", row->name, CHOICES_MOST);
        if (!strcmp(value, word)) return *number = count, true;
        names[count++] = word;
    }
    return wrong_choice(diag, row->name, value, names, count);
}

bool is_architecture(const char *name) {
    const size_t size = strlen(name);
    for (const char *word = ARCHITECTURES; *word; word += *word == ' ') {
        const size_t length = strcspn(word, " ");
        if (length == size && !memcmp(word, name, size)) return true;
        word += length;
    }
    return false;
}

/* "N=4096": the name, and the number in *value. */
static const char *parse_assignment(Diag *diag, const char *option, const char *text,
                                    int64_t *value) {
    const char *equals = strchr(text, '=');
    if (equals && equals > text && parse_integer(equals + 1, INT64_MIN, INT64_MAX, value))
        return arena_strndup(diag->arena, text, (size_t)(equals - text));
    usage_error(diag, option, "NAME=N with a whole number N", text);
    return NULL;
}

static bool add_binding(Diag *diag, const char *text, Options *o) {
    DimBinding binding = {0};
    binding.name = parse_assignment(diag, "-D", text, &binding.value);
    if (!binding.name) return false;
    vec_push(diag->arena, &o->bindings, binding);
    return true;
}

static bool set_keep_bytes(Diag *diag, const char *text, Options *o) {
    if (parse_integer(text, 1, INT64_MAX, &o->compile.keep_bytes)) return true;
    return usage_error(diag, "--keep-bytes", "a number of at least 1", text);
}

static bool set_limit(Diag *diag, const char *text, Options *o) {
    static const char *const names[] = {
#define LIMIT(name, value, what) #name,
#include "base/limits.def"
#undef LIMIT
    };
    int64_t value = 0;
    const char *name = parse_assignment(diag, "--limit", text, &value);
    if (!name) return false;
    int64_t *limit = limits_find(&o->compile.limits, name);
    if (limit && value < 1) return usage_error(diag, "--limit", "a number of at least 1", text);
    if (limit == &o->compile.limits.elements && value > ELEMENTS_MOST)
        return usage_error(diag, "--limit", "at most 281474976710656 elements", text);
    if (limit) {
        *limit = value;
        return true;
    }
    Text all = text_new(diag->arena);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) text_printf(&all, " %s", names[i]);
    diag_error(diag, NOWHERE, "there is no limit '%s'; there are%s", name, text_get(&all));
    suggest(diag, name, names, sizeof names / sizeof names[0]);
    return false;
}

/* Its bounds may be dims: ranges.c reads them when these are known. */
static bool set_range(Diag *diag, const char *text, Options *o) {
    const char *bounds = strchr(text, '=');
    if (!bounds || bounds == text || !strstr(bounds, ".."))
        return usage_error(diag, "--range", "NAME=LOW..HIGH, of numbers or dims", text);
    vec_push(diag->arena, &o->ranges, text);
    return true;
}

static bool set_number(Diag *diag, const char *option, const char *text, int most, int *number) {
    int64_t value;
    if (!parse_integer(text, 1, most, &value))
        return usage_error(diag, option, arena_printf(diag->arena, "a number from 1 to %d", most),
                           text);
    *number = (int)value;
    return true;
}

static bool set_level(Diag *diag, const char *text, Options *o) {
    int64_t level;
    if (!parse_integer(text, 0, 3, &level)) return usage_error(diag, "-O", "0, 1, 2 or 3", text);
    o->compile.opt = (int)level;
    return true;
}

static bool set_seed(Diag *diag, const char *text, Options *o) {
    int64_t seed;
    if (!parse_integer(text, 0, INT64_MAX, &seed))
        return usage_error(diag, "--seed", "a whole number of at least 0", text);
    o->seed = (uint64_t)seed;
    return true;
}

/* "30s", "5m", "1.5". */
static bool set_budget(Diag *diag, const char *text, Options *o) {
    enum { HOURS_MOST = 24 };
    char *end;
    o->budget = strtod(text, &end);
    const bool is_minutes = *end == 'm';
    if (end != text && (*end == 's' || *end == 'm')) end++;
    if (is_minutes) o->budget *= 60;
    if (end != text && !*end && o->budget > 0 && o->budget <= HOURS_MOST * 3600) return true;
    return usage_error(diag, "--budget", "a time up to a day, as in 30s or 5m", text);
}

/* One of the choices of an option's row, by its place among them. */
static bool set_choice(Diag *diag, const OptionRow *row, const char *text, Options *o) {
    int choice = 0;
    if (!parse_choice(diag, row, text, &choice)) return false;
    switch (row->id) {
    case OPT_ARCH: o->arch = o->compile.emit.arch = text; break;
    case OPT_EMIT: o->stage = (Stage)choice, o->emits_stage = true; break;
    case OPT_SORT: o->sort = (CacheSort)choice; break;
    case OPT_MERGE: o->merge = (Merge)choice; break;
    case OPT_COLOUR: o->colour = (Colour)choice; break;
    case OPT_DEVICE: o->device = (Where)choice; break;
    case OPT_EFFORT: o->effort = (Effort)choice; break;
    case OPT_TUNING: o->no_tuning = choice; break;
    default: BUG("choices of %s", row->name);
    }
    return true;
}

/* In MiB. */
static bool set_most(Diag *diag, const char *text, Options *o) {
    int mib = 0;
    if (!set_number(diag, "--most", text, MIB_MOST, &mib)) return false;
    o->most_bytes = (int64_t)mib << 20;
    return true;
}

static bool set_shard(Diag *diag, const char *text, Options *o) {
    enum { DEVICES_MOST = 1 << 20 };
    int64_t devices = 0;
    o->shard.dim = parse_assignment(diag, "--shard", text, &devices);
    if (!o->shard.dim) return false;
    if (devices < 2 || devices > DEVICES_MOST)
        return usage_error(diag, "--shard", "a number of devices from 2 to 1048576", text);
    o->shard.devices = (int)devices;
    return true;
}

/* A source and its header may be written at once. */
static bool add_output(Diag *diag, const char *path, Options *o) {
    const bool is_header = is_header_path(path);
    if (!o->output) {
        o->output = path;
    } else if (!o->header && is_header != is_header_path(o->output)) {
        o->header = is_header ? path : o->output;
        o->output = is_header ? o->output : path;
    } else {
        diag_error(diag, NOWHERE,
                   "-o is given twice: only a header may be written with something else, as in "
                   "-o x.cu -o x.h");
        return false;
    }
    return true;
}

/* ---- one option ----------------------------------------------------------------------------- */

/* The options that are set by being there. */
static bool *flag_of(OptionId id, Options *o) {
    switch (id) {
    case OPT_DEPEND: return &o->makes_depend;
    case OPT_WERROR: return &o->compile.warnings_are_errors;
    case OPT_WPERF: return &o->compile.perf_remarks;
    case OPT_WGRAD: return &o->compile.grad_warnings;
    case OPT_JSON: return &o->json;
    case OPT_EXPLAIN: return &o->explain;
    case OPT_MEMORY: return &o->memory;
    case OPT_ROOFLINE: return &o->roofline;
    case OPT_RESOURCES: return &o->resources;
    case OPT_CALIBRATE: return &o->calibrate;
    case OPT_ADVICE: return &o->advice;
    case OPT_DIAGNOSE: return &o->diagnose;
    case OPT_ALIGNED: return &o->compile.emit.aligned;
    case OPT_NO_TEST: return &o->compile.emit.no_test;
    case OPT_TIME: return &o->time_passes;
    case OPT_STALE: return &o->stale;
    case OPT_DRY_RUN: return &o->dry_run;
    case OPT_OFF: return &o->off;
    case OPT_RECOMPILE: return &o->recompile;
    case OPT_CHECK: return &o->check;
    case OPT_RESUME: return &o->resume;
    case OPT_HELP: return &o->help;
    case OPT_VERSION: return &o->version;
    default: return NULL;
    }
}

/* The options whose value is any text. */
static const char **text_of(OptionId id, Options *o) {
    switch (id) {
    case OPT_TARGET: return &o->target;
    case OPT_FN: return &o->compile.fn;
    case OPT_DEPEND_FILE: return &o->depend_path;
    case OPT_KEEP: return &o->keep;
    case OPT_MACHINE: return &o->machine;
    case OPT_TRACE: return &o->trace;
    case OPT_TIMES: return &o->times;
    case OPT_CACHE: return &o->cache;
    case OPT_OF_MODEL: return &o->of_model;
    case OPT_FAMILY: return &o->family;
    case OPT_PLOT: return &o->plot;
    case OPT_REASON: return &o->reason;
    case OPT_OUT: return &o->out_file;
    case OPT_AGAINST: return &o->against;
    case OPT_SAVE_INPUTS: return &o->inputs_file;
    case OPT_TUNE_LOCK: return &o->tune_lock;
    default: return NULL;
    }
}

bool option_set(Diag *diag, const OptionRow *row, const char *value, Options *o) {
    bool *flag = flag_of(row->id, o);
    const char **text = text_of(row->id, o);
    if (flag) *flag = true;
    if (text) *text = value;
    if (flag || text) return true;
    switch (row->id) {
    case OPT_OUTPUT: return add_output(diag, value, o);
    case OPT_DEFINE: return add_binding(diag, value, o);
    case OPT_INCLUDE: vec_push(diag->arena, &o->import_dirs, value); return true;
    case OPT_LEVEL: return set_level(diag, value, o);
    case OPT_MOST: return set_most(diag, value, o);
    case OPT_SWEEP:
        return sweep_read(diag->arena, value, &o->sweep) ||
               usage_error(diag, "--sweep", sweep_wants, value);
    case OPT_SHARD: return set_shard(diag, value, o);
    case OPT_KEEP_BYTES: return set_keep_bytes(diag, value, o);
    case OPT_LIMIT: return set_limit(diag, value, o);
    case OPT_TILE: return tile_parse(diag, row->name, value, &o->compile.tile_pins);
    case OPT_IN: vec_push(diag->arena, &o->in_files, value); return true;
    case OPT_SEED: return set_seed(diag, value, o);
    case OPT_RANGE: return set_range(diag, value, o);
    case OPT_THREADS: return set_number(diag, "--threads", value, THREADS_MOST, &o->threads);
    case OPT_REPEAT: return set_number(diag, "--repeat", value, REPEAT_MOST, &o->repeat);
    case OPT_BUDGET: return set_budget(diag, value, o);
    default: return set_choice(diag, row, value, o);
    }
}
