/* value.c: values as C text on vectors of VL lanes: literals, loads, indices, stores. A
 * contiguous address becomes a vector access, an address that is uniform over the lanes a splat,
 * and any other a loop over the lanes. */
#include "emit/c/c.h"
#include "emit/text/imported.h"

#include <string.h>

/* Of a uniform: double, int32_t, bool .. */
static const char *scalar_type(Dtype type) {
    return type == T_BOOL ? "bool" : storage_type(dtype_compute(type));
}

static const char *c_type(Dtype type) { return reg_suffix(type); }

int32_t c_divisor_power(const Writer *w, const Value *v) {
    const Value *by = &w->b->values.at[v->src[1]];
    if ((v->op != OP_DIV && v->op != OP_MOD) || strcmp(reg_suffix(v->operand), "i32")) return 0;
    if (by->kind != V_CONST) return 0;
    const int64_t n = const_int(by);
    return n > 0 && n <= 1 << 30 && !(n & (n - 1)) ? (int32_t)n : 0;
}

static const char *power_pattern(const Writer *w, const Value *v, int32_t power) {
    const bool is_natural = w->b->values.at[v->src[0]].type == T_U8;
    const char *how = is_natural        ? v->op == OP_DIV ? "high_bits" : "low_bits"
                      : v->op == OP_DIV ? "div_power"
                                        : "mod_power";
    return arena_printf(w->arena, "%s_i32($a, %d)", how, __builtin_ctz((unsigned)power));
}

static const char *c_pattern(Writer *w, const Value *v) {
    if (op_is_call(v->op)) return imported_pattern(w, v, true);
    if (v->attr && v->op == OP_MUL) return "mul_rounded_$t($a, $b)";
    if (v->attr && v->op == OP_PHILOX)
        return arena_printf(w->arena, "philox_of_i64($a, $b, %d, %d)", v->attr, v->attr2);
    const int32_t power = c_divisor_power(w, v);
    if (power) return power_pattern(w, v, power);
    return op_text(v->op, IN_C, dtype_is_float(v->operand));
}

const char *c_splat(Writer *w, Dtype type, const char *scalar) {
    return arena_printf(w->arena, "splat_%s(%s)", reg_suffix(type), scalar);
}

static Expr c_constant(Writer *w, const Value *v) {
    if (v->type == T_BOOL)
        return (Expr){v->bits ? "splat_b1(-1)" : "splat_b1(0)", BIND_CALL, false};
    if (!dtype_is_float(v->type)) return (Expr){int_text(w->arena, const_int(v)), BIND_CALL, true};
    return (Expr){float_text(w->arena, const_float(v), v->type != T_F64), BIND_CALL, true};
}

static Expr c_uniform(Writer *w, const Value *v) {
    const char *name = uniform_name(w, v->attr);
    if (v->type == T_BOOL)
        return (Expr){arena_printf(w->arena, "splat_b1(%s ? -1 : 0)", name), BIND_CALL, false};
    return (Expr){name, BIND_CALL, true};
}

/* ---- loads --------------------------------------------------------------------------------- */

/* Lane by lane, under a guard if there is one. */
static void load_lanes(Writer *w, const Value *v, const char *name, const char *guard) {
    const char *condition = guard ? arena_printf(w->arena, "if (%s[l]) ", guard) : "";
    const char *of_lanes = c_lane_indices(w, v->ix), *address;
    if (of_lanes)
        address = arena_printf(w->arena, "%s + %s[l]", buffer_name(w, v->attr), of_lanes);
    else
        address = c_lane_address(w, v->attr, v->ix);
    write_line(w, "%s %s = {0};", c_type(v->type), name);
    write_line(w, "for (idx l = 0; l < %s; l++) %s%s[l] = get_%s(%s);", c_lanes(w), condition, name,
               dtype_name(v->type), address);
}

/* Elements that are loaded once for several lanes each, as bytes that hold two numbers of 4 bits,
 * the two parts of a pair that both of its results read, or the numbers of a group; 0 lanes: they
 * are not. */
static CGroups groups_of(const Writer *w, const Value *v) {
    if (!w->is_aligned || !c_is_in_lanes(w) || (v->guard && !load_is_within(w->k, w->b, v)))
        return (CGroups){0};
    return c_groups(w, v->ix, w->s->lane);
}

