/* reduce.c: accumulators of a stage as C text: start, one step, and what remains to be done
 * across the lanes. In: Accumulator. Out: statements; the finished value's name. */
#include "emit/c/c.h"

#include <string.h>

static Dtype value_type(const Writer *w, const Accumulator *a) {
    return w->b->values.at[a->value].type;
}

/* Of the accumulated values: for argmax they are not those of the result. */
static const char *reg(const Writer *w, const Accumulator *a) {
    return reg_suffix(a->op == OP_ARGMAX ? value_type(w, a) : a->type);
}

static const char *identity(const Writer *w, const Accumulator *a) {
    const char *r = reg(w, a);
    bool real = r[0] == 'f', wide = r[1] == '6';
    switch (a->op) {
    case OP_SUM: return "0";
    case OP_PROD: return "1";
    case OP_ALL: return "-1";
    case OP_ANY: return "0";
    case OP_RMIN: return real ? "INFINITY" : wide ? "INT64_MAX" : "INT32_MAX";
    case OP_RMAX:
    case OP_ARGMAX: return real ? "-INFINITY" : wide ? "INT64_MIN" : "INT32_MIN";
    default: BUG("no identity of %s", op_info[a->op].name);
    }
}

static const char *result_name(Writer *w, const Accumulator *a) {
    const char *name = w->name[a->result];
    if (name) return name;
    return w->name[a->result] = fresh(w, value_stem(w, a->result));
}

static const char *position_name(Writer *w, const Accumulator *a) {
    return arena_printf(w->arena, "at_%s", result_name(w, a));
}

/* The variable that a step adds to: in an unrolled stage, the part of step u. */
static const char *target(Writer *w, const Accumulator *a) {
    const char *name = result_name(w, a);
    return w->parts ? arena_printf(w->arena, "part_%s[u]", name) : name;
}

bool c_has_parts(const Accumulator *a) { return a->op != OP_ARGMAX && a->online_max < 0; }

void c_accumulator_start(Writer *w, int acc) {
    const Accumulator *a = &w->b->accs.at[acc];
    const char *name = result_name(w, a);
    if (a->op == OP_ARGMAX) {
        write_line(w, "%s best_%s = splat_%s(%s);", reg(w, a), name, reg(w, a), identity(w, a));
        write_line(w, "i32 %s = splat_i32(-1);", position_name(w, a));
        return;
    }
    if (w->parts) {
        write_line(w, "%s part_%s[4];", reg(w, a), name);
        write_line(w, "for (int u = 0; u < 4; u++) part_%s[u] = splat_%s(%s);", name, reg(w, a),
                   identity(w, a));
        return;
    }
    write_line(w, "%s %s = splat_%s(%s);", reg(w, a), name, reg(w, a), identity(w, a));
}

/* Lanes beyond the end of the row must not count. */
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
    name = target(w, a);
    bool real = reg(w, a)[0] == 'f';
    switch (a->op) {
    case OP_SUM:
        if (real)
            write_line(w, "%s += %s;", name, x);
        else
            write_line(w, "%s = add_%s(%s, %s);", name, reg(w, a), name, x);
        break;
    case OP_PROD:
        if (real)
            write_line(w, "%s *= %s;", name, x);
        else
            write_line(w, "%s = mul_%s(%s, %s);", name, reg(w, a), name, x);
        break;
    case OP_ANY: write_line(w, "%s |= %s;", name, x); break;
    case OP_ALL: write_line(w, "%s &= %s;", name, x); break;
    case OP_RMIN: write_line(w, "%s = min_%s(%s, %s);", name, reg(w, a), name, x); break;
    case OP_RMAX: write_line(w, "%s = max_%s(%s, %s);", name, reg(w, a), name, x); break;
    default: BUG("no step of %s", op_info[a->op].name);
    }
}

void c_accumulator_finish(Writer *w, int acc) {
    const Accumulator *a = &w->b->accs.at[acc];
    const char *name = result_name(w, a);
    if (a->op == OP_ARGMAX) {
        if (w->s->lane_is_row)
            write_line(w, "const i32 %s = %s;", name, position_name(w, a));
        else
            write_line(w, "const i32 %s = argmax_lanes_%s(best_%s, %s);", name, reg(w, a), name,
                       position_name(w, a));
        return;
    }
    if (w->s->lane_is_row || schedule_is_stepped(w->s, acc)) return;
    if (schedule_is_online(w->s, acc)) {
        write_line(w, "online_lanes_f32(&%s, &%s);", result_name(w, &w->b->accs.at[a->online_max]),
                   name);
        return;
    }
    static const char *const across[OP_COUNT] = {
        [OP_SUM] = "sum", [OP_PROD] = "prod", [OP_ANY] = "any",
        [OP_ALL] = "all", [OP_RMIN] = "min",  [OP_RMAX] = "max"};
    static const char *const two[OP_COUNT] = {
        [OP_SUM] = "add", [OP_PROD] = "mul", [OP_ANY] = "or",
        [OP_ALL] = "and", [OP_RMIN] = "min", [OP_RMAX] = "max"};
    const char *op = op_info[a->op].name, *lanes = TABLE_ROW(across, a->op, op);
    if (w->parts)
        write_line(w, "const %s %s = %s_lanes_%s(FOLD4(%s_%s, part_%s));", reg(w, a), name, lanes,
                   reg(w, a), TABLE_ROW(two, a->op, op), reg(w, a), name);
    else
        write_line(w, "%s = %s_lanes_%s(%s);", name, lanes, reg(w, a), name);
}
