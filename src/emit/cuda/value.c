/* value.c: values as CUDA text: types, literals, casts, loads, indices. Registers are float,
 * double, int, long long and bool; narrow types exist in memory only.
 * In: Value. Out: statements. */
#include "emit/cuda/cuda.h"

#include <math.h>
#include <ctype.h>
#include <string.h>

enum { ACCESS_BYTES = 16 }; /* the widest access */

const char *cuda_storage(Dtype type) {
    switch (type) {
    case T_U8: return "unsigned char";
    case T_I8: return "signed char";
    case T_I32: return "int";
    case T_I64: return "long long";
    default: return storage_type(type);
    }
}

const char *cuda_register(Dtype type) {
    switch (type == T_BOOL ? T_BOOL : dtype_compute(type)) {
    case T_BOOL: return "bool";
    case T_I32: return "int";
    case T_I64: return "long long";
    case T_F64: return "double";
    default: return "float";
    }
}

bool cuda_shares_random(const CudaWriter *c, const Value *v) {
    const Writer *w = &c->w;
    const Value *index = &w->b->values.at[v->src[1]];
    const bool has_packs = c->tile.kind == TILE_POINTWISE || c->tile.kind == TILE_ROW;
    return v->kind == V_OP && v->op == OP_PHILOX && has_packs && index->kind == V_INDEX &&
           cuda_is_contiguous(c, index->ix) &&
           tile_may_align(w->b, w->s->lane, index->ix, c->vector);
}

/* ---- literals and casts -------------------------------------------------------------------- */

static Expr call(const char *text) { return (Expr){text, BIND_CALL, false}; }

static Expr cuda_constant(Writer *w, const Value *v) {
    if (v->type == T_BOOL) return call(v->bits ? "true" : "false");
    if (dtype_is_float(v->type)) {
        const char *text = float_text(w->arena, const_float(v), v->type != T_F64);
        return (Expr){text, text[0] == '-' ? BIND_UNARY : BIND_CALL, false};
    }
    const char *wide = v->type == T_I64 ? "ll" : "";
    int64_t value = const_int(v), least = v->type == T_I64 ? INT64_MIN : INT32_MIN;
    if (value == least)
        return call(arena_printf(w->arena, "(%lld%s - 1)", (long long)(value + 1), wide));
    return (Expr){arena_printf(w->arena, "%lld%s", (long long)value, wide),
                  value < 0 ? BIND_UNARY : BIND_CALL, false};
}

static Expr cuda_uniform(Writer *w, const Value *v) { return call(uniform_name(w, v->attr)); }

/* The function (or "(type)") that converts a register of type `from`; "": none. */
static const char *cast_function(Arena *arena, Dtype from, Dtype to) {
    bool f64 = from == T_F64, f32 = dtype_is_float(from) && !f64;
    bool small = from == T_BOOL || from == T_I8 || from == T_U8;
    if (from == to) return "";
    switch (to) {
    case T_I8:
    case T_U8: return to == T_I8 ? "i8_of" : "u8_of";
    case T_I32: return small && from != T_BOOL ? "" : "i32_of";
    case T_I64: return "i64_of";
    case T_F32: return f32 ? "" : "(float)";
    case T_F64: return "(double)";
    default: break;
    }
    const char *name = dtype_name(to);
    if (f32) return arena_printf(arena, "round_%s", name);
    if (f64) return arena_printf(arena, "round_%s_f64", name);
    if (from == T_BOOL) return "(float)";
    if (from == T_I64 && to == T_BF16) return "round_bf16_i64"; /* others overflow before 2^53 */
    return arena_printf(arena, small ? "round_%s((float)" : "round_%s_f64((double)", name);
}

