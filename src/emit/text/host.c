/* host.c: the functions that an application calls: comments, signatures, the layout of the
 * workspace and its query, the order of the steps of a call (sizes are checked, memory is laid out,
 * scalars are computed, kernels are called), and the walk over the kernels.
 * In: Launcher with the Names (and Plan), and the target's own steps. Out: text. */
#include "emit/text/host.h"

#include <string.h>

/* ---- signatures --------------------------------------------------------------------------- */

bool host_takes(const Buffer *b, bool once) {
    if (once) return b->constant;
    return b->kind == B_OUTPUT || (b->kind == B_INPUT && (!b->constant || b->in_place));
}

bool host_takes_dim(const Plan *plan, int symbol, bool once) {
    return !once || plan->constant_dims[symbol];
}

/* The dims: "N, D", or with a type before each. */
static const char *dims_text(const Names *names, bool once, const char *type) {
    Text out = text_new(names->arena);
    for (int i = 0; i < names->plan->g->dims->symbols.count; i++)
        if (host_takes_dim(names->plan, i, once))
            text_printf(&out, "%s%s%s", out.size ? ", " : "", type, names->symbol[i]);
    return text_get(&out);
}

static const char *parameters(const HostDialect *h, const Names *names, bool once) {
    const Plan *plan = names->plan;
    const char *dims = dims_text(names, once, h->size);
    Text out = text_new(names->arena);
    for (int i = 0; i < plan->buffers.count; i++) {
        const Buffer *b = &plan->buffers.at[i];
        if (!host_takes(b, once)) continue;
        text_printf(&out, "%s%s *%s, ", b->kind == B_INPUT && !b->consumed ? "const " : "",
                    h->tensor ? h->tensor : h->dialect->storage(b->type), b->name);
    }
    text_printf(&out, "%s%s", dims, *dims ? ", " : "");
    if (once) {
        text_str(&out, "void *prepared");
    } else {
        if (plan->constancy) text_str(&out, "const void *prepared, ");
        text_str(&out, "void *workspace");
    }
    if (*h->last.name && (!once || h->prepare_has_last))
        text_printf(&out, ", %s%s", h->last.type, h->last.name);
    return text_get(&out);
}

static void put_signature(const HostDialect *h, const Names *names, bool once, const char *linkage,
                          Text *out) {
    const char *head =
        arena_printf(names->arena, "%sint %s%s(", linkage, names->function, once ? "_prepare" : "");
    emit_signature(out, head, parameters(h, names, once));
}

/* "int64_t f_workspace": without parameters. */
static const char *query(const HostDialect *h, const Names *names, bool once) {
    return arena_printf(names->arena, "%s%s_%s", h->size, names->function,
                        once ? "prepared_size" : "workspace");
}

void host_signature(const HostDialect *h, const Names *names, bool once, Text *out) {
    put_signature(h, names, once, h->linkage, out);
    text_str(out, h->open);
}

void host_prototypes(const HostDialect *h, const Names *names, bool once, Text *out) {
    const char *dims = dims_text(names, once, h->size);
    put_signature(h, names, once, "", out);
    text_printf(out, ";\n%s(%s);\n", query(h, names, once), *dims ? dims : "void");
}

/* ---- documentation ------------------------------------------------------------------------- */

/* The lines of a comment about tensors and dims; returns the width of the column of names. */
static int document_takes(const Names *names, bool once, Text *out) {
    const Plan *plan = names->plan;
    const char *dims = dims_text(names, once, "");
    size_t width = strlen(once ? "prepared" : "workspace");
    if (strlen(dims) > width) width = strlen(dims);
    for (int i = 0; i < plan->buffers.count; i++)
        if (host_takes(&plan->buffers.at[i], once) && strlen(plan->buffers.at[i].name) > width)
            width = strlen(plan->buffers.at[i].name);
    for (int i = 0; i < plan->buffers.count; i++)
        if (host_takes(&plan->buffers.at[i], once))
            emit_tensor_comment(names, &plan->buffers.at[i], (int)width, out);
    if (*dims) text_printf(out, " *   %-*s  sizes\n", (int)width, dims);
    return (int)width;
}

/* ", but kn may have the memory of kc, and vn that of vc: then it is written in place" */
static const char *outputs_over_inputs(const Names *names) {
    const Plan *plan = names->plan;
    Text all = text_new(names->arena);
    for (int i = 0; i < plan->buffers.count; i++) {
        const Buffer *b = &plan->buffers.at[i];
        if (b->may_be < 0) continue;
        text_printf(&all, all.size ? ", and %s that of %s" : ", but %s may have the memory of %s",
                    b->name, plan->buffers.at[b->may_be].name);
    }
    if (all.size) text_str(&all, ": then it is written in place");
    return text_get(&all);
}

