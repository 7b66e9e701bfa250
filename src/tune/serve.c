/* serve.c: the worker: compiles candidates, compares their results, and times them.
 * In: requests. Out: responses, {"ok": true, ..} or {"ok": false, "class": .., "why": ..}.
 *
 *   {"do": "compile", "id", "decisions", "code": PATH}   compiles, and writes the code to a file
 *   {"do": "load", "id", "decisions", "code"}            loads it
 *   {"do": "expect", "id", "decisions"}                  prepares the comparison of results
 *   {"do": "run", "id"}                                  runs it once, between guards
 *   {"do": "compare", "id"}                              compares the results of that
 *   {"do": "small", "id", "decisions"}                   the same, small, with the evaluator
 *   {"do": "time", "id", "kernel", "batch"}              the mean of a batch; kernel -1: all
 *   {"do": "use", "id", "kernel"}                        registers and memory of a kernel's code
 *   {"do": "unload", "id"} */
#include "tune/serve_private.h"

#include "tune/faults.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One candidate, compiled. */
typedef struct Loaded {
    int id;
    Arena *arena;
    Diag *diag;
    Compilation *c;
    Program *program;
    Call *call;
    CodeTable codes;
    Guarded workspace, prepared;
    Memory memory; /* but for its tensors */
} Loaded;

typedef struct Server {
    const Workplace *place;
    Device *device;
    Arena *arena; /* of what follows */
    Diag *diag;
    TuneTensors tensors;
    Buffers buffers;
    Expected expected;
    bool has_tensors;
    int small; /* the number of the small sizes that suited the default */
    Vec(Loaded *) loaded;
} Server;

/* ---- responses ---------------------------------------------------------------------------- */

static json_t *failed(CacheOutcome outcome, const char *why) {
    return json_pack("{s:b, s:s, s:s}", "ok", 0, "class", outcome_name(outcome), "why",
                     why ? why : "");
}

/* What diag says; `usual` unless it knows better. */
static json_t *failed_by(const Diag *diag, CacheOutcome usual) {
    const char *why = diag->refusal;
    for (int i = 0; !why && i < diag->messages.count; i++)
        if (diag->messages.at[i].severity == D_ERROR) why = diag->messages.at[i].text;
    if (why && (strstr(why, "OUT_OF_RESOURCES") || strstr(why, "too many resources")))
        usual = OUTCOME_RESOURCE;
    return failed(diag->device_lost ? OUTCOME_STICKY : usual, why ? why : "no reason was given");
}

static json_t *done(void) { return json_pack("{s:b}", "ok", 1); }

static const char *text_of(const json_t *request, const char *name) {
    const char *text = json_string_value(json_object_get(request, name));
    return text ? text : "";
}

static int number_of(const json_t *request, const char *name) {
    return (int)json_integer_value(json_object_get(request, name));
}

/* ---- candidates --------------------------------------------------------------------------- */

static void tensors_release(TuneTensors *t) {
    for (int i = 0; i < t->input_count; i++) tensor_free(t->input[i]);
    for (int i = 0; i < t->output_count; i++) tensor_free(t->output[i]);
    *t = (TuneTensors){0};
}

static void loaded_free(Server *s, Loaded *l) {
    if (!l) return;
    guarded_free(&l->workspace);
    guarded_free(&l->prepared);
    if (l->program) s->device->unload(s->device, l->program);
    code_table_free(&l->codes);
    arena_free(l->arena);
    free(l);
}

/* The model with these decisions; false after a diagnostic. */
static bool compile_loaded(Loaded *l, const char *decisions, const TuneModel *model) {
    l->c = compile_decided(l->arena, l->diag, model, decisions);
    if (!l->c) return false;
    l->program = l->c->programs;
    l->program->codes = &l->codes;
    return true;
}

static Loaded *loaded_new(int id) {
    Loaded *l = calloc(1, sizeof *l);
    if (!l || !(l->arena = arena_new(0))) leave_for_memory(__FILE__, __LINE__);
    l->id = id;
    l->codes.build = "tune";
    l->diag = diag_new(l->arena, 4);
    return l;
}

static Loaded *loaded_find(const Server *s, int id) {
    for (int i = 0; i < s->loaded.count; i++)
        if (s->loaded.at[i]->id == id) return s->loaded.at[i];
    return NULL;
}

