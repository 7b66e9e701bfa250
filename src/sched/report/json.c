/* json.c: plans as JSON, version 1, as docs/plan.md describes it.
 * In: the plans of a model. Out: one JSON object, its members in the documented order. A size is an
 * integer if it is known, else a string with an expression of the open dims, and null if it does
 * not fit in 64 bits. */
#include "graph/import/import.h"
#include "sched/report/lifetimes.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The output; ok becomes false when jansson runs out of memory. */
typedef struct Writer {
    const Plan *plan;
    const KernelReport *kernels; /* of its groups */
    const PlanMembers *members;
    int number; /* of the function */
    bool ok;
} Writer;

static void put(Writer *w, json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) != 0) w->ok = false;
}

static void append(Writer *w, json_t *array, json_t *value) {
    if (json_array_append_new(array, value) != 0) w->ok = false;
}

/* What an object or array is filled in for: it has a place at once, so that nothing is lost when
 * memory runs out in between. NULL after a failure: jansson refuses to add to that. */
static json_t *put_new(Writer *w, json_t *object, const char *key, json_t *value) {
    if (!json_object_set_new(object, key, value)) return value;
    w->ok = false;
    return NULL;
}

static json_t *append_new(Writer *w, json_t *array, json_t *value) {
    if (!json_array_append_new(array, value)) return value;
    w->ok = false;
    return NULL;
}

static void put_members(Writer *w, int kernel, json_t *object) {
    if (!object || !w->members->add(w->members->of, w->number, kernel, object)) w->ok = false;
}

static json_t *size_json(const Plan *plan, Dim size) {
    int64_t value;
    if (!size) return json_null();
    if (dim_is_const(plan->g->dims, size, &value)) return json_integer(value);
    return json_string(plan_size_text(plan, size));
}

static void fill_dims(Writer *w, json_t *names) {
    const Dims *dims = w->plan->g->dims;
    for (int i = 0; i < dims->symbols.count; i++)
        append(w, names, json_string(dims->symbols.at[i].name));
}

static void fill_ops(Writer *w, json_t *ops, const Group *group) {
    for (int i = 0; i < group->nests.count; i++) {
        const NodeVec *nodes = &group->nests.at[i].nodes;
        for (int j = 0; j < nodes->count; j++)
            append(w, ops, json_string(node_op_name(w->plan->g, &w->plan->g->node[nodes->at[j]])));
    }
}

static void fill_names(Writer *w, json_t *names, const IntVec *buffers) {
    for (int i = 0; i < buffers->count; i++)
        append(w, names, json_string(w->plan->buffers.at[buffers->at[i]].name));
}

static void fill_kernels(Writer *w, json_t *kernels) {
    for (int i = 0; i < w->plan->groups.count; i++) {
        const Group *group = &w->plan->groups.at[i];
        json_t *kernel = append_new(w, kernels, json_object());
        put(w, kernel, "name", json_string(group->name));
        put(w, kernel, "family", json_string(family_name[group->family]));
        put(w, kernel, "once", json_boolean(group->once));
        fill_ops(w, put_new(w, kernel, "ops", json_array()), group);
        fill_names(w, put_new(w, kernel, "inputs", json_array()), &group->reads);
        fill_names(w, put_new(w, kernel, "outputs", json_array()), &group->writes);
        put(w, kernel, "bytes_read", size_json(w->plan, group->bytes_read));
        put(w, kernel, "bytes_written", size_json(w->plan, group->bytes_written));
        put(w, kernel, "flops", size_json(w->plan, group->flops));
        Estimate e = cost_estimate(w->plan->machine, &group->work);
        put(w, kernel, "estimate_us", json_real(1e6 * e.seconds));
        put(w, kernel, "bound", json_string(bound_name[e.bound]));
        put(w, kernel, "tile", json_string(w->kernels[i].tile));
        put(w, kernel, "function", json_string(w->kernels[i].function));
        put_members(w, i, kernel);
    }
}

static void fill_rejected(Writer *w, json_t *rejected) {
    for (int i = 0; i < w->plan->decisions.count; i++) {
        const Decision *decision = &w->plan->decisions.at[i];
        if (!plan_is_apart(w->plan, decision)) continue;
        json_t *pair = append_new(w, rejected, json_object());
        put(w, pair, "a", json_string(plan_group(w->plan, decision->a)->name));
        put(w, pair, "b", json_string(plan_group(w->plan, decision->b)->name));
        put(w, pair, "reason", json_string(reason_code[decision->reason]));
        put(w, pair, "bytes", json_integer(decision->bytes));
        put(w, pair, "us", json_real(1e-6 * (double)decision->time));
    }
}

static void fill_buffers(Writer *w, json_t *buffers) {
    for (int i = 0; i < w->plan->buffers.count; i++) {
        const Buffer *buffer = &w->plan->buffers.at[i];
        json_t *object = append_new(w, buffers, json_object());
        put(w, object, "name", json_string(buffer->name));
        put(w, object, "bytes", size_json(w->plan, buffer_bytes(w->plan, i)));
        put(w, object, "role", json_string(lifetime_role[lifetime_role_of(w->plan, buffer)]));
        put(w, object, "slot", buffer->slot < 0 ? json_null() : json_integer(buffer->slot));
        const char *in = buffer->input < 0 ? NULL : w->plan->buffers.at[buffer->input].name;
        put(w, object, "input", in ? json_string(in) : json_null());
        const char *same = buffer->may_be < 0 ? NULL : w->plan->buffers.at[buffer->may_be].name;
        put(w, object, "may_be", same ? json_string(same) : json_null());
        put(w, object, "consumed", json_boolean(buffer->consumed));
        put(w, object, "prepared", json_boolean(buffer->prepared));
        put(w, object, "first", json_integer(buffer->first));
        put(w, object, "last", json_integer(buffer->last));
    }
}

