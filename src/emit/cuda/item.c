/* item.c: the elements of one item of a row (see CudaWriter): hoisted loads, values, accumulator
 * steps, stores.
 * In: a Body with a Schedule. Out: statements inside the loop over items. */
#include "emit/cuda/row.h"

#include <ctype.h>
#include <string.h>

/* ---- positions ----------------------------------------------------------------------------- */

bool cuda_is_32bit(const Body *b, const Schedule *s) {
    for (int i = 1; i < b->values.count; i++)
        if (s->value[i].used && b->values.at[i].ix && !ix_is_32bit(b->indices, b->values.at[i].ix))
            return false;
    for (int i = 0; i < b->stores.count; i++)
        if (!ix_is_32bit(b->indices, b->stores.at[i].ix)) return false;
    return true;
}

/* The elements at one position along an axis. */
static Dim inner_elements(Dims *d, const Axis *axes, int count, int axis) {
    Dim inner = dim_const(d, 1);
    for (int i = axis + 1; i < count; i++) inner = dim_mul(d, inner, axes[i].extent);
    return inner;
}

/* The position along one axis, from the position along all of them. */
static const char *position(CudaWriter *c, const Axis *axes, int count, int i, const char *flat) {
    Dims *d = c->w.b->indices->dims;
    const Dim inner = inner_elements(d, axes, count, i);
    Text out = text_new(c->w.arena);
    text_str(&out, flat);
    if (!dim_is(d, inner, 1)) text_printf(&out, " / %s", cuda_dim(c, inner));
    if (i) text_printf(&out, " %% %s", cuda_dim(c, axes[i].extent));
    return text_get(&out);
}

void cuda_name_flat(CudaWriter *c, const Axis *axes, int count, const char *name) {
    if (count < 2) return;
    IxFlat *flat = &c->w.flat[c->w.flats++];
    *flat = (IxFlat){.name = name, .count = count};
    for (int i = 0; i < count; i++) {
        flat->axis[i] = axes[i].number;
        flat->axis_name[i] = c->w.axis_name[axes[i].number];
        flat->inner[i] = inner_elements(c->w.b->indices->dims, axes, count, i);
    }
}

/* Has an index been written with this name since it was last asked? */
static bool is_flat_read(CudaWriter *c, const char *name) {
    for (int i = 0; i < c->w.flats; i++) {
        IxFlat *flat = &c->w.flat[i];
        if (strcmp(flat->name, name) != 0 || !flat->is_read) continue;
        flat->is_read = false;
        return true;
    }
    return false;
}

const char *cuda_positions(CudaWriter *c, const Axis *axes, int count, const char *flat) {
    Text out = text_new(c->w.arena);
    c->reads_flat |= is_flat_read(c, flat);
    for (int i = 0; i < count; i++) {
        const char *name = c->w.axis_name[axes[i].number];
        if (axes[i].number == c->w.s->lane && c->lane) name = c->lane;
        if (!(c->w.used.axes >> axes[i].number & 1)) continue;
        c->reads_flat = true;
        c->w.used.axes &= ~((uint32_t)1 << axes[i].number);
        if (!strcmp(name, flat)) continue;
        text_printf(&out, "const %s %s = %s;\n", c->index, name, position(c, axes, count, i, flat));
    }
    return text_get(&out);
}

/* ---- hoisted loads ------------------------------------------------------------------------- */

/* Is it loaded only where it changes, if results are written over it? */
static bool may_stay(const CudaWriter *c, const Value *load) {
    const Body *b = c->w.b;
    if (!body_untouched(c->w.k, b).are_there) return false;
    for (int i = 0; i < b->stores.count; i++)
        if (kernel_may_be(c->w.k, b->stores.at[i].buffer) == load->attr) return true;
    return false;
}

bool cuda_may_hoist_load(const CudaWriter *c, int value) {
    const Value *v = &c->w.b->values.at[value];
    const Place *p = &c->w.s->value[value];
    return v->kind == V_LOAD && p->used && p->level > 0 && !v->guard && !may_stay(c, v) &&
           !c->w.b->indices->node.at[v->ix].dynamic;
}

