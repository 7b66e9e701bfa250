/* drawing.c: runs gnuplot, or Graphviz's dot.
 * In: a script. Out: the SVG that the program prints; or why there is none. */
#include "cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST = 16 << 20 };

typedef struct Making {
    Session *s;
    const char *program, *flag, *script, *folder;
    Drawing made;
} Making;

static void run_program(void *of) {
    Making *m = of;
    Session *s = m->s;
    const char *in = arena_printf(s->arena, "%s/drawing.in", m->folder);
    const char *svg = arena_printf(s->arena, "%s/drawing.svg", m->folder);
    char *words[] = {arena_strdup(s->arena, m->program),
                     arena_strdup(s->arena, m->flag ? m->flag : in),
                     m->flag ? arena_strdup(s->arena, in) : NULL, NULL};
    Child child = {.arena = s->arena, .words = words, .log = svg, .folder = m->folder};
    if (!file_write_atomic(s->diag, in, m->script, strlen(m->script))) return;
    const int error = child_run(&child);
    const bool ran = !error && WIFEXITED(child.status) && !WEXITSTATUS(child.status);
    if (!ran) {
        m->made.why = error == ENOENT ? "is not installed" : error ? strerror(error) : "failed";
        return;
    }
    char *text = file_read(s->diag, svg, MOST, &m->made.size);
    if (text) arena_owns(s->arena, free, text);
    m->made.text = text;
}

static void remove_files(void *of) { folder_remove(((const Making *)of)->folder); }

Drawing drawing_make(Session *s, const char *program, const char *flag, const char *script) {
    Making m = {.s = s, .program = program, .flag = flag, .script = script};
    const char *why;
    m.folder = folder_make(s->arena, &why);
    if (!m.folder) return (Drawing){.why = why};
    interrupt_hold();
    ensure(run_program, remove_files, &m);
    interrupt_release();
    return m.made;
}

bool gnuplot_draw(Session *s, const char *script, const char *path) {
    const Drawing drawing = drawing_make(s, "gnuplot", NULL, script);
    if (!drawing.text)
        diag_refuse(s->diag, "gnuplot, which draws %s, %s", path,
                    drawing.why ? drawing.why : "printed nothing");
    return drawing.text && write_output(s, path, drawing.text, drawing.size);
}