/* Numbers for the nominal sizes of open dims. */
static void fill_memory(Writer *w, json_t *object) {
    const Lifetimes *l = lifetimes_of(w->plan);
    put(w, object, "slots", json_integer(l->slot_count));
    put(w, object, "workspace_bytes", json_real(l->workspace));
    put(w, object, "temp_bytes", json_real(l->role[LIFETIME_TEMP]));
    json_t *in_use = put_new(w, object, "in_use_bytes", json_array());
    for (int k = 0; k < l->kernels.count; k++) append(w, in_use, json_real(l->in_use[k]));
    put(w, object, "peak_kernel",
        l->kernels.count ? json_string(l->kernels.at[l->peak_at]) : json_null());
}

static void fill_unfused(Writer *w, json_t *object) {
    const Plan *unfused = plan_unfused(w->plan);
    put(w, object, "kernels", json_integer(unfused->groups.count));
    put(w, object, "moved_bytes", size_json(unfused, plan_moved(unfused)));
    put(w, object, "peak_bytes", size_json(unfused, plan_peak(unfused)));
}

static void fill_plan(Writer *w, json_t *function) {
    put(w, function, "name", json_string(w->plan->g->name));
    fill_dims(w, put_new(w, function, "dims", json_array()));
    put(w, function, "machine", json_string(w->plan->machine->name));
    fill_kernels(w, put_new(w, function, "kernels", json_array()));
    fill_rejected(w, put_new(w, function, "rejected", json_array()));
    fill_buffers(w, put_new(w, function, "buffers", json_array()));
    put(w, function, "moved_bytes", size_json(w->plan, plan_moved(w->plan)));
    put(w, function, "peak_bytes", size_json(w->plan, plan_peak(w->plan)));
    fill_memory(w, put_new(w, function, "memory", json_object()));
    fill_unfused(w, put_new(w, function, "unfused", json_object()));
    put_members(w, -1, function);
}

/* A file name may have any bytes, JSON only UTF-8: other bytes become %XX. */
static json_t *name_json(const char *name, Arena *arena) {
    json_t *string = json_string(name);
    if (string) return string;
    Text text = text_new(arena);
    for (; *name; name++)
        text_printf(&text, (unsigned char)*name < 0x80 ? "%c" : "%%%02X", (unsigned char)*name);
    return json_string(text_get(&text));
}

/* Headers of the model, by what they hold. */
static void fill_imports(Writer *w, json_t *headers, const Imports *m) {
    for (int i = 0; i < m->files.count; i++) {
        char digest[20];
        snprintf(digest, sizeof digest, "%016llx", (unsigned long long)m->files.at[i].digest);
        json_t *header = append_new(w, headers, json_object());
        put(w, header, "file", json_string(m->files.at[i].below));
        put(w, header, "xxh3", json_string(digest));
    }
}

typedef struct Document {
    Writer w;
    json_t *top;
    const char *model;
    const Plan *const *plans;
    const KernelReport *const *kernels;
    int count;
    Text *out;
    char *bytes; /* what jansson writes */
    size_t size, room;
    bool is_short; /* a part did not fit, and there is no memory for it */
} Document;

static bool has_room(Document *d, size_t size) {
    if (d->size + size <= d->room) return true;
    const size_t room = 2 * (d->size + size);
    char *more = realloc(d->bytes, room);
    if (!more) return false;
    d->bytes = more, d->room = room;
    return true;
}

/* Called by jansson, which must not be left by a jump, and goes on after a key that failed. */
static int put_chunk(const char *bytes, size_t size, void *of) {
    Document *d = of;
    d->is_short = d->is_short || !has_room(d, size);
    if (d->is_short) return -1;
    memcpy(d->bytes + d->size, bytes, size);
    d->size += size;
    return 0;
}

static void write_document(void *of) {
    Document *d = of;
    Writer *w = &d->w;
    put(w, d->top, "version", json_integer(1));
    put(w, d->top, "model", name_json(d->model, d->out->arena));
    if (d->count && d->plans[0]->g->imports)
        fill_imports(w, put_new(w, d->top, "imports", json_array()), d->plans[0]->g->imports);
    json_t *functions = put_new(w, d->top, "functions", json_array());
    for (int i = 0; w->ok && i < d->count; i++) {
        w->plan = d->plans[i];
        w->kernels = d->kernels[i];
        w->number = i;
        fill_plan(w, append_new(w, functions, json_object()));
    }
    w->ok = w->ok &&
            !json_dump_callback(d->top, put_chunk, d, JSON_INDENT(2) | JSON_REAL_PRECISION(4)) &&
            !d->is_short;
    if (w->ok) text_bytes(d->out, d->bytes, d->size);
    if (w->ok) text_char(d->out, '\n');
}

static void free_document(void *of) {
    Document *d = of;
    json_decref(d->top);
    free(d->bytes);
}

bool plans_json(const char *model, const Plan *const *plans, const KernelReport *const *kernels,
                int count, const PlanMembers *members, Text *out) {
    Document d = {.w = {.ok = true, .members = members},
                  .top = json_object(),
                  .model = model,
                  .plans = plans,
                  .kernels = kernels,
                  .count = count,
                  .out = out};
    ensure(write_document, free_document, &d);
    return d.w.ok;
}
