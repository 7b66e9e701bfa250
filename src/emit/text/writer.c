/* writer.c: values to text, for all targets: naming, use counts, op table patterns, and which
 * values get a variable. Small expressions with one reader are inlined. */
#include "emit/text/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INLINE_WIDTH = 64 }; /* longest expression without a variable */

void write_line(Writer *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    for (int i = 0; i < w->indent; i++) text_str(w->out, "    ");
    text_vprintf(w->out, format, args);
    text_char(w->out, '\n');
    va_end(args);
}

void write_marked(Writer *w, int value, void (*write)(Writer *w, int number), int number) {
    const Span at = w->k->g->node[w->b->values.at[value].node].span;
    const size_t before = w->out->size;
    if (w->marks && at.file != NO_FILE) write_line(w, "//@AT %u %u", at.file, at.lo);
    const size_t marked = w->out->size;
    write(w, number);
    if (w->out->size == marked) w->out->size = before; /* there is no statement */
}

/* ---- names --------------------------------------------------------------------------------- */

/* Has the kernel a variable of this name, after any of these? */
static bool is_made(const Writer *w, const char *const *before, const char *name) {
    for (; *before; before++)
        if (words_have(w->made, arena_printf(w->arena, "%s%s", *before, name))) return true;
    return false;
}

static bool is_free(const Writer *w, const char *const *before, const char *name) {
    if (is_made(w, before, name)) return false;
    for (; *before; before++)
        if (!names_are_free(w->names, arena_printf(w->arena, "%s%s", *before, name))) return false;
    return true;
}

static void start_names(Writer *w) {
    w->made = words_new(w->arena);
    for (int i = 0; i < w->k->uniforms.count; i++) words_add(w->made, w->k->uniforms.at[i].name);
    for (int i = 0; i < w->k->buffers.count; i++)
        if (w->k->buffers.at[i].name != buffer_tensor(&w->k->buffers.at[i]))
            words_add(w->made, w->k->buffers.at[i].name);
}

/* "step__f32", of an input "step_", becomes "step_f32": C++ reserves names with two underscores. */
static const char *without_doubles(Arena *arena, const char *stem) {
    char *name = arena_strdup(arena, stem), *end = name;
    for (; *stem; stem++)
        if (*stem != '_' || stem[1] != '_') *end++ = *stem;
    *end = '\0';
    return name;
}

static const char *fresh_after(Writer *w, const char *const *before, const char *given) {
    const char *stem = strstr(given, "__") ? without_doubles(w->arena, given) : given;
    const char *between = stem[strlen(stem) - 1] == '_' ? "" : "_", *name = stem;
    if (!w->made) start_names(w);
    if (!is_free(w, before, name)) {
        int number = words_have(w->made, stem) ? 2 : 1;
        do name = arena_printf(w->arena, "%s%s%d", stem, between, number++);
        while (is_made(w, before, name));
    }
    for (; *before; before++) words_add(w->made, arena_printf(w->arena, "%s%s", *before, name));
    return name;
}

const char *fresh(Writer *w, const char *stem) {
    static const char *const itself[] = {"", NULL};
    return fresh_after(w, itself, stem);
}

const char *fresh_accumulator(Writer *w, const char *stem) {
    static const char *const all[] = {"", "part_", "best_", "at_", NULL};
    return fresh_after(w, all, stem);
}

Words *writer_open_block(Writer *w) {
    if (!w->made) start_names(w);
    Words *const outside = w->made;
    w->made = words_new(w->arena);
    words_add_all(w->made, outside);
    return outside;
}

void writer_close_block(Writer *w, Words *outside) { w->made = outside; }

const char *value_op_name(const Kernel *k, const Value *v) {
    return op_is_call(v->op) ? k->g->imported.at[v->attr].name : op_info[v->op].name;
}

/* "index_f32": of what is converted. */
static const char *cast_stem(const Writer *w, const Value *v) {
    int source = v->src[0];
    while (w->b->values.at[source].kind == V_CAST) source = w->b->values.at[source].src[0];
    return arena_printf(w->arena, "%s_%s", value_stem(w, source), dtype_name(v->type));
}

