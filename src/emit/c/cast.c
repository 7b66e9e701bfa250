/* cast.c: conversions between the types of registers, as calls of the prelude's functions. A narrow
 * type lives in a register of its compute type, rounded; bool is a mask. */
#include "emit/c/c.h"

#include <string.h>

/* From a register of type `from` to bf16, f16 or f8. All bytes are exact in f32, bf16 and f16; i64
 * that f64 does not hold are beyond f16 and f8. */
static const char *narrow_cast_format(Writer *w, Dtype from, Dtype to) {
    const char *r = reg_suffix(from), *t = dtype_name(to);
    const bool is_byte = from == T_I8 || from == T_U8;
    if (from == T_BOOL) return "f32_b1(%s)";
    if (is_byte && (to == T_BF16 || to == T_F16)) return "f32_i32(%s)";
    if (is_byte) return arena_printf(w->arena, "round_%s(f32_i32(%%s))", t);
    if (!strcmp(r, "f32")) return arena_printf(w->arena, "round_%s(%%s)", t);
    if (!strcmp(r, "f64")) return arena_printf(w->arena, "round_%s_f64(%%s)", t);
    if (from == T_I64 && to == T_BF16) return "round_bf16_i64(%s)";
    return arena_printf(w->arena, "round_%s_f64(f64_%s(%%s))", t, r);
}

/* The conversion from a register of type `from`, as a printf format of one %s; NULL: none
 * needed. */
static const char *c_cast_format(Writer *w, Dtype from, Dtype to) {
    const char *r = reg_suffix(from);
    bool wide = !strcmp(r, "i64"), whole = !strcmp(r, "i32"), mask = !strcmp(r, "b1");
    if (to == from) return NULL;
    if (to == T_BOOL) return arena_printf(w->arena, "b1_%s(%%s)", r);
    if (to == T_I8 || to == T_U8) {
        const char *t = dtype_name(to);
        if (mask) return "i32_b1(%s)";
        if (wide) return arena_printf(w->arena, "%swrap_i32(i32_i64(%%s))", t);
        if (whole) return arena_printf(w->arena, "%swrap_i32(%%s)", t);
        return arena_printf(w->arena, "%s_%s(%%s)", t, r);
    }
    if (dtype_is_narrow(to)) return narrow_cast_format(w, from, to);
    if (!strcmp(r, reg_suffix(to))) return NULL;
    return arena_printf(w->arena, "%s_%s(%%s)", reg_suffix(to), r);
}

Expr c_cast(Writer *w, const Value *v, Expr source) {
    const char *format = c_cast_format(w, v->operand, v->type);
    if (!format) return source;
    const char *text = source.scalar ? c_splat(w, v->operand, source.text) : source.text;
    const char *hole = strstr(format, "%s");
    return (Expr){arena_printf(w->arena, "%.*s%s%s", (int)(hole - format), format, text, hole + 2),
                  BIND_CALL, false};
}