static Expr cuda_cast(Writer *w, const Value *v, Expr x) {
    bool atom = x.bind == BIND_CALL;
    if (v->type == T_BOOL) {
        if (v->operand == T_BOOL) return x;
        return (Expr){arena_printf(w->arena, atom ? "%s != 0" : "(%s) != 0", x.text), BIND_COMPARE,
                      false};
    }
    if (cuda_is_small_float(w, v)) return call(arena_printf(w->arena, "small_float(%s)", x.text));
    const char *f = cast_function(w->arena, v->operand, v->type);
    if (!*f) return x;
    if (f[0] == '(')
        return (Expr){arena_printf(w->arena, atom ? "%s%s" : "%s(%s)", f, x.text), BIND_UNARY,
                      false};
    if (strchr(f, '(')) return call(arena_printf(w->arena, atom ? "%s%s)" : "%s(%s))", f, x.text));
    return call(arena_printf(w->arena, "%s(%s)", f, x.text));
}

/* ---- memory -------------------------------------------------------------------------------- */

/* A stored element as a register value. */
const char *cuda_loaded(CudaWriter *c, Dtype type, const char *x) {
    if (type == T_BOOL) return arena_printf(c->w.arena, "%s != 0", x);
    if (dtype_is_narrow(type)) return arena_printf(c->w.arena, "from_%s(%s)", dtype_name(type), x);
    return x;
}

const char *cuda_stored(CudaWriter *c, Dtype type, const char *x) {
    if (dtype_is_narrow(type)) return arena_printf(c->w.arena, "to_%s(%s)", dtype_name(type), x);
    bool byte = type == T_I8 || type == T_U8;
    return byte ? arena_printf(c->w.arena, "(%s)(%s)", cuda_storage(type), x) : x;
}

/* Does a part of an index change along the lane axis, for a pack? */
static bool is_along(const CudaWriter *c, const IxAtom *t) {
    const int lane = c->w.s->lane;
    if (t->kind == ATOM_AXIS) return t->a == lane;
    if (t->kind != ATOM_VALUE) return index_axes(c->w.b, t->a) >> lane & 1;
    if (cuda_is_in_segment(c, t->a)) return cuda_varies_in_pack(c, t->a);
    return c->w.b->values.at[t->a].axes >> lane & 1;
}

bool cuda_is_contiguous(const CudaWriter *c, Ix ix) {
    const Indices *x = c->w.b->indices;
    const IxNode *n = &x->node.at[ix];
    int along = 0;
    if (!c->wide) return false;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = &x->atom.at[n->term[i].atom];
        if (!is_along(c, t)) continue;
        if (t->kind != ATOM_AXIS || !dim_is(x->dims, n->term[i].scale, 1)) return false;
        along++;
    }
    return along == 1;
}

bool cuda_is_of_element(const CudaWriter *c, int value) {
    const Value *v = &c->w.b->values.at[value];
    if (c->w.s->value[value].level < 2) return false;
    if (cuda_is_in_segment(c, value)) return cuda_varies_in_pack(c, value);
    return v->kind == V_CLAMP || v->axes >> c->w.s->lane & 1;
}

/* Positions that are gathered inside the loop over a pack are not known before it. */
bool cuda_is_known_before(const CudaWriter *c, Ix ix) {
    const Indices *x = c->w.b->indices;
    const IxNode *n = &x->node.at[ix];
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = &x->atom.at[n->term[i].atom];
        if (t->kind == ATOM_VALUE && cuda_is_of_element(c, t->a)) return false;
        if ((t->kind == ATOM_DIV || t->kind == ATOM_MOD) && !cuda_is_known_before(c, t->a))
            return false;
    }
    return true;
}

/* The same of the positions that a guard of a pack compares: see pack_guard. */
bool cuda_is_guard_known(const CudaWriter *c, int guard) {
    const Value *g = &c->w.b->values.at[guard];
    if (!guard || c->w.s->value[guard].level < 2) return true;
    if (c->tests_wide) return false; /* its bounds may fall between packs */
    if (g->kind == V_INSIDE) return cuda_is_known_before(c, g->ix);
    return cuda_is_guard_known(c, g->src[0]) && cuda_is_guard_known(c, g->src[1]);
}

