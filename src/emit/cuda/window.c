/* window.c: text of windows (see Window): the packs that the elements of a pack of results load in
 * common. In: values of a loop over packs. Out: loads before it, and their elements in it. */
#include "emit/cuda/cuda.h"

void cuda_find_windows(CudaWriter *c) {
    if (!c->wide) return;
    c->windows = tile_windows(c->w.k, c->w.s, c->vector, c->w.arena);
    c->window_name = arena_array(c->w.arena, const char *, c->windows.all.count + 1);
}

bool cuda_is_in_window(const CudaWriter *c, int value) {
    return c->windows.of && c->windows.of[value];
}

/* "2 * l - 1" of 2, "l" and -1. */
static const char *sum_text(Arena *arena, int step, const char *name, int64_t offset) {
    const char *product = step == 1 ? name : arena_printf(arena, "%d * %s", step, name);
    if (!offset) return product;
    return arena_printf(arena, offset < 0 ? "%s - %lld" : "%s + %lld", product,
                        (long long)(offset < 0 ? -offset : offset));
}

/* "(lane / 2)" of a position in the lane. */
static const char *quotient_text(Arena *arena, int divisor, const char *name) {
    return divisor == 1 ? name : arena_printf(arena, "(%s / %d)", name, divisor);
}

/* Elements of its packs: those that a pack of VEC results takes. */
static const char *pack_text(const CudaWriter *c, const Window *win) {
    if (win->pack == c->vector) return "VEC";
    return arena_printf(c->w.arena, "(VEC + %d) / %d", win->divisor - 1, win->divisor);
}

/* One after the last element that a pack of VEC results takes. */
static const char *end_text(const CudaWriter *c, const Window *win) {
    Arena *arena = c->w.arena;
    const int64_t last = win->to - (int64_t)win->step * (win->count - 1);
    if (win->divisor == 1) return sum_text(arena, win->step, "VEC", last - win->step);
    const char *most = arena_printf(arena, "((VEC - 1) / %d)", win->divisor);
    return sum_text(arena, win->step, most, last);
}

/* A bound, from the pack of results on; without one, that of all elements. */
static const char *bound_text(CudaWriter *c, const Window *win, bool is_there, int64_t bound,
                              const char *all) {
    if (!is_there) return all;
    const char *lane = atom_text(&c->w, win->atom);
    if (win->divisor > 1) lane = arena_printf(c->w.arena, "(%s)", lane);
    const char *at = sum_text(c->w.arena, win->step, lane, 0);
    if (!bound) return arena_printf(c->w.arena, "-%s", at);
    return arena_printf(c->w.arena, "%lld - %s", (long long)bound, at);
}

static const char *conditions_text(CudaWriter *c, const Window *win) {
    Text out = text_new(c->w.arena);
    for (int i = 0; i < win->conditions; i++)
        text_printf(&out, "%s%s", i ? " && " : "", value_expr(&c->w, win->condition[i]).text);
    return out.size ? text_get(&out) : "true";
}

static const char *put_window(CudaWriter *c, const Window *win) {
    Writer *w = &c->w;
    const Value *v = &w->b->values.at[win->load];
    const char *const element = w->axis_name[w->s->lane];
    const char *name = fresh(w, arena_printf(w->arena, "%s_window", value_stem(w, win->load)));
    const char *from = arena_printf(w->arena, "%lld", (long long)win->from);
    const char *to = end_text(c, win);
    w->axis_name[w->s->lane] = c->lane;
    text_printf(&c->before, "const auto %s = load_window<%s, %s, %s>(%s, %s, %s, %s);\n", name,
                pack_text(c, win), from, to, address_text_at(w, win->buffer, v->ix, win->base),
                conditions_text(c, win), bound_text(c, win, win->has_first, win->first, from),
                bound_text(c, win, win->has_end, win->end, to));
    w->axis_name[w->s->lane] = element;
    return name;
}

const char *cuda_window_element(CudaWriter *c, int value) {
    const int number = c->windows.of[value] - 1;
    const Window *win = &c->windows.all.at[number];
    const Indices *x = c->w.b->indices;
    int64_t offset = 0;
    dim_is_const(x->dims, x->node.at[c->w.b->values.at[value].ix].offset, &offset);
    if (!c->window_name[number]) c->window_name[number] = put_window(c, win);
    const char *l = quotient_text(c->w.arena, win->divisor, "l");
    return arena_printf(
        c->w.arena, "%s.at(%s)", c->window_name[number],
        text_inside(c->w.arena, sum_text(c->w.arena, win->step, l, offset - win->base)));
}