static void unload(Server *s, int id) {
    for (int i = 0; i < s->loaded.count; i++) {
        if (s->loaded.at[i]->id != id) continue;
        loaded_free(s, s->loaded.at[i]);
        s->loaded.at[i] = s->loaded.at[--s->loaded.count];
        return;
    }
}

/* ---- machine code in files ---------------------------------------------------------------- */

static bool code_write(Diag *diag, const char *path, const Code *code) {
    const FilePart parts[] = {{&code->key, sizeof code->key}, {code->bytes, code->size}};
    return file_write_parts(diag, path, parts, 2);
}

static void code_read(Loaded *l, const char *path) {
    enum { MOST = 1 << 30 };
    CodeKey key;
    size_t size;
    char *bytes = *path ? file_read(diag_new(l->arena, 1), path, MOST, &size) : NULL;
    if (bytes && size > sizeof key) {
        memcpy(&key, bytes, sizeof key);
        code_add(&l->codes, key, bytes + sizeof key, size - sizeof key);
    }
    free(bytes);
}

/* Two candidates with one key are the same code. */
static json_t *compiled(const Loaded *l, const char *path) {
    const Code *code = atomic_load(&l->codes.newest);
    char key[2 * 16 + 1] = "";
    if (code && !code_write(l->diag, path, code)) return failed_by(l->diag, OUTCOME_RUNTIME);
    if (code)
        snprintf(key, sizeof key, "%016llx%016llx", (unsigned long long)code->key.high,
                 (unsigned long long)code->key.low);
    return json_pack("{s:b, s:s, s:i}", "ok", 1, "key", key, "bytes", code ? (int)code->size : 0);
}

static json_t *serve_compile(Server *s, const json_t *request) {
    Loaded *l = loaded_new(number_of(request, "id"));
    fault_at("compile", l->id, NULL);
    const bool made = compile_loaded(l, text_of(request, "decisions"), &s->place->model) &&
                      s->device->load(s->device, l->diag, l->program, NULL);
    json_t *response =
        made ? compiled(l, text_of(request, "code")) : failed_by(l->diag, OUTCOME_COMPILE);
    loaded_free(s, l);
    return response;
}

/* ---- loading ------------------------------------------------------------------------------ */

/* The tensors are those of the first that is loaded: all have the same. */
static bool make_tensors(Server *s, const Loaded *l) {
    const Workplace *p = s->place;
    if (s->has_tensors) return true;
    s->has_tensors = true;
    const CompileOptions *o = p->model.compile;
    return p->make(p->user, s->diag, l->c->functions.at[0].lowered, o->bindings, o->binding_count,
                   &s->tensors) &&
           buffers_make(&s->buffers, s->diag, s->device, &s->tensors, 0);
}

/* Its own memory, and constants prepared. */
static bool make_memory(Server *s, Loaded *l, const Buffers *buffers) {
    Device *d = s->device;
    if (!guarded_make(&l->workspace, l->diag, d, (size_t)l->call->workspace_bytes)) return false;
    l->memory = (Memory){.tensors = buffers_set(buffers, 0), .workspace = l->workspace.memory};
    if (!l->call->prepared_bytes) return true;
    if (!guarded_make(&l->prepared, l->diag, d, (size_t)l->call->prepared_bytes)) return false;
    l->memory.prepared = l->prepared.memory;
    return d->prepare_constants(d, l->diag, l->call, &l->memory) && d->wait(d, l->diag);
}

static json_t *serve_load(Server *s, const json_t *request) {
    Loaded *l = loaded_new(number_of(request, "id"));
    unload(s, l->id);
    code_read(l, text_of(request, "code"));
    vec_push(s->arena, &s->loaded, l); /* freed with the others, whatever happens */
    if (!compile_loaded(l, text_of(request, "decisions"), &s->place->model) ||
        !s->device->load(s->device, l->diag, l->program, NULL))
        return failed_by(l->diag, OUTCOME_COMPILE);
    if (!make_tensors(s, l)) return failed_by(s->diag, OUTCOME_RUNTIME);
    l->call = program_prepare(l->diag, s->device, l->program, s->tensors.dims);
    if (!l->call || !make_memory(s, l, &s->buffers)) return failed_by(l->diag, OUTCOME_RUNTIME);
    return done();
}

