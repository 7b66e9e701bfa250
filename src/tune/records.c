/* records.c: what was measured, and what was chosen, kept in the cache for other processes.
 * In: kernels of a compilation with default tiles, the device. Out: keys; trials and choices of
 * before, as pins for another compilation. A choice is only used if it is one of the legal tiles:
 * nothing of a cache is believed. */
#include "tune/tune.h"

#include "roofline/roofline.h"

#include <string.h>

/* ---- keys --------------------------------------------------------------------------------- */

static int threads_of(const Device *device) {
    return device->threads ? device->threads : processors_here();
}

/* As in the key of its code: names of processors say little. */
static void add_cpu(Diag *diag, Device *device, TuneFacts *facts) {
    const KeyFields key = device->key(device, diag, &(Program){.source = ""});
    if (!key.count) return;
    facts->chip = key_value(&key, "chip");
    facts->features = key_value(&key, "features");
    facts->toolchain = key_value(&key, "version");
}

TuneFacts tune_facts(Diag *diag, Device *device, Cache *cache, int threads) {
    TuneFacts facts = {.kind = device->kind, .chip = arena_strdup(diag->arena, device->name)};
    if (!cache) return facts;
    if (device->kind == DEVICE_CUDA) {
        facts.toolchain = toolchain_nvrtc(diag, cache_code_store(cache));
        facts.driver = cuda_driver_version(diag->arena);
    } else {
        if (device->store) add_cpu(diag, device, &facts);
        facts.threads = threads ? threads : threads_of(device);
    }
    return facts;
}

typedef Vec(KeyField) FieldVec;

static void add(Arena *arena, FieldVec *fields, const char *name, const char *value) {
    if (value) vec_push(arena, fields, ((KeyField){name, value}));
}

/* The kernel as it is with default tiles; its sizes are in it. */
const char *tuning_kernel_text(Arena *arena, const Function *f, int kernel) {
    Text text = text_new(arena);
    const Kernel *k = f->kernels.at[kernel];
    kernel_print(k, k, f->kernels.schedules[kernel], &text);
    return text_get(&text);
}

/* "K=64 M=512", whatever the order on the command line. */
static const char *shape_text(Arena *arena, const CompileOptions *o) {
    Text text = text_new(arena);
    const char *last = "";
    for (int left = o->binding_count; left > 0; left--) {
        const DimBinding *next = NULL;
        for (int i = 0; i < o->binding_count; i++)
            if (strcmp(o->bindings[i].name, last) > 0 &&
                (!next || strcmp(o->bindings[i].name, next->name) < 0))
                next = &o->bindings[i];
        if (!next) break;
        text_printf(&text, "%s%s=%lld", *last ? " " : "", next->name, (long long)next->value);
        last = next->name;
    }
    return text_get(&text);
}

/* What is tuned, of a function. */
typedef struct Subject {
    const char *family, *kernel, *part, *text; /* part: NULL: it has none */
} Subject;

static KeyFields key_of(Arena *arena, const TuneFacts *facts, const Function *f,
                        const CompileOptions *o, const Subject *subject) {
    FieldVec fields = {0};
    add(arena, &fields, "device", facts->kind == DEVICE_CUDA ? "cuda" : "cpu");
    add(arena, &fields, "chip", facts->chip);
    add(arena, &fields, "arch", facts->kind == DEVICE_CUDA ? lock_target(arena, o) : NULL);
    add(arena, &fields, "size", size_planned(arena, o, f->plan));
    add(arena, &fields, "features", facts->features);
    if (facts->threads) add(arena, &fields, "threads", arena_printf(arena, "%d", facts->threads));
    add(arena, &fields, "toolchain", facts->toolchain);
    add(arena, &fields, "function", f->lowered->name);
    add(arena, &fields, "family", subject->family);
    add(arena, &fields, "kernel", subject->kernel);
    add(arena, &fields, "part", subject->part);
    add(arena, &fields, "shape", shape_text(arena, o));
    add(arena, &fields, "numeric", numeric_mode(arena, f->lowered));
    add(arena, &fields, "kernel text", subject->text);
    return (KeyFields)list_of(fields);
}

double tuning_least(const TuneFacts *facts, const Function *f, int kernel) {
    Plan plan = *f->plan;
    if (facts->kind == DEVICE_CPU && !(facts->copied > 0)) return 0;
    plan.machine =
        machine_as_measured(plan.g->arena, plan.machine, facts->copied, facts->operations);
    return rooflines_make(&plan, &f->kernels, (Shard){0})->kernels.at[kernel].times.lower;
}

KeyFields tuning_key(Arena *arena, const TuneFacts *facts, const Function *f, int kernel, int body,
                     const CompileOptions *o) {
    static const char *const families[] = {[F_POINTWISE] = "pointwise", [F_ROW] = "row",
                                           [F_SEGMENTS] = "segments",   [F_DOT] = "contraction",
                                           [F_ATTENTION] = "attention", [F_CHAIN] = "chain"};
    const Kernel *k = f->kernels.at[kernel];
    const Subject subject = {.family = families[k->family],
                             .kernel = k->name,
                             .part =
                                 k->bodies.count > 1 ? arena_printf(arena, "%d", body + 1) : NULL,
                             .text = tuning_kernel_text(arena, f, kernel)};
    return key_of(arena, facts, f, o, &subject);
}

KeyFields partition_key(Arena *arena, const TuneFacts *facts, const Function *f,
                        const CompileOptions *o) {
    Text text = text_new(arena);
    for (int k = 0; k < f->plan->groups.count; k++) {
        text_str(&text, tuning_kernel_text(arena, f, k));
        text_char(&text, '\n');
    }
    return key_of(arena, facts, f, o, &(Subject){PARTITION, PARTITION, NULL, text_get(&text)});
}

