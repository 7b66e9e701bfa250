/* random.c: random words. The words of a position, and those of neighbours, are of one block, which
 * is computed once for a vector.
 * In: a body. Out: statements. */
#include "emit/c/c.h"

static const Value *value_at(const Writer *w, int value) { return &w->b->values.at[value]; }

/* Have the lanes the words from some number on, of one seed? */
static bool is_in_order(const Writer *w, const Value *philox) {
    const Value *position = value_at(w, philox->src[1]);
    if (position->kind != V_INDEX || !c_is_in_lanes(w) || c_period(w, position->ix)) return false;
    const bool is_one_seed = !(value_at(w, philox->src[0])->axes >> w->s->lane & 1);
    return is_one_seed && philox->attr != 4 && c_lane_step(w, position->ix) == 1;
}

static bool is_philox(const Value *v) { return v->kind == V_OP && v->op == OP_PHILOX; }

/* The other word of the same positions, if this is one of two that are computed here; 0: none. */
static int other_word(const Writer *w, int value) {
    const Value *v = value_at(w, value);
    for (int i = 1; i < w->b->values.count && v->attr == 2; i++) {
        const Value *o = value_at(w, i);
        if (is_philox(o) && o->attr == 2 && o->attr2 != v->attr2 && o->src[0] == v->src[0] &&
            o->src[1] == v->src[1] && w->uses[i] && value_is_due(w, i))
            return i;
    }
    return 0;
}

bool c_has_statements(const Writer *w, int value) {
    const Value *v = value_at(w, value);
    if (!is_philox(v)) return false;
    return is_in_order(w, v) || other_word(w, value);
}

/* Is the position read only as the start of words in order, so that it takes no vector? */
bool c_is_start(const Writer *w, int position) {
    int readers = 0;
    if (c_keeps(w, position)) return false;
    for (int i = position + 1; i < w->b->values.count; i++) {
        const Value *v = value_at(w, i);
        readers +=
            is_philox(v) && v->src[1] == position && value_is_here(w, i) && is_in_order(w, v);
    }
    return readers == w->uses[position];
}

static const char *words_text(Writer *w, const Value *v, const char *two) {
    const char *seed = value_text(w, v->src[0]);
    if (!is_in_order(w, v))
        return arena_printf(w->arena, "philox%s_i64(%s, %s)", two, seed, value_text(w, v->src[1]));
    return arena_printf(w->arena, "philox%s_from_i64(%s, %s)", two, seed,
                        index_text(w, value_at(w, v->src[1])->ix));
}

static void declare_two(Writer *w, int value, int other) {
    const Value *v = value_at(w, value);
    const char *name = fresh(w, value_stem(w, value));
    const int first = v->attr2 ? other : value, second = v->attr2 ? value : other;
    write_line(w, "const i32_pair %s = %s;", name, words_text(w, v, "_two"));
    if (first) w->name[first] = arena_printf(w->arena, "%s.first", name);
    if (second) w->name[second] = arena_printf(w->arena, "%s.second", name);
    if (other && c_keeps(w, other)) w->dialect->keep(w, other);
}

void c_declare_random(Writer *w, int value) {
    const Value *v = value_at(w, value);
    if (v->attr == 2) {
        declare_two(w, value, other_word(w, value));
        return;
    }
    const char *name = fresh(w, value_stem(w, value));
    write_line(w, "const i32 %s = %s;", name, words_text(w, v, ""));
    w->name[value] = name;
}