/* ---- results ------------------------------------------------------------------------------ */

/* One run on poisoned memory. *wrong: what it overwrites; NULL: nothing. False after a refusal. */
static bool run_once(Server *s, Loaded *l, const Buffers *buffers, const char **wrong) {
    Device *d = s->device;
    const char *result = buffers == &s->buffers ? "result" : "small"; /* for faults */
    bool is_whole = true;
    if (!buffers_poison(buffers, l->diag) || !guarded_poison(&l->workspace, l->diag)) return false;
    l->memory.tensors = buffers_set(buffers, 0);
    fault_at("run", l->id, buffers_set(buffers, 0)[buffers->tensors - 1]);
    if (!d->launch(d, l->diag, l->call, &l->memory, ALL_KERNELS) || !d->wait(d, l->diag))
        return false;
    fault_at(result, l->id, buffers_set(buffers, 0)[buffers->tensors - 1]);
    if (!buffers_fetch(buffers, l->diag, wrong)) return false;
    if (!guarded_verify(&l->workspace, l->diag, &is_whole)) return false;
    if (!is_whole) *wrong = "it writes outside of its workspace";
    return true;
}

static json_t *serve_run(Server *s, const json_t *request) {
    Loaded *l = loaded_find(s, number_of(request, "id"));
    const char *wrong = NULL;
    if (!l) return failed(OUTCOME_RUNTIME, "it is not loaded");
    if (!run_once(s, l, &s->buffers, &wrong)) return failed_by(l->diag, OUTCOME_RUNTIME);
    return wrong ? failed(OUTCOME_INCORRECT, wrong) : done();
}

/* Apart from the run: the evaluator may take longer than a run may. */
static json_t *serve_compare(Server *s, const json_t *request) {
    Loaded *l = loaded_find(s, number_of(request, "id"));
    const char *wrong = NULL;
    double error = -1;
    if (!l) return failed(OUTCOME_RUNTIME, "it is not loaded");
    if (!expected_compare(&s->expected, l->diag, &wrong, &error))
        return failed_by(l->diag, OUTCOME_RUNTIME);
    if (wrong) return failed(OUTCOME_INCORRECT, wrong);
    return json_pack("{s:b, s:f}", "ok", 1, "error", error);
}

/* ---- at small sizes ----------------------------------------------------------------------- */

/* What the evaluator is done with in less than a second, and in some. */
static const double work_little = 2e7, work_most = 5e7;

typedef struct Small {
    Server *s;
    Loaded *l;
    DimBinding *bindings;
    TuneTensors tensors;
    Buffers buffers;
    Expected expected;
} Small;

/* Those of all its kernels: defaults of smaller sizes would be others. */
static TilePins pins_of(Diag *diag, const Function *f) {
    TilePins pins = {0};
    for (int i = 0; i < f->plan->groups.count; i++)
        for (int body = 0; body < f->kernels.at[i]->bodies.count; body++) {
            Text text = text_new(diag->arena);
            tile_print(&f->kernels.tiles[i][body], &text);
            if (f->kernels.function[i] == i)
                tile_pins_add(diag, f, i, body, text_get(&text), &pins);
        }
    return pins;
}

static bool small_compile(Small *m, const Loaded *large, const char *decisions, int number) {
    const TuneModel *model = &m->s->place->model;
    CompileOptions o = *model->compile;
    m->bindings = arena_array(m->l->arena, DimBinding, o.binding_count + 1);
    if (!small_sizes(model->compile, number, m->bindings)) return false;
    o.bindings = m->bindings;
    o.tile_pins = pins_of(m->l->diag, &large->c->functions.at[0]);
    return compile_loaded(m->l, decisions,
                          &(TuneModel){model->path, model->text, model->size, &o}) &&
           expected_work(m->l->c->functions.at[0].deferred,
                         m->l->c->functions.at[0].plan->machine) <= work_little;
}

/* Compiles a candidate at the first sizes for which its tiles are legal, and the evaluator is
 * quick. */
