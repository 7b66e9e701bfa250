/* pipeline.c: READ FIRST: every stage, in order.
 * In: source text and options. Out: the text of the target, and all intermediate forms.
 * The arena is the memory of the whole compilation; when it is full, allocation leaves the work for
 * the innermost recover (src/base/recover.c). */
#include "pipeline.h"

#include <string.h>

const char *const pass_name[PASS_COUNT] = {
    [PASS_PARSE] = "parse",         [PASS_LOWER] = "lower",       [PASS_DEFER] = "defer",
    [PASS_DECOMPOSE] = "decompose", [PASS_LIFT] = "lift",         [PASS_SIMPLIFY] = "simplify",
    [PASS_SLICES] = "slices",       [PASS_VERIFY] = "verify",     [PASS_FUSE] = "fuse",
    [PASS_BUFFERS] = "buffers",     [PASS_KERNEL] = "kernel",     [PASS_TILE] = "tile",
    [PASS_SHARE] = "share",         [PASS_SCHEDULE] = "schedule", [PASS_EMIT] = "emit",
    [PASS_COMPILER] = "compiler"};

/* Adds the time since the last call to `pass`; false if there is an error. */
static bool done(Compilation *c, Pass pass) {
    double clock = clock_now();
    c->seconds[pass] += clock - c->clock;
    c->clock = clock;
    return diag_status(c->diag) == STATUS_OK;
}

static bool verified(Compilation *c, const Graph *g, Pass pass) {
    if (!done(c, pass)) return false;
    graph_verify(g, pass_name[pass]);
    return done(c, PASS_VERIFY);
}

/* Limits are those of the text. A pass may make larger values of it, as operands that are repeated
 * for each part, and must not fail. */
static const Graph *without_limits(const Graph *g) {
    Limits *limits = arena_new_of(g->arena, Limits);
    Graph *copy = arena_new_of(g->arena, Graph);
    *limits = *g->limits;
    limits->elements = INT64_MAX;
    limits->nodes = INT32_MAX;
    *copy = *g;
    copy->limits = limits;
    return copy;
}

/* Split-K, split-KV, split columns: few output tiles would leave multiprocessors idle. Before them,
 * chains of products. */
static const Graph *in_pieces(Function *f, const Machine *machine, const CompileOptions *o,
                              bool in_one_pass) {
    const Graph *g = without_limits(f->sliced);
    if (o->opt > 0) g = mirror(g, machine, in_one_pass);
    if (o->opt < 2) return g;
    g = split_columns(split_joined(g, machine), machine);
    if (machine_is_gpu(machine)) g = split_attention(g, machine->processors);
    g = split_statistics(split_moments(g, machine), machine);
    g = sum_vectors(split_outer(g, machine), machine);
    if (machine_is_gpu(machine)) g = split_scatters(g);
    if (machine_is_gpu(machine)) g = split_products(g, machine, &o->fuse_pins, &f->open_splits);
    if (machine_is_gpu(machine)) g = split_scans(g, machine);
    return split_rows(split_narrow(split_partials(g, machine), machine), machine);
}

/* A contraction that a chain should have added up becomes one of its own where the chain is not
 * fused, as with constants. */
static Plan *planned_once(Function *f, const Machine *machine, const CompileOptions *o) {
    Plan *plan = fuse(in_pieces(f, machine, o, true), machine, o->opt, NULL);
    if (!plan_leaves_across(plan)) return plan;
    f->open_splits = (OpenSplits){0};
    return fuse(in_pieces(f, machine, o, false), machine, o->opt, NULL);
}

/* Values that kernels compute again may free others from memory. What pins decide, they decide of
 * the graph that is left. */
static Plan *planned(Function *f, const Machine *machine, const CompileOptions *o) {
    enum { ROUNDS = 4 };
    static const double less = 0.98; /* of the time, that is worth other kernels */
    Plan *plan = planned_once(f, machine, o);
    for (int round = 0; o->opt >= 2 && !f->sliced->diag->errors && round < ROUNDS; round++) {
        const Graph *g = computed_again(plan);
        Plan *other = g ? fuse(g, machine, o->opt, NULL) : plan;
        if (plan_seconds(other) >= less * plan_seconds(plan)) break;
        plan = other;
    }
    const Graph *g = o->opt >= 2 && !f->sliced->diag->errors ? padded_operands(plan) : NULL;
    if (g) plan = fuse(g, machine, o->opt, NULL);
    if (!pins_decide(&o->fuse_pins, plan->g)) return plan;
    return fuse(plan->g, machine, o->opt, &o->fuse_pins);
}

