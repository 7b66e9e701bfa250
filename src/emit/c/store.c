/* store.c: stores as C, of lanes: at once, with a stride, or one by one.
 * In: a Store, whose value is declared. Out: statements. */
#include "emit/c/c.h"

#include <string.h>

/* Bytes only where vectors of a row follow each other at once, and fill lines: in transposes. */
static bool can_stream(const Writer *w, Dtype type) {
    if (dtype_size(type) == 1) return w->tile->kind == TILE_C_TRANSPOSE;
    return type == T_F32 || type == T_F64 || type == T_I32 || type == T_I64 || type == T_BF16 ||
           type == T_F16;
}

/* The variable that has the value of a store rounded to its type, if there is one. */
static const char *rounded_name(const Writer *w, const Store *s, Dtype type) {
    for (int i = s->value + 1; i < w->b->values.count; i++) {
        const Value *v = &w->b->values.at[i];
        if (v->kind == V_CAST && v->src[0] == s->value && v->type == type && w->name[i])
            return w->name[i];
    }
    return NULL;
}

/* The reader of a sum of squares has rounded what is stored: then only its high halves are. One
 * thread of a Zen 4, add and rms_norm of bf16, 8192 x 4096: 16.9 ms, and 18.8 by rounding twice. */
static void store_lanes(Writer *w, const Store *s, const char *how) {
    const Dtype type = w->k->buffers.at[s->buffer].type;
    const char *const rounded = type == T_BF16 ? rounded_name(w, s, type) : NULL;
    const char *const x = rounded ? rounded : value_text(w, s->value);
    if (!can_stream(w, type)) how = "st";
    w->streams |= !strcmp(how, "stream");
    w->may_stream |= !strcmp(how, "out");
    write_line(w, "%s_%s%s(%s, %s, %s%s);", how, rounded ? "rounded_" : "", dtype_name(type),
               address_text(w, s->buffer, s->ix), x, c_lanes(w),
               strcmp(how, "out") ? "" : ", stream");
}

void c_store(Writer *w, const Store *s, const char *how) {
    Dtype type = w->k->buffers.at[s->buffer].type;
    const int step = c_lane_step(w, s->ix);
    if (step == 1) {
        store_lanes(w, s, how);
        return;
    }
    const char *t = dtype_name(type), *x = value_text(w, s->value);
    const char *address = address_text(w, s->buffer, s->ix);
    if (step == 0) {
        write_line(w, "put_%s(%s, %s);", t, address, x);
    } else if (c_lane_stride(w, s->ix)) {
        write_line(w, "st_strided_%s(%s, %s, %s, %s);", t, address, c_lane_stride(w, s->ix), x,
                   c_lanes(w));
    } else {
        const char *name = fresh(w, "out"), *reg = reg_suffix(type);
        write_line(w, "const %s %s = %s;", reg, name, x);
        write_line(w, "for (idx l = 0; l < %s; l++) put_%s(%s, splat_%s(%s[l]));", c_lanes(w), t,
                   c_lane_address(w, s->buffer, s->ix), reg, name);
    }
}

const char *c_store_way(const Writer *w, int store) {
    const KernelBuffer *buffer = &w->k->buffers.at[w->b->stores.at[store].buffer];
    int64_t elements;
    if (w->s->store[store].level < 2 || buffer->is_temp || !buffer->elements) return "st";
    if (!can_stream(w, buffer->type)) return "st";
    if (!dim_is_const(w->b->indices->dims, buffer->elements, &elements)) return "out";
    return elements * (int64_t)dtype_size(buffer->type) >= w->tile->stream ? "stream" : "st";
}

void c_store_in_turn(Writer *w, int store, const char *even, const char *odd) {
    const Store *s = &w->b->stores.at[store];
    const char *how = c_store_way(w, store);
    const Dtype type = w->k->buffers.at[s->buffer].type;
    const char *t = dtype_name(type), *at = address_text(w, s->buffer, s->ix);
    const char *first = "VL", *rest = "VL", *lanes = c_lanes(w);
    const char *flag = strcmp(how, "out") ? "" : ", stream";
    w->streams |= !strcmp(how, "stream");
    w->may_stream |= !strcmp(how, "out");
    if (strcmp(lanes, "VL")) {
        first = arena_printf(w->arena, "fx_least(2 * %s, VL)", lanes);
        rest = arena_printf(w->arena, "2 * %s - VL", lanes);
    }
    write_line(w, "%s_%s(%s, IN_TURN_LOW(%s, %s), %s%s);", how, t, at, even, odd, first, flag);
    if (strcmp(lanes, "VL")) write_line(w, "if (2 * %s > VL)", lanes);
    write_line(w, "%s%s_%s(%s + VL, IN_TURN_HIGH(%s, %s), %s%s);",
               strcmp(lanes, "VL") ? "    " : "", how, t, at, even, odd, rest, flag);
}

/* Adds to the partial sum of a column. */
static void add_element(Writer *w, const Store *s) {
    const Dtype type = w->k->buffers.at[s->buffer].type;
    const char *t = dtype_name(type), *x = value_text(w, s->value);
    const int step = c_lane_step(w, s->ix);
    const char *address = step == 1 ? address_text(w, s->buffer, s->ix) : NULL;
    if (step == 1) {
        write_line(w, "st_%s(%s, ld_%s(%s, %s) + %s, %s);", t, address, t, address, c_lanes(w), x,
                   c_lanes(w));
        return;
    }
    const char *name = fresh(w, "added"), *reg = reg_suffix(type);
    address = c_lane_address(w, s->buffer, s->ix);
    write_line(w, "const %s %s = %s;", reg, name, x);
    write_line(w, "for (idx l = 0; l < %s; l++) *(%s) += %s[l];", c_lanes(w), address, name);
}

void c_store_element(Writer *w, int store) {
    const Store *s = &w->b->stores.at[store];
    if (s->adds)
        add_element(w, s);
    else
        c_store(w, s, c_store_way(w, store));
}

void c_store_row(Writer *w, int store) { c_store(w, &w->b->stores.at[store], "st"); }
