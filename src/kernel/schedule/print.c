/* print.c: --emit=kernel: loops, values with their place, accumulators and stores. */
#include "kernel/schedule/schedule.h"

static void print_ix(const Body *b, Ix ix, Text *out) {
    const char *axis[2 * RANK_MAX],
        **value = arena_array(out->arena, const char *, b->values.count + 1);
    for (int i = 0; i < 2 * RANK_MAX; i++) axis[i] = arena_printf(out->arena, "i%d", i);
    for (int i = 0; i < b->values.count; i++) value[i] = arena_printf(out->arena, "v%d", i);
    ix_print(b->indices, ix, axis, value, out);
}

static void print_what(const Kernel *k, const Body *b, const Value *v, Text *out) {
    static const char *const name[] = {"const", "uniform", "index", "inside", "load",
                                       "op",    "as",      "acc",   "scan",   "clamp"};
    text_str(out, v->kind == V_OP ? op_info[v->op].name : name[v->kind]);
    for (int i = 0; i < value_sources(v); i++) text_printf(out, " v%d", v->src[i]);
    if (v->kind == V_CONST) text_printf(out, " 0x%llx", (unsigned long long)v->bits);
    if (v->kind == V_UNIFORM) text_printf(out, " %s", k->uniforms.at[v->attr].name);
    if (v->kind == V_ACC) text_printf(out, " %d", v->attr);
    if (v->kind == V_LOAD) text_printf(out, " %s", k->buffers.at[v->attr].name);
    if (v->ix) {
        text_str(out, "[");
        print_ix(b, v->ix, out);
        text_str(out, "]");
    }
    if (v->kind == V_INSIDE)
        text_printf(out, " in %s..%s",
                    v->attr ? dim_text(b->indices->dims, v->attr, out->arena) : "",
                    v->attr2 ? dim_text(b->indices->dims, v->attr2, out->arena) : "");
    if (v->guard) text_printf(out, " if v%d", v->guard);
}

static void print_value(const Kernel *k, const Schedule *s, int i, Text *out) {
    static const char *const level[] = {"uniform", "row", "element"};
    const Value *v = &s->body->values.at[i];
    const Place *p = &s->value[i];
    if (!p->used) return;
    size_t line = out->size;
    text_printf(out, "    v%d = ", i);
    print_what(k, s->body, v, out);
    text_printf(out, " : %s", dtype_name(v->type));
    text_pad(out, line, 56);
    text_printf(out, "  // %s, stage %d%s\n", level[p->level], p->stage, p->keep ? ", kept" : "");
}

static void print_body(const Kernel *k, const Schedule *s, Text *out) {
    const Body *b = s->body;
    text_str(out, "  loops");
    for (int i = 0; i < b->axes.count; i++)
        text_printf(out, " %s i%d < %s%s", b->axes.at[i].is_col ? "col" : "row",
                    b->axes.at[i].number,
                    dim_text(b->indices->dims, b->axes.at[i].extent, out->arena),
                    b->axes.at[i].number == s->lane ? " (lanes)" : "");
    text_printf(out, "; %d stage%s\n", s->stage_count, s->stage_count == 1 ? "" : "s");
    for (int i = 1; i < b->values.count; i++) print_value(k, s, i, out);
    for (int i = 0; i < b->accs.count; i++) {
        const Accumulator *a = &b->accs.at[i];
        text_printf(out, "    acc %d = %s v%d", i, op_info[a->op].name, a->value);
        if (a->op == OP_DOT) text_printf(out, " v%d", a->index);
        for (int j = 0; j < b->added.count; j++)
            text_printf(out, " + v%d v%d along i%d", b->added.at[j].left, b->added.at[j].right,
                        b->added.at[j].axis);
        for (int side = 0; side < 2; side++)
            if (a->panels[side])
                text_printf(out, ", %s in %s", side ? "right" : "left",
                            k->buffers.at[a->panels[side] - 1].name);
        text_printf(out, s->acc[i] < 0 ? "  // before" : "  // stage %d", s->acc[i]);
        if (schedule_is_online(s, i)) text_printf(out, ", online with acc %d", a->online_max);
        text_char(out, '\n');
    }
    for (int i = 0; i < b->stores.count; i++) {
        const Store *to = &b->stores.at[i];
        text_printf(out, "    %s[", k->buffers.at[to->buffer].name);
        print_ix(b, to->ix, out);
        text_printf(out, "] = v%d  // stage %d\n", to->value, s->store[i].stage);
    }
}

void kernel_print(const Kernel *k, const Schedule *const *schedules, Text *out) {
    static const char *const family[] = {"pointwise", "row", "contraction", "attention"};
    text_printf(out, "kernel %s: %s\n", k->name, family[k->family]);
    for (int i = 0; i < k->buffers.count; i++)
        text_printf(out, "  %s %s: %s\n", k->buffers.at[i].written ? "out" : "in ",
                    k->buffers.at[i].name, dtype_name(k->buffers.at[i].type));
    for (int i = 0; i < k->bodies.count; i++) {
        const Schedule *s = schedules[i];
        print_body(k, s ? s : schedule_new(&k->bodies.at[i], out->arena), out);
    }
}