static bool small_make(Small *m, const Loaded *large, const char *decisions, int *number) {
    const CompileOptions *o = m->s->place->model.compile;
    DimBinding *any = arena_array(large->arena, DimBinding, o->binding_count + 1);
    for (; small_sizes(o, *number, any); ++*number) {
        m->l = loaded_new(large->id);
        if (small_compile(m, large, decisions, *number)) return true;
        loaded_free(m->s, m->l);
    }
    m->l = NULL;
    return false;
}

/* Why it is wrong, NULL if it is right; *known: could it be found out? */
static const char *small_result(Small *m, bool *known) {
    Server *s = m->s;
    Loaded *l = m->l;
    const Function *f = &l->c->functions.at[0];
    const char *wrong = NULL;
    double error;
    *known = s->device->load(s->device, l->diag, l->program, NULL) &&
             s->place->make(s->place->user, l->diag, f->lowered, m->bindings,
                            s->place->model.compile->binding_count, &m->tensors) &&
             (l->call = program_prepare(l->diag, s->device, l->program, m->tensors.dims)) &&
             buffers_make(&m->buffers, l->diag, s->device, &m->tensors, 1) &&
             make_memory(s, l, &m->buffers) &&
             expected_make(&m->expected, l->diag, f->deferred, &m->tensors) &&
             run_once(s, l, &m->buffers, &wrong) &&
             (wrong || expected_compare(&m->expected, l->diag, &wrong, &error));
    return wrong ? arena_strdup(s->arena, wrong) : NULL;
}

static json_t *serve_small(Server *s, const json_t *request) {
    const Loaded *large = loaded_find(s, number_of(request, "id"));
    Small m = {.s = s};
    int number = s->small;
    bool known = false;
    if (!large) return failed(OUTCOME_RUNTIME, "it is not loaded");
    if (!small_make(&m, large, text_of(request, "decisions"), &number))
        return json_pack("{s:b, s:b}", "ok", 1, "known", 0);
    const char *wrong = small_result(&m, &known);
    const bool lost = m.l->diag->device_lost;
    expected_free(&m.expected);
    buffers_free(&m.buffers);
    tensors_release(&m.tensors);
    loaded_free(s, m.l);
    if (lost) return failed(OUTCOME_STICKY, "an error of the device at small sizes");
    if (wrong) return failed(OUTCOME_INCORRECT, wrong);
    return json_pack("{s:b, s:b}", "ok", 1, "known", known);
}

/* The evaluator's results at these sizes if it has them at once, or no smaller ones are possible.
 */
static json_t *serve_expect(Server *s, const json_t *request) {
    const Loaded *l = loaded_find(s, number_of(request, "id"));
    if (!l) return failed(OUTCOME_RUNTIME, "it is not loaded");
    const Function *f = &l->c->functions.at[0];
    const double work = expected_work(f->deferred, f->plan->machine);
    Small m = {.s = s};
    bool evaluated = work <= work_little;
    if (!evaluated && small_make(&m, l, text_of(request, "decisions"), &s->small))
        loaded_free(s, m.l);
    else
        evaluated = work <= work_most;
    if (!expected_make(&s->expected, s->diag, evaluated ? f->deferred : NULL, &s->tensors))
        return failed_by(f->deferred->diag, OUTCOME_RUNTIME); /* the evaluator's */
    return json_pack("{s:b, s:b}", "ok", 1, "evaluated", evaluated);
}

/* ---- time --------------------------------------------------------------------------------- */

static bool launch(Server *s, Loaded *l, int kernel) {
    Buffers *b = &s->buffers;
    l->memory.tensors = buffers_set(b, b->next);
    return s->device->launch(s->device, l->diag, l->call, &l->memory, kernel);
}

static void next_set(Buffers *b) { b->next = (b->next + 1) % b->sets; }

/* Seconds of a batch of launches of all kernels, or of the first one. */
static bool time_batch(Server *s, Loaded *l, int kernel, int batch, double *seconds) {
    if (!s->device->start(s->device, l->diag)) return false;
    for (int i = 0; i < batch; i++, next_set(&s->buffers))
        if (!launch(s, l, kernel)) return false;
    return s->device->stop(s->device, l->diag, seconds);
}