/* May neighbouring elements at an index be one aligned access, under one guard? */
static bool is_pack(const CudaWriter *c, const Value *v) {
    return cuda_is_contiguous(c, v->ix) && cuda_is_known_before(c, v->ix) &&
           tile_may_align(c->w.b, c->w.s->lane, v->ix, c->vector) &&
           tile_may_guard(c->w.s, v->guard, c->vector) && cuda_is_guard_known(c, v->guard);
}

bool cuda_is_packed(const CudaWriter *c, const Value *v) {
    if (c->shifted_row) return c->wide && v->kind == V_LOAD && v->ix == c->shifted_row;
    if (c->shifted || dtype_size(v->type) * (size_t)c->vector > ACCESS_BYTES) return false;
    return v->kind == V_LOAD && is_pack(c, v);
}

static const char *zero(Dtype type) {
    if (type == T_BOOL) return "false";
    if (type == T_I64) return "0ll";
    return type == T_F64 ? "0.0" : dtype_is_float(type) ? "0.0f" : "0";
}

static const char *guard_text(CudaWriter *c, const Value *v) {
    Expr guard = value_expr(&c->w, v->guard);
    return guard.bind > BIND_OR ? guard.text : arena_printf(c->w.arena, "(%s)", guard.text);
}

/* A stored element as a value that is 0 where its guard is false. */
static const char *guarded_text(CudaWriter *c, const Value *v, const char *at) {
    const char *x = cuda_loaded(c, v->type, at);
    if (!v->guard) return x;
    if (v->type == T_BOOL) return arena_printf(c->w.arena, "%s && %s", guard_text(c, v), x);
    return arena_printf(c->w.arena, "%s ? %s : %s", guard_text(c, v), x, zero(v->type));
}

static const char *element_text(CudaWriter *c, const Value *v) {
    return guarded_text(
        c, v,
        arena_printf(c->w.arena, "%s[%s]", buffer_name(&c->w, v->attr), index_text(&c->w, v->ix)));
}

/* A proven side is 0. */
static const char *inside_text(Writer *w, const Value *v) {
    const char *at = index_text(w, v->ix), *both = v->attr && v->attr2 ? " && " : "";
    const char *above = "", *below = "";
    if (v->attr) above = arena_printf(w->arena, "%s >= %s", at, size_text(w, v->attr));
    if (v->attr2) below = arena_printf(w->arena, "%s < %s", at, size_text(w, v->attr2));
    return arena_printf(w->arena, "%s%s%s", above, both, below);
}

/* A guard that is uniform over the pack, in terms of the pack's start. */
static const char *pack_guard(Writer *w, int guard) {
    const Value *g = &w->b->values.at[guard];
    if (w->s->value[guard].level < 2) return value_expr(w, guard).text;
    if (g->kind == V_INSIDE) return inside_text(w, g);
    const char *a = pack_guard(w, g->src[0]), *b = pack_guard(w, g->src[1]);
    return arena_printf(w->arena, "%s && %s", a, b);
}

const char *cuda_pack_condition(CudaWriter *c, int load) {
    const int guard = c->w.b->values.at[load].guard;
    return guard ? pack_guard(&c->w, guard) : "";
}

/* A pack has a condition of its own: pack_guard. */
static bool reads_guard(Writer *w, int load) {
    const Value *v = &w->b->values.at[load];
    if (w->level == 2 && cuda_is_in_window(cuda_of(w), load)) return false;
    if (w->level == 2 && cuda_pack_sharers(cuda_of(w), v))
        return !cuda_has_pack_guard(cuda_of(w), v);
    return w->level != 2 ||
           !(v->kind == V_ACC ? is_pack(cuda_of(w), v) : cuda_is_packed(cuda_of(w), v));
}

/* Declares a pack before the loop over its elements. */
void cuda_put_pack(CudaWriter *c, int guard, const char *type, const char *name, const char *load) {
    if (guard) {
        text_printf(&c->before, "%s %s = {};\n", type, name);
        text_printf(&c->before, "if (%s) %s = %s;\n", pack_guard(&c->w, guard), name, load);
    } else {
        text_printf(&c->before, "const %s %s = %s;\n", type, name, load);
    }
}