void cuda_hoist_load(CudaWriter *c, int value, Text *arrays, Text *fill) {
    Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    const char *type = cuda_storage(v->type), *buffer = buffer_name(w, v->attr);
    const char *name = fresh(w, arena_printf(w->arena, "%s_items", value_stem(w, value)));
    c->hoisted[value] = name;
    if (w->s->lane >= 0) w->axis_name[w->s->lane] = c->lane;
    if (!c->wide || w->s->value[value].level < 2) {
        const char *own = cuda_block_element(c, v->attr, v->ix);
        if (!own) own = arena_printf(w->arena, "%s[%s]", buffer, index_text(w, v->ix));
        text_printf(arrays, "%s %s[items];\n", type, name);
        text_printf(fill, "%s[item] = %s;\n", name, own);
        return;
    }
    text_printf(arrays, "Pack<%s, VEC> %s[items];\n", type, name);
    if (cuda_is_contiguous(c, v->ix) && (!c->shifted_row || v->ix == c->shifted_row)) {
        text_printf(fill, "%s[item] = load_pack<VEC>(%s);\n", name,
                    address_text(w, v->attr, v->ix));
        return;
    }
    if (!tile_is_uniform(w->b, w->s->lane, v, c->vector) || c->shifted)
        w->axis_name[w->s->lane] = arena_printf(w->arena, "(%s + l)", c->lane);
    text_printf(fill, "#pragma unroll\nfor (int l = 0; l < VEC; l++) %s[item].at[l] = %s[%s];\n",
                name, buffer, text_inside(w->arena, index_text(w, v->ix)));
}

/* ---- stores -------------------------------------------------------------------------------- */

/* The pack of which a text is the element l: "x_pack" of "x_pack.at[l]"; NULL: another text. */
static const char *pack_of(Arena *arena, const char *text) {
    static const char element[] = ".at[l]";
    size_t size = 0;
    while (isalnum((unsigned char)text[size]) || (text[size] && strchr("_[]", text[size]))) size++;
    return size && !strcmp(text + size, element) ? arena_strndup(arena, text, size) : NULL;
}

/* A load that has no variable is not converted. */
static const char *stored_value(CudaWriter *c, const Store *s) {
    const char *x = value_expr(&c->w, s->value).text;
    if (cuda_is_only_stored(c, s->value) && strpbrk(x, ".[")) return x;
    return cuda_stored(c, c->w.k->buffers.at[s->buffer].type, x);
}

/* Is it loaded as one of another type? The text of an i8 or u8 as i32 is that of its load. */
static bool is_widened(const Body *b, int value, Dtype type) {
    const Value *v = &b->values.at[value];
    while (v->kind == V_CAST) v = &b->values.at[v->src[0]];
    return v->kind == V_LOAD && v->type != type;
}

/* Where a pack is stored as it is: of the type in memory, and no element is computed. */
static const char *whole_pack(CudaWriter *c, const Store *s, const char *x) {
    const Dtype type = c->w.k->buffers.at[s->buffer].type;
    const bool is_same = !dtype_is_narrow(type) && type != T_BOOL && type != T_I8 && type != T_U8 &&
                         !is_widened(c->w.b, s->value, type);
    return is_same || cuda_is_only_stored(c, s->value) ? pack_of(c->w.arena, x) : NULL;
}

/* What is at one column of a product's row is known to all elements: the first one stores it. */
static const char *store_condition(CudaWriter *c, Ix ix) {
    const Writer *w = &c->w;
    Dim scale = 0;
    if (!c->is_product_row || index_along(w->b, ix, w->s->lane, &scale)) return c->store_if;
    return arena_printf(w->arena, *c->store_if ? "if (valid && %s == 0) " : "if (%s == 0) ",
                        w->axis_name[w->s->lane]);
}

/* "if (row * 8200 + col < 46548977) "; "" without a limit. */
static const char *within_limit(Writer *w, const Store *s) {
    if (!s->limit) return "";
    return arena_printf(w->arena, "if (%s < %s) ", index_text(w, s->limited),
                        size_text(w, s->limit));
}