/* Inputs that a call overwrites, and outputs that it may write over them. */
static void put_consumed(const Names *names, Text *out) {
    Text all = text_new(names->arena);
    for (int i = 0; i < names->plan->buffers.count; i++)
        if (names->plan->buffers.at[i].consumed)
            text_printf(&all, "%s%s", all.size ? ", " : "", names->plan->buffers.at[i].name);
    if (!all.size) return;
    text_str(out, " * ");
    text_put_wrapped(out, 3, " * ",
                     arena_printf(names->arena,
                                  "What is in %s after a call is undefined; nothing else may "
                                  "overlap it%s.",
                                  text_get(&all), outputs_over_inputs(names)),
                     100);
    text_char(out, '\n');
}

void host_document(const HostDialect *h, const Names *names, Text *out) {
    const char *name = names->function, *has_place = *h->memory ? ", in " : "";
    text_printf(out, "/* %s: tensors are row-major and contiguous%s%s%s.\n", name, has_place,
                h->memory, h->tensors);
    const int width = document_takes(names, false, out);
    if (names->plan->constancy)
        text_printf(out, " *   %-*s  filled by %s_prepare for the same sizes\n", width, "prepared",
                    name);
    text_printf(out,
                " *   %-*s  %s_workspace(%s) bytes%s%s,\n"
                " *   %-*s  %d-byte aligned; may be NULL when that is 0\n",
                width, "workspace", name, dims_text(names, false, ""), *h->memory ? " of " : "",
                h->memory, width, "", h->alignment);
    if (*h->last.comment) text_printf(out, " *   %-*s  %s\n", width, h->last.name, h->last.comment);
    put_consumed(names, out);
    text_str(out, h->returns);
}

void host_prepare_document(const HostDialect *h, const Names *names, Text *out) {
    text_str(out, "/* ");
    text_put_wrapped(out, 3, " * ",
                     arena_printf(names->arena, "%s_prepare: %s; call it once, first.",
                                  names->function, h->prepares),
                     100);
    text_char(out, '\n');
    const int width = document_takes(names, true, out);
    text_printf(out, " *   %-*s  out  %s_prepared_size(%s) bytes%s%s, %d-byte aligned\n", width,
                "prepared", names->function, dims_text(names, true, ""), *h->memory ? " of " : "",
                h->memory, h->alignment);
    if (h->prepare_has_last)
        text_printf(out, " *   %-*s  %s\n", width, h->last.name, h->last.comment);
    text_str(out, h->prepare_returns);
}

/* ---- the workspace ------------------------------------------------------------------------- */

const char *host_slot_offset(const HostDialect *h, const Names *names, int slot) {
    Dims *d = names->plan->g->dims;
    Text out = text_new(names->arena);
    int64_t bytes, known = 0; /* all known sizes are one number */
    for (int i = 0; i < slot; i++) {
        const Dim size = names->plan->slots.at[i].bytes;
        if (dim_is_const(d, size, &bytes))
            known += (bytes + h->alignment - 1) / h->alignment * h->alignment;
        else
            text_printf(&out, "%s%s", out.size ? " + " : "", h->aligned(names, size));
    }
    if (known)
        text_printf(&out, "%s%s", out.size ? " + " : "", h->aligned(names, dim_const(d, known)));
    return out.size ? text_get(&out) : "0";
}

void host_query(const HostDialect *h, const Names *names, bool once, const char *lines,
                const char *bytes, Text *out) {
    const char *dims = dims_text(names, once, h->size);
    text_printf(out, "%s%s(%s)%s", h->linkage, query(h, names, once), *dims ? dims : h->nothing,
                h->open);
    for (int i = 0; i < names->plan->g->dims->symbols.count; i++)
        if (host_takes_dim(names->plan, i, once) && !names->used[i])
            text_printf(out, "    (void)%s;\n", names->symbol[i]);
    text_printf(out, "%s    return %s;\n}\n\n", lines, bytes);
}

void host_workspace(const HostDialect *h, const Names *names, const char *lines, const char *more,
                    Text *out) {
    const char *bytes = host_slot_offset(h, names, names->plan->slots.count);
    if (*more && strcmp(bytes, "0") != 0)
        bytes = arena_printf(names->arena, "%s + %s", bytes, more);
    else if (*more)
        bytes = more;
    host_query(h, names, false, lines, bytes, out);
}

