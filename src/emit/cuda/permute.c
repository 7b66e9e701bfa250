/* permute.c: pointwise bodies whose loads have the axes in another order than the stores. A block
 * has a box: parts of all axes. Rows of the box, as they are in memory where it is loaded, are
 * copied to shared memory, and elements gathered there in the order of the stores. In: a body of a
 * Kernel with such a tile. Out: what its template is filled with. */
#include "emit/cuda/cuda.h"

#include <string.h>

typedef struct Permute {
    CudaWriter c;
    CudaKernel *k;
    PermuteForm form;
    PermuteBox box;
    const char *start[PERMUTE_AXES];  /* of the box along each axis, "0" */
    const char *within[PERMUTE_AXES]; /* the position from there on, "0" */
    int64_t blocks;
} Permute;

/* ---- axes and positions ---------------------------------------------------------------------- */

static bool is_cut(const Permute *p, int axis) {
    return p->box.side[axis] > 1 && p->box.side[axis] < p->form.extent[axis];
}

/* The writer has another name for the lane axis while it is at an element. */
static const char *position_name(const Permute *p, int axis) {
    return axis ? p->c.w.axis_name[p->form.axis[axis]] : p->c.lane;
}

/* Axes that the box has all of are at 0 where it starts, and others of one element there. */
static void name_axes(Permute *p) {
    Arena *arena = p->k->arena;
    for (int i = 0; i < p->form.count; i++) {
        const int number = p->form.count - 1 - i;
        const char *name = arena_printf(arena, "i%d", number);
        p->c.w.axis_name[p->form.axis[i]] = name;
        p->start[i] = p->within[i] = "0";
        if (p->box.side[i] > 1) p->within[i] = name;
        if (p->box.side[i] == 1) p->start[i] = name;
        if (!is_cut(p, i)) continue;
        p->start[i] = fresh(&p->c.w, arena_printf(arena, "%s_start", name));
        p->within[i] = arena_printf(arena, "j%d", number);
    }
}

/* "box / 12 % 5": the number along an axis of `parts`, of which each has `inner`. */
static const char *box_digit(const Permute *p, int64_t parts, bool is_last) {
    const char *of =
        p->blocks > 1 ? arena_printf(p->k->arena, " / %lld", (long long)p->blocks) : "";
    const char *end = is_last ? "" : arena_printf(p->k->arena, " %% %lld", (long long)parts);
    return arena_printf(p->k->arena, "box%s%s", of, end);
}

/* The next one of `rest`. */
static const char *digit(const Permute *p, int64_t parts, bool is_last) {
    return is_last ? "(int)rest"
                   : arena_printf(p->k->arena, "next_digit<%lld>(rest)", (long long)parts);
}

/* The same of packs. */
static const char *pack_digit(const Permute *p, int64_t parts, bool is_last) {
    return is_last
               ? "(int)rest * VEC"
               : arena_printf(p->k->arena, "next_digit<%lld / VEC>(rest) * VEC", (long long)parts);
}

/* Where the box starts; counts the blocks. */
static const char *starts(Permute *p) {
    Text out = text_new(p->k->arena);
    p->blocks = 1;
    int last = 0;
    for (int i = 0; i < p->form.count; i++)
        if (permute_parts(&p->form, &p->box, i) > 1) last = i;
    for (int i = 0; i < p->form.count; i++) {
        const int64_t parts = permute_parts(&p->form, &p->box, i), side = p->box.side[i];
        if (parts == 1) continue;
        text_printf(&out, "const %s %s = %s", p->c.index, p->start[i],
                    box_digit(p, parts, i == last));
        if (side > 1) text_printf(&out, " * %lld", (long long)side);
        text_str(&out, ";\n");
        p->blocks *= parts;
    }
    return text_get(&out);
}

/* An index at the start of the box. */
static const char *index_at_start(Permute *p, Ix ix) {
    const char *name[2 * RANK_MAX];
    memcpy(name, p->c.w.axis_name, sizeof name);
    for (int i = 0; i < p->form.count; i++) p->c.w.axis_name[p->form.axis[i]] = p->start[i];
    const char *text = text_inside(p->k->arena, index_text(&p->c.w, ix));
    memcpy(p->c.w.axis_name, name, sizeof name);
    return text;
}

/* " + j4 * 2284 + i0": offsets along those axes from the start of the box. */
static const char *offset_text(const Permute *p, const int64_t *stride, uint32_t axes) {
    Text out = text_new(p->k->arena);
    for (int i = p->form.count - 1; i >= 0; i--) {
        if (!(axes >> i & 1) || !stride[i] || p->box.side[i] == 1) continue;
        text_printf(&out, " + %s", p->within[i]);
        if (stride[i] > 1) text_printf(&out, " * %lld", (long long)stride[i]);
    }
    return text_get(&out);
}