const char *value_stem(const Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    const char *given = plan_stem(w->k->g, &w->k->g->node[v->node]);
    if (v->kind == V_LOAD) return buffer_tensor(&w->k->buffers.at[v->attr]);
    if (given && (v->kind == V_OP || v->kind == V_CAST || v->kind == V_ACC)) return given;
    switch (v->kind) {
    case V_INDEX: return "index";
    case V_INSIDE: return "inside";
    case V_CAST: return cast_stem(w, v);
    case V_COMBINE: return "scatter";
    case V_CURSOR: return "cursor";
    case V_CLAMP: return "at";
    case V_CONST: return "literal";
    default: return value_op_name(w->k, v);
    }
}

/* ---- literals ------------------------------------------------------------------------------ */

/* The fewest digits that are read as the value; all of a whole number of up to six: 890.0, not
 * 8.9e+02. */
const char *float_text(Arena *arena, double value, bool is_f32) {
    enum { WHOLE_DIGITS = 6 };
    char text[40];
    if (isnan(value)) return "NAN";
    if (isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
    const bool is_whole = value == floor(value) && fabs(value) < 1e6;
    for (int digits = is_whole ? WHOLE_DIGITS : 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        double back = strtod(text, NULL);
        if (is_f32 ? (float)back == (float)value : back == value) break;
    }
    const char *point = strpbrk(text, ".e") ? "" : ".0";
    return arena_printf(arena, "%s%s%s", text, point, is_f32 ? "f" : "");
}

const char *int_text(Arena *arena, int64_t value) {
    if (value == INT64_MIN) return "(-9223372036854775807 - 1)";
    if (value == INT32_MIN) return "(-2147483647 - 1)";
    return arena_printf(arena, "%lld", (long long)value);
}

const char *storage_type(Dtype type) {
    static const char *const name[T_COUNT] = {
        [T_NONE] = "void",   [T_BOOL] = "bool_t", [T_U8] = "uint8_t",    [T_I8] = "int8_t",
        [T_I32] = "int32_t", [T_I64] = "int64_t", [T_F8E4M3] = "f8e4m3", [T_F8E5M2] = "f8e5m2",
        [T_BF16] = "bf16",   [T_F16] = "f16",     [T_F32] = "float",     [T_F64] = "double"};
    return TABLE_ROW(name, type, dtype_name(type));
}

const char *reg_suffix(Dtype type) {
    switch (type == T_BOOL ? T_BOOL : dtype_compute(type)) {
    case T_BOOL: return "b1";
    case T_I32: return "i32";
    case T_I64: return "i64";
    case T_F64: return "f64";
    default: return "f32";
    }
}

/* ---- patterns ------------------------------------------------------------------------------ */

static enum Binding pattern_binding(const char *p) {
    if (strstr(p, " ? ")) return BIND_TERNARY;
    if (strstr(p, " || ")) return BIND_OR;
    if (strstr(p, " && ")) return BIND_AND;
    if (strstr(p, "$a < ") || strstr(p, "$a <= ") || strstr(p, "$a == ") || strstr(p, "$a != "))
        return BIND_COMPARE;
    if (strstr(p, "$a + ") || strstr(p, "$a - ")) return BIND_ADD;
    if (strstr(p, "$a * ") || strstr(p, "$a / ")) return BIND_MUL;
    return p[0] == '-' || p[0] == '!' ? BIND_UNARY : BIND_CALL;
}

/* Whose operands are parenthesised where they bind equally: no order of them is meant. In C, `<`
 * binds more than `==`. */
static bool is_chained(enum Binding bind) { return bind != BIND_TERNARY && bind != BIND_COMPARE; }

/* An operand of an infix text is parenthesised if it binds less, or equally on the right, or starts
 * with a sign that would meet another. */
static void put_operand(Writer *w, Text *out, Expr e, enum Binding bind, bool right, bool splat,
                        Dtype type) {
    if (bind == BIND_CALL) {
        text_str(out, e.scalar && splat ? w->dialect->splat(w, type, e.text) : e.text);
        return;
    }
    bool negative = e.text[0] == '-' && (bind == BIND_UNARY || (right && bind == BIND_ADD));
    bool group = e.bind < bind || (e.bind == bind && (right || !is_chained(bind))) || negative;
    text_printf(out, group ? "(%s)" : "%s", e.text);
}

/* `x == 0`, not `0 == x`: the graph orders sources by id. */
static Value literal_last(const Writer *w, const Value *v) {
    Value turned = *v;
    bool turns = v->op == OP_ADD || v->op == OP_MUL || v->op == OP_EQ || v->op == OP_NE;
    if (turns && w->b->values.at[v->src[0]].kind == V_CONST) {
        turned.src[0] = v->src[1];
        turned.src[1] = v->src[0];
    }
    return turned;
}

static Expr fill(Writer *w, const Value *given, const char *pattern) {
    Text out = text_new(w->arena);
    Expr src[SRC_MAX] = {{0}};
    const Value ordered = literal_last(w, given), *v = &ordered;
    enum Binding bind = pattern_binding(pattern);
    bool all_scalar = true;
    for (int i = 0; i < value_sources(v); i++) {
        src[i] = value_expr(w, v->src[i]);
        all_scalar &= src[i].scalar;
    }
    for (const char *p = pattern; *p; p++) {
        if (*p != '$') {
            text_char(&out, *p);
            continue;
        }
        p++;
        if (*p == 't') {
            text_str(&out, reg_suffix(v->operand));
            continue;
        }
        int i = *p - 'a';
        Expr e = src[i];
        if (e.scalar && all_scalar && bind != BIND_CALL && i == 0)
            e = (Expr){w->dialect->splat(w, v->operand, e.text), BIND_CALL, false};
        put_operand(w, &out, e, bind, i > 0, true, w->b->values.at[v->src[i]].type);
    }
    return (Expr){text_get(&out), bind, false};
}

/* ---- values -------------------------------------------------------------------------------- */

static Expr make_expr(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    switch (v->kind) {
    case V_CONST: return w->dialect->constant(w, v);
    case V_UNIFORM: return w->dialect->uniform(w, v);
    case V_OP: return fill(w, v, w->dialect->pattern(w, v));
    case V_CAST: return w->dialect->cast(w, v, value_expr(w, v->src[0]));
    default: BUG("emit: value %d (%s) was not declared", value, value_stem(w, value));
    }
}

Expr value_expr(Writer *w, int value) {
    if (w->name[value]) return (Expr){w->name[value], BIND_CALL, false};
    return make_expr(w, value);
}

const char *value_text(Writer *w, int value) {
    Expr e = value_expr(w, value);
    return e.scalar ? w->dialect->splat(w, w->b->values.at[value].type, e.text) : e.text;
}

/* ---- variables ----------------------------------------------------------------------------- */

typedef struct Count {
    int *uses, by;
} Count;

static void count_source(const Body *b, int source, void *context) {
    (void)b;
    const Count *c = context;
    c->uses[source] += c->by;
}

bool value_is_here(const Writer *w, int value) {
    const Place *p = &w->s->value[value];
    if (p->level != w->level || !p->used) return false;
    if (p->of_group || w->in_group) return p->of_group && w->in_group && p->used >> w->stage & 1;
    return p->level == 2 ? p->used >> w->stage & 1 : p->level == 0 || p->stage == w->stage;
}

/* Readers at a deeper level, or in a later stage, need a variable: they count twice. So does an
 * online step. */
static void count_roots(Writer *w) {
    for (int i = 0; i < w->b->accs.count; i++) {
        const Accumulator *a = &w->b->accs.at[i];
        bool here = w->level == 2 && schedule_reduces(w->s, i, w->stage, w->phase);
        w->uses[a->value] += here ? 1 : 2;
        if (a->online_max >= 0) w->uses[a->online_x] += 2;
        if (a->op == OP_ARGMAX) w->uses[a->index] += here ? 1 : 2;
    }
    for (int i = 0; i < w->b->stores.count; i++) {
        const StorePlace *s = &w->s->store[i];
        bool here = s->level == w->level && s->stage == w->stage && s->of_group == w->in_group;
        w->uses[w->b->stores.at[i].value] += here ? 1 : 2;
    }
}

void count_uses(Writer *w) {
    memset(w->uses, 0, sizeof *w->uses * (size_t)w->b->values.count);
    for (int i = 1; i < w->b->values.count; i++) {
        const int level = w->s->value[i].level;
        if (w->level == 2 && level == 2) w->name[i] = NULL;
        Count count = {w->uses, value_is_here(w, i) ? 1 : level >= w->level ? 2 : 0};
        if (w->level == 2 && level == 2 && count.by == 2) continue;
        if (count.by) each_source(w->b, i, count_source, &count);
    }
    count_roots(w);
}

/* Kept by an earlier stage: it only has to be fetched. */
static bool is_fetched(const Writer *w, int value) {
    const Place *p = &w->s->value[value];
    uint64_t before = ((uint64_t)1 << w->stage) - 1;
    return p->level == 2 && p->used & before && w->dialect->keeps(w, value);
}

bool value_is_due(const Writer *w, int value) {
    return !w->name[value] && value_is_here(w, value) && !is_fetched(w, value);
}

/* Is it declared by statements, or by its expression? */
static bool has_statements(const Writer *w, int value) {
    const ValueKind kind = w->b->values.at[value].kind;
    if (kind != V_OP && kind != V_CAST) return true;
    return w->dialect->has_statements && w->dialect->has_statements(w, value);
}

static bool needs_variable(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (v->kind == V_CONST || v->kind == V_UNIFORM) return false;
    if (has_statements(w, value)) return true;
    if (w->uses[value] > 1 || w->dialect->keeps(w, value)) return true;
    return strlen(make_expr(w, value).text) > INLINE_WIDTH;
}

typedef struct Reader {
    Writer *w;
    int unread; /* the guard that the reader does not read; 0: it reads all */
} Reader;

static void declare_source(const Body *b, int value, void *context) {
    const Reader *reader = context;
    (void)b;
    if (value != reader->unread) declare_value(reader->w, value);
}

NamesOutside writer_enter(Writer *w) {
    const size_t size = sizeof *w->name * (size_t)w->b->values.count;
    const NamesOutside outside = {w->name, w->index_name};
    w->name = arena_array(w->arena, const char *, w->b->values.count + 1);
    w->index_name = arena_array(w->arena, const char *, w->b->values.count + 1);
    memcpy(w->name, outside.name, size);
    memcpy(w->index_name, outside.index_name, size);
    w->indent++;
    return outside;
}

void writer_leave(Writer *w, NamesOutside outside) {
    w->name = outside.name;
    w->index_name = outside.index_name;
    w->indent--;
}

static void declare_sources(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (v->kind == V_COMBINE) return; /* they are declared where they are combined */
    const int guard = w->b->values.at[value].guard;
    Reader reader = {w, guard && !w->dialect->reads_guard(w, value) ? guard : 0};
    each_source(w->b, value, declare_source, &reader);
}

static void put_declaration(Writer *w, int value, const char *name) {
    const char *type = w->dialect->type(w->b->values.at[value].type);
    write_line(w, "const %s %s = %s;", type, name, value_text(w, value));
    w->name[value] = name;
}

static void put_statements(Writer *w, int value) {
    if (has_statements(w, value))
        w->dialect->declare(w, value);
    else
        put_declaration(w, value, fresh(w, value_stem(w, value)));
    if (w->dialect->keeps(w, value)) w->dialect->keep(w, value);
}

void declare_value(Writer *w, int value) {
    if (w->name[value] || !value_is_here(w, value)) return;
    if (is_fetched(w, value)) {
        write_marked(w, value, w->dialect->fetch, value);
        return;
    }
    declare_sources(w, value);
    if (needs_variable(w, value)) write_marked(w, value, put_statements, value);
}

void declare_as(Writer *w, int value, const char *name) {
    if (w->name[value] || has_statements(w, value))
        declare_value(w, value);
    else
        declare_sources(w, value);
    put_declaration(w, value, name);
}

void assign_value(Writer *w, int value, const char *to) {
    if (has_statements(w, value))
        declare_value(w, value);
    else
        declare_sources(w, value);
    write_line(w, "%s = %s;", to, value_text(w, value));
    w->name[value] = to;
}

/* As the right operand of an infix pattern, or between commas. */
static const char *operand_text(Writer *w, int value, enum Binding bind) {
    const Expr e = value_expr(w, value);
    if (e.scalar) return value_text(w, value);
    Text out = text_new(w->arena);
    put_operand(w, &out, e, bind, true, false, w->b->values.at[value].type);
    return text_get(&out);
}

static const char *combined_text(Writer *w, const Value *combine, Language language,
                                 const char *to) {
    const int element = combine->src[3];
    if (combine->attr == OP_NULL) return value_text(w, element);
    const char *pattern = op_text((Op)combine->attr, language, dtype_is_float(combine->type));
    const char *const operands[] = {to, operand_text(w, element, pattern_binding(pattern))};
    return pattern_text(w->arena, pattern, operands, reg_suffix(combine->type));
}

void write_combined(Writer *w, const Value *combine, Language language, const char *to) {
    const char *text = combined_text(w, combine, language, to);
    const char *const sum = arena_printf(w->arena, "%s + ", to);
    if (strncmp(text, sum, strlen(sum)) == 0)
        write_line(w, "%s += %s;", to, text + strlen(sum));
    else
        write_line(w, "%s = %s;", to, text);
}

/* ---- addresses ----------------------------------------------------------------------------- */

const char *size_text(const Writer *w, Dim size) { return names_size(w->names, size); }

const char *size_factor_text(const Writer *w, Dim size) {
    return names_size_factor(w->names, size);
}

static const char *index_text_at(Writer *w, Ix ix, Dim offset) {
    const DimNames dims = {w->names->symbol, w->names->used};
    const IxNames names = {w->axis_name, w->index_name, &dims, &w->used.axes, w->flat, w->flats};
    Text out = text_new(w->arena);
    ix_print_at(w->b->indices, ix, offset, &names, &out);
    return text_get(&out);
}

const char *index_text(Writer *w, Ix ix) {
    return index_text_at(w, ix, w->b->indices->node.at[ix].offset);
}

const char *atom_text(Writer *w, int atom) {
    const DimNames dims = {w->names->symbol, w->names->used};
    const IxNames names = {w->axis_name, w->index_name, &dims, &w->used.axes, NULL, 0};
    Text out = text_new(w->arena);
    ix_print_atom(w->b->indices, atom, &names, &out);
    return text_get(&out);
}

static bool is_in_parentheses(const char *text) {
    int depth = 0;
    if (*text != '(') return false;
    for (const char *p = text; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        if (!depth) return !p[1];
    }
    return false;
}

const char *text_inside(Arena *arena, const char *text) {
    while (is_in_parentheses(text)) text = arena_strndup(arena, text + 1, strlen(text) - 2);
    return text;
}

static const char *behind(Writer *w, int buffer, const char *index) {
    const char *name = buffer_name(w, buffer);
    return strcmp(index, "0") ? arena_printf(w->arena, "%s + %s", name, index) : name;
}

const char *address_text(Writer *w, int buffer, Ix ix) {
    return behind(w, buffer, index_text(w, ix));
}

const char *address_text_at(Writer *w, int buffer, Ix ix, int64_t offset) {
    return behind(w, buffer, index_text_at(w, ix, dim_const(w->b->indices->dims, offset)));
}

void writer_body(Writer *w, const Body *b, const BodySchedule *schedule) {
    w->b = b;
    w->schedule = schedule;
    w->s = schedule->stages;
    w->level = w->stage = 0;
    w->name = arena_array(w->arena, const char *, b->values.count + 1);
    w->index_name = arena_array(w->arena, const char *, b->values.count + 1);
    w->uses = arena_array(w->arena, int, b->values.count + 1);
    for (int i = 0; i < 2 * RANK_MAX; i++) w->axis_name[i] = arena_printf(w->arena, "i%d", i);
}

const Piece *writer_piece(Writer *w, PieceRole role, int operand, int lane) {
    const Piece *piece = schedule_find(w->schedule, role, operand);
    w->s = piece_along(piece, lane, w->arena);
    w->level = 2;
    w->stage = 0;
    w->indent = 0;
    memset(w->name, 0, sizeof *w->name * (size_t)w->b->values.count);
    w->used.axes = 0;
    count_uses(w);
    return piece;
}

const char *choice_text(Arena *arena, const Choice *choices, int count) {
    Text out = text_new(arena);
    int i = 1;
    text_str(&out, choices->before);
    if (count == 1) {
        text_str(&out, choices->text);
        return text_get(&out);
    }
    text_printf(&out, "if (%s) {\n", choices->condition);
    text_indented(&out, choices->text, 4);
    for (; i + 1 < count && !*choices[i].before; i++) {
        text_printf(&out, "} else if (%s) {\n", choices[i].condition);
        text_indented(&out, choices[i].text, 4);
    }
    text_str(&out, "} else {\n");
    text_indented(&out, choice_text(arena, choices + i, count - i), 4);
    text_str(&out, "}\n");
    return text_get(&out);
}