/* A tune lock's decisions are about the plan for the machine that they were made on. */
static const Machine *machine_of(Arena *arena, const CompileOptions *o, const char *fn) {
    const MachineSize *size = &o->size;
    if (o->machine) return o->machine;
    for (int i = 0; i < o->function_pins.count; i++)
        if (!strcmp(o->function_pins.at[i].fn, fn)) size = &o->function_pins.at[i].size;
    return machine_of_size(arena, o->target->machine(o->emit.arch), size);
}

/* Graph to Plan to Kernels. */
static bool function_stages(Compilation *c, Function *f, const CompileOptions *o) {
    if (!verified(c, f->lowered, PASS_LOWER)) return false;
    f->deferred = f->lowered->attrs.strict ? f->lowered : defer(f->lowered);
    if (!verified(c, f->deferred, PASS_DEFER)) return false;
    f->decomposed = decompose(f->deferred);
    if (!verified(c, f->decomposed, PASS_DECOMPOSE)) return false;
    f->lifted = o->opt > 0 ? lift(heads(f->decomposed)) : f->decomposed;
    if (!verified(c, f->lifted, PASS_LIFT)) return false;
    f->simplified = simplify(f->lifted);
    if (!verified(c, f->simplified, PASS_SIMPLIFY)) return false;
    f->sliced = o->opt > 0 ? compared(slices(shared_values(f->simplified))) : f->simplified;
    if (!verified(c, f->sliced, PASS_SLICES)) return false;
    if (o->until < STAGE_PLAN) return true;

    f->plan = planned(f, machine_of(c->arena, o, f->lowered->name), o);
    if (!done(c, PASS_FUSE)) return false;
    f->plan->meaning = f->deferred;
    plan_buffers(f->plan);
    if (o->opt >= 2) plan_contract(f->plan); /* a contract on the result of fusion */
    if (!done(c, PASS_BUFFERS)) return false;

    return true;
}

/* Graph groups to Kernels: their tiles, shared functions and schedules. */
static bool kernel_stages(Compilation *c, Function *f, const CompileOptions *o, bool *applied) {
    f->kernels.at = kernels_build(f->plan);
    if (!done(c, PASS_KERNEL)) return false;
    f->kernels.tiles = tiles_choose(f->kernels.at, f->plan->groups.count, f->plan->machine,
                                    &o->tile_pins, applied, c->diag);
    if (!done(c, PASS_TILE)) return false;
    f->kernels = kernels_share(&f->kernels, f->plan->groups.count, f->plan->machine, c->arena);
    if (!done(c, PASS_SHARE)) return false;
    f->kernels.schedules = schedules_make(f->kernels.at, f->kernels.tiles, f->plan->groups.count,
                                          f->plan->machine, c->arena);
    return done(c, PASS_SCHEDULE);
}

/* A line of a tune lock whose kernel is not there: one error for all its keys. */
static void refuse_entry(const Compilation *c, const TilePin *pin, const TilePin *before) {
    if (before && before->at.file == pin->at.file && before->at.lo == pin->at.lo) return;
    if (pin->part)
        diag_error(c->diag, pin->at, "there is no kernel '%s' with a part %d", pin->kernel,
                   pin->part);
    else
        diag_error(c->diag, pin->at, "there is no kernel '%s'", pin->kernel);
}

