/* trace.c: fusec run --trace: when passes and kernels ran.
 * In: a function that is ready. Out: JSON in the Trace Event Format of Chrome, which Perfetto
 * reads: threads for the compiler, the launches of the host, and the kernels of the device. A
 * kernel is timed by itself: the next one is launched when it has ended. Times are microseconds. */
#include "cli/command.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5 };

typedef enum Track { TRACK_COMPILER = 1, TRACK_HOST, TRACK_DEVICE, TRACKS } Track;

typedef struct Trace {
    Session *s;
    const Compilation *c;
    const Ready *ready;
    json_t *events;
    bool ok;
} Trace;

static void append(Trace *t, json_t *event) {
    if (json_array_append_new(t->events, event) != 0) t->ok = false;
}

static void name_track(Trace *t, Track track, const char *name) {
    append(t, json_pack("{s:s, s:s, s:i, s:i, s:{s:s}}", "ph", "M", "name", "thread_name", "pid", 1,
                        "tid", track, "args", "name", name));
}

static void add(Trace *t, Track track, const char *name, double start, double seconds,
                json_t *args) {
    append(t, json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:o}", "ph", "X", "name", name, "pid", 1,
                        "tid", track, "ts", 1e6 * start, "dur", 1e6 * seconds, "args", args));
}

/* One after the other, from 0 on. When they end. */
static double add_passes(Trace *t) {
    double at = 0;
    for (int i = 0; i < PASS_COUNT; i++) {
        if (!(t->c->seconds[i] > 0)) continue;
        add(t, TRACK_COMPILER, pass_name[i], at, t->c->seconds[i], json_object());
        at += t->c->seconds[i];
    }
    return at;
}

/* A place has the name of the file, which may have any bytes. */
static json_t *facts_of(Arena *arena, const FusecKernel *k, int run) {
    json_t *facts = json_pack("{s:i, s:s}", "run", run, "place", utf8_text(arena, k->place));
    if (k->bytes > 0) json_object_set_new(facts, "bytes", json_integer(k->bytes));
    if (k->operations > 0) json_object_set_new(facts, "operations", json_integer(k->operations));
    return facts;
}

/* origin: the host's clock at `at` of the trace. */
static bool add_run(Trace *t, int run, double at, double *origin) {
    const Ready *r = t->ready;
    const size_t kernels = fusec_executable_kernel_count(r->executable);
    double *seconds = arena_array(t->s->arena, double, (int)kernels + 1);
    HostTime *host = arena_array(t->s->arena, HostTime, (int)kernels + 1);
    if (!succeeded(t->s, executable_trace(r->executable, r->at, (size_t)r->count, &r->options,
                                          seconds, kernels, host)))
        return false;
    if (!run && kernels) *origin = host[0].start - at;
    for (size_t i = 0; i < kernels; i++) {
        FusecKernel k = FUSEC_OPTIONS(FusecKernel);
        fusec_executable_kernel(r->executable, i, &k);
        const double start = host[i].start - *origin;
        const bool is_cpu = r->device->kind == DEVICE_CPU;
        add(t, TRACK_HOST, is_cpu ? "call" : "launch", start, host[i].end - host[i].start,
            json_pack("{s:s}", "kernel", k.name));
        add(t, TRACK_DEVICE, k.name, start, seconds[i], facts_of(t->s->arena, &k, run));
    }
    return true;
}

static void make(void *of) {
    Trace *t = of;
    const int runs = t->s->options->repeat ? t->s->options->repeat : RUNS;
    double origin = 0;
    name_track(t, TRACK_COMPILER, "compiler");
    name_track(t, TRACK_HOST, "host");
    name_track(t, TRACK_DEVICE, t->ready->device->name);
    const double at = add_passes(t);
    for (int run = 0; run < runs; run++)
        if (!add_run(t, run, at, &origin)) return;
    json_t *all = json_pack("{s:s, s:O}", "displayTimeUnit", "ns", "traceEvents", t->events);
    char *text = all && t->ok ? json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(all);
    if (!text) {
        diag_refuse(t->s->diag, "out of memory for the trace");
        return;
    }
    arena_owns(t->s->arena, free, text);
    write_output(t->s, t->s->options->trace, text, strlen(text));
}

static void end(void *of) { json_decref(((Trace *)of)->events); }

bool trace_write(Session *s, const Compilation *c, const Ready *ready) {
    Trace t = {.s = s, .c = c, .ready = ready, .events = json_array(), .ok = true};
    ensure(make, end, &t);
    return diag_status(s->diag) == STATUS_OK;
}