/* The same of a later kernel, with what those before it leave in the caches. */
static bool time_within(Server *s, Loaded *l, int kernel, int batch, double *seconds) {
    *seconds = 0;
    for (int i = 0; i < batch; i++, next_set(&s->buffers)) {
        double one;
        for (int before = 0; before < kernel; before++)
            if (!launch(s, l, before)) return false;
        if (!s->device->start(s->device, l->diag) || !launch(s, l, kernel) ||
            !s->device->stop(s->device, l->diag, &one))
            return false;
        *seconds += one;
    }
    return true;
}

/* Another set than that of the launch before, which is in the caches. Now and then one more is left
 * out: candidates take turns, too, and one that always had the same sets would be measured with
 * where their pages happen to lie. */
static void next_turn(Buffers *b) {
    next_set(b);
    b->turn = 1664525 * b->turn + 1013904223;
    if (b->sets > 2 && b->turn >> 31) next_set(b);
}

/* The first launch wakes threads and clocks, and is not timed. */
static json_t *serve_time(Server *s, const json_t *request) {
    Loaded *l = loaded_find(s, number_of(request, "id"));
    const int kernel = number_of(request, "kernel"), batch = number_of(request, "batch");
    double seconds;
    if (!l) return failed(OUTCOME_RUNTIME, "it is not loaded");
    fault_at("time", l->id, NULL);
    const bool is_awake = launch(s, l, ALL_KERNELS) && s->device->wait(s->device, l->diag);
    next_turn(&s->buffers);
    const bool timed = is_awake && (kernel > 0 ? time_within(s, l, kernel, batch, &seconds)
                                               : time_batch(s, l, kernel, batch, &seconds));
    if (!timed) return failed_by(l->diag, OUTCOME_RUNTIME);
    fault_at("timed", l->id, &seconds);
    return json_pack("{s:b, s:f}", "ok", 1, "seconds", seconds / batch);
}

/* ---- what it uses ------------------------------------------------------------------------- */

/* -1: not known, as of a CPU's code. */
static json_t *serve_use(const Server *s, const json_t *request) {
    const Loaded *l = loaded_find(s, number_of(request, "id"));
    const char *name = text_of(request, "kernel");
    const Code *code = l ? atomic_load(&l->codes.newest) : NULL;
    KernelUse use = {-1, -1, -1}, found;
    for (int i = 0; code && i < l->program->kernel_count; i++) {
        const ProgramKernel *k = &l->program->kernels[i];
        if (!strcmp(k->name, name) && k->function &&
            cubin_use(code->bytes, code->size, k->function, &found))
            use = found;
    }
    return json_pack("{s:b, s:i, s:i, s:I}", "ok", 1, "registers", use.registers, "spills",
                     use.local, "shared", (json_int_t)use.shared);
}

/* ---- the loop ----------------------------------------------------------------------------- */

static json_t *answer(Server *s, const json_t *request) {
    const char *what = text_of(request, "do");
    if (!strcmp(what, "compile")) return serve_compile(s, request);
    if (!strcmp(what, "load")) return serve_load(s, request);
    if (!strcmp(what, "expect")) return serve_expect(s, request);
    if (!strcmp(what, "run")) return serve_run(s, request);
    if (!strcmp(what, "compare")) return serve_compare(s, request);
    if (!strcmp(what, "small")) return serve_small(s, request);
    if (!strcmp(what, "time")) return serve_time(s, request);
    if (!strcmp(what, "use")) return serve_use(s, request);
    if (strcmp(what, "unload") != 0) return failed(OUTCOME_RUNTIME, "no such request");
    unload(s, number_of(request, "id"));
    return done();
}

static void serve_all(Server *s, Channel *channel) {
    const double for_ever = 1e18;
    json_t *request;
    while (message_receive(channel, for_ever, NULL, &request) == RECEIVED) {
        json_t *response = answer(s, request);
        json_decref(request);
        const bool sent = response && message_send(channel->fd, response);
        json_decref(response);
        if (!sent) return;
    }
}

void tune_serve(const Workplace *place, int fd) {
    Channel channel = {.fd = fd};
    Server s = {.place = place, .device = place->device, .arena = arena_new(0)};
    if (!s.arena) return;
    s.diag = diag_new(s.arena, 4);
    serve_all(&s, &channel);
    while (s.loaded.count) unload(&s, s.loaded.at[0]->id);
    expected_free(&s.expected);
    buffers_free(&s.buffers);
    tensors_release(&s.tensors);
    channel_close(&channel);
    arena_free(s.arena);
}
