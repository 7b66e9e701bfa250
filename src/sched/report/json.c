/* json.c: plans as JSON, version 1, as docs/plan.md describes it.
 * In: the plans of a model. Out: one JSON object, its members in the documented order. A size is an
 * integer if it is known, else a string with an expression of the open dims, and null if it does
 * not fit in 64 bits. */
#include "graph/import/import.h"
#include "sched/report/report.h"

#include <jansson.h>
#include <stdio.h>

/* The output; ok becomes false when jansson runs out of memory. */
typedef struct Writer {
    const Plan *plan;
    const KernelReport *kernels; /* of its groups */
    bool ok;
} Writer;

static void put(Writer *w, json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) != 0) w->ok = false;
}

static void append(Writer *w, json_t *array, json_t *value) {
    if (json_array_append_new(array, value) != 0) w->ok = false;
}

static json_t *size_json(const Plan *plan, Dim size) {
    int64_t value;
    if (!size) return json_null();
    if (dim_is_const(plan->g->dims, size, &value)) return json_integer(value);
    return json_string(plan_size_text(plan, size));
}

static json_t *dims_json(Writer *w) {
    const Dims *dims = w->plan->g->dims;
    json_t *names = json_array();
    for (int i = 0; i < dims->symbols.count; i++)
        append(w, names, json_string(dims->symbols.at[i].name));
    return names;
}

static json_t *ops_json(Writer *w, const Group *group) {
    json_t *ops = json_array();
    for (int i = 0; i < group->nests.count; i++) {
        const NodeVec *nodes = &group->nests.at[i].nodes;
        for (int j = 0; j < nodes->count; j++)
            append(w, ops, json_string(node_op_name(w->plan->g, &w->plan->g->node[nodes->at[j]])));
    }
    return ops;
}

static json_t *names_json(Writer *w, const IntVec *buffers) {
    json_t *names = json_array();
    for (int i = 0; i < buffers->count; i++)
        append(w, names, json_string(w->plan->buffers.at[buffers->at[i]].name));
    return names;
}

static json_t *kernels_json(Writer *w) {
    json_t *kernels = json_array();
    for (int i = 0; i < w->plan->groups.count; i++) {
        const Group *group = &w->plan->groups.at[i];
        json_t *kernel = json_object();
        put(w, kernel, "name", json_string(group->name));
        put(w, kernel, "family", json_string(family_name[group->family]));
        put(w, kernel, "once", json_boolean(group->once));
        put(w, kernel, "ops", ops_json(w, group));
        put(w, kernel, "inputs", names_json(w, &group->reads));
        put(w, kernel, "outputs", names_json(w, &group->writes));
        put(w, kernel, "bytes_read", size_json(w->plan, group->bytes_read));
        put(w, kernel, "bytes_written", size_json(w->plan, group->bytes_written));
        put(w, kernel, "flops", size_json(w->plan, group->flops));
        Estimate e = cost_estimate(w->plan->machine, &group->work);
        put(w, kernel, "estimate_us", json_real(1e6 * e.seconds));
        put(w, kernel, "bound", json_string(bound_name[e.bound]));
        put(w, kernel, "tile", json_string(w->kernels[i].tile));
        put(w, kernel, "function", json_string(w->kernels[i].function));
        append(w, kernels, kernel);
    }
    return kernels;
}

static json_t *rejected_json(Writer *w) {
    json_t *rejected = json_array();
    for (int i = 0; i < w->plan->decisions.count; i++) {
        const Decision *decision = &w->plan->decisions.at[i];
        if (!plan_is_apart(w->plan, decision)) continue;
        json_t *pair = json_object();
        put(w, pair, "a", json_string(plan_group(w->plan, decision->a)->name));
        put(w, pair, "b", json_string(plan_group(w->plan, decision->b)->name));
        put(w, pair, "reason", json_string(reason_code[decision->reason]));
        put(w, pair, "bytes", json_integer(decision->bytes));
        put(w, pair, "us", json_real(1e-6 * (double)decision->time));
        append(w, rejected, pair);
    }
    return rejected;
}

