/* record.c: text of records: neighbours in memory that an element reads or stores alone, as of
 * boxes of four numbers, are one access where tensors are aligned. In: the loads of elements of a
 * row or pointwise kernel without packs, and the stores of the latter. Out: accesses of records,
 * and their parts. */
#include "emit/cuda/cuda.h"

enum {
    ACCESS_BYTES = 16,
    MOST = 4,     /* elements of a record that a row reads, */
    MOST_ALL = 16 /* and of one that a pointwise kernel moves */
};

/* Neighbours that an access may be one with; its place among them. */
static int record_at(const CudaWriter *c, int buffer, Ix ix, int most, int *place) {
    const Writer *w = &c->w;
    Dims *d = w->b->indices->dims;
    const IxNode *n = &w->b->indices->node.at[ix];
    const KernelBuffer *of = &w->k->buffers.at[buffer];
    int64_t at;
    if (n->dynamic || of->is_shared || !of->elements) return 0;
    if (!dim_is_const(d, n->offset, &at) || at < 0) return 0;
    for (int size = most; size > 1; size /= 2) {
        const Dim elements = dim_const(d, size);
        bool is_one = dtype_size(of->type) * (size_t)size <= ACCESS_BYTES;
        for (int i = 0; i < n->count && is_one; i++)
            is_one = dim_divides(d, elements, n->term[i].scale);
        *place = (int)(at % size);
        if (is_one && dim_divides(d, elements, of->elements)) return size;
    }
    return 0;
}

static int most_of(const CudaWriter *c) { return c->w.k->family == F_POINTWISE ? MOST_ALL : MOST; }

static int record_of(const CudaWriter *c, int value, int *place) {
    const Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    if (v->kind != V_LOAD || v->guard || w->k->buffers.at[v->attr].written) return 0;
    if (w->s->value[value].level < 2 || !w->s->value[value].used || c->hoisted[value]) return 0;
    return record_at(c, v->attr, v->ix, most_of(c), place);
}

/* Are two indices those of parts of one record of so many elements? */
static bool is_one_record(const Indices *x, Ix one, Ix other, int size) {
    const IxNode *m = &x->node.at[one], *n = &x->node.at[other];
    int64_t p = 0, q = 0;
    if (m->count != n->count) return false;
    for (int i = 0; i < m->count; i++)
        if (m->term[i].atom != n->term[i].atom || m->term[i].scale != n->term[i].scale)
            return false;
    dim_is_const(x->dims, m->offset, &p), dim_is_const(x->dims, n->offset, &q);
    return p / size == q / size;
}

static bool are_of_one(const Body *b, int one, int other, int size) {
    const Value *x = &b->values.at[one], *y = &b->values.at[other];
    return x->attr == y->attr && is_one_record(b->indices, x->ix, y->ix, size);
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

/* The first of the stores of a record's parts, one after the other, of which each is stored; -1: it
 * is a store by itself. */
static int first_store(const CudaWriter *c, int store, int size, int place) {
    const Body *b = c->w.b;
    const int first = store - place;
    if (first < 0 || first + size > b->stores.count) return -1;
    for (int i = 0; i < size; i++) {
        const Store *s = &b->stores.at[first + i];
        int at = 0;
        if (s->buffer != b->stores.at[store].buffer || s->limit || s->adds) return -1;
        if (record_at(c, s->buffer, s->ix, size, &at) != size || at != i) return -1;
        if (!is_one_record(b->indices, s->ix, b->stores.at[first].ix, size)) return -1;
    }
    return first;
}

static void find_stores(CudaWriter *c) {
    const Body *b = c->w.b;
    c->stored_record = arena_array(c->w.arena, Record, b->stores.count + 1);
    for (int i = 0; i < b->stores.count; i++) {
        const Store *s = &b->stores.at[i];
        int place = 0;
        const int size = record_at(c, s->buffer, s->ix, MOST_ALL, &place);
        const int first = size ? first_store(c, i, size, place) : -1;
        if (first < 0) continue;
        c->stored_record[i] = (Record){first, size, place};
        if (cuda_has_thread_row(c, s->buffer)) continue;
        const int bytes = size * (int)dtype_size(c->w.k->buffers.at[s->buffer].type);
        add_alignment(c, (Alignment){.buffer = s->buffer, .by = bytes});
    }
}

void cuda_find_records(CudaWriter *c) {
    const Body *b = c->w.b;
    if (c->wide || c->shifted_row || c->block_ix || c->w.s->lane_is_row || has_lists(b)) return;
    if (c->w.k->family == F_POINTWISE) find_stores(c);
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

/* A part, or a whole record that starts with it, in shared memory or in the tensor. */
static void put(CudaWriter *c, const Store *s, const char *x, bool is_record) {
    Writer *w = &c->w;
    if (!cuda_has_thread_row(c, s->buffer))
        write_line(w, "%sstore_pack_if(wide, %s, %s);", c->store_if,
                   address_text(w, s->buffer, s->ix), x);
    else
        write_line(w, is_record ? "store_pack(%s + %s, %s);" : "%s[%s] = %s;",
                   c->thread_row[s->buffer].name, cuda_thread_row_at(c, s->buffer, s->ix), x);
}

bool cuda_store_part(CudaWriter *c, int store, const char *x) {
    Writer *w = &c->w;
    if (!c->stored_record) return false;
    const Record *r = &c->stored_record[store];
    const Store *s = &w->b->stores.at[store];
    const KernelBuffer *buffer = &w->k->buffers.at[s->buffer];
    if (!r->size && !cuda_has_thread_row(c, s->buffer)) return false;
    if (!r->size) {
        put(c, s, x, false);
        return true;
    }
    if (!r->place) {
        c->part = fresh(w, arena_printf(w->arena, "%s_record", buffer->name));
        write_line(w, "Pack<%s, %d> %s;", cuda_storage(buffer->type), r->size, c->part);
    }
    write_line(w, "%s.at[%d] = %s;", c->part, r->place, x);
    if (r->place == r->size - 1) put(c, &w->b->stores.at[r->first], c->part, true);
    return true;
}
