/* pack.c: text shared by contractions and attentions in C: pieces of a body, and loops that
 * evaluate an operand and pack it into panels. */
#include "emit/c/c.h"

#include <string.h>

const char *c_size(const Writer *w, int axis) {
    const char *text = size_text(w, w->b->indices->extent[axis]);
    return strpbrk(text, " +-*/%") ? arena_printf(w->arena, "(%s)", text) : text;
}

/* Starts the text of a piece along a lane axis. */
Text c_piece(Writer *w, PieceRole role, int operand, int lane) {
    w->lanes = "lanes";
    w->used.lanes = false;
    w->is_aligned = false;
    writer_piece(w, role, operand, lane);
    return text_new(w->arena);
}

Text c_piece_of_tile(Writer *w, PieceRole role, int lane) {
    Text text = c_piece(w, role, 0, lane);
    w->is_aligned = lane >= 0; /* tiles are whole vectors */
    if (lane >= 0 && c_is_whole(w, lane, 16)) w->lanes = "VL";
    return text;
}

static const char *lanes_line(const Writer *w, const char *end, const char *at) {
    return arena_printf(w->arena, "const idx lanes = %s - %s < VL ? %s - %s : VL;", end, at, end,
                        at);
}

void c_open_loop(Writer *w, const char *i, const char *from, const char *to, const char *step) {
    write_line(w, "for (idx %s = %s; %s < %s; %s%s) {", i, from, i, to, i, step);
    w->indent++;
}

/* Panel by panel along the operand's own axis: from `start`, written to `to`. */
void c_open_panels(Writer *w, Dtype type, const CPanels *p) {
    c_open_loop(w, "start", p->first, p->stop, arena_printf(w->arena, " += %s", p->width));
    write_line(w,
               strchr(p->size, ' ') ? "%s *const to = %s + (start - %s) / %s * (%s);"
                                    : "%s *const to = %s + (start - %s) / %s * %s;",
               storage_type(type), p->to, p->first, p->width, p->size);
    write_line(w, "const idx stop = start + %s < %s ? start + %s : %s;", p->width, p->stop,
               p->width, p->stop);
}

/* The offset in a panel of the elements at k, `l` later. */
static const char *at_k(Writer *w, const CPanels *p, const char *l) {
    const char *k = w->axis_name[p->k];
    if (strcmp(p->k_first, "0"))
        return arena_printf(w->arena, "to + (%s - %s%s) * %s", k, p->k_first, l, p->width);
    return arena_printf(w->arena, *l ? "to + (%s%s) * %s" : "to + %s%s * %s", k, l, p->width);
}

/* Vectors along the own axis are contiguous in a panel. */
static void pack_along_own(Writer *w, int value, Dtype type, const CPanels *p) {
    const char *i = w->axis_name[p->own];
    c_open_loop(w, w->axis_name[p->k], p->k_first, p->k_end, "++");
    c_open_panels(w, type, p);
    c_open_loop(w, i, "start", "stop", " += VL");
    write_line(w, "%s", lanes_line(w, p->stop, i));
    declare_value(w, value);
    write_line(w, "st_%s(%s + %s - start, %s, VL);", dtype_name(type), at_k(w, p, ""), i,
               value_text(w, value));
    c_close_loops(w, 3);
}

const char *c_range_start(const Writer *w, const char *k_first, int64_t from) {
    const char *at = arena_printf(w->arena, "%lld", (long long)from);
    return strcmp(k_first, "0") ? arena_printf(w->arena, "fx_most(%s, %s)", k_first, at) : at;
}

const char *c_range_end(const Writer *w, const char *k_first, const char *k_end, int64_t to) {
    const char *at = arena_printf(w->arena, "%lld", (long long)to);
    return strcmp(k_first, "0") ? arena_printf(w->arena, "fx_least(%s, %s)", k_end, at) : at;
}

/* VL vectors along k, one for each of the operand's rows, are transposed at a time. */
static void pack_squares(Writer *w, int value, Dtype type, const CPanels *p, const char *first,
                         const char *end) {
    const char *i = w->axis_name[p->own], *k = w->axis_name[p->k];
    const char *reg = reg_suffix(type);
    write_line(w, "for (idx %s = %s; %s < %s; %s += VL) {", k, first, k, end, k);
    const NamesOutside outside = writer_enter(w);
    write_line(w, "%s", lanes_line(w, end, k));
    write_line(w, "%s square[VL] = {0};", reg);
    c_open_loop(w, i, "from", arena_printf(w->arena, "from + VL && %s < stop", i), "++");
    declare_value(w, value);
    write_line(w, "square[%s - from] = %s;", i, value_text(w, value));
    c_close_loops(w, 1);
    if (dtype_compute(type) != type) {
        write_line(w, "transpose_%s(square, (%s *)square, VL, VL);", reg,
                   storage_type(dtype_compute(type)));
        write_line(w, "for (idx l = 0; l < lanes; l++)");
        write_line(w, "    st_%s(%s + from - start, square[l], VL);", dtype_name(type),
                   at_k(w, p, " + l"));
    } else {
        write_line(w, "transpose_%s(square, %s + from - start, %s, lanes);", reg, at_k(w, p, ""),
                   p->width);
    }
    writer_leave(w, outside);
    write_line(w, "}");
}

/* Vectors along k cross panels. Where the conditions on k are known in ranges of whole vectors, as
 * in the pieces of a concat, each has a loop of its own. */
