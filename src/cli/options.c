/* options.c: the arguments of the command line, by the tables of option_table.c.
 * In: argv. Out: Options, or errors. Options and files may be mixed; `--` ends the options. A value
 * is the next argument, or follows `=`, or, for -D -O -o -MF, follows without space. */
#include "cli/command.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    NEAR = 3,
    CHOICES_MOST = 8,
    THREADS_MOST = 1 << 16,
    REPEAT_MOST = 1 << 30,
    MIB_MOST = 1 << 20
};

/* Of words of two letters, such as -d, only the case may differ. */
void suggest(Diag *diag, const char *wrong, const char *const *names, int count) {
    int best = INT_MAX, at = -1, size = (int)strlen(wrong);
    int most = size / 3 < NEAR ? size / 3 : NEAR;
    for (int i = 0; i < count; i++) {
        int distance = strcasecmp(wrong, names[i]) ? text_distance(wrong, names[i], most) : 0;
        if (distance < best && distance <= most) best = distance, at = i;
    }
    if (at >= 0) diag_note(diag, NOWHERE, "did you mean '%s'?", names[at]);
}

/* ---- values --------------------------------------------------------------------------------- */

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
    for (int i = 0; i < o->bindings.count; i++)
        if (!strcmp(o->bindings.at[i].name, binding.name)) {
            diag_error(diag, NOWHERE, "-D gives %s twice, as %lld and as %lld", binding.name,
                       (long long)o->bindings.at[i].value, (long long)binding.value);
            return false;
        }
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
    if (limit) {
        *limit = value;
        return true;
    }
    diag_error(diag, NOWHERE, "there is no limit '%s'", name);
    suggest(diag, name, names, sizeof names / sizeof names[0]);
    return false;
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

enum { OLDEST_SM = 75, NEWEST_SM = 121 };

/* It becomes part of a compiler command: letters, digits and _ only. */
static bool set_arch(Diag *diag, const char *text, Options *o) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    bool is_real = !strncmp(text, "sm_", 3) || !strncmp(text, "compute_", 8);
    if (!is_real || text[strspn(text, allowed)])
        return usage_error(diag, "--arch", "an architecture such as sm_90a", text);
    int sm = atoi(strchr(text, '_') + 1);
    if (sm < OLDEST_SM || sm > NEWEST_SM)
        return usage_error(diag, "--arch", "an architecture from sm_75 to sm_121", text);
    o->arch = o->compile.emit.arch = text;
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

static bool set_effort(Diag *diag, const OptionRow *row, const char *text, Options *o) {
    int effort = 0;
    if (!parse_choice(diag, row, text, &effort)) return false;
    o->effort = (Effort)effort;
    return true;
}

static bool set_tuning(Diag *diag, const OptionRow *row, const char *text, Options *o) {
    int choice = 0;
    if (!parse_choice(diag, row, text, &choice)) return false;
    o->no_tuning = choice;
    return true;
}

static bool set_stage(Diag *diag, const OptionRow *row, const char *text, Options *o) {
    int stage = 0;
    if (!parse_choice(diag, row, text, &stage)) return false;
    o->stage = (Stage)stage;
    o->emits_stage = true;
    return true;
}

static bool set_colour(Diag *diag, const OptionRow *row, const char *text, Options *o) {
    int when = 0;
    if (!parse_choice(diag, row, text, &when)) return false;
    o->colour = (Colour)when;
    return true;
}

static bool set_device(Diag *diag, const OptionRow *row, const char *text, Options *o) {
    int device = 0;
    if (!parse_choice(diag, row, text, &device)) return false;
    o->device = (Where)device;
    return true;
}

static bool set_sort(Diag *diag, const OptionRow *row, const char *text, Options *o) {
    int sort = 0;
    if (!parse_choice(diag, row, text, &sort)) return false;
    o->sort = (CacheSort)sort;
    return true;
}

