/* selftest.c: the self-test under -DFUSEC_MAIN: templates/host/selftest.c, its holes filled with a
 * description of each function, and with its reference (reference.c).
 * In: Model and Plans. Out: text that calls only the functions themselves. */
#include "emit/selftest/selftest.h"
#include "emit/text/host.h"
#include "emit/text/imported.h"

#include <string.h>

enum { REFERENCE_NODES = 400 }; /* a longer reference is omitted */

typedef struct Subject {
    const Graph
        /* the graph of the reference, before decompose: it has take and cross_entropy */
        *meaning;
    const Names *names; /* a function's copy records the dims that it uses */
    const Plan *plan;
    const Graph *g;
    const char *name;
    const Target *target;
    Arena *arena;
} Subject;

/* A function over fx_dims and more, with the dims that its body uses. */
static void put_function(const Subject *s, const char *head, const char *more, const char *body,
                         Text *out) {
    Text dims = text_new(s->arena);
    reference_dims(s->names, &dims);
    emit_signature(out, arena_printf(s->arena, "static %s_%s(", head, s->name),
                   arena_printf(s->arena, "const int64_t *fx_dims%s", more));
    text_printf(out, "\n{\n%s%s}\n\n", text_get(&dims), body);
}

/* A part of the self-test with its own record of uses. */
static Subject recording(const Subject *s, Names *names) {
    Subject own = *s;
    *names = names_recording(s->names);
    own.names = names;
    return own;
}

static const char *dim_name(const Subject *s, int i) {
    s->names->used[i] = true;
    return s->names->symbol[i];
}

static const char *size_of(const Subject *s, Dim size) { return names_size(s->names, size); }

/* ---- conditions on the sizes --------------------------------------------------------------- */

static void put_broken(const Subject *subject, Text *out) {
    Names names;
    const Subject own = recording(subject, &names), *s = &own;
    static const char *const compare[] = {
        [DIM_EQ] = "==", [DIM_NE] = "!=", [DIM_LT] = "<", [DIM_LE] = "<="};
    Text body = text_new(s->arena);
    for (int i = 0; i < s->g->dims->guards.count; i++) {
        const DimGuard *d = &s->g->dims->guards.at[i];
        const char *how = TABLE_ROW(compare, d->compare, "a comparison");
        text_printf(&body, "    if (!(%s %s %s)) return \"%s\";\n", size_of(s, d->a), how,
                    size_of(s, d->b), dim_guard_text(s->g->dims, d, s->arena));
    }
    text_str(&body, "    return NULL;\n");
    put_function(s, "const char *fx_broken", "", text_get(&body), out);
}

/* ---- tensors ------------------------------------------------------------------------------- */

const char *reference_type_name(Dtype type) {
    static const char *const name[T_COUNT] = {
        [T_BOOL] = "FX_BOOL",     [T_U8] = "FX_U8",     [T_I8] = "FX_I8",
        [T_I32] = "FX_I32",       [T_I64] = "FX_I64",   [T_F8E4M3] = "FX_F8E4M3",
        [T_F8E5M2] = "FX_F8E5M2", [T_BF16] = "FX_BF16", [T_F16] = "FX_F16",
        [T_F32] = "FX_F32",       [T_F64] = "FX_F64"};
    return TABLE_ROW(name, type, dtype_name(type));
}

static void put_tensor(const Subject *s, int number, const char *name, NodeId id, Text *out) {
    const Node *n = &s->g->node[id];
    const char *t = arena_printf(s->arena, "fx_tensors[%d]", number);
    text_printf(out, "    %s.name = \"%s\";\n    %s.type = %s;\n    %s.rank = %d;\n", t, name, t,
                reference_type_name(n->type), t, n->rank);
    for (int axis = 0; axis < n->rank; axis++)
        text_printf(out, "    %s.shape[%d] = %s;\n", t, axis, size_of(s, n->shape[axis]));
}

/* The input that `id` is a copy, view or conversion of, -1 if there is none. */
static int moved_input(const Graph *g, NodeId id) {
    while (op_info[g->node[id].op].class == VIEW || g->node[id].op == OP_CAST)
        id = g->node[id].src[0];
    return g->node[id].op == OP_INPUT ? g->node[id].attr[0] : -1;
}

/* Inputs of indices: in range for every tensor that they index. */
static void put_ranges(const Subject *s, Text *out) {
    const Graph *g = s->meaning;
    bool *seen = arena_array(s->arena, bool, g->inputs.count);
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        const bool along = n->op == OP_GATHER || n->op == OP_SCATTER;
        if (!along && n->op != OP_CROSS_ENTROPY) continue;
        const Node *table = &g->node[n->src[0]];
        int input = moved_input(g, n->src[1]);
        if (input < 0) continue;
        int axis = along ? n->attr[0] : table->rank - 1;
        const char *size = size_of(s, table->shape[axis]);
        const char *below = arena_printf(s->arena, "fx_tensors[%d].below", input);
        if (seen[input])
            text_printf(out, "    if (%s > %s) %s = %s;\n", below, size, below, size);
        else
            text_printf(out, "    %s = %s;\n", below, size);
        seen[input] = true;
    }
}

