/* reduce.c: accumulators of a stage as C text: initial value, one step, and the reduction over the
 * lanes.
 * In: Accumulator. Out: statements; the final value's name. */
#include "emit/c/c.h"

#include <math.h>
#include <string.h>

static Dtype value_type(const Writer *w, const Accumulator *a) {
    return w->b->values.at[a->value].type;
}

/* The register type of the accumulated values: for argmax not that of the result. */
static const char *reg(const Writer *w, const Accumulator *a) {
    return reg_suffix(a->op == OP_ARGMAX ? value_type(w, a) : a->type);
}

const char *c_identity(Op op, const char *r) {
    const bool real = r[0] == 'f', wide = r[1] == '6';
    const double number = reduction_of(op)->identity;
    if (number == INFINITY) return real ? "INFINITY" : wide ? "INT64_MAX" : "INT32_MAX";
    if (number == -INFINITY) return real ? "-INFINITY" : wide ? "INT64_MIN" : "INT32_MIN";
    if (number == 0) return "0";
    return r[0] == 'b' ? "-1" : "1"; /* the mask of a true lane */
}

static const char *identity(const Writer *w, const Accumulator *a) {
    return c_identity(a->op, reg(w, a));
}

static const char *result_name(Writer *w, const Accumulator *a) {
    const char *name = w->name[a->result];
    if (name) return name;
    return w->name[a->result] = fresh_accumulator(w, value_stem(w, a->result));
}

static const char *position_name(Writer *w, const Accumulator *a) {
    return arena_printf(w->arena, "at_%s", result_name(w, a));
}

/* The variable of a step: in an unrolled stage, part u of the accumulator. */
static const char *target(Writer *w, const Accumulator *a) {
    const char *name = result_name(w, a);
    return w->partial_sums ? arena_printf(w->arena, "part_%s[u]", name) : name;
}

bool c_has_partial_sums(const Accumulator *a) { return a->op != OP_ARGMAX && a->online_max < 0; }

void c_accumulator_start(Writer *w, int acc) {
    const Accumulator *a = &w->b->accs.at[acc];
    const char *name = result_name(w, a);
    if (a->op == OP_ARGMAX) {
        write_line(w, "%s best_%s = splat_%s(%s);", reg(w, a), name, reg(w, a), identity(w, a));
        write_line(w, "i32 %s = splat_i32(0);", position_name(w, a));
        return;
    }
    if (w->partial_sums) {
        write_line(w, "%s part_%s[4];", reg(w, a), name);
        write_line(w, "for (int u = 0; u < 4; u++) part_%s[u] = splat_%s(%s);", name, reg(w, a),
                   identity(w, a));
        return;
    }
    write_line(w, "%s %s = splat_%s(%s);", reg(w, a), name, reg(w, a), identity(w, a));
}

/* One array of accumulators: a vector for each of a strip, which may be short. One thread of a Zen
 * 5, sums over the middle axis of f32 [20000, 4, 32] 2.3 ms by whole arrays, 0.16 by the vectors of
 * a strip. */
static void start_array(Writer *w, const char *type, const char *name, const char *first) {
    write_line(w, "%s %s[%d / VL];", type, name, w->tile->n);
    write_line(w, "for (idx v = 0; v < PADDED(end - start) / VL; v++) %s[v] = splat_%s(%s);", name,
               type, first);
}

void c_strip_start(Writer *w, int acc) {
    const Accumulator *a = &w->b->accs.at[acc];
    const char *name = result_name(w, a), *best = arena_printf(w->arena, "best_%s", name);
    const bool is_position = a->op == OP_ARGMAX;
    start_array(w, reg(w, a), is_position ? best : name, identity(w, a));
    if (is_position) start_array(w, "i32", position_name(w, a), "0");
    w->name[a->result] = arena_printf(w->arena, "%s[at / VL]", name);
}

/* The sums of a line are an array, too: part u is that of its vector u. */
static void enter_line(Writer *w, const Accumulator *a, int line_bytes) {
    const char *array = w->name[a->result];
    const int length = (int)strcspn(array, "[");
    write_line(w, "%s here_%.*s[LINE_VECTORS(%d)];", reg(w, a), length, array, line_bytes);
    write_line(w, "EACH_PART(u, vectors) here_%.*s[u] = %.*s[at / VL + u];", length, array, length,
               array);
    w->name[a->result] = arena_printf(w->arena, "here_%.*s[u]", length, array);
}

static void leave_line(Writer *w, const Accumulator *a) {
    const char *here = w->name[a->result], *array = here + strlen("here_");
    const int length = (int)strcspn(array, "[");
    write_line(w, "EACH_PART(u, vectors) %.*s[at / VL + u] = %s;", length, array, here);
    w->name[a->result] = arena_printf(w->arena, "%.*s[at / VL]", length, array);
}

void c_strip_enter(Writer *w, int acc, int line_bytes) {
    const Accumulator *a = &w->b->accs.at[acc];
    if (line_bytes) {
        enter_line(w, a, line_bytes);
        return;
    }
    const char *array = w->name[a->result];
    const char *here = arena_printf(w->arena, "here_%.*s", (int)strcspn(array, "["), array);
    const bool is_position = a->op == OP_ARGMAX;
    write_line(w, "%s %s%s = %s%s;", reg(w, a), is_position ? "best_" : "", here,
               is_position ? "best_" : "", array);
    if (is_position) write_line(w, "i32 at_%s = at_%s;", here, array);
    w->name[a->result] = here;
}

