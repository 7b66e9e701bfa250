/* cmd_tune_worker.c: the process in which `fusec tune` runs candidates.
 * In: the options of `fusec tune`, and a socket as standard input. Out: see src/tune/serve.c.
 * Compilers that it starts do not get the socket; when the tuner ends, however that happens, so
 * does it. */
#include "cli/command.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static void die_with_parent(void) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

/* -1: standard input is no socket of a tuner. */
static int take_socket(void) {
    enum { ABOVE = 10 };
    const int fd = fcntl(0, F_DUPFD_CLOEXEC, ABOVE), null = open("/dev/null", O_RDONLY);
    if (null > 0) dup2(null, 0);
    if (null > 0) close(null);
    return fd;
}

/* A prime number of elements: rows of large tensors differ. */
enum { PERIOD = 1048583 };

/* The tensors that `fusec run` would make, at these sizes; large ones repeat. */
static bool make_tensors(void *user, Diag *diag, const Graph *g, const DimBinding *bindings,
                         int count, TuneTensors *t) {
    const Session *s = user;
    const Source *model = &g->diag->sources.at[0]; /* its comments have ranges */
    Options options = *s->options;
    Session own = {.arena = diag->arena, .diag = diag, .options = &options};
    RunTensors made = {.period = PERIOD};
    if (!diag->sources.count) diag_source(diag, model->name, model->text, model->size);
    options.bindings.at = NULL, options.bindings.count = options.bindings.cap = 0;
    for (int i = 0; i < count; i++) vec_push(diag->arena, &options.bindings, bindings[i]);
    const bool done = run_tensors_make(&own, g, &made);
    *t = (TuneTensors){made.input_count, made.output_count, made.input, made.output, made.dims};
    return done;
}

typedef struct Serving {
    Session *s;
    FusecContext *context;
    int fd;
} Serving;

static void serve(void *of) {
    Serving *v = of;
    Session *s = v->s;
    uint32_t file;
    if (v->fd < 0 || !model_read(s, s->options->files.at[0], &file)) return;
    const Source *source = &s->diag->sources.at[file];
    CompileOptions compile = s->options->compile;
    compile.keeps_inputs = true;
    context_target(v->context, &compile);
    Workplace place = {.model = {source->name, source->text, source->size, &compile},
                       .device = context_device(v->context),
                       .make = make_tensors,
                       .user = s};
    tune_serve(&place, v->fd);
}

static void serve_end(void *of) { context_close(((Serving *)of)->context); }

Status cmd_tune_worker(Session *s) {
    die_with_parent();
    s->options->cache = "off"; /* candidates that lose are not kept */
    Serving serving = {.s = s, .fd = take_socket(), .context = context_open(s)};
    if (serving.context) ensure(serve, serve_end, &serving);
    return exit_status(s);
}