static const char *pack_type(CudaWriter *c, const char *type) {
    return arena_printf(c->w.arena, "Pack<%s, VEC>", type);
}

/* A whole pack, loaded before the loop over its elements: its name. */
static const char *pack_of(CudaWriter *c, int value) {
    Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    const char *name = fresh(w, arena_printf(w->arena, "%s_pack", value_stem(w, value)));
    const char *element = w->axis_name[w->s->lane];
    w->axis_name[w->s->lane] = c->lane;
    const char *load =
        arena_printf(w->arena, "load_pack%s%s)", cuda_tests_packs(c) ? "_if<VEC>(wide, " : "<VEC>(",
                     cuda_pack_address(c, value));
    cuda_put_pack(c, v->guard, pack_type(c, cuda_storage(v->type)), name, load);
    w->axis_name[w->s->lane] = element;
    return name;
}

static const char *at_lane(CudaWriter *c, const char *pack) {
    return arena_printf(c->w.arena, "%s.at[l]", pack);
}

static void declare(Writer *w, int value, const char *text) {
    const Value *v = &w->b->values.at[value];
    const char *name = fresh(w, value_stem(w, value));
    write_line(w, "const %s %s = %s;", cuda_register(v->type), name, text);
    w->name[value] = name;
}

bool cuda_is_only_stored(const CudaWriter *c, int value) {
    const Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    if (v->kind != V_LOAD || v->type == T_BOOL || w->uses[value] != 1 ||
        w->dialect->keeps(w, value))
        return false;
    for (int i = 0; i < w->b->stores.count; i++) {
        const Store *s = &w->b->stores.at[i];
        if (s->value == value) return w->k->buffers.at[s->buffer].type == v->type && !s->adds;
    }
    return false;
}

/* A value in a variable that needs no conversion is used in place. */
static void declare_there(CudaWriter *c, int value, const char *at) {
    const char *x = cuda_loaded(c, c->w.b->values.at[value].type, at);
    if (x == at || cuda_is_only_stored(c, value))
        c->w.name[value] = at;
    else
        declare(&c->w, value, x);
}

/* An element of a pack of its own; floats of a byte are converted two at a time. */
static void declare_at_lane(CudaWriter *c, int value, const char *pack) {
    const Dtype type = c->w.b->values.at[value].type;
    const bool is_f8 = type == T_F8E4M3 || type == T_F8E5M2;
    if (is_f8 && !cuda_is_only_stored(c, value))
        declare(&c->w, value, arena_printf(c->w.arena, "pack_%s(%s, l)", dtype_name(type), pack));
    else
        declare_there(c, value, at_lane(c, pack));
}

/* A byte that may be 0 where its guard is false. */
static void declare_byte(CudaWriter *c, int value, const char *element) {
    Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    const char *x = cuda_byte_text(w->arena, element);
    w->name[value] = x;
    if (!v->guard || cuda_is_packed(c, v) || cuda_has_pack_guard(c, v)) return;
    w->name[value] = fresh(w, value_stem(w, value));
    write_line(w, "const PackByte %s = %s ? %s : PackByte{};", w->name[value], guard_text(c, v), x);
}

/* An element of a pack whose neighbours share what is loaded. */
static void declare_of_pack(CudaWriter *c, int value) {
    const Value *v = &c->w.b->values.at[value];
    const char *x = cuda_shared_element(c, value);
    if (cuda_is_byte(c, value))
        declare_byte(c, value, x);
    else if (!v->guard || cuda_has_pack_guard(c, v))
        declare_there(c, value, x);
    else
        declare(&c->w, value, guarded_text(c, v, x));
}

