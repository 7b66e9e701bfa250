/* gnuplot.c: runs gnuplot.
 * In: a script, which sets a terminal for SVG. Out: the drawing in a file, or a refusal. */
#include "cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16 << 20 };

typedef struct Drawing {
    Session *s;
    const char *script, *path, *folder, *in, *svg;
    bool done;
} Drawing;

static void run_gnuplot(void *of) {
    Drawing *d = of;
    Session *s = d->s;
    char *words[] = {"gnuplot", arena_strdup(s->arena, d->in), NULL};
    Child child = {.arena = s->arena, .words = words, .log = d->svg, .folder = d->folder};
    if (!file_write_atomic(s->diag, d->in, d->script, strlen(d->script))) return;
    const int error = child_run(&child);
    size_t size;
    const bool ran = !error && WIFEXITED(child.status) && !WEXITSTATUS(child.status);
    if (!ran) {
        diag_refuse(s->diag, "gnuplot, which draws %s, %s%s", d->path,
                    error == ENOENT ? "is not installed" : "failed",
                    error && error != ENOENT ? strerror(error) : "");
        return;
    }
    char *svg = file_read(s->diag, d->svg, MOST, &size);
    if (svg) arena_owns(s->arena, free, svg);
    d->done = svg && write_output(s, d->path, svg, size);
}

static void remove_files(void *of) {
    const Drawing *d = of;
    unlink(d->in);
    unlink(d->svg);
    rmdir(d->folder);
}

bool gnuplot_draw(Session *s, const char *script, const char *path) {
    const char *base = getenv("TMPDIR");
    char *folder = arena_printf(s->arena, "%s/fusec-XXXXXX", base && *base ? base : "/tmp");
    Drawing d = {.s = s, .script = script, .path = path};
    if (!mkdtemp(folder)) {
        diag_refuse(s->diag, "mkdtemp %s: %s", folder, strerror(errno));
        return false;
    }
    d.folder = folder;
    d.in = arena_printf(s->arena, "%s/drawing.gnuplot", folder);
    d.svg = arena_printf(s->arena, "%s/drawing.svg", folder);
    interrupt_hold();
    ensure(run_gnuplot, remove_files, &d);
    interrupt_release();
    return d.done;
}
