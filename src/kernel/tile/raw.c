/* raw.c: operands of mma.sync that are computed from memory: the loads that cp.async brings, as
 * they are in memory, stages ahead of the thread that computes from them.
 * In: an operand of a contraction. Out: RawLoads. */
#include "kernel/tile/tile.h"

enum { CHUNK = 16, LEAST_BYTES = 4 /* that cp.async copies */ };

/* Bytes of a pack of a load, if cp.async may copy it; else 0. What neighbours, other rows or all of
 * k share is in L1. */
static int raw_bytes(const Kernel *k, const Schedule *s, int value, int own, int elements) {
    const Value *v = &s->body->values.at[value];
    const uint32_t both = 1u << own | 1u << s->lane;
    const bool is_load = v->kind == V_LOAD && s->value[value].used && v->type != T_BOOL;
    if (!is_load || (index_axes(s->body, v->ix) & both) != both ||
        s->body->indices->node.at[v->ix].dynamic)
        return 0;
    if (v->guard && !load_is_within(k, s->body, v)) return 0;
    const int sharers = tile_pack_sharers(k, s, v, elements);
    if (!sharers || sharers == elements) return 0;
    const int bytes = elements / sharers * (int)dtype_size(v->type);
    return bytes >= LEAST_BYTES ? bytes : 0;
}

const RawLoad *raw_load_of(const RawLoads *raw, const Body *b, int value) {
    const Value *v = &b->values.at[value];
    for (int i = 0; i < raw->count; i++) {
        const Value *other = &b->values.at[raw->at[i].value];
        if (v->kind == V_LOAD && other->ix == v->ix && other->attr == v->attr) return &raw->at[i];
    }
    return NULL;
}

bool dot_has_raw(const DotForm *f) {
    bool any = f->raw_left.count > 0;
    for (int i = 0; i < f->count; i++) any = any || f->raw_right[i].count;
    return any;
}

static RawLoads loads_of(const Kernel *k, const Schedule *s, int own, int elements) {
    RawLoads all = {.elements = elements};
    if (tile_piece_vector(k, s, elements, false) < elements) return all;
    for (int i = 1; i < s->body->values.count; i++) {
        const int bytes = raw_bytes(k, s, i, own, elements);
        if (!bytes || all.count == RAW_MOST || raw_load_of(&all, s->body, i)) continue;
        all.at[all.count++] = (RawLoad){i, all.bytes, bytes};
        all.bytes += bytes;
    }
    return all;
}

static RawLoads raw_loads(const Kernel *k, const Schedule *s, int own, Dtype type) {
    const RawLoads all = loads_of(k, s, own, CHUNK / (int)dtype_size(type));
    return all.bytes < CHUNK ? all : (RawLoads){0}; /* else registers hold as much ahead */
}

static const Schedule *operand_schedule(const Body *b, int value, int summed, Dtype type) {
    int root = value_unrounded(b, value, type);
    const Piece piece = {.role = PIECE_OPERAND, .operand = value, .roots = &root, .count = 1};
    return schedule_piece(b, &piece, summed, b->indices->arena);
}

RawLoads operand_raw_loads(const Kernel *k, const Body *b, int value, int own, int summed,
                           Dtype type) {
    return raw_loads(k, operand_schedule(b, value, summed, type), own, type);
}

RawLoads operand_fed_loads(const Kernel *k, const Body *b, int value, int own, Dtype type) {
    enum { WIDEST = 32 };
    const Schedule *s = operand_schedule(b, value, DOT_K, type);
    RawLoads all = {0};
    for (int elements = WIDEST; elements >= CHUNK / (int)dtype_size(type); elements /= 2) {
        all = loads_of(k, s, own, elements);
        if (all.count) break;
    }
    return all;
}