/* Of two lanes there are functions for most types. */
static const char *groups_text(Writer *w, const Value *v, CGroups groups) {
    const bool is_byte = v->type == T_U8 || v->type == T_I8;
    const bool is_short = v->type == T_BF16 || v->type == T_F16;
    const bool has_two = is_short || v->type == T_F32 || v->type == T_I32;
    const char *type = dtype_name(v->type), *from = address_text(w, v->attr, v->ix);
    if (groups.lanes == 2 && (groups.step == 1 ? has_two || is_byte : has_two))
        return arena_printf(w->arena, "ld_%s_%s(%s, %s)", groups.step == 1 ? "twice" : "even_twice",
                            type, from, c_lanes(w));
    return arena_printf(w->arena, "LD_GROUPS(%s, ld_%s, %s, %d, %d, %s)", c_type(v->type), type,
                        from, (int)groups.lanes, (int)groups.step, c_lanes(w));
}

static void load_groups(Writer *w, const Value *v, const char *name, CGroups groups) {
    const char *reg = c_type(v->type), *x = groups_text(w, v, groups);
    if (v->guard)
        x = arena_printf(w->arena, "where_%s(%s, %s, %s)", reg, value_text(w, v->guard), x,
                         c_splat(w, v->type, "0"));
    write_line(w, "const %s %s = %s;", reg, name, x);
}

static void load_guarded(Writer *w, const Value *v, const char *name, int step) {
    const char *guard = value_text(w, v->guard), *type = dtype_name(v->type);
    const char *address = address_text(w, v->attr, v->ix), *reg = c_type(v->type);
    if (step == 0) {
        write_line(w, "const %s %s = lds_where_%s(%s, %s);", reg, name, type, address, guard);
    } else if (step == 1) {
        write_line(w, "const %s %s = ld_where_%s(%s, %s, %s);", reg, name, type, address, guard,
                   c_lanes(w));
    } else if (c_lane_stride(w, v->ix) && !(w->b->values.at[v->guard].axes >> w->s->lane & 1)) {
        write_line(w, "const %s %s = is_any(%s) ? ld_strided_%s(%s, %s, %s) : %s;", reg, name,
                   guard, type, address, c_lane_stride(w, v->ix), c_lanes(w),
                   c_splat(w, v->type, "0"));
    } else {
        load_lanes(w, v, name, guard);
    }
}

static void declare_load(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    int step = c_lane_step(w, v->ix);
    const char *name = fresh(w, value_stem(w, value)), *reg = c_type(v->type);
    const char *type = dtype_name(v->type), *tile = w->tiles ? w->tiles[value] : NULL;
    const char *address = tile ? tile : address_text(w, v->attr, v->ix);
    const CGroups groups = groups_of(w, v);
    if (tile) {
        write_line(w, "const %s %s = ld_%s(%s, %s);", reg, name, type, tile, c_lanes(w));
    } else if (groups.lanes) {
        load_groups(w, v, name, groups);
    } else if (v->guard) {
        load_guarded(w, v, name, step);
    } else if (step == 0) {
        write_line(w, "const %s %s = lds_%s(%s);", reg, name, type, address);
    } else if (w->in_turns && step == 1) {
        write_line(w, "const %s %s = ld_turn_%s(%s, u, vectors, %s);", reg, name, type, address,
                   c_lanes(w));
    } else if (step == 1) {
        write_line(w, "const %s %s = ld_%s(%s, %s);", reg, name, type, address, c_lanes(w));
    } else if (c_lane_stride(w, v->ix)) {
        write_line(w, "const %s %s = ld_strided_%s(%s, %s, %s);", reg, name, type, address,
                   c_lane_stride(w, v->ix), c_lanes(w));
    } else {
        load_lanes(w, v, name, NULL);
    }
    w->name[value] = name;
}

/* ---- indices ------------------------------------------------------------------------------- */

static void declare_index(Writer *w, int value) {
    if (c_is_start(w, value)) return;
    const Value *v = &w->b->values.at[value];
    int step = c_lane_step(w, v->ix);
    const char *name = fresh(w, "index"), *t = dtype_name(v->type);
    const int period = c_period(w, v->ix);
    if (period) {
        write_line(w, "const %s %s = lanes_%s(0) & %d;", t, name, t, period - 1);
    } else if (step == 2) {
        CLane saved = c_enter_lane(w);
        const char *text = index_text(w, v->ix);
        c_leave_lane(w, saved);
        write_line(w, "%s %s;", t, name);
        write_line(w, "for (idx l = 0; l < VL; l++) %s[l] = (%s)(%s);", name, scalar_type(v->type),
                   text);
    } else {
        const char *at = text_inside(w->arena, index_text(w, v->ix));
        write_line(
            w, strpbrk(at, " ") ? "const %s %s = %s_%s((%s)(%s));" : "const %s %s = %s_%s((%s)%s);",
            t, name, step ? "lanes" : "splat", t, scalar_type(v->type), at);
    }
    w->name[value] = name;
}