static void declare_load(Writer *w, int value) {
    CudaWriter *c = cuda_of(w);
    const Value *v = &w->b->values.at[value];
    const char *copy = cuda_raw_element(c, value);
    if (copy) {
        declare(w, value, cuda_loaded(c, v->type, copy));
    } else if (c->staged[value]) {
        declare_there(c, value, c->staged[value]);
    } else if (c->hoisted[value]) {
        bool packed = c->wide && w->level == 2 && w->s->value[value].level == 2;
        const char *at = arena_printf(w->arena, !packed && c->is_edge ? "%s_edge" : "%s[item]",
                                      c->hoisted[value]);
        if (packed)
            declare_at_lane(c, value, at);
        else
            declare_there(c, value, at);
    } else if (w->level == 2 && cuda_is_of_record(c, value)) {
        declare_there(c, value, cuda_record_element(c, value));
    } else if (w->level == 2 && cuda_is_in_window(c, value)) {
        declare_there(c, value, cuda_window_element(c, value));
    } else if (w->level == 2 && cuda_is_packed(c, v)) {
        const char *pack = pack_of(c, value);
        if (cuda_is_byte(c, value))
            declare_byte(c, value, at_lane(c, pack));
        else
            declare_at_lane(c, value, pack);
    } else if (w->level == 2 && cuda_pack_sharers(c, v)) {
        declare_of_pack(c, value);
    } else {
        declare(w, value, element_text(c, v));
    }
}

const char *cuda_copied(CudaWriter *c, int value, Dtype type) {
    Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    if (v->kind != V_LOAD || v->type != type || w->b->indices->node.at[v->ix].dynamic) return NULL;
    if (cuda_is_packed(c, v)) return at_lane(c, pack_of(c, value));
    if (cuda_pack_sharers(c, v) && (!v->guard || cuda_has_pack_guard(c, v)))
        return cuda_shared_element(c, value);
    if (v->guard) return NULL;
    return arena_printf(w->arena, "%s[%s]", buffer_name(w, v->attr), index_text(w, v->ix));
}

/* ---- indices ------------------------------------------------------------------------------- */

/* An index that is a variable of the loops already needs no other name. */
static void declare_index(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    const char *at = text_inside(w->arena, index_text(w, v->ix));
    bool bare = !strpbrk(at, " "), is_narrowed = v->type == T_I32 && !cuda_of(w)->is_32bit;
    if (bare && !is_narrowed && (v->type == T_I32) == cuda_of(w)->is_32bit && isalpha(at[0])) {
        w->name[value] = at;
        return;
    }
    declare(w, value,
            is_narrowed ? arena_printf(w->arena, bare ? "(int)%s" : "(int)(%s)", at) : at);
}

/* Of neighbours in a pack: by where the pack starts, as far as that says it. */
static void declare_position(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    const char *const position = w->s->lane < 0 ? NULL : w->axis_name[w->s->lane];
    if (position) w->axis_name[w->s->lane] = cuda_position_in_pack(cuda_of(w), v);
    if (v->kind == V_INDEX)
        declare_index(w, value);
    else
        declare(w, value, inside_text(w, v));
    if (position) w->axis_name[w->s->lane] = position;
}

static void declare_clamp(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    const char *name = fresh(w, "at");
    if (v->is_within)
        write_line(w, "const %s %s = %s;", cuda_of(w)->index, name, value_text(w, v->src[0]));
    else
        write_line(w, "const %s %s = clamp_index(%s, %s);", cuda_of(w)->index, name,
                   value_text(w, v->src[0]), size_text(w, v->attr));
    w->name[value] = w->index_name[value] = name;
}

/* ---- finished products ----------------------------------------------------------------------- */

/* The sum of a finished product at its own column, or at column ix of the row. */
static const char *sum_address(CudaWriter *c, const Value *v) {
    const char *at = c->sums;
    if (v->ix) at = arena_printf(c->w.arena, "row_sums + %s", index_text(&c->w, v->ix));
    if (!v->attr) return at;
    return arena_printf(c->w.arena, "%s + %d", at, v->attr * c->sum_width);
}

static void declare_sum_element(CudaWriter *c, int value) {
    Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    const bool is_real = dtype_is_float(v->type); /* integers are summed unsigned */
    const char *type = cuda_register(v->type);
    const char *at = sum_address(c, v);
    const bool is_at_column = !strcmp(at, "row_sums + col");
    const char *x = is_at_column ? "row_sums[col]" : arena_printf(w->arena, "*(%s)", at);
    if (!is_real) x = arena_printf(w->arena, "(%s)%s", type, x);
    if (v->guard)
        x = arena_printf(w->arena, "%s ? %s : %s", guard_text(c, v), x, zero(v->type));
    declare(w, value, x);
}