static void put_shapes(const Subject *subject, Text *out) {
    Names names;
    const Subject own = recording(subject, &names), *s = &own;
    const Graph *g = s->g;
    Text body = text_new(s->arena);
    for (int i = 0; i < s->plan->buffers.count; i++) {
        const Buffer *b = &s->plan->buffers.at[i];
        int k = b->number;
        if (b->kind == B_INPUT) put_tensor(s, k, g->inputs.at[k].name, g->inputs.at[k].node, &body);
        if (b->kind == B_OUTPUT)
            put_tensor(s, g->inputs.count + k, g->outputs.at[k].name, g->outputs.at[k].node, &body);
    }
    put_ranges(s, &body);
    put_function(s, "void fx_shapes", ", fx_tensor *fx_tensors", text_get(&body), out);
}

/* ---- calls --------------------------------------------------------------------------------- */

static void put_calls(const Subject *subject, Text *out) {
    Names names;
    const Subject own = recording(subject, &names), *s = &own;
    Text sizes = text_new(s->arena), args = text_new(s->arena), call = text_new(s->arena);
    for (int i = 0; i < s->g->dims->symbols.count; i++)
        text_printf(&sizes, "%s%s", i ? ", " : "", dim_name(s, i));
    const char *query =
        arena_printf(s->arena, "    return %s_workspace(%s);\n", s->name, text_get(&sizes));
    put_function(s, "int64_t fx_workspace", "", query, out);
    int count = s->g->inputs.count + s->g->outputs.count;
    for (int i = 0; i < count; i++)
        if (host_takes(&s->plan->buffers.at[i], false)) text_printf(&args, "fx_at[%d], ", i);
    text_printf(&args, "%s%s", text_get(&sizes), sizes.size ? ", " : "");
    if (s->plan->constancy) text_printf(&args, "fx_at[%d], ", count);
    text_str(&args, "fx_space");
    text_str(&args, s->target->test_arguments);
    emit_signature(&call, arena_printf(s->arena, "    return %s(", s->name), text_get(&args));
    text_str(&call, ";\n");
    put_function(s, "int fx_call", ", void *const *fx_at, void *fx_space", text_get(&call), out);
}