/* The sides that are not proven, as one scalar condition. */
static const char *inside_condition(Writer *w, const Value *v, const char *at) {
    const char *lo = v->attr ? size_text(w, v->attr) : NULL;
    const char *hi = v->attr2 ? size_text(w, v->attr2) : NULL;
    if (!hi) return arena_printf(w->arena, "%s >= %s", at, lo);
    if (!lo) return arena_printf(w->arena, "%s < %s", at, hi);
    return arena_printf(w->arena, "%s >= %s && %s < %s", at, lo, at, hi);
}

static bool is_small(const Dims *d, Dim bound) {
    int64_t value;
    return !bound || (dim_is_const(d, bound, &value) && value >= INT32_MIN && value <= INT32_MAX);
}

static bool fits_32bit(const Indices *x, const Value *v) {
    int64_t least, most;
    if (!ix_is_32bit(x, v->ix) || !is_small(x->dims, v->attr) || !is_small(x->dims, v->attr2))
        return false;
    dim_range(x->dims, x->node.at[v->ix].lo, &least, &most);
    return least >= INT32_MIN;
}

/* In 32-bit lanes if everything fits: 64-bit lanes take two registers. */
static const char *inside_mask(Writer *w, const Value *v) {
    const bool small = fits_32bit(w->b->indices, v);
    const char *i = small ? "i32" : "i64", *lo = "", *hi = "";
    const char *at = text_inside(w->arena, index_text(w, v->ix));
    if (small) at = arena_printf(w->arena, strpbrk(at, " ") ? "(int32_t)(%s)" : "(int32_t)%s", at);
    const int period = c_period(w, v->ix);
    at = period ? arena_printf(w->arena, "lanes_%s(0) & %d", i, period - 1)
                : arena_printf(w->arena, "lanes_%s(%s)", i, at);
    if (v->attr)
        lo = arena_printf(w->arena, "le_%s(splat_%s(%s), %s)", i, i, size_text(w, v->attr), at);
    if (v->attr2)
        hi = arena_printf(w->arena, "lt_%s(%s, splat_%s(%s))", i, at, i, size_text(w, v->attr2));
    if (!*lo || !*hi) return *lo ? lo : hi;
    return arena_printf(w->arena, "and_b1(%s, %s)", lo, hi);
}

static void declare_inside(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    const char *name = fresh(w, "inside");
    int step = c_lane_step(w, v->ix);
    if (step == 1 || c_period(w, v->ix)) {
        write_line(w, "const b1 %s = %s;", name, inside_mask(w, v));
    } else if (step == 0) {
        write_line(w, "const b1 %s = splat_b1(%s ? -1 : 0);", name,
                   inside_condition(w, v, index_text(w, v->ix)));
    } else {
        CLane saved = c_enter_lane(w);
        const char *condition = inside_condition(w, v, index_text(w, v->ix));
        c_leave_lane(w, saved);
        write_line(w, "b1 %s;", name);
        write_line(w, "for (idx l = 0; l < VL; l++) %s[l] = %s ? -1 : 0;", name, condition);
    }
    w->name[value] = name;
}

static void declare_clamp(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    const char *x = value_text(w, v->src[0]), *name = fresh(w, "at"), *t = reg_suffix(v->type);
    if (strcmp(reg_suffix(v->operand), t)) x = arena_printf(w->arena, "i64_i32(%s)", x);
    if (v->is_within)
        write_line(w, "const %s %s = %s;", t, name, x);
    else
        write_line(w, "const %s %s = min_%s(max_%s(%s, splat_%s(0)), splat_%s(%s - 1));", t, name,
                   t, t, x, t, t, size_text(w, v->attr));
    w->name[value] = name;
    w->index_name[value] = c_position(w, value, "0");
}

/* All lanes go through one segment. Of elements that are set, only the last one is read. */
static void combine_segment(Writer *w, const Value *v, const char *name) {
    const int cursor = v->src[4];
    const char *at = fresh(w, "cursor"), *end = fresh(w, "end");
    declare_value(w, v->src[1]);
    declare_value(w, v->src[2]);
    const char *start = value_text(w, v->src[1]);
    write_line(w, "const idx %s = %s[0];", end, value_text(w, v->src[2]));
    if (v->attr == OP_NULL)
        write_line(w, "if (%s[0] < %s) {", start, end);
    else
        write_line(w, "for (idx %s = %s[0]; %s < %s; %s++) {", at, start, at, end, at);
    const NamesOutside outside = writer_enter(w);
    if (v->attr == OP_NULL) at = arena_printf(w->arena, "(%s - 1)", end);
    w->name[cursor] = arena_printf(w->arena, "splat_i64(%s)", at);
    w->index_name[cursor] = at;
    declare_value(w, v->src[3]);
    write_combined(w, v, IN_C, name);
    writer_leave(w, outside);
    write_line(w, "}");
}