/* A finished product: its rows are in shared memory. */
static void declare_product(Writer *w, int value) {
    CudaWriter *c = cuda_of(w);
    const Value *v = &w->b->values.at[value];
    c->reads_flat = true;
    if (!c->wide || (v->ix && !is_pack(c, v))) {
        declare_sum_element(c, value);
        return;
    }
    const char *pack = fresh(w, "matmul_pack"), *element = w->axis_name[w->s->lane];
    w->axis_name[w->s->lane] = c->lane;
    cuda_put_pack(c, v->guard, pack_type(c, cuda_register(v->type)), pack,
                  arena_printf(w->arena, "%s<VEC>(%s)", c->holds_sums ? "held_sums" : "load_sums",
                               sum_address(c, v)));
    w->axis_name[w->s->lane] = element;
    w->name[value] = arena_printf(w->arena, "%s.at[l]", pack);
}

static void cuda_declare(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    switch (v->kind) {
    case V_LOAD: declare_load(w, value); break;
    case V_INDEX:
    case V_INSIDE: declare_position(w, value); break;
    case V_CLAMP: declare_clamp(w, value); break;
    case V_COMBINE: cuda_declare_combine(w, value); break;
    case V_ACC: declare_product(w, value); break;
    default: BUG("emit: declare of value %d", value);
    }
}

/* ---- kept from stage to stage -------------------------------------------------------------- */

static bool cuda_keeps(const Writer *w, int value) {
    return w->s->value[value].keep && ((const CudaWriter *)w)->tile.keep != KEEP_NOTHING;
}

/* The place of this element of a kept value. Each thread reads only what it wrote. */
static const char *kept_place(CudaWriter *c, int value) {
    Arena *arena = c->w.arena;
    c->reads_flat |= c->tile.keep == KEEP_SHARED;
    if (c->is_edge) return arena_printf(arena, "%s_edge", c->kept[value]);
    if (c->tile.keep == KEEP_SHARED)
        return arena_printf(arena, c->wide ? "%s[col + l]" : "%s[col]", c->kept[value]);
    return arena_printf(arena, c->wide ? "%s[item].at[l]" : "%s[item]", c->kept[value]);
}

/* A kept load is kept in its stored type. */
static void cuda_keep(Writer *w, int value) {
    CudaWriter *c = cuda_of(w);
    const Value *v = &w->b->values.at[value];
    if (c->hoisted[value]) return;
    const char *x = v->kind == V_LOAD ? cuda_stored(c, v->type, w->name[value]) : w->name[value];
    write_line(w, "%s = %s;", kept_place(c, value), x);
}

static void cuda_fetch(Writer *w, int value) {
    CudaWriter *c = cuda_of(w);
    const Value *v = &w->b->values.at[value];
    const char *place = c->hoisted[value] ? NULL : kept_place(c, value);
    if (!place)
        declare_load(w, value);
    else
        declare(w, value, v->kind == V_LOAD ? cuda_loaded(c, v->type, place) : place);
}

static const char *cuda_splat(Writer *w, Dtype type, const char *scalar) {
    (void)w;
    (void)type;
    return scalar;
}

const Dialect cuda_dialect = {.type = cuda_register,
                              .pattern = cuda_pattern,
                              .constant = cuda_constant,
                              .uniform = cuda_uniform,
                              .cast = cuda_cast,
                              .declare = cuda_declare,
                              .keeps = cuda_keeps,
                              .keep = cuda_keep,
                              .fetch = cuda_fetch,
                              .splat = cuda_splat,
                              .reads_guard = reads_guard,
                              .accumulate = cuda_accumulate,
                              .store = cuda_store_element,
                              .store_row = cuda_store_row,
                              .storage = cuda_storage,
                              .scalar = cuda_register,
                              .no_alias = "__restrict__"};