/* Is the mode that a tune lock was made for that of its function? */
static void check_numerics(const Compilation *c, const CompileOptions *o) {
    for (int i = 0; i < o->function_pins.count; i++) {
        const FunctionPin *pin = &o->function_pins.at[i];
        const Graph *g = NULL;
        for (int f = 0; f < c->functions.count && !g; f++)
            if (!strcmp(c->functions.at[f].lowered->name, pin->fn)) g = c->functions.at[f].lowered;
        if (!g) {
            diag_error(c->diag, pin->at, "there is no function '%s' here", pin->fn);
        } else if (strcmp(numeric_mode(c->arena, g), pin->mode) != 0) {
            diag_error(c->diag, pin->at, "function '%s' computes in another way now: %s", pin->fn,
                       numeric_mode(c->arena, g));
            diag_note(c->diag, NOWHERE, "tune it again, or undo the change of its attributes");
        }
    }
}

/* Every pin of --tile must apply to some kernel. */
static void check_pins(const Compilation *c, const CompileOptions *o, const bool *applied) {
    for (int i = 0; i < o->tile_pins.count; i++) {
        const TilePin *pin = &o->tile_pins.at[i];
        Text text = text_new(c->arena);
        if (applied[i]) continue;
        if (pin->at.file != NO_FILE) {
            refuse_entry(c, pin, i ? &pin[-1] : NULL);
            continue;
        }
        tile_pin_print(pin, &text);
        diag_error(c->diag, NOWHERE,
                   pin->kernel ? "--tile %s: there is no kernel of that name"
                               : "--tile %s: no kernel has a tile with that",
                   text_get(&text));
    }
}

typedef Vec(KeyField) FieldVec;

static void add_field(Arena *arena, FieldVec *fields, const char *name, const char *value) {
    vec_push(arena, fields, ((KeyField){name, value}));
}

static void add_dims(Arena *arena, const CompileOptions *o, FieldVec *fields) {
    for (int i = 0; i < o->binding_count; i++)
        add_field(arena, fields, arena_printf(arena, "dim %s", o->bindings[i].name),
                  arena_printf(arena, "%lld", (long long)o->bindings[i].value));
    for (int i = 0; i < o->multiple_count; i++)
        add_field(arena, fields, arena_printf(arena, "dim %s", o->multiples[i].name),
                  arena_printf(arena, "a multiple of %lld", (long long)o->multiples[i].value));
}

static const char *options_text(Arena *arena, const CompileOptions *o) {
    Text text = text_new(arena);
    text_printf(&text, "-O%d", o->opt);
    if (o->keep_bytes) text_printf(&text, " --keep-bytes=%lld", (long long)o->keep_bytes);
    for (int i = 0; i < o->tile_pins.count; i++) {
        if (o->tile_pins.at[i].is_chosen) continue;
        text_str(&text, " --tile ");
        tile_pin_print(&o->tile_pins.at[i], &text);
    }
    return text_get(&text);
}

/* What fusec tune has chosen: "" is the default. */
static const char *choices_text(Arena *arena, const CompileOptions *o) {
    Text text = text_new(arena);
    for (int i = 0; i < o->fuse_pins.count; i++) {
        if (text.size) text_str(&text, ", ");
        fuse_pin_print(&o->fuse_pins.at[i], &text);
    }
    for (int i = 0; i < o->tile_pins.count; i++) {
        if (!o->tile_pins.at[i].is_chosen) continue;
        if (text.size) text_str(&text, ", ");
        tile_pin_print(&o->tile_pins.at[i], &text);
    }
    return text_get(&text);
}

/* What a person knows the code of a function by, in the order in which differences are told. */
static KeyFields about(const Compilation *c, uint32_t file, const Function *f,
                       const CompileOptions *o) {
    const Graph *g = f->lowered;
    const Source *source = &c->diag->sources.at[file];
    const uint64_t digest = hash_bytes(source->text, source->size, 0);
    FieldVec fields = {0};
    add_field(c->arena, &fields, "model", c->name);
    add_field(c->arena, &fields, "function", g->name);
    add_field(c->arena, &fields, "text",
              arena_printf(c->arena, "%016llx", (unsigned long long)digest));
    add_dims(c->arena, o, &fields);
    add_field(c->arena, &fields, "options", options_text(c->arena, o));
    const char *size = size_planned(c->arena, o, f->plan), *choices = choices_text(c->arena, o);
    if (size) add_field(c->arena, &fields, "size", size);
    if (*choices) add_field(c->arena, &fields, "choices", choices);
    return (KeyFields)list_of(fields);
}