static void pack_along_k(Writer *w, int value, Dtype type, const CPanels *p) {
    const Body *all = w->b;
    const CRanges ranges = w->is_aligned ? c_ranges(w, p->k) : (CRanges){0};
    c_open_panels(w, type, p);
    c_open_loop(w, "from", "start", "stop", " += VL");
    if (ranges.count <= 1) pack_squares(w, value, type, p, p->k_first, p->k_end);
    for (int i = 0; i < ranges.count && ranges.count > 1; i++) {
        int root = value;
        const Body within = c_body_within(w, p->k, ranges.at[i], &root);
        w->b = &within;
        pack_squares(w, root, type, p, c_range_start(w, p->k_first, ranges.at[i].from),
                     c_range_end(w, p->k_first, p->k_end, ranges.at[i].to));
        w->b = all;
    }
    c_close_loops(w, 2);
}

/* ---- by a function --------------------------------------------------------------------------- */

/* The steps of a load's index along both axes; false if it is no plain matrix. */
static bool matrix_strides(const Writer *w, int value, int own, int k, Dim *across, Dim *along) {
    const Value *v = &w->b->values.at[value];
    return v->kind == V_LOAD && !v->guard && !w->b->indices->node.at[v->ix].dynamic &&
           index_along(w->b, v->ix, own, across) == 1 && index_along(w->b, v->ix, k, along) == 1;
}

bool c_pack_is_plain(const Writer *w, int operand, int own, int k) {
    const Dims *d = w->b->indices->dims;
    const int value = schedule_find(w->schedule, PIECE_OPERAND, operand)->roots[0];
    Dim across = 0, along = 0;
    return matrix_strides(w, value, own, k, &across, &along) &&
           (dim_is(d, across, 1) || dim_is(d, along, 1));
}

bool c_pack_has_rows(const Writer *w, int operand, int own, int k, Dim *stride) {
    const int value = schedule_find(w->schedule, PIECE_OPERAND, operand)->roots[0];
    Dim along = 0;
    return matrix_strides(w, value, own, k, stride, &along) &&
           dim_is(w->b->indices->dims, along, 1);
}

bool c_pack_has_function(const Writer *w, int operand, int own, int k) {
    const Dtype type = w->b->values.at[operand].type;
    return (type == T_F32 || type == T_BF16 || type == T_F16) &&
           c_pack_is_plain(w, operand, own, k);
}

const char *c_difference(const Writer *w, const char *end, const char *start) {
    return strcmp(start, "0") ? arena_printf(w->arena, "%s - %s", end, start) : end;
}

CMatrix c_pack_matrix(Writer *w, int operand, const CPanels *p) {
    const int value = schedule_find(w->schedule, PIECE_OPERAND, operand)->roots[0];
    const Value *v = &w->b->values.at[value];
    const char *const own = w->axis_name[p->own], *const k = w->axis_name[p->k];
    Dim across = 0, along = 0;
    matrix_strides(w, value, p->own, p->k, &across, &along);
    w->axis_name[p->own] = p->first, w->axis_name[p->k] = p->k_first;
    const char *from = address_text(w, v->attr, v->ix);
    w->axis_name[p->own] = own, w->axis_name[p->k] = k;
    const bool is_along = dim_is(w->b->indices->dims, along, 1);
    return (CMatrix){v->type, is_along, from, is_along ? across : along};
}

static void pack_plain(Writer *w, int operand, const CPanels *p) {
    const CMatrix m = c_pack_matrix(w, operand, p);
    const char *name =
        arena_printf(w->arena, p->function, m.is_along ? "along" : "across", dtype_name(m.type));
    write_line(w, "%s(%s, %s, %s, %s, %s, %s, %s%s);", name, p->to, p->size, p->width, m.from,
               size_text(w, m.stride), c_difference(w, p->stop, p->first),
               c_difference(w, p->k_end, p->k_first), p->more ? p->more : "");
}

/* Loads of a value of which two elements along an axis are in one. */
static int pairs_along(const Writer *w, int value, int axis) {
    const Value *v = &w->b->values.at[value];
    int count = v->kind == V_LOAD && c_is_twice(w, v->ix, axis);
    for (int i = 0; i < value_sources(v); i++) count += pairs_along(w, v->src[i], axis);
    return count;
}

static int contiguous_along(const Writer *w, int value, int axis) {
    return value_contiguous(w->b, value, axis) + pairs_along(w, value, axis);
}

const char *c_pack(Writer *w, int operand, const CPanels *p) {
    const int value = schedule_find(w->schedule, PIECE_OPERAND, operand)->roots[0];
    const bool along_own = contiguous_along(w, value, p->own) > contiguous_along(w, value, p->k);
    Dtype type = p->type ? p->type : dtype_compute(w->b->values.at[value].type);
    Text text = c_piece(w, PIECE_OPERAND, operand, along_own ? p->own : p->k), *out = w->out;
    w->out = &text;
    w->is_aligned = !along_own && !p->is_unaligned; /* blocks of k are whole vectors */
    if (p->function)
        pack_plain(w, operand, p);
    else if (along_own)
        pack_along_own(w, value, type, p);
    else
        pack_along_k(w, value, type, p);
    w->is_aligned = false;
    w->out = out;
    return text_get(&text);
}

CPanels c_whole_panels(const Writer *w, int operand, int own, int k, const char *to,
                       const char *size) {
    return (CPanels){.own = own,
                     .k = k,
                     .first = "first",
                     .stop = "end",
                     .k_first = "0",
                     .k_end = c_size(w, k),
                     .width = "NR",
                     .to = to,
                     .size = size,
                     .function = c_pack_has_function(w, operand, own, k) ? "pack_%s_%s" : NULL};
}
