/* record.c: text of records: neighbours in memory that an element of a row reads alone, as of boxes
 * of four numbers, are one access where tensors are aligned. In: the loads of elements of a row
 * kernel without packs. Out: loads of records, and their parts. */
#include "emit/cuda/cuda.h"

enum { ACCESS_BYTES = 16, MOST = 4 /* elements of a record */ };

/* Neighbours that a load may share an access with; the place of the load among them. */
static int record_of(const CudaWriter *c, int value, int *place) {
    const Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    Dims *d = w->b->indices->dims;
    const IxNode *n = &w->b->indices->node.at[v->ix];
    const KernelBuffer *buffer = &w->k->buffers.at[v->attr];
    int64_t at;
    if (v->kind != V_LOAD || v->guard || n->dynamic || buffer->written || buffer->is_shared)
        return 0;
    if (w->s->value[value].level < 2 || !w->s->value[value].used || c->hoisted[value]) return 0;
    if (!dim_is_const(d, n->offset, &at) || at < 0 || !buffer->elements) return 0;
    for (int size = MOST; size > 1; size /= 2) {
        const Dim of = dim_const(d, size);
        bool is_one = dtype_size(v->type) * (size_t)size <= ACCESS_BYTES;
        for (int i = 0; i < n->count && is_one; i++) is_one = dim_divides(d, of, n->term[i].scale);
        *place = (int)(at % size);
        if (is_one && dim_divides(d, of, buffer->elements)) return size;
    }
    return 0;
}

/* Are two loads parts of one record of so many elements? */
static bool are_of_one(const Body *b, int one, int other, int size) {
    const Value *x = &b->values.at[one], *y = &b->values.at[other];
    const IxNode *m = &b->indices->node.at[x->ix], *n = &b->indices->node.at[y->ix];
    int64_t p = 0, q = 0;
    if (x->attr != y->attr || m->count != n->count) return false;
    for (int i = 0; i < m->count; i++)
        if (m->term[i].atom != n->term[i].atom || m->term[i].scale != n->term[i].scale)
            return false;
    dim_is_const(b->indices->dims, m->offset, &p), dim_is_const(b->indices->dims, n->offset, &q);
    return p / size == q / size;
}

/* Does a loop over a list read what it declares? */
static bool has_lists(const Body *b) {
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].kind == V_COMBINE) return true;
    return false;
}

/* The first load with which one shares a record; 0: there is none. */
static int partner_of(const CudaWriter *c, int value, int size, int place) {
    for (int i = 1; i < value; i++) {
        int other = 0;
        if (record_of(c, i, &other) == size && other != place && are_of_one(c->w.b, i, value, size))
            return i;
    }
    return 0;
}

static void add_alignment(CudaWriter *c, Alignment more) {
    for (int i = 0; i < c->records_if.count; i++)
        if (c->records_if.at[i].buffer == more.buffer && c->records_if.at[i].by == more.by) return;
    vec_push(c->w.arena, &c->records_if, more);
}

void cuda_find_records(CudaWriter *c) {
    const Body *b = c->w.b;
    if (c->wide || c->shifted_row || c->block_ix || c->w.s->lane_is_row || has_lists(b)) return;
    c->record = arena_array(c->w.arena, Record, b->values.count + 1);
    for (int i = 1; i < b->values.count; i++) {
        int place = 0, at = 0;
        const int size = record_of(c, i, &place), other = size ? partner_of(c, i, size, place) : 0;
        if (!other) continue;
        record_of(c, other, &at);
        if (!c->record[other].size) c->record[other] = (Record){other, size, at};
        c->record[i] = (Record){c->record[other].first, size, place};
        const int bytes = size * (int)dtype_size(b->values.at[i].type);
        add_alignment(c, (Alignment){.buffer = b->values.at[i].attr, .by = bytes});
    }
}

bool cuda_is_of_record(const CudaWriter *c, int value) {
    return c->record && c->record[value].size && !c->hoisted[value];
}

/* The variable with the record of a load. */
static const char *declared(CudaWriter *c, const Record *r) {
    enum { OF_RECORD = -1 }; /* in place of a guard */
    Writer *w = &c->w;
    const Value *first = &w->b->values.at[r->first];
    int64_t at = 0;
    for (int i = 0; i < c->packs.count; i++) {
        const SharedPack *p = &c->packs.at[i];
        if (p->ix == first->ix && p->buffer == first->attr && p->guard == OF_RECORD)
            return p->element;
    }
    dim_is_const(w->b->indices->dims, w->b->indices->node.at[first->ix].offset, &at);
    const char *name = fresh(w, arena_printf(w->arena, "%s_record", value_stem(w, r->first)));
    write_line(w, "const auto %s = load_pack_if<%d>(wide, %s);", name, r->size,
               address_text_at(w, first->attr, first->ix, at / r->size * r->size));
    vec_push(w->arena, &c->packs, ((SharedPack){first->ix, first->attr, OF_RECORD, name}));
    return name;
}

const char *cuda_record_element(CudaWriter *c, int value) {
    const Record *r = &c->record[value];
    return arena_printf(c->w.arena, "%s.at[%d]", declared(c, r), r->place);
}
