/* variants.c: compiled forms of one function, each for all dims or for some.
 * In: the dims to be fixed. Out: code that is loaded on the device, in a table that calls read
 * without a lock. A table is immutable: it is replaced by a new one, and freed with the function,
 * because a call may still read it. */
#include "api/api.h"

#include <inttypes.h>

int variant_refuses(const Variant *v, const int64_t *dims, int count) {
    for (int s = 0; s < count; s++) {
        if (v->of.fixed[s] && v->of.fixed[s] != dims[s]) return s;
        if (v->of.multiple[s] && dims[s] % v->of.multiple[s]) return s;
    }
    return -1;
}

Variant *variant_find(const VariantTable *table, const int64_t *dims, int count, bool is_aligned) {
    for (int i = 0; i < table->count; i++) {
        Variant *v = table->at[i];
        bool takes = is_aligned || !v->program->needs_aligned;
        if (takes && variant_refuses(v, dims, count) < 0) return v;
    }
    return NULL;
}

/* What a variant requires of a dim: "N == 3", "N % 16 == 0"; false: nothing. */
static bool guard_print(const FusecFunction *f, const Specialisation *of, int dim, Text *out) {
    const char *name = f->g->dims->symbols.at[dim].name;
    if (of->fixed[dim])
        text_printf(out, "%s == %" PRId64, name, of->fixed[dim]);
    else if (of->multiple[dim])
        text_printf(out, "%s %% %" PRId64 " == 0", name, of->multiple[dim]);
    return of->fixed[dim] || of->multiple[dim];
}

void variant_dims(const Variant *v, const int64_t *dims, int64_t *of_program) {
    for (int s = 0; s < v->program->symbol_count; s++) of_program[s] = dims[v->dim_of[s]];
}

/* ---- making one --------------------------------------------------------------------------- */

typedef struct Making {
    FusecFunction *f;
    const Specialisation *of;
    const int64_t *dims; /* some that it takes */
    const VariantOptions *options;
    Variant *v;
    Compiled compiled;
    const Compilation *c; /* that, or the function's */
} Making;

static bool is_general(const FusecFunction *f, const Specialisation *of) {
    for (int s = 0; s < f->dim_count; s++)
        if (of->fixed[s] || of->multiple[s]) return false;
    return !of->any_alignment || !f->c->programs[0].needs_aligned;
}

/* The code for all dims is what the function was planned with. */
static void take_planned(Making *m) {
    const FusecContext *context = m->f->model->context;
    m->compiled.arena = arena_new_in(context->host_allocator, (size_t)context->limits.memory_bytes);
    if (!m->compiled.arena) leave_for_memory(__FILE__, __LINE__);
    m->compiled.diag = diag_new(m->compiled.arena, (int)context->limits.errors);
    m->c = m->f->c;
}

/* With the values of the model, and those of this variant: the text was right without the latter.
 */
static FusecStatus compile_for(Making *m) {
    const FusecFunction *f = m->f;
    const bool is_tuned = f->tuning.when != FUSEC_TUNING_NEVER || f->tuning.lock;
    if (is_general(f, m->of) && (!is_tuned || f->model->is_adopted)) {
        take_planned(m);
        return FUSEC_OK;
    }
    DimBinding fixed[2 * DIMS_MOST], multiples[DIMS_MOST];
    DimValues values = {fixed, 0, multiples, 0, m->of->any_alignment};
    for (int i = 0; i < f->dims.count && i < DIMS_MOST; i++)
        fixed[values.fixed_count++] = f->dims.at[i];
    for (int s = 0; s < f->dim_count; s++) {
        const char *name = f->g->dims->symbols.at[s].name;
        if (m->of->fixed[s])
            fixed[values.fixed_count++] = (DimBinding){name, m->of->fixed[s]};
        else if (m->of->multiple[s])
            multiples[values.multiple_count++] = (DimBinding){name, m->of->multiple[s]};
    }
    model_compile(f->model, f->name, &values, STAGE_SOURCE, &m->compiled);
    FusecStatus status = api_fail_diag_as(m->compiled.diag, FUSEC_WRONG_DIMS);
    if (!status && is_tuned) {
        tuning_choose(f, &m->compiled, m->options->watch);
        status = api_fail_diag(m->compiled.diag);
    }
    m->c = m->compiled.c;
    return status;
}