/* Of a pack that starts at the lane: the whole of it, or the elements below the limit. */
static const char *store_of_pack(CudaWriter *c, const Store *s, const char *at, const char *pack) {
    Writer *w = &c->w;
    if (s->limit && index_axes(w->b, s->limited) >> w->s->lane & 1)
        return arena_printf(w->arena, "store_part(%s, %s, 0, %s - (%s))", at, pack,
                            size_text(w, s->limit), index_text(w, s->limited));
    return arena_printf(w->arena, "%s%s%s, %s)", within_limit(w, s),
                        cuda_tests_packs(c) ? "store_pack_if(wide, " : "store_pack(", at, pack);
}

void cuda_store_element(Writer *w, int store) {
    CudaWriter *c = cuda_of(w);
    const Store *s = &w->b->stores.at[store];
    const KernelBuffer *buffer = &w->k->buffers.at[s->buffer];
    if (s->adds) {
        cuda_add_element(c, store);
        return;
    }
    const char *x = stored_value(c, s);
    if (cuda_store_part(c, store, x)) return;
    if (!cuda_stores_pack(c, s)) {
        const char *to = cuda_block_element(c, s->buffer, s->ix);
        if (!to)
            to = arena_printf(w->arena, "%s[%s]", buffer_name(w, s->buffer), index_text(w, s->ix));
        write_line(w, "%s%s%s = %s;", store_condition(c, s->ix), within_limit(w, s), to, x);
        return;
    }
    const char *const element = w->axis_name[w->s->lane], *pack = whole_pack(c, s, x);
    if (!pack) {
        pack = fresh(w, arena_printf(w->arena, "%s_pack", buffer->name));
        text_printf(&c->before, "Pack<%s, VEC> %s;\n", cuda_storage(buffer->type), pack);
        write_line(w, "%s.at[l] = %s;", pack, x);
    }
    w->axis_name[w->s->lane] = c->lane;
    const char *at = c->boxed ? c->boxed[store] : address_text(w, s->buffer, s->ix);
    if (c->shifted)
        text_printf(&c->after, "store_part(%s, %s, -%s, %s - %s);\n", at, pack, c->lane,
                    size_text(w, w->b->indices->extent[w->s->lane]), c->lane);
    else
        text_printf(&c->after, "%s%s;\n", c->store_if, store_of_pack(c, s, at, pack));
    w->axis_name[w->s->lane] = element;
}

void cuda_store_row(Writer *w, int store) {
    const Store *s = &w->b->stores.at[store];
    write_line(w, "%s%s%s[%s] = %s;", cuda_of(w)->row_if, within_limit(w, s),
               buffer_name(w, s->buffer), text_inside(w->arena, index_text(w, s->ix)),
               stored_value(cuda_of(w), s));
}

/* ---- one item ------------------------------------------------------------------------------ */

/* Shifted packs of the first and the last elements of a row reach beyond it. */
static const char *element_position(const CudaWriter *c) {
    const Writer *w = &c->w;
    if (!c->wide) return c->lane;
    if (!c->shifted) return arena_printf(w->arena, "(%s + l)", c->lane);
    return arena_printf(w->arena, "clamp_index(%s + l, %s)", c->lane,
                        size_text(w, w->b->indices->extent[w->s->lane]));
}

/* What is written from here on is of each element of an item. */
static void begin_elements(CudaWriter *c, int stage, Text *elements) {
    Writer *w = &c->w;
    c->outside = writer_open_block(w);
    c->before = text_new(w->arena);
    c->packs.count = 0;
    c->after = text_new(w->arena);
    w->level = 2;
    w->stage = stage;
    w->out = elements;
    w->indent = c->wide;
    if (w->s->lane >= 0) w->axis_name[w->s->lane] = element_position(c);
    count_uses(w);
}

static const char *end_elements(CudaWriter *c, const Text *elements) {
    const bool loops = c->wide && elements->size;
    Text all = text_new(c->w.arena);
    writer_close_block(&c->w, c->outside);
    c->w.indent = 0;
    text_str(&all, text_get(&c->before));
    if (loops) text_str(&all, "#pragma unroll\nfor (int l = 0; l < VEC; l++) {\n");
    text_str(&all, text_get(elements));
    if (loops) text_str(&all, "}\n");
    text_str(&all, text_get(&c->after));
    return text_get(&all);
}