static json_t *buffers_json(Writer *w) {
    json_t *buffers = json_array();
    for (int i = 0; i < w->plan->buffers.count; i++) {
        const Buffer *buffer = &w->plan->buffers.at[i];
        json_t *object = json_object();
        put(w, object, "name", json_string(buffer->name));
        put(w, object, "bytes", size_json(w->plan, buffer_bytes(w->plan, i)));
        put(w, object, "prepared", json_boolean(buffer->prepared));
        put(w, object, "first", json_integer(buffer->first));
        put(w, object, "last", json_integer(buffer->last));
        append(w, buffers, object);
    }
    return buffers;
}

static json_t *unfused_json(Writer *w) {
    const Plan *unfused = plan_unfused(w->plan);
    json_t *object = json_object();
    put(w, object, "kernels", json_integer(unfused->groups.count));
    put(w, object, "moved_bytes", size_json(unfused, plan_moved(unfused)));
    put(w, object, "peak_bytes", size_json(unfused, plan_peak(unfused)));
    return object;
}

static json_t *plan_json(Writer *w) {
    json_t *function = json_object();
    put(w, function, "name", json_string(w->plan->g->name));
    put(w, function, "dims", dims_json(w));
    put(w, function, "machine", json_string(w->plan->machine->name));
    put(w, function, "kernels", kernels_json(w));
    put(w, function, "rejected", rejected_json(w));
    put(w, function, "buffers", buffers_json(w));
    put(w, function, "moved_bytes", size_json(w->plan, plan_moved(w->plan)));
    put(w, function, "peak_bytes", size_json(w->plan, plan_peak(w->plan)));
    put(w, function, "unfused", unfused_json(w));
    return function;
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

static int put_chunk(const char *bytes, size_t size, void *out) {
    text_bytes(out, bytes, size);
    return 0;
}

/* Headers of the model, by what they hold. */
static json_t *imports_json(Writer *w, const Imports *m) {
    json_t *headers = json_array();
    for (int i = 0; i < m->files.count; i++) {
        char digest[20];
        snprintf(digest, sizeof digest, "%016llx", (unsigned long long)m->files.at[i].digest);
        json_t *header = json_object();
        put(w, header, "file", json_string(m->files.at[i].below));
        put(w, header, "xxh3", json_string(digest));
        append(w, headers, header);
    }
    return headers;
}

typedef struct Document {
    Writer w;
    json_t *top;
    const char *model;
    const Plan *const *plans;
    const KernelReport *const *kernels;
    int count;
    Text *out;
} Document;

static void write_document(void *of) {
    Document *d = of;
    Writer *w = &d->w;
    json_t *functions = json_array();
    put(w, d->top, "version", json_integer(1));
    put(w, d->top, "model", name_json(d->model, d->out->arena));
    if (d->count && d->plans[0]->g->imports)
        put(w, d->top, "imports", imports_json(w, d->plans[0]->g->imports));
    put(w, d->top, "functions", functions);
    for (int i = 0; w->ok && i < d->count; i++) {
        w->plan = d->plans[i];
        w->kernels = d->kernels[i];
        append(w, functions, plan_json(w));
    }
    if (w->ok &&
        json_dump_callback(d->top, put_chunk, d->out, JSON_INDENT(2) | JSON_REAL_PRECISION(4)) != 0)
        w->ok = false;
    text_char(d->out, '\n');
}

static void free_document(void *of) { json_decref(((Document *)of)->top); }

bool plans_json(const char *model, const Plan *const *plans, const KernelReport *const *kernels,
                int count, Text *out) {
    Document d = {{.ok = true}, json_object(), model, plans, kernels, count, out};
    ensure(write_document, free_document, &d);
    return d.w.ok;
}