static const char *guards_text(const Making *m, Arena *arena) {
    Text text = text_new(arena);
    for (int s = 0; s < m->f->dim_count; s++) {
        if (!m->of->fixed[s] && !m->of->multiple[s]) continue;
        if (text.size) text_str(&text, ", ");
        guard_print(m->f, m->of, s, &text);
    }
    if (m->c->programs[0].needs_aligned)
        text_printf(&text, "%stensors %% %d == 0", text.size ? ", " : "", TENSOR_ALIGNED);
    return text_get(&text);
}

/* Of each argument: what a call has to bring. */
static int64_t (*exact_sizes(const FusecFunction *f, const Variant *v))[RANK_MAX] {
    int64_t(*sizes)[RANK_MAX] =
        arena_alloc(v->arena, sizeof *sizes * (size_t)(f->argument_count + 1));
    for (int i = 0; i < f->argument_count; i++)
        for (int axis = 0; axis < f->arguments[i].rank; axis++)
            if (!dim_value(f->g->dims, f->arguments[i].shape[axis], v->of.fixed, &sizes[i][axis]))
                sizes[i][axis] = -1;
    return sizes;
}

static void describe(Making *m) {
    Variant *v = m->v;
    const FusecFunction *f = m->f;
    const Dims *dims = v->c->functions.at[0].lowered->dims;
    for (int s = 0; s < dims->symbols.count; s++)
        v->dim_of[s] = dim_symbol_find(f->g->dims, dims->symbols.at[s].name);
    v->of = *m->of;
    v->is_exact = true;
    for (int s = 0; s < f->dim_count; s++) v->is_exact = v->is_exact && v->of.fixed[s];
    v->guards = guards_text(m, v->arena);
    if (v->is_exact) v->sizes = exact_sizes(f, v);
}

static bool captures(Device *device, void *const *stream) {
    return device->is_capturing && stream && device->is_capturing(device, *stream);
}

/* Constants have sizes of their own, which no call changes. */
static FusecStatus prepare_constants(Making *m) {
    const FusecFunction *f = m->f;
    Variant *v = m->v;
    Device *device = f->model->context->device;
    if (!v->program->prepares) return FUSEC_OK;
    if (captures(device, m->options->stream))
        return api_fail(FUSEC_NOT_PREPARED,
                        "%s computes something of its constants first, and the stream captures: "
                        "prepare it before",
                        f->name);
    int64_t of_program[DIMS_MOST];
    variant_dims(v, m->dims, of_program);
    Call *call = arena_new_of(v->arena, Call);
    *call = (Call){.program = v->program, .dims = of_program};
    if (!device->prepare(device, m->compiled.diag, call))
        return api_fail_diag_as(m->compiled.diag, FUSEC_WRONG_DIMS);
    v->prepared_bytes = (size_t)call->prepared_bytes;
    v->prepared = device_take(f->model->context, m->compiled.diag, v->prepared_bytes);
    void **constants = arena_array(v->arena, void *, f->input_count + 1);
    for (int i = 0; i < f->input_count; i++) constants[i] = bound_memory(f, i);
    const Memory memory = {constants, v->prepared, NULL, m->options->stream};
    if (v->prepared && device->prepare_constants(device, m->compiled.diag, call, &memory))
        return FUSEC_OK;
    return api_fail_diag(m->compiled.diag);
}

/* All of a call's numbers are known. */
static FusecStatus make_call(Making *m) {
    Variant *v = m->v;
    Diag *diag = m->compiled.diag;
    static const int64_t none[1];
    v->call = program_prepare(diag, m->f->model->context->device, v->program, none);
    return v->call ? FUSEC_OK : api_fail_diag_as(diag, FUSEC_WRONG_DIMS);
}

static bool load(Making *m) {
    Variant *v = m->v;
    Device *device = m->f->model->context->device;
    const double start = clock_now();
    v->program->codes = &m->f->model->codes;
    v->program->watch = m->options->watch;
    bool loaded = device->load(device, m->compiled.diag, v->program, m->options->keep);
    v->program->watch = NULL;
    v->compiler_seconds = clock_now() - start;
    return loaded;
}