/* Plans to text. */
static bool emission(Compilation *c, uint32_t file, const CompileOptions *o) {
    int count = c->functions.count;
    TiledKernels *kernels = arena_array(c->arena, TiledKernels, count);
    for (int i = 0; i < count; i++) kernels[i] = c->functions.at[i].kernels;

    EmitOptions emit = o->emit;
    emit.arena = c->arena;
    c->programs = arena_array(c->arena, Program, count);
    c->names = names_choose(c->plans, count, o->target, c->arena);
    emit_source(c->model, c->names, kernels, o->target, &emit, c->programs, &c->source);
    for (int i = 0; i < count; i++) c->programs[i].about = about(c, file, &c->functions.at[i], o);
    if ((int64_t)c->source.size > o->limits.emitted_bytes)
        diag_error(c->diag, NOWHERE, "the source has more than %lld bytes (--limit emitted_bytes)",
                   (long long)o->limits.emitted_bytes);
    return done(c, PASS_EMIT);
}

/* Headers lie below the folder of the model; below the current one for standard input. */
static ImportOptions import_options(Arena *arena, const char *path, const CompileOptions *o) {
    const char *slash = strrchr(path, '/');
    const size_t size = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    return (ImportOptions){.folder = o->is_no_file ? NULL : arena_strndup(arena, path, size),
                           .dirs = o->import_dirs,
                           .read = o->imported,
                           .is_cuda = o->target->device == DEVICE_CUDA};
}

/* Text to Ast to Graphs to Plans to text. */
static void stages(Compilation *c, uint32_t file, const CompileOptions *o) {
    c->ast = parse(c->arena, c->diag, file, &o->limits);
    if (!done(c, PASS_PARSE) || o->until == STAGE_AST) return;

    LowerOptions lowering = {o->fn,
                             o->bindings,
                             o->binding_count,
                             o->multiples,
                             o->multiple_count,
                             import_options(c->arena, c->diag->sources.at[file].name, o),
                             o->grad_warnings,
                             o->keep_bytes};
    c->model = lower(c->arena, c->diag, c->ast, c->name, &o->limits, &lowering);
    if (!done(c, PASS_LOWER)) return;

    int count = c->model->functions.count;
    c->plans = arena_array(c->arena, const Plan *, count);
    for (int i = 0; i < count; i++)
        vec_push(c->arena, &c->functions, ((Function){.lowered = c->model->functions.at[i]}));
    for (int i = 0; i < count; i++) {
        if (o->keeps_inputs) c->model->functions.at[i]->attrs.consumed = NULL;
        if (!function_stages(c, &c->functions.at[i], o)) return;
        c->plans[i] = c->functions.at[i].plan;
    }
    if (o->until < STAGE_PLAN) return;
    bool *applied = arena_array(c->arena, bool, o->tile_pins.count + 1);
    for (int i = 0; i < count; i++)
        if (!kernel_stages(c, &c->functions.at[i], o, applied)) return;
    check_pins(c, o, applied);
    check_numerics(c, o);
    if (done(c, PASS_TILE) && o->until == STAGE_SOURCE) emission(c, file, o);
}

/* ---- what results depend on, besides the model ---------------------------------------------- */

const char *numeric_mode(Arena *arena, const Graph *g) {
    Text text = text_new(arena);
    text_str(&text, precision_name(g->attrs.precision));
    if (g->attrs.strict) text_str(&text, ",strict");
    if (g->attrs.nondeterministic) text_str(&text, ",nondeterministic");
    if (g->attrs.autocast != T_NONE)
        text_printf(&text, ",autocast=%s", dtype_name(g->attrs.autocast));
    return text_get(&text);
}

/* ---- around the stages ------------------------------------------------------------------- */

CompileOptions compile_options_default(void) {
    return (CompileOptions){.opt = 2,
                            .until = STAGE_SOURCE,
                            .target = &target_cuda,
                            .emit = {.command = "fusec"},
                            .limits = limits_default()};
}