/* In a loop over lanes, what is known of all of them is known of lane l. */
static void name_lane(Writer *w, int lane) {
    for (int i = 1; i < w->b->values.count; i++) {
        const Value *v = &w->b->values.at[i];
        if (!w->name[i] || !(v->axes >> lane & 1)) continue;
        w->index_name[i] = c_position(w, i, "l");
        w->name[i] = c_splat(w, v->type, w->index_name[i]);
    }
}

/* Lane by lane: within the loop over them all values are those of one lane. */
static void combine_segments(Writer *w, const Value *v, const char *name) {
    const Schedule *all = w->s;
    const int lane = all->lane;
    const char *reg = reg_suffix(v->type), *axis = w->axis_name[lane], **tiles = w->tiles;
    Schedule one = *all;
    one.lane = -1;
    write_line(w, "for (idx l = 0; l < %s; l++) {", c_lanes(w));
    const NamesOutside outside = writer_enter(w);
    name_lane(w, lane);
    w->s = &one, w->tiles = NULL;
    w->axis_name[lane] = arena_printf(w->arena, "(%s + l)", axis);
    const char *own = fresh(w, "of_lane");
    write_line(w, "%s %s = splat_%s(%s[l]);", reg, own, reg, name);
    combine_segment(w, v, own);
    write_line(w, "%s[l] = %s[0];", name, own);
    w->axis_name[lane] = axis;
    w->s = all, w->tiles = tiles;
    writer_leave(w, outside);
    write_line(w, "}");
}

static void declare_combine(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    const char *name = fresh(w, "scatter");
    const bool is_uniform =
        !c_is_in_lanes(w) || !(w->b->values.at[v->src[1]].axes >> w->s->lane & 1);
    declare_value(w, v->src[0]);
    write_line(w, "%s %s = %s;", reg_suffix(v->type), name, value_text(w, v->src[0]));
    if (is_uniform)
        combine_segment(w, v, name);
    else
        combine_segments(w, v, name);
    w->name[value] = name;
}

/* Along the lanes a scan continues from lane to lane; across them each lane has its own. */
static void declare_scan(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    const Reduction *r = reduction_of(v->op);
    const char *reg = reg_suffix(v->type), *name = fresh(w, op_info[v->op].name);
    const char *carry = arena_printf(w->arena, "carry%d", value), *x = value_text(w, v->src[0]);
    if (w->s->lane_is_row) {
        const char *const operands[] = {carry, x};
        const char *step = op_text(r->op, IN_C, dtype_is_float(v->type));
        write_line(w, "%s;", pattern_text(w->arena, step, operands, reg));
        write_line(w, "const %s %s = %s;", reg, name, carry);
    } else {
        write_line(w, "const %s %s = scan_%s_%s(%s, &%s);", reg, name, op_info[r->pair].name, reg,
                   x, carry);
    }
    w->name[value] = name;
}

/* The sums of a contraction at an address in the first product's; products with one left operand
 * are stored one after the other. */
static const char *sum_address(Writer *w, const Value *v, const char *at) {
    if (v->attr == 1) return arena_printf(w->arena, "%s + %s", at, w->sums_each);
    return v->attr ? arena_printf(w->arena, "%s + %d * %s", at, v->attr, w->sums_each) : at;
}

/* At another column of the row, whose sums are in panels. */
static const char *sum_at_column(Writer *w, const Value *v) {
    const char *column = index_text(w, v->ix);
    if (strpbrk(column, " "))
        column = arena_printf(w->arena, "(%s)", text_inside(w->arena, column));
    return sum_address(
        w, v, arena_printf(w->arena, "row_sums + %s / NR * sum_panel + %s %% NR", column, column));
}

static void sum_lanes(Writer *w, const Value *v, const char *name) {
    const char *guard = v->guard ? value_text(w, v->guard) : NULL;
    const char *condition = guard ? arena_printf(w->arena, "if (%s[l]) ", guard) : "";
    const CLane saved = c_enter_lane(w);
    const char *address = sum_at_column(w, v);
    c_leave_lane(w, saved);
    write_line(w, "%s %s = {0};", c_type(v->type), name);
    write_line(w, "for (idx l = 0; l < %s; l++) %s%s[l] = *(%s);", c_lanes(w), condition, name,
               address);
}