static FusecStatus make(void *of) {
    Making *m = of;
    FusecFunction *f = m->f;
    const double start = clock_now();
    FusecStatus status = compile_for(m);
    if (status) {
        messages_deliver(f->model->context, m->compiled.diag, f->c->diag, NULL);
        return status;
    }
    Variant *v = m->v = arena_new_of(m->compiled.arena, Variant);
    v->arena = m->compiled.arena;
    v->c = m->c;
    v->program = arena_new_of(v->arena, Program);
    *v->program = m->c->programs[0];
    describe(m);
    bool loaded = load(m);
    messages_deliver(f->model->context, m->compiled.diag, f->c->diag, NULL);
    if (!loaded) return api_fail_diag(m->compiled.diag);
    status = prepare_constants(m);
    if (!status && v->is_exact) status = make_call(m);
    v->seconds = clock_now() - start;
    return status;
}

void variant_free(FusecFunction *f, Variant *v) {
    Device *device = f->model->context->device;
    device_give_back(f->model->context, v->prepared, v->prepared_bytes);
    if (v->program->loaded) device->unload(device, v->program);
    arena_free(v->arena);
}

/* ---- the table ---------------------------------------------------------------------------- */

typedef struct Insertion {
    FusecFunction *f;
    Variant *v;
} Insertion;

static int least_recently_used(const VariantTable *table, bool of_exact) {
    int oldest = -1;
    for (int i = 0; i < table->count; i++) {
        const Variant *v = table->at[i];
        if (of_exact && !v->is_exact) continue;
        if (oldest < 0 || atomic_load(&v->last_use) < atomic_load(&table->at[oldest]->last_use))
            oldest = i;
    }
    return oldest;
}

/* The variant that v replaces; -1: there is room. */
static int to_evict(const FusecFunction *f, const VariantTable *table, const Variant *v) {
    int exact = v->is_exact;
    for (int i = 0; i < table->count; i++) exact += table->at[i]->is_exact;
    if (v->is_exact && exact > f->options.exact_most) return least_recently_used(table, true);
    return table->count == VARIANTS_MOST ? least_recently_used(table, false) : -1;
}

static void table_remove(VariantTable *table, int at) {
    for (int i = at; i + 1 < table->count; i++) table->at[i] = table->at[i + 1];
    table->count--;
}

static int openness(const Variant *v, int count) {
    int open = !v->program->needs_aligned;
    for (int s = 0; s < count; s++)
        if (!v->of.fixed[s]) open += 1000 - (int)v->of.multiple[s];
    return open;
}

/* Those that take the fewest sizes come first. */
static FusecStatus insert(void *of) {
    Insertion *i = of;
    FusecFunction *f = i->f;
    VariantTable *table = arena_new_of(f->handle.arena, VariantTable);
    *table = *atomic_load(&f->table);
    atomic_store(&i->v->last_use, atomic_fetch_add(&f->clock, 1) + 1);
    int at = 0, evicted = to_evict(f, table, i->v);
    if (evicted >= 0) {
        table_remove(table, evicted);
        f->evictions++;
    }
    while (at < table->count &&
           openness(table->at[at], f->dim_count) < openness(i->v, f->dim_count))
        at++;
    for (int j = table->count++; j > at; j--) table->at[j] = table->at[j - 1];
    table->at[at] = i->v;
    atomic_store_explicit(&f->table, table, memory_order_release);
    return FUSEC_OK;
}

FusecStatus variant_add(FusecFunction *f, const Specialisation *of, const int64_t *dims,
                        const VariantOptions *options, Variant **variant) {
    Making m = {.f = f, .of = of, .dims = dims, .options = options};
    FusecStatus status = api_run(make, &m);
    if (!status) status = api_run(insert, &(Insertion){f, m.v});
    if (status) {
        if (m.v)
            variant_free(f, m.v);
        else
            arena_free(m.compiled.arena);
        return status;
    }
    m.v->next = f->variants;
    f->variants = m.v;
    if (m.v->program->is_compiled) {
        f->compilations++;
        const double before = atomic_load(&f->compile_seconds);
        atomic_store(&f->compile_seconds, before + m.v->seconds);
    }
    *variant = m.v;
    return FUSEC_OK;
}