/* Scans are there, and kept where a later stage reads them. */
static void declare_scans(Writer *w) {
    const CudaWriter *c = cuda_of(w);
    for (int i = 1; i < w->b->values.count; i++) {
        if (!c->scanned[i]) continue;
        w->name[i] = c->scanned[i];
        if (cuda_dialect.keeps(w, i)) cuda_dialect.keep(w, i);
    }
}

const char *cuda_item(CudaWriter *c, int stage) {
    Writer *w = &c->w;
    Text elements = text_new(w->arena), *out = w->out;
    begin_elements(c, stage, &elements);
    declare_scans(w);
    write_element(w, stage);
    w->out = out;
    return end_elements(c, &elements);
}

const char *cuda_scan_item(CudaWriter *c, int stage, int value, const char *items, bool ragged) {
    Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    Text elements = text_new(w->arena), *out = w->out;
    begin_elements(c, stage, &elements);
    declare_scans(w);
    declare_value(w, v->src[0]);
    const char *x = value_text(w, v->src[0]);
    if (ragged) x = arena_printf(w->arena, "active ? %s : %s", x, cuda_identity(v->op, v->type));
    write_line(w, "%s[item].at[%s] = %s;", items, c->wide ? "l" : "0", x);
    w->out = out;
    return end_elements(c, &elements);
}

static const char *touched_text(Writer *w, const Touch *touch) {
    const Value *v = &w->b->values.at[touch->value];
    if (v->kind == V_COMBINE)
        return arena_printf(w->arena, "%s < %s", value_text(w, v->src[1]),
                            value_text(w, v->src[2]));
    return arena_printf(w->arena, touch->negated ? "!(%s)" : "(%s)", value_text(w, touch->value));
}

/* "start < end || (is_new)" */
static const char *touches_text(Writer *w, const Untouched *u) {
    Text all = text_new(w->arena);
    for (int i = 0; i < u->count; i++) {
        declare_touch(w, &u->touch[i]);
        text_printf(&all, "%s%s", i ? " || " : "", touched_text(w, &u->touch[i]));
    }
    return text_get(&all);
}

/* Is an element of the item changed? Its text goes before that of what it is changed to, in a block
 * of its own, with which windows that are declared there end. */
static const char *touched_item(CudaWriter *c, const Untouched *u, int stage) {
    Writer *w = &c->w;
    Text elements = text_new(w->arena), *out = w->out;
    const char **const windows = c->window_name;
    c->window_name = arena_array(w->arena, const char *, c->windows.all.count + 1);
    begin_elements(c, stage, &elements);
    write_line(w, "is_touched = is_touched || %s;", touches_text(w, u));
    w->out = out;
    c->window_name = windows;
    return end_elements(c, &elements);
}

/* Where results are written over what they may be, and the item changes nothing, it ends. */
static void leave_untouched(CudaWriter *c, int stage) {
    Writer *w = &c->w;
    const Untouched u = body_untouched(w->k, w->b);
    if (!u.are_there) return;
    const char *in_place = in_place_text(w), *leave = c->tile.unroll == 1 ? "return" : "continue";
    if (!u.count || touch_level(w, &u) < 2) {
        const char *touches = u.count ? touches_text(w, &u) : "false";
        write_line(w, "if (%s && !(%s)) %s;", in_place, touches, leave);
        return;
    }
    Text item = text_new(w->arena);
    text_str(&item, "bool is_touched = false;\n");
    text_str(&item, touched_item(c, &u, stage));
    text_printf(&item, "if (!is_touched) %s;\n", leave);
    text_printf(w->out, "if (%s) {\n", in_place);
    text_indented(w->out, text_get(&item), 4);
    text_str(w->out, "}\n");
}

static void write_item(Writer *w, int stage) {
    leave_untouched(cuda_of(w), stage);
    text_str(w->out, cuda_item(cuda_of(w), stage));
}

const char *cuda_pointwise_item(CudaWriter *c) {
    Text out = text_new(c->w.arena);
    c->w.out = &out;
    write_stages(&c->w, write_item);
    return text_get(&out);
}