/* Loads an element of a contraction from the sums of its tile. */
static void declare_sum(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    const char *reg = reg_suffix(v->type), *name = fresh(w, value_stem(w, value));
    const bool is_same = v->ix && c_lane_step(w, v->ix) == 0; /* a column that all lanes read */
    if (!v->ix)
        write_line(w, "const %s %s = ld_%s(%s, VL);", reg, name, reg, sum_address(w, v, w->sums));
    else if (!c_is_vector(w, v->ix) || (is_same && v->guard))
        sum_lanes(w, v, name);
    else if (is_same)
        write_line(w, "const %s %s = %s;", reg, name,
                   c_splat(w, v->type, arena_printf(w->arena, "*(%s)", sum_at_column(w, v))));
    else if (v->guard)
        write_line(w, "const %s %s = ld_where_%s(%s, %s, VL);", reg, name, reg, sum_at_column(w, v),
                   value_text(w, v->guard));
    else
        write_line(w, "const %s %s = ld_%s(%s, VL);", reg, name, reg, sum_at_column(w, v));
    w->name[value] = name;
}

static void c_declare(Writer *w, int value) {
    switch (w->b->values.at[value].kind) {
    case V_LOAD: declare_load(w, value); break;
    case V_INDEX: declare_index(w, value); break;
    case V_INSIDE: declare_inside(w, value); break;
    case V_CLAMP: declare_clamp(w, value); break;
    case V_COMBINE: declare_combine(w, value); break;
    case V_SCAN: declare_scan(w, value); break;
    case V_ACC: declare_sum(w, value); break;
    case V_OP: c_declare_random(w, value); break;
    default: BUG("emit: declare of value %d", value);
    }
}

/* ---- kept from stage to stage, in a row's scratch ------------------------------------------ */

/* A load is as fast as one from the scratch, unless its lanes are rows; and a literal is what it is
 * where its condition never holds, as in a part of a concat. */
bool c_keeps(const Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (!w->s->value[value].keep || v->kind == V_CONST) return false;
    if (v->kind != V_LOAD) return true;
    return w->tile->across && !v->guard && !w->b->indices->node.at[v->ix].dynamic;
}

const char *c_kept_name(const Writer *w, int value) {
    return arena_printf(w->arena, "kept_%s_%d", value_stem(w, value), value);
}

/* Columns in order, the innermost padded to whole vectors; or VL rows side by side. */
static const char *kept_address(Writer *w, int value) {
    const char *name_of_kept = c_kept_name(w, value);
    const char *kept = arena_printf(w->arena, c_rows_beside(w) > 1 ? "%s[u]" : "%s", name_of_kept);
    const Body *b = w->b;
    const char *at = "0";
    for (int i = b->row_count; i < b->axes.count; i++) {
        const Axis *a = &b->axes.at[i];
        const char *n = size_text(w, a->extent);
        bool padded = i + 1 == b->axes.count && !w->s->lane_is_row;
        const char *name = w->axis_name[a->number];
        if (!strcmp(at, "0"))
            at = name;
        else
            at = arena_printf(w->arena, padded ? "(%s) * PADDED(%s) + %s" : "(%s) * (%s) + %s", at,
                              n, name);
    }
    const char *lanes = w->s->lane_is_row ? " * VL" : "";
    return arena_printf(w->arena, *lanes ? "%s + (%s)%s" : "%s + %s%s", kept, at, lanes);
}

static const char *kept_type(Dtype type) { return type == T_BOOL ? "i32" : reg_suffix(type); }

static void c_keep(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    write_line(w, "st_%s(%s, %s, VL);", kept_type(v->type), kept_address(w, value), w->name[value]);
}

static void c_fetch(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    const char *name = fresh(w, value_stem(w, value));
    write_line(w, "const %s %s = ld_%s(%s, VL);", reg_suffix(v->type), name, kept_type(v->type),
               kept_address(w, value));
    w->name[value] = name;
}

static bool c_reads_guard(Writer *w, int load) {
    (void)w;
    (void)load;
    return true;
}

const Dialect c_dialect = {.type = c_type,
                           .pattern = c_pattern,
                           .constant = c_constant,
                           .uniform = c_uniform,
                           .cast = c_cast,
                           .declare = c_declare,
                           .has_statements = c_has_statements,
                           .keeps = c_keeps,
                           .keep = c_keep,
                           .fetch = c_fetch,
                           .splat = c_splat,
                           .reads_guard = c_reads_guard,
                           .accumulate = c_accumulate,
                           .store = c_store_element,
                           .store_row = c_store_row,
                           .storage = storage_type,
                           .scalar = scalar_type,
                           .no_alias = "restrict"};