/* The last of fx_at is the memory for prepared constants. */
static void put_prepare(const Subject *subject, Text *out) {
    Names names;
    const Subject own = recording(subject, &names), *s = &own;
    Text sizes = text_new(s->arena), call = text_new(s->arena);
    for (int i = 0; i < s->g->dims->symbols.count; i++)
        if (s->plan->constant_dims[i])
            text_printf(&sizes, "%s%s", sizes.size ? ", " : "", dim_name(s, i));
    const char *query =
        arena_printf(s->arena, "    return %s_prepared_size(%s);\n", s->name, text_get(&sizes));
    put_function(s, "int64_t fx_prepared", "", query, out);
    Text args = text_new(s->arena);
    for (int i = 0; i < s->g->inputs.count; i++)
        if (host_takes(&s->plan->buffers.at[i], true)) text_printf(&args, "fx_at[%d], ", i);
    text_printf(&args, "%s%sfx_at[%d]", text_get(&sizes), sizes.size ? ", " : "",
                s->g->inputs.count + s->g->outputs.count);
    text_str(&args, s->target->test_arguments);
    emit_signature(&call, arena_printf(s->arena, "    return %s_prepare(", s->name),
                   text_get(&args));
    text_str(&call, ";\n");
    put_function(s, "int fx_prepare", ", void *const *fx_at", text_get(&call), out);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static Dim add_known(Dims *d, Dim sum, Dim more) { return sum && more ? dim_add(d, sum, more) : 0; }

static void put_work(const Subject *subject, Dim steps, Text *out) {
    Names names;
    const Subject own = recording(subject, &names), *s = &own;
    Dims *d = s->g->dims;
    Dim bytes = dim_const(d, 0), flops = bytes;
    for (int i = 0; i < s->plan->groups.count; i++) {
        const Group *k = &s->plan->groups.at[i];
        if (k->once) continue;
        bytes = add_known(d, add_known(d, bytes, k->bytes_read), k->bytes_written);
        flops = add_known(d, flops, k->flops);
    }
    Text body = text_new(s->arena);
    const struct {
        const char *name;
        Dim value;
    } number[] = {{"bytes", bytes}, {"flops", flops}, {"steps", steps}};
    for (int i = 0; i < 3; i++) {
        const char *text = number[i].value ? size_of(s, number[i].value) : "0";
        bool is_number = strspn(text, "0123456789") == strlen(text);
        text_printf(&body, is_number ? "    *fx_%s = %s;\n" : "    *fx_%s = (double)(%s);\n",
                    number[i].name, text);
    }
    put_function(s, "void fx_work", ", double *fx_bytes, double *fx_flops, double *fx_steps",
                 text_get(&body), out);
}

/* ---- one function -------------------------------------------------------------------------- */

static void put_dims(const Subject *s, Dim steps, Text *out) {
    const Dims *d = s->g->dims;
    int count = d->symbols.count;
    int64_t *sizes = arena_array(s->arena, int64_t, count + 1);
    if (!test_sizes(s->plan, steps, sizes)) memset(sizes, 0, sizeof *sizes * (size_t)count);
    text_printf(out, "static const char *const fx_dim_%s[] = {", s->name);
    for (int i = 0; i < count; i++)
        text_printf(out, "%s\"%s\"", i ? ", " : "", d->symbols.at[i].name);
    text_printf(out, "%s};\nstatic const int64_t fx_size_%s[] = {", count ? "" : "\"\"", s->name);
    for (int i = 0; i < count; i++) text_printf(out, "%s%lld", i ? ", " : "", (long long)sizes[i]);
    text_printf(out, "%s};\n\n", count ? "" : "0");
}

/* prepares: some function of the file has inputs that are prepared. */
static void put_subject(const Subject *s, bool prepares, Text *functions, Text *table) {
    const Graph *g = s->g;
    bool has_reference = s->meaning->count - 1 <= REFERENCE_NODES;
    Dim steps = has_reference ? reference_steps(s->meaning) : dim_const(g->dims, 0);
    text_printf(functions, "/* ---- %s ---- */\n\n", s->name);
    if (has_reference) emit_reference(s->meaning, s->names, functions);
    text_char(functions, '\n');
    put_dims(s, steps, functions);
    put_broken(s, functions);
    put_shapes(s, functions);
    put_calls(s, functions);
    if (s->plan->constancy) put_prepare(s, functions);
    put_work(s, steps, functions);
    const char *name = s->name;
    text_printf(table, "{\"%s\", %d, %d, %d,\n", name, g->inputs.count, g->outputs.count,
                g->dims->symbols.count);
    text_printf(table, " fx_dim_%s, fx_size_%s,\n fx_broken_%s, fx_shapes_%s,\n", name, name, name,
                name);
    text_printf(table, " fx_workspace_%s, fx_call_%s,\n %s, fx_work_%s", name, name,
                has_reference ? arena_printf(s->arena, "fx_reference_%s", name) : "NULL", name);
    if (s->plan->constancy)
        text_printf(table, ",\n fx_prepared_%s, fx_prepare_%s", name, name);
    else if (prepares)
        text_str(table, ",\n NULL, NULL");
    text_str(table, "},\n");
}

/* ---- the file ------------------------------------------------------------------------------ */

static const char *number_text(Arena *arena, int n) { return arena_printf(arena, "%d", n); }

/* What the test's tables have room for. */
typedef struct Most {
    int tensors, dims;
    bool prepares; /* a function has inputs that are prepared */
} Most;

static Most put_subjects(const Model *model, const Names *names, const Target *target,
                         Text *functions, Text *table) {
    Most most = {1, 1, false};
    for (int i = 0; i < model->functions.count; i++)
        most.prepares |= names[i].plan->constancy != NULL;
    for (int i = 0; i < model->functions.count; i++) {
        const Plan *plan = names[i].plan;
        const Graph *g = plan->g;
        Subject s = {.meaning = plan->meaning,
                     .names = &names[i],
                     .plan = plan,
                     .g = g,
                     .target = target,
                     .arena = functions->arena,
                     .name = names[i].function};
        put_subject(&s, most.prepares, functions, table);
        const int tensors = g->inputs.count + g->outputs.count;
        if (tensors > most.tensors) most.tensors = tensors;
        if (g->dims->symbols.count > most.dims) most.dims = g->dims->symbols.count;
    }
    return most;
}

void emit_self_test(const Model *model, const Names *names, const Target *target, Text *out) {
    static const char *const preludes[] = {"host/reference.h", NULL};
    Arena *arena = out->arena;
    Text functions = text_new(arena), table = text_new(arena), all = text_new(arena);
    Text memory = text_new(arena), values = text_new(arena);
    const Most most = put_subjects(model, names, target, &functions, &table);
    const Plan **plans = arena_array(arena, const Plan *, model->functions.count + 1);
    for (int i = 0; i < model->functions.count; i++) plans[i] = names[i].plan;
    imported_reference(plans, model->functions.count, &all);
    prelude_link(preludes, text_get(&functions), &all);
    text_wrapped(&all, text_get(&functions));
    template_fill(target->test_memory, NULL, 0, &memory);
    template_fill("host/values.c", NULL, 0, &values);
    const Fill fills[] = {
        {target_c.test_section, target == &target_c ? "1" : ""},
        {target_cuda.test_section, target == &target_cuda ? "1" : ""},
        {"PREPARES", most.prepares ? "1" : ""},
        {"MOST_TENSORS", number_text(arena, most.tensors + most.prepares)},
        {"MOST_DIMS", number_text(arena, most.dims)},
        {"TEST_MEMORY", text_get(&memory)},
        {"TEST_VALUES", text_get(&values)},
        {"TEST_FUNCTIONS", text_get(&all)},
        {"TEST_TABLE", text_get(&table)},
    };
    TEMPLATE_FILL("host/selftest.c", fills, out);
}