void compile_for_device(CompileOptions *o, const Device *device) {
    o->target = target_of_device(device->kind);
    o->emit.entry = o->emit.bare = true;
    o->emit.arch = device->arch;
    if (device->kind == DEVICE_CUDA)
        o->size = (MachineSize){device->processors, (int)(device->cache >> 20),
                                device->shared_block, device->shared_processor};
    if (device->kind == DEVICE_CPU && !device->cpu_arch && !o->machine)
        o->machine = machine_processor(device->name);
}

const char *size_planned(Arena *arena, const CompileOptions *o, const Plan *plan) {
    const Machine *m = plan->machine;
    if (m == o->machine || m == o->target->machine(o->emit.arch)) return NULL;
    return machine_size_print(arena, m);
}

Status diag_status(const Diag *diag) {
    return diag->refusal ? STATUS_REFUSED : diag->errors ? STATUS_WRONG : STATUS_OK;
}

/* Drops remarks that were not requested, with their notes; turns warnings into errors. */
static void settle_messages(Diag *diag, int first, const CompileOptions *o) {
    int kept = first;
    bool dropping = false;
    diag_drop_repeated(diag);
    for (int i = first; i < diag->messages.count; i++) {
        Message *message = &diag->messages.at[i];
        if (message->severity != D_NOTE)
            dropping = message->severity == D_REMARK && !o->perf_remarks;
        if (!dropping) diag->messages.at[kept++] = *message;
    }
    diag->messages.count = kept;
    if (o->warnings_are_errors) diag_warnings_are_errors(diag, first);
}

typedef struct StagesRun {
    Compilation *c;
    uint32_t file;
    const CompileOptions *options;
} StagesRun;

static void run_stages(void *of) {
    StagesRun *run = of;
    stages(run->c, run->file, run->options);
}

Compilation *compile(Arena *arena, Diag *diag, uint32_t file, const CompileOptions *options) {
    Compilation *c = arena_new_of(arena, Compilation);
    c->arena = arena;
    c->diag = diag;
    c->name = model_name(arena, diag->sources.at[file].name);
    c->source = text_new(arena);
    c->clock = clock_now();

    diag_drop_repeated(diag);
    const int first = diag->messages.count;
    StagesRun run = {c, file, options};
    Recovery why;
    if (!recover(run_stages, &run, &why)) {
        if (why.kind == LEFT_FOR_BUG) leave(&why);
        arena->limit = 0; /* room for the message */
        diag_refuse_memory(diag, "out of memory (limit memory_bytes)");
    }
    settle_messages(diag, first, options);
    return c;
}

