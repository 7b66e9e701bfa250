/* print.c: --emit=kernel: loops, values with their places or in their pieces, accumulators and
 * stores.
 * In: a Kernel, the schedules that are emitted. Out: text. */
#include "kernel/schedule/schedule.h"

static void print_ix(const Body *b, Ix ix, Text *out) {
    const char *axis[2 * RANK_MAX],
        **value = arena_array(out->arena, const char *, b->values.count + 1);
    for (int i = 0; i < 2 * RANK_MAX; i++) axis[i] = arena_printf(out->arena, "i%d", i);
    for (int i = 0; i < b->values.count; i++) value[i] = arena_printf(out->arena, "v%d", i);
    ix_print(b->indices, ix, &(IxNames){.axis = axis, .value = value}, out);
}

static void print_what(const Kernel *k, const Body *b, const Value *v, Text *out) {
    static const char *const name[] = {"const",  "uniform", "index", "inside", "load",
                                       "op",     "as",      "acc",   "scan",   "combine",
                                       "cursor", "clamp",   "part"};
    text_str(out, v->kind == V_OP ? op_info[v->op].name : name[v->kind]);
    for (int i = 0; i < value_sources(v); i++) text_printf(out, " v%d", v->src[i]);
    if (v->kind == V_OP && v->op == OP_PHILOX && v->attr)
        text_printf(out, " * %d + %d", v->attr, v->attr2);
    if (v->kind == V_CONST) text_printf(out, " 0x%llx", (unsigned long long)v->bits);
    if (v->kind == V_UNIFORM) text_printf(out, " %s", k->uniforms.at[v->attr].name);
    if (v->kind == V_ACC) text_printf(out, " %d", v->attr);
    if (v->kind == V_COMBINE)
        text_printf(out, " by v%d, %s", v->src[4], v->attr ? op_info[v->attr].name : "set");
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

/* "v8 = exp v7 : f32" */
static void print_definition(const Kernel *k, const Body *b, int i, Text *out) {
    text_printf(out, "    v%d = ", i);
    print_what(k, b, &b->values.at[i], out);
    text_printf(out, " : %s", dtype_name(b->values.at[i].type));
}

static void print_loops(const Body *b, int lane, Text *out) {
    text_str(out, "  loops");
    for (int i = 0; i < b->axes.count; i++) {
        const Axis *a = &b->axes.at[i];
        text_printf(out, " %s i%d < %s%s", a->is_col ? "col" : "row", a->number,
                    dim_text(b->indices->dims, a->extent, out->arena),
                    a->number == lane ? " (lanes)" : "");
    }
}

static void print_accumulator(const Kernel *k, const Body *b, int i, Text *out) {
    const Accumulator *a = &b->accs.at[i];
    text_printf(out, "    acc %d = %s v%d", i, op_info[a->op].name, a->value);
    if (a->op == OP_DOT) text_printf(out, " v%d", a->index);
    for (int j = 0; j < b->added.count && i < b->dots; j++)
        text_printf(out, " + v%d v%d along i%d", b->added.at[j].left, b->added.at[j].right[i],
                    b->added.at[j].axis);
    if (b->blocks.term)
        text_printf(out, ", blocks of %d: sum v%d along i%d", F8_DEPTH, b->blocks.term, DOT_BLOCK);
    for (int side = 0; side < 2; side++)
        if (a->panels[side])
            text_printf(out, ", %s in %s", side ? "right" : "left",
                        k->buffers.at[a->panels[side] - 1].name);
}

static void print_store(const Kernel *k, const Body *b, int i, Text *out) {
    const Store *s = &b->stores.at[i];
    text_printf(out, "    %s[", k->buffers.at[s->buffer].name);
    print_ix(b, s->ix, out);
    text_printf(out, s->adds ? "] += v%d" : "] = v%d", s->value);
    if (!s->limit) return;
    text_str(out, " if ");
    print_ix(b, s->limited, out);
    text_printf(out, " < %s", dim_text(b->indices->dims, s->limit, out->arena));
}

/* ---- in stages ----------------------------------------------------------------------------- */

static void print_value(const Kernel *k, const Schedule *s, int i, Text *out) {
    static const char *const level[] = {"uniform", "row", "element"};
    const Place *p = &s->value[i];
    if (!p->used) return;
    size_t line = out->size;
    print_definition(k, s->body, i, out);
    text_pad(out, line, 56);
    text_printf(out, "  // %s, stage %d", p->of_group ? "group" : level[p->level], p->stage);
    if (s->body->group_axes && (p->of_group || p->phase)) text_printf(out, ", phase %d", p->phase);
    text_str(out, p->keep ? ", kept\n" : "\n");
}

static void print_stages(const Kernel *k, const Schedule *s, Text *out) {
    const Body *b = s->body;
    for (int i = 1; i < b->values.count; i++) print_value(k, s, i, out);
    for (int i = 0; i < b->accs.count; i++) {
        print_accumulator(k, b, i, out);
        if (b->accs.at[i].of_group)
            text_str(out, "  // of each group");
        else
            text_printf(out, s->acc[i] < 0 ? "  // before" : "  // stage %d", s->acc[i]);
        if (schedule_is_online(s, i))
            text_printf(out, ", online with acc %d", b->accs.at[i].online_max);
        text_char(out, '\n');
    }
    for (int i = 0; i < b->stores.count; i++) {
        print_store(k, b, i, out);
        text_printf(out, "  // stage %d\n", s->store[i].stage);
    }
}

/* ---- in pieces ----------------------------------------------------------------------------- */

/* "weights v19, given v8 v16": what the piece computes, and what it reads of other pieces. */
static void print_title(const Body *b, const Piece *p, Text *out) {
    text_printf(out, "  %s", p->title);
    for (int i = 0; i < p->count; i++) text_printf(out, " v%d", p->roots[i]);
    for (int i = 0; i < p->given_count; i++) {
        const Value *v = &b->values.at[p->given[i]];
        text_printf(out, i ? " v%d" : ", given v%d", p->given[i]);
        if (v->kind == V_ACC) text_printf(out, " = acc %d", v->attr);
    }
    text_char(out, '\n');
}

static void print_piece(const Kernel *k, const Body *b, const Piece *p, Text *out) {
    if (!p->count) return;
    print_title(b, p, out);
    for (int i = 1; i < b->values.count; i++) {
        if (!p->schedule->value[i].used) continue;
        print_definition(k, b, i, out);
        text_char(out, '\n');
    }
}

/* "dq_sum[i0 * 64 + i4] += transposed weights v9 times v2": by atomics. */
static void print_across(const Kernel *k, const Body *b, Text *out) {
    const ChainValues *c = &b->chain;
    const AcrossValues *a = &c->across;
    text_printf(out, "    %s[", k->buffers.at[a->buffer].name);
    print_ix(b, a->ix, out);
    text_printf(out, "] += transposed v%d times v%d, in any order\n",
                b->accs.at[c->outs[a->weights]].value, b->accs.at[c->scores[a->left]].value);
}

static void print_ends(const Kernel *k, const Body *b, Text *out) {
    for (int i = 0; i < b->accs.count; i++) {
        print_accumulator(k, b, i, out);
        text_char(out, '\n');
    }
    for (int i = 0; i < b->stores.count; i++) {
        print_store(k, b, i, out);
        text_char(out, '\n');
    }
    if (b->chain.across.is_there) print_across(k, b, out);
}

/* ---- kernels ------------------------------------------------------------------------------- */

static void print_body(const Kernel *k, const Body *b, const BodySchedule *s, Text *out) {
    const Schedule *stages = s->stages;
    print_loops(b, stages ? stages->lane : -1, out);
    if (b->chunks) text_printf(out, "; rows in %lld chunks i%d", (long long)b->chunks, BODY_CHUNK);
    if (stages)
        text_printf(out, "; %d stage%s", stages->stage_count, stages->stage_count == 1 ? "" : "s");
    text_char(out, '\n');
    for (int i = 0; i < s->pieces.count; i++) print_piece(k, b, &s->pieces.at[i], out);
    if (k->family == F_DOT && stages) text_str(out, "  rows of results\n");
    if (stages)
        print_stages(k, stages, out);
    else
        print_ends(k, b, out);
}

void kernel_print(const Kernel *k, const Kernel *first, const BodySchedule *schedules, Text *out) {
    static const char *const family[] = {"pointwise",   "row",       "segments",
                                         "contraction", "attention", "chain"};
    text_printf(out, "kernel %s: %s", k->name, family[k->family]);
    text_printf(out, first == k ? "\n" : ", calls %s with\n", first->name);
    for (int i = 0; i < k->buffers.count; i++) {
        const KernelBuffer *b = &k->buffers.at[i];
        text_printf(out, "  %s %s", b->written ? "out" : "in ", b->name);
        if (b->tensor) text_printf(out, " = %s", b->tensor);
        if (b->place) text_printf(out, " + %lld", (long long)b->place);
        text_printf(out, ": %s\n", dtype_name(b->type));
    }
    for (int i = 0; first == k && i < k->bodies.count; i++)
        print_body(k, &k->bodies.at[i], &schedules[i], out);
}
