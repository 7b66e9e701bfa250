/* cmd_fmt.c: fusec fmt: formats models.
 * In: files. Out: the same files, rewritten if that changes them; with --check only the names of
 * those; `-` is a filter. A file that does not parse is not changed. */
#include "cli/command.h"

#include <string.h>

/* Appends the file's name to `changed` if it is not in canonical form. */
static void format_file(Session *s, const char *path, Text *changed) {
    const Limits *limits = &s->options->compile.limits;
    bool is_filter = !strcmp(path, "-");
    uint32_t file;
    if (!model_read(s, path, &file)) return;
    Text out = text_new(s->arena);
    if (!format(s->arena, s->diag, file, limits, &out)) return;
    const Source *source = &s->diag->sources.at[file];
    bool same = out.size == source->size && !memcmp(text_get(&out), source->text, out.size);
    if (s->options->check && !same) text_printf(changed, "%s\n", path);
    if (!s->options->check && (is_filter || !same)) write_output(s, path, text_get(&out), out.size);
}

Status cmd_fmt(Session *s) {
    Text changed = text_new(s->arena);
    for (int i = 0; i < s->options->files.count; i++)
        format_file(s, s->options->files.at[i], &changed);
    if (changed.size) write_output(s, "-", changed.data, changed.size);
    Status status = diag_status(s->diag);
    return status == STATUS_OK && changed.size ? STATUS_WRONG : status;
}