void c_strip_leave(Writer *w, int acc, int line_bytes) {
    const Accumulator *a = &w->b->accs.at[acc];
    if (line_bytes) {
        leave_line(w, a);
        return;
    }
    const char *here = w->name[a->result];
    const char *array = arena_printf(w->arena, "%s[at / VL]", here + strlen("here_"));
    const bool is_position = a->op == OP_ARGMAX;
    write_line(w, "%s%s = %s%s;", is_position ? "best_" : "", array, is_position ? "best_" : "",
               here);
    if (is_position) write_line(w, "at_%s = at_%s;", array, here);
    w->name[a->result] = array;
}

void c_strip_order(Writer *w, int acc) {
    const char *array = w->name[w->b->accs.at[acc].result];
    write_line(w, "in_order_f32(%.*s + at / VL, vectors);", (int)strcspn(array, "["), array);
}

void c_strip_finish(Writer *w, int acc) {
    const Accumulator *a = &w->b->accs.at[acc];
    if (a->op == OP_ARGMAX) w->name[a->result] = position_name(w, a);
}

void c_beside_declare(Writer *w, int acc) {
    const Accumulator *a = &w->b->accs.at[acc];
    const char *name = result_name(w, a);
    const int rows = c_rows_beside(w);
    if (a->op == OP_ARGMAX) {
        write_line(w, "%s best_%s[%d];", reg(w, a), name, rows);
        write_line(w, "i32 at_%s[%d], %s[%d];", name, rows, name, rows);
    } else {
        write_line(w, "%s %s[%d];", reg(w, a), name, rows);
    }
    w->name[a->result] = arena_printf(w->arena, "%s[u]", name);
}

void c_beside_start(Writer *w, int acc) {
    const Accumulator *a = &w->b->accs.at[acc];
    const char *best = a->op == OP_ARGMAX ? "best_" : "";
    write_line(w, "%s%s = splat_%s(%s);", best, result_name(w, a), reg(w, a), identity(w, a));
    if (*best) write_line(w, "%s = splat_i32(0);", position_name(w, a));
}

/* Lanes beyond the end of the row get the identity. */
static const char *kept_lanes(Writer *w, const Accumulator *a, const char *x) {
    if (w->s->lane_is_row || !strcmp(w->lanes, "VL")) return x;
    return arena_printf(w->arena, "keep_%s(%s, %s, %s)", reg(w, a), x, w->lanes, identity(w, a));
}

static void accumulate_online(Writer *w, const Accumulator *sum) {
    const Accumulator *max = &w->b->accs.at[sum->online_max];
    const char *x = kept_lanes(w, max, value_text(w, sum->online_x));
    write_line(w, "online_step_f32(&%s, &%s, %s);", result_name(w, max), result_name(w, sum), x);
}

void c_accumulate(Writer *w, int acc) {
    const Accumulator *a = &w->b->accs.at[acc];
    const char *name = result_name(w, a);
    if (schedule_is_stepped(w->s, acc)) return;
    if (schedule_is_online(w->s, acc)) {
        accumulate_online(w, a);
        return;
    }
    if (a->op == OP_ARGMAX) {
        write_line(w, "argmax_step_%s(&best_%s, &%s, %s, %s, %s);", reg(w, a), name,
                   position_name(w, a), value_text(w, a->value), value_text(w, a->index),
                   w->s->lane_is_row ? "VL" : w->lanes);
        return;
    }
    const char *x = kept_lanes(w, a, value_text(w, a->value));
    const char *const operands[] = {target(w, a), x}, *const type = reg(w, a);
    const char *pattern = op_text(a->op, IN_C, type[0] == 'f');
    write_line(w, "%s;", pattern_text(w->arena, pattern, operands, type));
}

void c_accumulator_finish(Writer *w, int acc) {
    const Accumulator *a = &w->b->accs.at[acc];
    const char *name = result_name(w, a);
    if (a->op == OP_ARGMAX) {
        if (w->s->lane_is_row)
            write_line(w, "const i32 %s = %s;", name, position_name(w, a));
        else
            write_line(w, "%s%s = argmax_lanes_%s(best_%s, %s);",
                       c_rows_beside(w) > 1 ? "" : "const i32 ", name, reg(w, a), name,
                       position_name(w, a));
        return;
    }
    if (w->s->lane_is_row || schedule_is_stepped(w->s, acc)) return;
    if (schedule_is_online(w->s, acc)) {
        write_line(w, "online_lanes_f32(&%s, &%s);", result_name(w, &w->b->accs.at[a->online_max]),
                   name);
        return;
    }
    const char *across = op_info[a->op].name, *pair = op_info[reduction_of(a->op)->pair].name;
    if (w->partial_sums)
        write_line(w, "const %s %s = %s_lanes_%s(FOLD4(%s_%s, part_%s));", reg(w, a), name, across,
                   reg(w, a), pair, reg(w, a), name);
    else
        write_line(w, "%s = %s_lanes_%s(%s);", name, across, reg(w, a), name);
}
