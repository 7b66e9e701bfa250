/* overwritten.c: what a command must not write: a file that it reads, or one for two of its
 * outputs. In: the options. Out: true, or a message. */
#include "cli/command.h"

#include <string.h>
#include <sys/stat.h>

enum { OUTPUTS_MOST = 7 };

typedef struct Outputs {
    const char *path[OUTPUTS_MOST];
    int count;
} Outputs;

static void add(Outputs *outputs, const char *path) {
    if (path && strcmp(path, "-") != 0) outputs->path[outputs->count++] = path;
}

const char *depend_path(Session *s) {
    const Options *o = s->options;
    if (o->depend_path || !o->makes_depend || !o->output) return o->depend_path;
    const char *slash = strrchr(o->output, '/'), *dot = strrchr(slash ? slash : o->output, '.');
    const size_t stem = dot ? (size_t)(dot - o->output) : strlen(o->output);
    return arena_printf(s->arena, "%.*s.d", (int)stem, o->output);
}

static Outputs outputs_of(Session *s) {
    const Options *o = s->options;
    Outputs outputs = {0};
    add(&outputs, o->output);
    add(&outputs, o->header);
    add(&outputs, depend_path(s));
    add(&outputs, o->trace);
    add(&outputs, o->out_file);
    add(&outputs, o->inputs_file);
    if (o->command == CMD_TUNE) add(&outputs, o->tune_lock);
    return outputs;
}

/* Are both one regular file, by whatever path? */
static bool is_file(const char *a, const char *b) {
    struct stat of_a, of_b;
    return !stat(a, &of_a) && !stat(b, &of_b) && S_ISREG(of_a.st_mode) &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

static bool is_output(const Outputs *outputs, const char *path) {
    for (int i = 0; i < outputs->count; i++)
        if (is_file(path, outputs->path[i])) return true;
    return false;
}

/* The second of two that are one; NULL: there are none. */
static const char *twice(const Outputs *outputs) {
    for (int i = 0; i < outputs->count; i++)
        for (int j = 0; j < i; j++)
            if (!strcmp(outputs->path[i], outputs->path[j]) ||
                is_file(outputs->path[i], outputs->path[j]))
                return outputs->path[i];
    return NULL;
}

bool outputs_spare_model(Session *s) {
    const Outputs outputs = outputs_of(s);
    const NameVec *files = &s->options->files;
    const char *const both = twice(&outputs);
    const bool is_cache = s->options->command == CMD_CACHE; /* whose first word is no file */
    for (int i = 0; !is_cache && i < files->count; i++) {
        if (!strcmp(files->at[i], "-") || !is_output(&outputs, files->at[i])) continue;
        diag_error(s->diag, NOWHERE, "the output '%s' is the model itself", files->at[i]);
        return is_misuse(s);
    }
    if (!both) return true;
    diag_error(s->diag, NOWHERE, "'%s' is the path of two outputs", both);
    return is_misuse(s);
}

bool outputs_spare_headers(Session *s, const Compilation *c) {
    const Outputs outputs = outputs_of(s);
    for (int i = 0; c->model && c->model->imports && i < c->model->imports->files.count; i++) {
        const char *path = c->model->imports->files.at[i].path;
        if (!is_output(&outputs, path)) continue;
        diag_error(s->diag, NOWHERE, "'%s' is a header that the model imports", path);
        return false;
    }
    return true;
}
