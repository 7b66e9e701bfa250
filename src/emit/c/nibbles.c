/* nibbles.c: values that are computed from numbers of 4 bits, halves of bytes, and from what is the
 * same in all lanes, as the scale of a group is: all their 16 results fit in a vector, in which
 * templates/c/gemv.h looks them up.
 * In: a value of a body, along lanes from a multiple of VL on. Out: the number; text. */
#include "emit/c/c.h"

static bool is_nibble(const Writer *w, int value, CNibbles *n) {
    const Value *v = &w->b->values.at[value];
    if (v->kind != V_OP || c_divisor_power(w, v) != 16) return false;
    if (w->b->values.at[v->src[0]].type != T_U8) return false;
    *n = (CNibbles){value, v->src[0], v->op == OP_DIV ? 4 : 0};
    return true;
}

/* Do the lanes differ in one such number alone? */
static bool is_of_one(const Writer *w, int value, int lanes, CNibbles *found) {
    const Value *v = &w->b->values.at[value];
    CNibbles own;
    if (!(v->axes >> w->s->lane & 1)) return true;
    if (v->kind == V_LOAD) return !v->guard && c_is_of_group(w, v->ix, lanes);
    if ((v->kind != V_OP && v->kind != V_CAST) || op_is_call(v->op)) return false;
    if (is_nibble(w, value, &own)) {
        const bool same = !found->value || found->value == value;
        *found = own;
        return same;
    }
    for (int i = 0; i < value_sources(v); i++)
        if (!is_of_one(w, v->src[i], lanes, found)) return false;
    return true;
}

CNibbles c_nibbles(const Writer *w, int root, int lanes) {
    const CNibbles none = {0};
    CNibbles found = {0};
    if (w->b->values.at[root].type != T_F32 || !w->is_aligned) return none;
    return is_of_one(w, root, lanes, &found) && found.value != root ? found : none;
}

static const char *looked_up(Writer *w, int root, CNibbles n, const char *kind, const char *bytes,
                             const char *shift) {
    const char *nibble = fresh(w, "nibble");
    write_line(w, "const i32 %s = each_nibble%s(%s, %s);", nibble, kind, bytes, shift);
    w->name[n.value] = nibble;
    declare_value(w, root);
    return arena_printf(w->arena, "at_nibble%s(%s, %s, %s)", kind, value_text(w, root), bytes,
                        shift);
}

const char *c_at_nibbles(Writer *w, int root, CNibbles n) {
    declare_value(w, n.bytes);
    return looked_up(w, root, n, "", value_text(w, n.bytes), n.shift ? "4" : "0");
}

const char *c_nibbles_at(Writer *w, int root, CNibbles n, bool pairs, bool turns,
                         const char *address) {
    const char *bytes = fresh(w, value_stem(w, n.bytes));
    const char *load = !turns ? "ld_part_bytes" : pairs ? "ld_turns_of_parts" : "ld_turns";
    write_line(w, "const %s %s = %s(%s);", pairs ? "u32" : "i32", bytes, load, address);
    const char *shift = turns ? n.shift ? "8 * half + 4" : "8 * half" : n.shift ? "4" : "0";
    return looked_up(w, root, n, pairs ? "_of_parts" : "", bytes, shift);
}