/* ---- what was chosen ---------------------------------------------------------------------- */

static bool is_legal(Arena *arena, const Function *f, int kernel, int body, const char *tile) {
    const TileVec all = tile_candidates(f->kernels.at[kernel], body, f->plan->machine, arena);
    for (int i = 0; i < all.count; i++) {
        Text text = text_new(arena);
        tile_print(&all.at[i], &text);
        if (!strcmp(text_get(&text), tile)) return true;
    }
    return false;
}

void tile_pins_add(Diag *diag, const Function *f, int kernel, int body, const char *tile,
                   TilePins *pins) {
    const bool has_parts = f->kernels.at[kernel]->bodies.count > 1;
    for (int i = 0; i < f->plan->groups.count; i++) {
        const TilePin like = {.kernel = f->plan->groups.at[i].name,
                              .part = has_parts ? body + 1 : 0,
                              .at = NOWHERE,
                              .is_chosen = true};
        if (f->kernels.function[i] == kernel) tile_parse_values(diag, tile, &like, pins);
    }
}

/* ---- the partition ------------------------------------------------------------------------ */

void partition_put(const FusePin *pin, Text *out) {
    if (pin)
        fuse_pin_print(pin, out);
    else
        text_str(out, "default");
}

const char *partition_print(Arena *arena, const FusePin *pin) {
    Text text = text_new(arena);
    partition_put(pin, &text);
    return text_get(&text);
}

bool partition_parse(Arena *arena, const char *text, FusePin *pin) {
    char *words = arena_strdup(arena, text), *at, *end;
    const char *what = strtok_r(words, " ", &at), *a = strtok_r(NULL, " ", &at);
    const char *b = strtok_r(NULL, " ", &at);
    const bool is_cut = what && !strcmp(what, "cut"), is_fuse = what && !strcmp(what, "fuse");
    *pin = (FusePin){.a = a, .b = b, .is_cut = is_cut, .at = NOWHERE};
    if (what && !strcmp(what, "default")) return !a;
    if (!b || strtok_r(NULL, " ", &at)) return false;
    if (is_cut || is_fuse) return true;
    pin->b = NULL, pin->parts = strtol(b, &end, 10);
    return !strcmp(what, "split") && pin->parts > 0 && !*end;
}

/* What there is for a key; whether it fits is not looked at. */
static Recall recall_of(Cache *cache, Diag *diag, const KeyFields *key, const KeyFields *about,
                        int function) {
    Recall r = {.function = function, .key = *key, .about = about};
    r.kernel = key_value(key, "kernel"), r.part = key_value(key, "part");
    if (!cache_choice_find(cache, diag, diag->arena, key, &r.choice))
        r.state = RECALL_MISSING;
    else
        r.state = r.choice.is_imported ? RECALL_IMPORTED : RECALL_USED;
    return r;
}

/* The function as it was chosen to be divided into kernels: f, or compiled again. A choice that
 * does not fit is not followed. */
static const Function *recall_partition(const Compilation *c, const Function *f, CompileOptions *o,
                                        Recall *r) {
    Arena *arena = c->arena;
    const Source *source = &c->diag->sources.at[0];
    CompileOptions own = *o;
    FusePin pin;
    if (r->state != RECALL_USED) return f;
    const bool is_known = partition_parse(arena, r->choice.tile, &pin);
    if (is_known && !pin.a) return f; /* the default one */
    r->state = RECALL_UNFIT;
    if (!is_known) return f;
    pin.fn = f->lowered->name;
    own.fn = pin.fn;
    own.fuse_pins = (FusePins){0};
    vec_push(arena, &own.fuse_pins, pin);
    const TuneModel model = {source->name, source->text, source->size, &own};
    const Compilation *other = compile_decided(arena, diag_new(arena, 1), &model, "");
    if (!other || other->functions.count != 1) return f;
    vec_push(arena, &o->fuse_pins, pin);
    r->state = RECALL_USED;
    return &other->functions.at[0];
}

static bool is_tuned(const Function *f, int kernel) {
    return !f->plan->groups.at[kernel].once && f->kernels.function[kernel] == kernel;
}

int tuning_recall(Cache *cache, Diag *diag, const TuneFacts *facts, const Compilation *c,
                  int function, CompileOptions *o, Recalls *recalls) {
    Arena *arena = diag->arena;
    const KeyFields *about = &c->programs[function].about;
    const Function *f = &c->functions.at[function];
    KeyFields key = partition_key(arena, facts, f, o);
    Recall r = recall_of(cache, diag, &key, about, function);
    f = recall_partition(c, f, o, &r);
    vec_push(arena, recalls, r);
    int found = f != &c->functions.at[function];
    for (int k = 0; k < f->plan->groups.count; k++)
        for (int body = 0; is_tuned(f, k) && body < f->kernels.at[k]->bodies.count; body++) {
            key = tuning_key(arena, facts, f, k, body, o);
            r = recall_of(cache, diag, &key, about, function);
            if (r.state == RECALL_USED && !is_legal(arena, f, k, body, r.choice.tile))
                r.state = RECALL_UNFIT;
            if (r.state == RECALL_USED)
                tile_pins_add(diag, f, k, body, r.choice.tile, &o->tile_pins), found++;
            vec_push(arena, recalls, r);
        }
    return found;
}

const Recall *recall_missing(const Recalls *recalls) {
    for (int i = 0; i < recalls->count; i++) {
        const Recall *r = &recalls->at[i];
        if (r->state != RECALL_USED && strcmp(r->kernel, PARTITION)) return r;
    }
    return NULL;
}
