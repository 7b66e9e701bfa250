/* pipeline.c: READ FIRST: every stage, in order. Start at `stages`.
 * In: source text and options. Out: the text of the target, and all intermediate forms.
 * The arena is the memory of the whole compilation; when it is full, allocation leaves the work for
 * the innermost recover (src/base/recover.c). */
#include "pipeline.h"

#include <string.h>

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

/* ---- Graph to Plan --------------------------------------------------------------------------- */

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
                              bool by_element, bool in_one_pass) {
    const Graph *g = without_limits(f->sliced);
    if (o->opt >= 2) g = picks(g);
    if (o->opt >= 2 && by_element) g = scalars(g);
    if (o->opt > 0) g = mirror(g, machine, in_one_pass);
    if (o->opt < 2) return g;
    g = split_turned(split_rows_first(split_joined(g, machine), machine), machine);
    g = split_twice(g, machine);
    g = split_columns(g, machine);
    if (machine_is_gpu(machine)) g = split_attention(g, machine);
    if (machine_is_gpu(machine)) g = split_summed_parts(g, machine);
    g = split_statistics(split_moments(g, machine), machine);
    g = sum_vectors(split_outer(g, machine), machine);
    g = split_counts(split_binned(g, machine), machine);
    if (machine_is_gpu(machine)) g = split_sorts(split_scatters(g));
    if (machine_is_gpu(machine)) g = split_k_major(g, machine);
    if (machine_is_gpu(machine)) g = split_products(g, machine, &o->fuse_pins, &f->open_splits);
    if (machine_is_gpu(machine)) g = split_scans(split_agreed(g, machine), machine);
    if (!machine_is_gpu(machine)) g = split_stored_order(g);
    g = split_rows(split_narrow(split_partials(g, machine), machine), machine);
    return split_reshaped(split_grouped(g, machine));
}

/* A contraction that a chain should have added up becomes one of its own where the chain is not
 * fused, as with constants. */
static Plan *planned_by(Function *f, const Machine *machine, const CompileOptions *o,
                        bool by_element) {
    f->open_splits = (OpenSplits){0};
    Plan *plan = fuse(in_pieces(f, machine, o, by_element, true), machine, o->opt, NULL);
    if (!plan_leaves_across(plan)) return plan;
    f->open_splits = (OpenSplits){0};
    return fuse(in_pieces(f, machine, o, by_element, false), machine, o->opt, NULL);
}

/* Elements of tiny systems may take fewer kernels than whole systems, or more than promised. */
static Plan *planned_once(Function *f, const Machine *machine, const CompileOptions *o) {
    Plan *plan = planned_by(f, machine, o, true);
    const int most = f->sliced->attrs.max_kernels;
    if (o->opt < 2 || !most || plan_called(plan) <= most) return plan;
    Plan *whole = planned_by(f, machine, o, false);
    return plan_called(whole) <= most ? whole : plan;
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

/* A GPU's row kernels store rows in another order as fast as in their own; a core of a CPU is
 * faster in two loops. */
static Graph *lifted(const Graph *g, const Machine *machine) {
    const bool is_gpu = machine_is_gpu(machine);
    return lift(is_gpu ? heads(g) : batched(heads(g)), is_gpu);
}

/* Slices of a product may have heads that the whole has not: queries, keys and values of one. */
static Graph *sliced(const Graph *g, const Machine *machine) {
    return compared(simplify(lifted(slices(g, machine_is_gpu(machine)), machine)));
}

static Graph *deferred(const Graph *g, int opt) { return defer(opt > 0 ? one_batch(g) : g); }

static bool function_stages(Compilation *c, Function *f, const CompileOptions *o) {
    const Machine *machine = machine_of(c->arena, o, f->lowered->name);
    if (!verified(c, f->lowered, PASS_LOWER)) return false;
    f->deferred = f->lowered->attrs.strict ? f->lowered : deferred(f->lowered, o->opt);
    if (!verified(c, f->deferred, PASS_DEFER)) return false;
    f->decomposed = decompose(f->deferred);
    if (!verified(c, f->decomposed, PASS_DECOMPOSE)) return false;
    f->lifted = o->opt > 0 ? lifted(f->decomposed, machine) : f->decomposed;
    if (!verified(c, f->lifted, PASS_LIFT)) return false;
    f->simplified = simplify(f->lifted);
    if (!verified(c, f->simplified, PASS_SIMPLIFY)) return false;
    f->sliced = o->opt > 0 ? sliced(f->simplified, machine) : f->simplified;
    if (!verified(c, f->sliced, PASS_SLICES)) return false;
    if (o->until < STAGE_PLAN) return true;

    f->plan = planned(f, machine, o);
    if (!done(c, PASS_FUSE)) return false;
    f->plan->meaning = f->deferred;
    plan_buffers(f->plan);
    if (o->opt >= 2) plan_check_max_kernels(f->plan);
    return done(c, PASS_BUFFERS);
}

/* ---- Plan to Kernels ------------------------------------------------------------------------- */

/* Groups to Kernels, with tiles, shared functions and schedules. */
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

/* ---- the stages ------------------------------------------------------------------------------ */

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
    for (int i = 0; i < count; i++)
        c->programs[i].about = program_about(c, file, &c->functions.at[i], o);
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
