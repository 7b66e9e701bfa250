/* tool.c: runs a program that reads a file and prints: gnuplot, Graphviz's dot, a disassembler.
 * In: the content of the file. Out: what the program prints; or why there is none. */
#include "cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST = 16 << 20 };

typedef struct ToolRun {
    Session *s;
    const char *program, *folder;
    const char *const *flags;
    const void *bytes;
    size_t size;
    ToolOutput made;
} ToolRun;

static char **words_of(const ToolRun *m, const char *in) {
    enum { FLAGS_MOST = 4 };
    char **words = arena_array(m->s->arena, char *, FLAGS_MOST + 3);
    int count = 0;
    words[count++] = arena_strdup(m->s->arena, m->program);
    for (int i = 0; m->flags[i]; i++) words[count++] = arena_strdup(m->s->arena, m->flags[i]);
    words[count] = arena_strdup(m->s->arena, in);
    return words;
}

static void run_program(void *of) {
    ToolRun *m = of;
    Session *s = m->s;
    const char *in = arena_printf(s->arena, "%s/tool.in", m->folder);
    const char *out = arena_printf(s->arena, "%s/tool.out", m->folder);
    Child child = {.arena = s->arena, .words = words_of(m, in), .log = out, .folder = m->folder};
    if (!file_write_atomic(s->diag, in, m->bytes, m->size)) return;
    const int error = child_run(&child);
    const bool ran = !error && WIFEXITED(child.status) && !WEXITSTATUS(child.status);
    if (!ran) {
        m->made.why = error == ENOENT ? "is not installed" : error ? strerror(error) : "failed";
        return;
    }
    char *text = file_read(s->diag, out, MOST, &m->made.size);
    if (text) arena_owns(s->arena, free, text);
    m->made.text = text;
}

static void remove_files(void *of) { folder_remove(((const ToolRun *)of)->folder); }

ToolOutput tool_run(Session *s, const char *program, const char *const *flags, const void *bytes,
                    size_t size) {
    ToolRun m = {.s = s, .program = program, .flags = flags, .bytes = bytes, .size = size};
    const char *why;
    m.folder = folder_make(s->arena, &why);
    if (!m.folder) return (ToolOutput){.why = why};
    interrupt_hold();
    ensure(run_program, remove_files, &m);
    interrupt_release();
    return m.made;
}

bool gnuplot_draw(Session *s, const char *script, const char *path) {
    static const char *const none[] = {NULL};
    const ToolOutput drawing = tool_run(s, "gnuplot", none, script, strlen(script));
    if (!drawing.text)
        diag_refuse(s->diag, "gnuplot, which draws %s, %s", path,
                    drawing.why ? drawing.why : "printed nothing");
    return drawing.text && write_output(s, path, drawing.text, drawing.size);
}