static bool is_in_slot(const Buffer *b) { return b->slot >= 0; }

static bool has_slots(const Plan *plan) {
    for (int i = 0; i < plan->buffers.count; i++)
        if (is_in_slot(&plan->buffers.at[i])) return true;
    return false;
}

/* The first byte of a slot: `at` has a buffer of each slot that one was declared in. Sizes that are
 * numbers make one number of all offsets; others are added to the slot before, so that none is
 * repeated. */
static const char *slot_start(const HostDialect *h, const Names *names, int slot,
                              const Buffer *const *at) {
    const char *offset = host_slot_offset(h, names, slot);
    if (at[slot]) return at[slot]->name;
    if (!strcmp(offset, "0")) return "workspace";
    if (!at[slot - 1] || !strstr(offset, " + "))
        return arena_printf(names->arena, "((char *)workspace + %s)", offset);
    return arena_printf(names->arena, "((char *)%s + %s)", at[slot - 1]->name,
                        h->aligned(names, names->plan->slots.at[slot - 1].bytes));
}

static void declare_temps(const HostDialect *h, const Names *names, Text *out) {
    const Buffer **at = arena_array(names->arena, const Buffer *, names->plan->slots.count + 1);
    for (int i = 0; i < names->plan->buffers.count; i++) {
        const Buffer *b = &names->plan->buffers.at[i];
        const char *type = h->dialect->storage(b->type);
        const char *start = b->input >= 0 ? names->plan->buffers.at[b->input].name : NULL;
        if (is_in_slot(b)) start = slot_start(h, names, b->slot, at);
        if (!start) continue;
        const bool is_alike = is_in_slot(b) && at[b->slot] && at[b->slot]->type == b->type;
        text_printf(out, "    %s *const %s = ", type, b->name);
        if (!is_alike) text_printf(out, "(%s *)", type);
        text_printf(out, "%s;\n", start);
        if (is_in_slot(b) && !at[b->slot]) at[b->slot] = b;
    }
}

/* ---- what both functions do ------------------------------------------------------------------ */

static bool guard_is_known(const Launcher *l, int guard) {
    const Dims *d = l->plan->g->dims;
    if (guard < d->symbols.count) return host_takes_dim(l->plan, guard, true);
    const DimGuard *g = &d->guards.at[guard - d->symbols.count];
    return plan_is_constant_size(l->plan, g->a) && plan_is_constant_size(l->plan, g->b);
}

void host_guards(const Launcher *l, bool once, Text *out) {
    for (int i = 0; i < l->program->guard_count; i++) {
        const ProgramGuard *guard = &l->program->guards[i];
        if (once && !guard_is_known(l, i)) continue;
        text_printf(out, "    if (%s) return 1;", guard->broken_if);
        if (guard->why) text_printf(out, " /* %s */", guard->why);
        text_char(out, '\n');
    }
}

/* ---- the function -------------------------------------------------------------------------- */

/* What a step writes. */
static const char *text_of(const Launcher *l, void (*step)(const Launcher *l, Text *out)) {
    Text text = text_new(l->arena);
    if (step) step(l, &text);
    return text_get(&text);
}

static void call_kernels(const Launcher *l, Text *out) {
    for (int k = 0, number = 0; k < l->plan->groups.count; k++)
        if (!l->plan->groups.at[k].once) l->host->call(l, k, number++, out);
}

void host_function(const Launcher *l, Text *out) {
    const HostDialect *h = l->host;
    const char *memory = text_of(l, h->workspace);
    host_signature(h, l->names, false, out);
    if (!has_slots(l->plan) && !*memory && !l->has_scratch) text_str(out, "    (void)workspace;\n");
    text_str(out, text_of(l, h->unused));
    host_guards(l, false, out);
    text_str(out, text_of(l, h->prepared));
    declare_temps(h, l->names, out);
    text_str(out, memory);
    declare_uniforms(h->dialect, l->names, l->kernels->at, l->given, l->plan->groups.count, out);
    text_str(out, text_of(l, h->status));
    call_kernels(l, out);
    h->end(l, out);
    text_str(out, "}\n");
}

/* ---- kernels ------------------------------------------------------------------------------- */

Launcher launcher_new(const HostDialect *host, const Names *names, Arena *arena) {
    return (Launcher){.host = host, .names = names, .plan = names->plan, .arena = arena};
}

void host_kernels(Launcher *l, Text *out) {
    for (int k = 0; k < l->plan->groups.count; k++) {
        const int function = l->kernels->function[k];
        if (function == k)
            l->host->define(l, k, out);
        else
            l->host->share(l, k, function);
    }
}
