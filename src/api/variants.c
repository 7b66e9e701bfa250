/* variants.c: compiled forms of one function, each for all dims or for some.
 * In: the dims that are to be fixed. Out: code that is loaded on the device, in a table that calls
 * read without a lock. A table never changes: a new one takes its place, and the old one lives as
 * long as the function, for a call may still read it. */
#include "api/api.h"

#include <inttypes.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool takes(const Variant *v, const int64_t *dims, int count) {
    for (int s = 0; s < count; s++)
        if (v->fixed[s] && v->fixed[s] != dims[s]) return false;
    return true;
}

Variant *variant_find(const VariantTable *table, const int64_t *dims, int count) {
    for (int i = 0; i < table->count; i++)
        if (takes(table->at[i], dims, count)) return table->at[i];
    return NULL;
}

void variant_dims(const Variant *v, const int64_t *dims, int64_t *of_program) {
    for (int s = 0; s < v->program->symbol_count; s++) of_program[s] = dims[v->dim_of[s]];
}

/* ---- making one --------------------------------------------------------------------------- */

typedef struct Making {
    FusecFunction *f;
    const int64_t *fixed;
    Variant *v;
    Compiled compiled;
} Making;

/* The values of the model, and those of this variant. */
static void compile_for(Making *m) {
    const FusecFunction *f = m->f;
    DimBinding dims[2 * DIMS_MOST];
    int count = 0;
    for (int i = 0; i < f->dims.count && count < DIMS_MOST; i++) dims[count++] = f->dims.at[i];
    for (int s = 0; s < f->dim_count; s++)
        if (m->fixed[s]) dims[count++] = (DimBinding){f->g->dims->symbols.at[s].name, m->fixed[s]};
    model_compile(f->model, f->name, dims, count, STAGE_SOURCE, &m->compiled);
}

static const char *guards_text(const Making *m, Arena *arena) {
    Text text = text_new(arena);
    for (int s = 0; s < m->f->dim_count; s++)
        if (m->fixed[s])
            text_printf(&text, "%s%s == %" PRId64, text.size ? ", " : "",
                        m->f->g->dims->symbols.at[s].name, m->fixed[s]);
    return text_get(&text);
}

static void describe(Making *m) {
    Variant *v = m->v;
    const FusecFunction *f = m->f;
    const Dims *dims = v->c->functions.at[0].lowered->dims;
    for (int s = 0; s < dims->symbols.count; s++)
        v->dim_of[s] = dim_symbol_find(f->g->dims, dims->symbols.at[s].name);
    v->is_exact = true;
    for (int s = 0; s < f->dim_count; s++) {
        v->fixed[s] = m->fixed[s];
        v->is_exact = v->is_exact && m->fixed[s];
    }
    v->guards = guards_text(m, v->arena);
}

/* Constants have sizes of their own, which no call changes. */
static FusecStatus prepare_constants(Making *m) {
    const FusecFunction *f = m->f;
    Variant *v = m->v;
    Device *device = f->model->context->device;
    if (!v->program->prepares) return FUSEC_OK;
    int64_t dims[DIMS_MOST], of_program[DIMS_MOST];
    for (int s = 0; s < f->dim_count; s++) dims[s] = f->bound_dims[s] ? f->bound_dims[s] : 1;
    for (int s = 0; s < f->dim_count; s++)
        if (m->fixed[s]) dims[s] = m->fixed[s];
    variant_dims(v, dims, of_program);
    Call *call = arena_new_of(v->arena, Call);
    *call = (Call){.program = v->program, .dims = of_program};
    if (!device->prepare(device, m->compiled.diag, call)) return api_fail_diag(m->compiled.diag);
    v->prepared_bytes = (size_t)call->prepared_bytes;
    v->prepared = device->allocate(device, m->compiled.diag, v->prepared_bytes);
    const Memory memory = {.tensors = f->bound, .prepared = v->prepared};
    if (v->prepared && device->prepare_constants(device, m->compiled.diag, call, &memory))
        return FUSEC_OK;
    return api_fail_diag(m->compiled.diag);
}

static FusecStatus make(void *of) {
    Making *m = of;
    FusecFunction *f = m->f;
    Device *device = f->model->context->device;
    const double start = now();
    compile_for(m);
    FusecStatus status = api_fail_diag(m->compiled.diag);
    if (status) return status;
    Variant *v = m->v = arena_new_of(m->compiled.arena, Variant);
    v->arena = m->compiled.arena;
    v->c = m->compiled.c;
    v->program = &m->compiled.c->programs[0];
    describe(m);
    bool loaded = device->load(device, m->compiled.diag, v->program, NULL);
    messages_deliver(f->model->context, m->compiled.diag, NULL);
    if (!loaded) return api_fail_diag(m->compiled.diag);
    status = prepare_constants(m);
    v->seconds = now() - start;
    return status;
}

void variant_free(FusecFunction *f, Variant *v) {
    Device *device = f->model->context->device;
    device->release(device, v->prepared);
    if (v->program->loaded) device->unload(device, v->program);
    arena_free(v->arena);
}

/* ---- the table ---------------------------------------------------------------------------- */

typedef struct Insertion {
    FusecFunction *f;
    Variant *v;
} Insertion;

/* The least recently used of the exact ones gives way; -1: there is room. */
static int to_evict(const FusecFunction *f, const VariantTable *table) {
    int oldest = -1, exact = 0;
    for (int i = 0; i < table->count; i++) {
        if (!table->at[i]->is_exact) continue;
        exact++;
        if (oldest < 0 ||
            atomic_load(&table->at[i]->last_use) < atomic_load(&table->at[oldest]->last_use))
            oldest = i;
    }
    return exact > f->options.exact_most ? oldest : -1;
}

static void table_remove(VariantTable *table, int at) {
    for (int i = at; i + 1 < table->count; i++) table->at[i] = table->at[i + 1];
    table->count--;
}

static int open_dims(const Variant *v, int count) {
    int open = 0;
    for (int s = 0; s < count; s++) open += !v->fixed[s];
    return open;
}

/* Those with fewer open dims come first. */
static FusecStatus insert(void *of) {
    Insertion *i = of;
    FusecFunction *f = i->f;
    VariantTable *table = arena_new_of(f->handle.arena, VariantTable);
    *table = *atomic_load(&f->table);
    atomic_store(&i->v->last_use, atomic_fetch_add(&f->clock, 1) + 1);
    int at = 0, evicted;
    while (at < table->count &&
           open_dims(table->at[at], f->dim_count) < open_dims(i->v, f->dim_count))
        at++;
    for (int j = table->count++; j > at; j--) table->at[j] = table->at[j - 1];
    table->at[at] = i->v;
    if ((evicted = to_evict(f, table)) >= 0) {
        table_remove(table, evicted);
        f->evictions++;
    }
    atomic_store_explicit(&f->table, table, memory_order_release);
    return FUSEC_OK;
}

FusecStatus variant_add(FusecFunction *f, const int64_t *fixed, Variant **variant) {
    Making m = {.f = f, .fixed = fixed};
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
    f->compilations++;
    f->compile_seconds += m.v->seconds;
    *variant = m.v;
    return FUSEC_OK;
}