/* A sum without a first term that is nothing. */
static const char *sum(Arena *arena, const char *first, const char *offsets) {
    if (*first && strcmp(first, "0")) return arena_printf(arena, "%s%s", first, offsets);
    return *offsets ? offsets + strlen(" + ") : "0";
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* The positions of a row, those that are closest in memory first. */
static const char *row_positions(const Permute *p, int load) {
    const PermuteTile *tile = &p->box.tile[load];
    Text out = text_new(p->k->arena);
    uint32_t left = tile->is_row;
    while (left) {
        int next = -1;
        for (int i = 0; i < p->form.count; i++)
            if (left >> i & 1 &&
                (next < 0 || p->form.load[load].stride[i] < p->form.load[load].stride[next]))
                next = i;
        left &= ~((uint32_t)1 << next);
        text_printf(&out, "const %s %s = %s;\n", p->c.index, p->within[next],
                    digit(p, p->box.side[next], !left));
    }
    return text_get(&out);
}

/* Whether no copy reaches beyond the tensor: elements from the first of the box to the last. */
static const char *inside(const Permute *p, int load, const char *first) {
    const PermuteTile *tile = &p->box.tile[load];
    int64_t reach = tile->pieces * tile->piece;
    for (int i = 0; i < p->form.count; i++)
        if (tile->is_row >> i & 1) reach += (p->box.side[i] - 1) * p->form.load[load].stride[i];
    const Value *v = &p->c.w.b->values.at[p->form.load[load].value];
    const int64_t end = cost_size(p->c.w.b->indices->dims, p->c.w.k->buffers.at[v->attr].elements);
    const char *above =
        tile->piece > 1 ? arena_printf(p->k->arena, "%s >= %d && ", first, tile->piece - 1) : "";
    return arena_printf(p->k->arena, "%s%s <= %lld", above, first, (long long)(end - reach));
}

static void copy(Permute *p, int load, Text *scalars, Text *copies) {
    Arena *arena = p->k->arena;
    const PermuteLoad *l = &p->form.load[load];
    const PermuteTile *tile = &p->box.tile[load];
    const Value *v = &p->c.w.b->values.at[l->value];
    const char *stem = value_stem(&p->c.w, l->value), *type = cuda_storage(v->type);
    const char *name = fresh(&p->c.w, arena_printf(arena, "%s_tile", stem));
    const char *first = fresh(&p->c.w, arena_printf(arena, "%s_start", stem));
    const char *buffer = buffer_name(&p->c.w, v->attr), *place = "";
    text_printf(scalars, "%s *const %s = (%s *)", type, name, type);
    text_printf(scalars, tile->at ? "(shared + %lld);\n" : "shared;\n", (long long)tile->at);
    text_printf(scalars, "const %s %s = %s;\n", p->c.index, first, index_at_start(p, v->ix));
    if (tile->piece > 1) {
        place = fresh(&p->c.w, arena_printf(arena, "%s_place", stem));
        text_printf(scalars, "const unsigned %s = place_in_piece<%d>(%s + %s);\n", place,
                    tile->piece, buffer, first);
    }
    const Fill fills[] = {{"N", cuda_number(arena, tile->piece)},
                          {"PIECES", cuda_number(arena, tile->pieces)},
                          {"ROWS", cuda_number(arena, tile->rows)},
                          {"THREADS", cuda_number(arena, p->c.tile.threads)},
                          {"IDX", p->c.index},
                          {"COPY", fresh(&p->c.w, arena_printf(arena, "copy_%s", stem))},
                          {"INSIDE", inside(p, load, first)},
                          {"TILE", name},
                          {"PLACE", sum(arena, place, offset_text(p, tile->stride, tile->is_row))},
                          {"FROM", buffer},
                          {"FIRST", sum(arena, first, offset_text(p, l->stride, tile->is_row))},
                          {"END", size_text(&p->c.w, p->c.w.k->buffers.at[v->attr].elements)},
                          {"positions", row_positions(p, load)}};
    TEMPLATE_FILL("cuda/permute_copy.cu", fills, copies);
    const char *lane = p->within[0];
    if (p->c.wide) p->within[0] = arena_printf(arena, "(%s + l)", lane);
    p->c.staged[l->value] = arena_printf(
        arena, "%s[%s]", name, sum(arena, place, offset_text(p, tile->stride, ~(uint32_t)0)));
    p->within[0] = lane;
}

/* ---- elements -------------------------------------------------------------------------------- */

static bool is_ragged(const Permute *p, int axis) {
    return p->form.extent[axis] % p->box.side[axis] != 0;
}

static void declare_position(const Permute *p, int axis, Text *out) {
    if (is_cut(p, axis))
        text_printf(out, "const %s %s = %s + %s;\n", p->c.index, position_name(p, axis),
                    p->start[axis], p->within[axis]);
}

/* Positions along all axes of the box but that of a thread's items; counts the threads' shares. */
static const char *positions(Permute *p, int64_t *shares) {
    const PermuteBox *box = &p->box;
    Text out = text_new(p->k->arena);
    int last = -1;
    *shares = 1;
    for (int i = 0; i < p->form.count; i++)
        if ((i == box->along ? box->step : box->side[i]) > 1) last = i;
    for (int i = 0; i < p->form.count; i++) {
        const int64_t side = i == box->along ? box->step : box->side[i];
        if (side == 1) continue;
        const char *name = i == box->along ? "first" : p->within[i];
        const bool is_pack = !i && p->c.wide;
        text_printf(&out, "const %s %s = %s;\n", p->c.index, name,
                    (is_pack ? pack_digit : digit)(p, side, i == last));
        *shares *= side;
    }
    for (int i = 0; i < p->form.count; i++) {
        if (i == box->along) continue;
        declare_position(p, i, &out);
        if (is_ragged(p, i))
            text_printf(&out, "if (%s >= %lld) continue;\n", position_name(p, i),
                        (long long)p->form.extent[i]);
    }
    return text_get(&out);
}

/* Of an item, from the start of the box. */
static const char *item_position(const Permute *p) {
    const PermuteBox *box = &p->box;
    const char *by =
        box->step > 1 ? arena_printf(p->k->arena, " * %lld", (long long)box->step) : "";
    return arena_printf(p->k->arena, "%sitem%s", box->step > 1 ? "first + " : "", by);
}

/* An item, after its position. */
static const char *item(Permute *p) {
    Text out = text_new(p->k->arena);
    const PermuteBox *box = &p->box;
    const int along = box->along;
    const char *text = cuda_pointwise_item(&p->c);
    if (box->side[along] > 1)
        text_printf(&out, "const %s %s = %s;\n", p->c.index, p->within[along], item_position(p));
    declare_position(p, along, &out);
    if (box->step * box->items <= box->side[along])
        return arena_printf(p->k->arena, "%s%s", text_get(&out), text);
    text_printf(&out, "if (item < %d || %s < %lld) {\n", box->items - 1, p->within[along],
                (long long)box->side[along]);
    text_indented(&out, text, 4);
    text_str(&out, "}\n");
    return text_get(&out);
}

/* Items of the last box may be beyond the end of their axis. */
static void fill_items(Permute *p, Fills *out) {
    Arena *arena = p->k->arena;
    const int along = p->box.along;
    const bool ragged = is_ragged(p, along);
    const long long end = p->form.extent[along];
    const char *start = p->start[along], *text = item(p);
    const Fill fills[] = {
        {"loop", ragged ? "" : text},
        {"ragged", ragged ? text : ""},
        {"WHOLE",
         arena_printf(arena, "%s + %lld <= %lld", start, (long long)p->box.side[along], end)},
        {"INSIDE", arena_printf(arena, "%s + %s < %lld", start, item_position(p), end)}};
    FILLS_ADD(arena, out, fills);
}

static Permute permute_new(CudaKernel *k, int body) {
    Permute p = {.k = k, .c = cuda_writer(k, body)};
    p.form = permute_form(k->k, p.c.w.b);
    p.box = permute_box(&p.form, &p.c.tile);
    p.c.vector = p.box.vector;
    name_axes(&p);
    cuda_writer_ready(&p.c);
    k->threads = p.c.tile.threads;
    return p;
}

static const char *how(const Permute *p) {
    Text sides = text_new(p->k->arena);
    for (int i = p->form.count - 1; i >= 0; i--)
        if (p->box.side[i] > 1)
            text_printf(&sides, "%s%lld", sides.size ? " x " : "", (long long)p->box.side[i]);
    return arena_printf(p->k->arena,
                        "%d threads for each box of %s elements, permuted in shared memory",
                        p->c.tile.threads, text_get(&sides));
}

CudaBody cuda_permute(CudaKernel *k, int body, const char *block) {
    Permute p = permute_new(k, body);
    Arena *arena = k->arena;
    Text scalars = text_new(arena), copies = text_new(arena);
    int64_t shares = 1;
    p.c.w.out = &scalars;
    declare_level(&p.c.w, 0, 0);
    const char *first = starts(&p);
    for (int i = 0; i < p.form.loads; i++) copy(&p, i, &scalars, &copies);
    const char *at = positions(&p, &shares);
    Fills own = {0};
    fill_items(&p, &own);
    const Fill fills[] = {
        {"BLOCK", block ? block : "blockIdx.x"},
        {"starts", first},
        {"scalars", text_get(&scalars)},
        {"copies", text_get(&copies)},
        {"THREADS", cuda_number(arena, p.c.tile.threads)},
        {"ELEMENTS", arena_printf(arena, p.c.wide ? "%lld / VEC" : "%lld", (long long)shares)},
        {"ITEMS", cuda_number(arena, p.box.items)},
        {"positions", at}};
    CudaBody out = {.c = p.c,
                    .template = "cuda/permute.cu",
                    .blocks = cuda_number(arena, p.blocks),
                    .how = how(&p),
                    .fills = own};
    FILLS_ADD(arena, &out.fills, fills);
    cuda_shared_most(k, p.box.bytes, "a box");
    return out;
}
