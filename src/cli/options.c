/* options.c: the arguments of the command line, by the tables of option_table.c.
 * In: argv. Out: Options, or errors. Options and files may be mixed; `--` ends the options. A value
 * is the next argument, or follows `=`, or, for -D -O -o -MF, follows without space. */
#include "cli/command.h"

#include <limits.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { NEAR = 3 }; /* letters, at most */

/* Of words of two letters, such as -d, only the case may differ. */
bool suggest(Diag *diag, const char *wrong, const char *const *names, int count) {
    int best = INT_MAX, at = -1, size = (int)strlen(wrong);
    int most = size / 3 < NEAR ? size / 3 : NEAR;
    for (int i = 0; i < count; i++) {
        int distance = strcasecmp(wrong, names[i]) ? text_distance(wrong, names[i], most) : 0;
        if (distance < best && distance <= most) best = distance, at = i;
    }
    if (at >= 0) diag_note(diag, NOWHERE, "did you mean '%s'?", names[at]);
    return at >= 0;
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
        if (!*rest || *rest == '=' || (row->value && row->joined)) return row;
    }
    return NULL;
}

static bool unwanted_value(Diag *diag, const OptionRow *row, const char *value) {
    diag_error(diag, NOWHERE, "%s takes no value, and '%s' is given", row->name, value);
    return false;
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
    if (!suggest(diag, wrong, names, count))
        diag_note(diag, NOWHERE, "`fusec%s%s --help` lists the options", name ? " " : "",
                  name ? name : "");
    return false;
}

/* ---- an option that is given twice ---------------------------------------------------------- */

/* Some have any number of values. Of a tile, tile_parse compares the keys, of -o add_output the
 * files. */
static bool has_many_values(OptionId id) {
    return id == OPT_OUTPUT || id == OPT_INCLUDE || id == OPT_IN || id == OPT_TILE;
}

/* The bytes of a NAME=.. that names what is set: another name is another value. */
static size_t name_size(OptionId id, const char *value) {
    const bool has_name = id == OPT_DEFINE || id == OPT_RANGE || id == OPT_LIMIT;
    return has_name ? strcspn(value, "=") : 0;
}

static bool is_same_name(OptionId id, const char *a, const char *b) {
    const size_t size = name_size(id, a);
    return size == name_size(id, b) && !strncmp(a, b, size);
}

static bool given_twice(Diag *diag, const OptionRow *row, const char *first, const char *second) {
    const size_t size = name_size(row->id, second);
    if (size)
        diag_error(diag, NOWHERE, "%s gives %s twice, as %s and as %s", row->name,
                   arena_strndup(diag->arena, second, size), first + size + 1, second + size + 1);
    else
        diag_error(diag, NOWHERE, "%s is given twice, as %s and as %s", row->name, first, second);
    return false;
}

/* Sets what the option says. A second value is an error, so that the order never matters; the same
 * value again changes nothing. */
static bool option_add(Diag *diag, const OptionRow *row, const char *value, Options *o) {
    for (int i = 0; value && i < o->given.count; i++) {
        const GivenOption *before = &o->given.at[i];
        if (before->row->id != row->id) continue;
        if (!strcmp(before->value, value)) return true;
        if (!has_many_values(row->id) && is_same_name(row->id, before->value, value))
            return given_twice(diag, row, before->value, value);
    }
    if (!option_set(diag, row, value, o)) return false;
    const GivenOption given = {row, value};
    vec_push(diag->arena, &o->given, given);
    return true;
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
        if (!row->value && value) return unwanted_value(diag, row, value);
        if (row->value && !value && ++i < count) value = arguments[i];
        if (row->value && !value) {
            diag_error(diag, NOWHERE, "%s wants a value: %s %s", row->name, row->name, row->value);
            return false;
        }
        if (!option_add(diag, row, value, o)) return false;
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

/* What a file too many was probably meant as. */
static const char *meant_as(const Options *o, const char *file) {
    const char *suffix = strrchr(file, '.');
    if (strchr(file, '=')) return "; sizes are given by -D";
    if (o->command == CMD_RUN && suffix &&
        (!strcmp(suffix, ".npy") || !strcmp(suffix, ".safetensors")))
        return "; inputs are given by --in";
    return "";
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
                   meant_as(o, o->files.at[most]));
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