static bool set_merge(Diag *diag, const OptionRow *row, const char *text, Options *o) {
    int merge = 0;
    if (!parse_choice(diag, row, text, &merge)) return false;
    o->merge = (Merge)merge;
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

static bool option_set(Diag *diag, const OptionRow *row, const char *value, Options *o) {
    bool *flag = flag_of(row->id, o);
    const char **text = text_of(row->id, o);
    if (flag) *flag = true;
    if (text) *text = value;
    if (flag || text) return true;
    switch (row->id) {
    case OPT_OUTPUT: return add_output(diag, value, o);
    case OPT_DEFINE: return add_binding(diag, value, o);
    case OPT_INCLUDE: vec_push(diag->arena, &o->import_dirs, value); return true;
    case OPT_ARCH: return set_arch(diag, value, o);
    case OPT_LEVEL: return set_level(diag, value, o);
    case OPT_EMIT: return set_stage(diag, row, value, o);
    case OPT_SORT: return set_sort(diag, row, value, o);
    case OPT_MERGE: return set_merge(diag, row, value, o);
    case OPT_MOST: return set_most(diag, value, o);
    case OPT_SWEEP:
        return sweep_read(diag->arena, value, &o->sweep) ||
               usage_error(diag, "--sweep", sweep_wants, value);
    case OPT_SHARD: return set_shard(diag, value, o);
    case OPT_KEEP_BYTES: return set_keep_bytes(diag, value, o);
    case OPT_LIMIT: return set_limit(diag, value, o);
    case OPT_TILE: return tile_parse(diag, value, &o->compile.tile_pins);
    case OPT_COLOUR: return set_colour(diag, row, value, o);
    case OPT_IN: vec_push(diag->arena, &o->in_files, value); return true;
    case OPT_SEED: return set_seed(diag, value, o);
    case OPT_RANGE: vec_push(diag->arena, &o->ranges, value); return true;
    case OPT_DEVICE: return set_device(diag, row, value, o);
    case OPT_THREADS: return set_number(diag, "--threads", value, THREADS_MOST, &o->threads);
    case OPT_REPEAT: return set_number(diag, "--repeat", value, REPEAT_MOST, &o->repeat);
    case OPT_BUDGET: return set_budget(diag, value, o);
    case OPT_EFFORT: return set_effort(diag, row, value, o);
    case OPT_TUNING: return set_tuning(diag, row, value, o);
    default: BUG("option %s", row->name);
    }
}

/* The row for an argument; *value is the value in the same argument, or NULL. */
static const OptionRow *option_find(CommandId command, const char *argument, const char **value) {
    for (int i = 0; i < option_row_count; i++) {
        const OptionRow *row = &option_rows[i];
        size_t size = strlen(row->name);
        if (!(row->commands & command) || strncmp(argument, row->name, size) != 0) continue;
        const char *rest = argument + size;
        *value = *rest == '=' && !row->joined ? rest + 1 : rest;
        if (!*rest) *value = NULL;
        if (!*rest || (row->value && (*rest == '=' || row->joined))) return row;
    }
    return NULL;
}

static bool unknown_option(Diag *diag, CommandId command, const char *argument) {
    const char **names = arena_array(diag->arena, const char *, option_row_count);
    int count = 0;
    const char *wrong = arena_strndup(diag->arena, argument, strcspn(argument, "="));
    for (int i = 0; i < option_row_count; i++)
        if (option_rows[i].commands & command) names[count++] = option_rows[i].name;
    const char *name = command_row(command)->name;
    diag_error(diag, NOWHERE, "unknown option '%s'%s%s", wrong, name ? " of fusec " : "",
               name ? name : "");
    suggest(diag, wrong, names, count);
    return false;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bool options_read(Diag *diag, int count, char **arguments, Options *o) {
    bool only_files = false;
    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i], *value;
        if (only_files || argument[0] != '-' || !argument[1]) {
            vec_push(diag->arena, &o->files, argument);
            continue;
        }
        if (!strcmp(argument, "-h")) argument = "--help";
        only_files = !strcmp(argument, "--");
        if (only_files) continue;
        const OptionRow *row = option_find(o->command, argument, &value);
        if (!row) return unknown_option(diag, o->command, argument);
        if (row->value && !value && ++i < count) value = arguments[i];
        if (row->value && !value) {
            diag_error(diag, NOWHERE, "%s wants a value: %s %s", row->name, row->name, row->value);
            return false;
        }
        if (!option_set(diag, row, value, o)) return false;
    }
    return true;
}

/* A first word that is neither a file nor a command was probably meant as a command. */
static bool unknown_command(Diag *diag, const char *word) {
    const char **names = arena_array(diag->arena, const char *, command_row_count);
    int count = 0;
    for (int i = 0; i < command_row_count; i++)
        if (command_rows[i].name) names[count++] = command_rows[i].name;
    diag_error(diag, NOWHERE, "'%s' is neither a command nor a file", word);
    suggest(diag, word, names, count);
    if (!strcmp(word, "help")) diag_note(diag, NOWHERE, "`fusec --help` lists the commands");
    return false;
}

static bool files_suit(Diag *diag, const Options *o) {
    const CommandRow *row = command_row(o->command);
    const bool needs_none = o->command == CMD_DOCTOR || o->command == CMD_MACHINES || o->calibrate;
    int least = needs_none ? 0 : 1;
    int most = o->command == CMD_FMT || o->command == CMD_CACHE ? INT_MAX : least;
    if (o->help || o->version) return true;
    if (o->files.count && o->command == CMD_COMPILE && !strpbrk(o->files.at[0], "./-") &&
        access(o->files.at[0], F_OK))
        return unknown_command(diag, o->files.at[0]);
    if (o->files.count >= least && o->files.count <= most) return true;
    if (o->files.count < least)
        diag_error(diag, NOWHERE,
                   o->command == CMD_CACHE ? "fusec cache wants a word: see fusec cache --help"
                                           : "no file is given");
    else
        diag_error(diag, NOWHERE, "one file too many: '%s'%s", o->files.at[most],
                   strchr(o->files.at[most], '=') ? "; sizes are given by -D" : "");
    diag_note(diag, NOWHERE, "usage: %s", row->usage);
    return false;
}

bool options_parse(Diag *diag, int count, char **arguments, Options *o) {
    *o = (Options){
        .command = CMD_COMPILE, .compile = compile_options_default(), .effort = EFFORT_NORMAL};
    o->is_tune_worker = count && !strcmp(arguments[0], "tune-worker"); /* started by tune only */
    if (o->is_tune_worker) o->command = CMD_TUNE;
    for (int i = 0; count && i < command_row_count; i++)
        if (command_rows[i].name && !strcmp(arguments[0], command_rows[i].name))
            o->command = command_rows[i].id;
    int skip = o->command != CMD_COMPILE;
    o->words = arguments + skip;
    o->word_count = count - skip;
    if (!options_read(diag, count - skip, arguments + skip, o) || !files_suit(diag, o))
        return false;
    o->compile.bindings = o->bindings.at;
    o->compile.binding_count = o->bindings.count;
    vec_push(diag->arena, &o->import_dirs, NULL);
    o->compile.import_dirs = o->import_dirs.at;
    return true;
}
