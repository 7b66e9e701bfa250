/* raw.c: operands of mma.sync that are computed from memory: the loads that cp.async brings, as
 * they are in memory, stages ahead of the thread that computes from them.
 * In: an operand of a contraction. Out: RawLoads. */
#include "kernel/tile/tile.h"

enum { CHUNK = 16, LEAST_BYTES = 4 /* that cp.async copies */ };

/* Packs along an operand's rows. shared: what all of a pack share is copied, too; where other
 * blocks read the operand, or other steps along k, it is in L1. */
typedef struct RawSpace {
    int own, elements;
    bool shared;
} RawSpace;

/* Bytes of a pack of a load, if cp.async may copy it; else 0. */
static int raw_bytes(const Kernel *k, const Schedule *s, int value, const RawSpace *space) {
    const Value *v = &s->body->values.at[value];
    const int elements = space->elements;
    const uint32_t both = 1u << space->own | 1u << s->lane,
                   axes = index_axes(s->body, v->ix) & both;
    const bool is_load = v->kind == V_LOAD && s->value[value].used && v->type != T_BOOL;
    if (!is_load || !(axes >> space->own & 1) || s->body->indices->node.at[v->ix].dynamic) return 0;
    if (v->guard && !load_is_within(k, s->body, v)) return 0;
    const int sharers = axes == both ? tile_pack_sharers(k, s, v, elements) : elements;
    if (!sharers || (sharers == elements && !space->shared)) return 0;
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

static RawLoads loads_of(const Kernel *k, const Schedule *s, RawSpace space) {
    RawLoads all = {.elements = space.elements};
    if (tile_piece_vector(k, s, space.elements, false) < space.elements) return all;
    for (int i = 1; i < s->body->values.count; i++) {
        const int bytes = raw_bytes(k, s, i, &space);
        if (!bytes || all.count == RAW_MOST || raw_load_of(&all, s->body, i)) continue;
        all.at[all.count++] = (RawLoad){i, all.bytes, bytes};
        all.bytes += bytes;
    }
    return all;
}

static const Schedule *operand_schedule(const Body *b, int value, int summed, Dtype type) {
    int root = value_unrounded(b, value, type);
    const Piece piece = {.role = PIECE_OPERAND, .operand = value, .roots = &root, .count = 1};
    return schedule_piece(b, &piece, summed, b->indices->arena);
}

/* Of as many elements as accesses of 16 bytes allow. */
static RawLoads widest_loads(const Kernel *k, const Schedule *s, int own, Dtype type, bool shared) {
    enum { WIDEST = 32 };
    RawLoads all = {0};
    for (int elements = WIDEST; elements >= CHUNK / (int)dtype_size(type); elements /= 2) {
        all = loads_of(k, s, (RawSpace){own, elements, shared});
        if (all.count) break;
    }
    return all;
}

RawLoads operand_raw_loads(const Kernel *k, const Body *b, int value, int own, int summed,
                           Dtype type) {
    const RawSpace space = {own, CHUNK / (int)dtype_size(type), false};
    const RawLoads all = loads_of(k, operand_schedule(b, value, summed, type), space);
    return all.bytes < CHUNK ? all : (RawLoads){0}; /* else registers hold as much ahead */
}

RawLoads operand_row_loads(const Kernel *k, const Body *b, int value, int own, int along,
                           Dtype type) {
    return widest_loads(k, operand_schedule(b, value, along, type), own, type, true);
}

RawLoads operand_fed_loads(const Kernel *k, const Body *b, int value, int own, Dtype type) {
    return widest_loads(k, operand_schedule(b, value, DOT_K, type), own, type, false);
}