const char *model_name(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (!strcmp(path, "<stdin>")) return "model";
    return arena_strndup(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* ---- what the stages made, as text ---------------------------------------------------------- */

static void print_pass(Arena *arena, const char *pass, const Graph *g, const char **last,
                       Text *out) {
    if (!g) return;
    Text text = text_new(arena);
    graph_print(g, &text);
    bool same = *last && !strcmp(*last, text_get(&text));
    *last = text_get(&text);
    text_printf(out, "// after %s%s\n%s", pass, same ? ": (unchanged)" : "", same ? "" : *last);
}

static void print_graphs(const Compilation *c, const Function *f, Text *out) {
    const char *last = NULL;
    print_pass(c->arena, pass_name[PASS_LOWER], f->lowered, &last, out);
    print_pass(c->arena, pass_name[PASS_DEFER], f->deferred, &last, out);
    print_pass(c->arena, pass_name[PASS_DECOMPOSE], f->decomposed, &last, out);
    print_pass(c->arena, pass_name[PASS_LIFT], f->lifted, &last, out);
    print_pass(c->arena, pass_name[PASS_SIMPLIFY], f->simplified, &last, out);
    print_pass(c->arena, pass_name[PASS_SLICES], f->sliced, &last, out);
}

/* All legal tiles, the chosen one first. */
static void print_tiles(const Compilation *c, const Function *f, Text *out) {
    const Machine *machine = f->plan->machine;
    for (int i = 0; i < f->plan->groups.count; i++) {
        const Kernel *k = f->kernels.at[i];
        for (int body = 0; body < k->bodies.count; body++) {
            const TileVec all = tile_candidates(k, body, machine, c->arena);
            text_printf(out, "kernel %s", k->name);
            if (k->bodies.count > 1) text_printf(out, ", loop nest %d", body + 1);
            text_printf(out, ": %d legal tile%s for %s\n  ", all.count, all.count > 1 ? "s" : "",
                        machine->name);
            tile_print(&f->kernels.tiles[i][body], out);
            text_str(out, "  // chosen\n");
            for (int t = 0; t < all.count; t++) {
                if (tile_equal(&all.at[t], &f->kernels.tiles[i][body])) continue;
                text_str(out, "  ");
                tile_print(&all.at[t], out);
                text_char(out, '\n');
            }
        }
    }
}

static const char *tiles_text(const Function *f, int kernel, Arena *arena) {
    Text text = text_new(arena);
    for (int body = 0; body < f->kernels.at[kernel]->bodies.count; body++) {
        if (body) text_str(&text, "; ");
        tile_print(&f->kernels.tiles[kernel][body], &text);
    }
    return text_get(&text);
}

const KernelReport *const *compilation_kernels(const Compilation *c) {
    const KernelReport **all = arena_array(c->arena, const KernelReport *, c->functions.count + 1);
    for (int i = 0; i < c->functions.count; i++) {
        const Function *f = &c->functions.at[i];
        KernelReport *kernels = arena_array(c->arena, KernelReport, f->plan->groups.count + 1);
        for (int k = 0; k < f->plan->groups.count; k++)
            kernels[k] = (KernelReport){tiles_text(f, k, c->arena),
                                        f->plan->groups.at[f->kernels.function[k]].name};
        all[i] = kernels;
    }
    return all;
}

static bool add_roofline(const void *of, int function, int kernel, struct json_t *object) {
    return roofline_json(((const Rooflines *const *)of)[function], kernel, object);
}

bool compilation_json(const Compilation *c, Text *out) {
    const Rooflines **all = arena_array(c->arena, const Rooflines *, c->functions.count + 1);
    for (int i = 0; i < c->functions.count; i++)
        all[i] = rooflines_make(c->functions.at[i].plan, &c->functions.at[i].kernels, (Shard){0});
    const PlanMembers members = {add_roofline, all};
    return plans_json(c->name, c->plans, compilation_kernels(c), c->functions.count, &members, out);
}

void compilation_print(const Compilation *c, Stage stage, Text *out) {
    if (stage == STAGE_AST && c->ast) ast_print(c->ast, out);
    if (stage == STAGE_SOURCE) text_bytes(out, text_get(&c->source), c->source.size);
    for (int i = 0; i < c->functions.count; i++) {
        const Function *f = &c->functions.at[i];
        if (i && stage != STAGE_AST && stage != STAGE_SOURCE) text_char(out, '\n');
        if (stage == STAGE_GRAPH) print_graphs(c, f, out);
        if (stage == STAGE_PLAN && f->plan) plan_print(f->plan, out);
        if (stage == STAGE_TILE && f->kernels.tiles) print_tiles(c, f, out);
        if (stage != STAGE_KERNEL) continue;
        for (int k = 0; f->kernels.schedules && k < f->plan->groups.count; k++)
            kernel_print(f->kernels.at[k], f->kernels.at[f->kernels.function[k]],
                         f->kernels.schedules[k], out);
    }
}

void compilation_start_clock(Compilation *c) { c->clock = clock_now(); }

void compilation_book(Compilation *c, Pass pass) { done(c, pass); }

void compilation_print_times(const Compilation *c, Text *out) {
    double total = 0;
    for (int i = 0; i < PASS_COUNT; i++) total += c->seconds[i];
    text_printf(out, "%10s %7s  %s\n", "ms", "%", "pass");
    for (int i = 0; i < PASS_COUNT; i++)
        if (i != PASS_COMPILER || c->seconds[i] > 0)
            text_printf(out, "%10.3f %7.1f  %s\n", 1e3 * c->seconds[i],
                        total > 0 ? 100 * c->seconds[i] / total : 0.0, pass_name[i]);
    text_printf(out, "%10.3f %7.1f  total\n", 1e3 * total, 100.0);
}
