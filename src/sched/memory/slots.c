/* slots.c: where temps are: in slots of the workspace, or in inputs that the function consumes.
 * Temps with disjoint live ranges share memory; and a kernel may write a temp over one that it
 * reads last, or an output over a consumed input, if the caller gives the memory of that for it.
 * needs: buffers with live ranges. makes: slots, the place of each temp, what outputs may be. */
#include "sched/memory/memory.h"

Dim buffer_bytes(const Plan *p, int buffer) {
    Dims *d = p->g->dims;
    const Buffer *b = &p->buffers.at[buffer];
    return b->elements ? dim_mul(d, b->elements, dim_const(d, (int64_t)dtype_size(b->type))) : 0;
}

/* The last reader of what is in each slot, and in the memory of each input, by buffer. */
typedef struct Busy {
    int *slot, *input;
    InPlace in_place;
} Busy;

static int *busy_until(const Busy *busy, const Buffer *b, int number) {
    if (b->kind == B_INPUT) return b->consumed ? &busy->input[number] : NULL;
    if (b->input >= 0) return &busy->input[b->input];
    return b->kind == B_TEMP && b->slot >= 0 ? &busy->slot[b->slot] : NULL;
}

static void put_at(Buffer *buffer, const Buffer *place, int number) {
    buffer->slot = place->slot;
    buffer->input = place->kind == B_INPUT ? number : place->input;
}

/* Over a buffer that the kernel reads last, element by element. */
static bool put_over_source(const Plan *p, int made, int group, Busy *busy) {
    const IntVec *reads = &p->groups.at[group].reads;
    for (int i = 0; i < reads->count; i++) {
        const Buffer *old = &p->buffers.at[reads->at[i]];
        const int *until = busy_until(busy, old, reads->at[i]);
        if (!until || *until != group || old->last != group) continue;
        if (!may_overwrite(p, group, reads->at[i], made, &busy->in_place)) continue;
        put_at(&p->buffers.at[made], old, reads->at[i]);
        return true;
    }
    return false;
}

/* May the caller give the memory of a consumed input for an output? Then it is none for temps. */
static void find_input(Plan *p, int made, int group, Busy *busy) {
    const IntVec *reads = &p->groups.at[group].reads;
    Buffer *output = &p->buffers.at[made];
    for (int i = 0; i < reads->count && output->may_be < 0; i++) {
        const int input = reads->at[i];
        const Buffer *old = &p->buffers.at[input];
        if (!old->consumed || old->type != output->type || busy->input[input] != group) continue;
        if (!may_overwrite(p, group, input, made, &busy->in_place)) continue;
        output->may_be = input;
        busy->input[input] = p->groups.count;
    }
}

/* In an input that no kernel reads any more. It is aligned to its own elements. */
static bool put_in_input(const Plan *p, int made, Dim bytes, int group, const Busy *busy) {
    for (int i = 0; i < p->g->inputs.count; i++) {
        const Buffer *b = &p->buffers.at[i];
        if (!b->consumed || busy->input[i] >= group) continue;
        if (dtype_size(p->buffers.at[made].type) > dtype_size(b->type)) continue;
        if (!dim_le(p->g->dims, bytes, buffer_bytes(p, i))) continue;
        put_at(&p->buffers.at[made], b, i);
        return true;
    }
    return false;
}

/* Of two sizes of which one is known to be less: is it a? */
static bool is_less(Dims *d, Dim a, Dim b) { return a != b && dim_le(d, a, b); }

/* The smallest free slot that is provably large enough, else the largest one that can be enlarged;
 * else a new one. */
static int choose_slot(Plan *p, Dim bytes, const int *free_at, int group) {
    Dims *d = p->g->dims;
    int fits = -1, grows = -1;
    for (int s = 0; s < p->slots.count; s++) {
        const Dim size = p->slots.at[s].bytes;
        if (free_at[s] >= group) continue;
        if (dim_le(d, bytes, size) && (fits < 0 || is_less(d, size, p->slots.at[fits].bytes)))
            fits = s;
        if (dim_le(d, size, bytes) && (grows < 0 || is_less(d, p->slots.at[grows].bytes, size)))
            grows = s;
    }
    if (fits >= 0) return fits;
    if (grows >= 0) return p->slots.at[grows].bytes = bytes, grows;
    Slot slot = {bytes};
    vec_push(p->g->arena, &p->slots, slot);
    return p->slots.count - 1;
}

void choose_slots(Plan *p) {
    Busy busy = {arena_array(p->g->arena, int, p->buffers.count + 1),
                 arena_array(p->g->arena, int, p->buffers.count + 1),
                 {arena_array(p->g->arena, int, p->g->count + 1), 0}};
    for (int i = 0; i < p->g->inputs.count; i++) busy.input[i] = p->buffers.at[i].last;
    for (int k = 0; k < p->groups.count; k++) {
        const IntVec *writes = &p->groups.at[k].writes;
        for (int i = 0; i < writes->count; i++)
            if (p->buffers.at[writes->at[i]].kind == B_OUTPUT)
                find_input(p, writes->at[i], k, &busy);
        for (int i = 0; i < writes->count; i++) {
            Buffer *buffer = &p->buffers.at[writes->at[i]];
            Dim bytes = buffer_bytes(p, writes->at[i]);
            if (buffer->kind != B_TEMP || buffer->prepared || !bytes) continue;
            if (!put_over_source(p, writes->at[i], k, &busy) &&
                !put_in_input(p, writes->at[i], bytes, k, &busy))
                buffer->slot = choose_slot(p, bytes, busy.slot, k);
            *busy_until(&busy, buffer, writes->at[i]) = buffer->last;
        }
    }
}

/* ---- questions ----------------------------------------------------------------------------- */

/* The consumed input in whose memory a buffer is or may be; -1: none. */
static int input_of(const Plan *p, int buffer) {
    const Buffer *b = &p->buffers.at[buffer];
    return b->consumed ? buffer : b->input >= 0 ? b->input : b->may_be;
}

static bool same_memory(const Plan *p, int x, int y) {
    const Buffer *a = &p->buffers.at[x], *b = &p->buffers.at[y];
    if (a->slot >= 0) return a->slot == b->slot;
    const int in_a = input_of(p, x), in_b = input_of(p, y);
    return in_a >= 0 && in_a == in_b;
}

bool plan_is_shared(const Plan *p, int group, int buffer) {
    const IntVec *lists[] = {&p->groups.at[group].reads, &p->groups.at[group].writes};
    for (int l = 0; l < 2; l++)
        for (int i = 0; i < lists[l]->count; i++)
            if (lists[l]->at[i] != buffer && same_memory(p, buffer, lists[l]->at[i])) return true;
    return false;
}

Dim plan_peak(const Plan *p) {
    Dims *d = p->g->dims;
    Dim sum = dim_const(d, 0);
    for (int b = 0; b < p->buffers.count && sum; b++) {
        const Buffer *buffer = &p->buffers.at[b];
        Dim bytes = buffer_bytes(p, b);
        bool is_placed = buffer->kind == B_TEMP && !buffer->prepared;
        if (!is_placed && (!buffer->constant || buffer->prepared || buffer->in_place))
            sum = bytes ? dim_add(d, sum, bytes) : 0;
    }
    for (int s = 0; s < p->slots.count && sum; s++) sum = dim_add(d, sum, p->slots.at[s].bytes);
    return sum;
}
