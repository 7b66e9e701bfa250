/* thread_rows.c: text of rows that single threads of a pointwise kernel without packs make: their
 * block stores them in packs of 16 bytes, from shared memory. Threads' own stores of parts would
 * take a transaction for each sector that these are in. Loads are as fast as they are, from L1.
 * It is dynamic, so that both forms of a kernel, which differ in alignment, have the same.
 * In: stores. Out: declarations, places of parts, and copies. */
#include "emit/cuda/cuda.h"

enum {
    ACCESS_BYTES = 16,
    SECTOR_BYTES = 32,    /* rows of this size are stored in two accesses */
    MOST_BYTES = 24 << 10 /* of shared memory */
};

/* The distance of an index along the lane axis and its offset, if it has nothing else. */
static bool is_part(const CudaWriter *c, Ix ix, int64_t *distance, int64_t *place) {
    const Body *b = c->w.b;
    const IxNode *n = &b->indices->node.at[ix];
    Dim scale = 0;
    return n->count == 1 && index_along(b, ix, c->w.s->lane, &scale) == 1 &&
           dim_is_const(b->indices->dims, scale, distance) &&
           dim_is_const(b->indices->dims, n->offset, place);
}

/* The length of the rows of a buffer, if a thread stores all parts of its own in order; else 0. */
static int row_length(const CudaWriter *c, int buffer) {
    const Body *b = c->w.b;
    int64_t length = 0, place;
    int count = 0;
    for (int i = 0; i < b->stores.count; i++) {
        const Store *s = &b->stores.at[i];
        if (s->buffer != buffer) continue;
        if (s->limit || s->adds || !is_part(c, s->ix, &length, &place) || place != count++)
            return 0;
    }
    return length == count ? count : 0;
}

/* Are packs permuted within rows, so that those of neighbouring rows are in other banks? */
static bool is_permuted(const ThreadRow *r, Dtype type) {
    const int pack = ACCESS_BYTES / (int)dtype_size(type), packs = r->length / pack;
    return r->length % pack == 0 && !(packs & (packs - 1));
}

/* Where a tensor may be written in place, threads beyond the end have left, and copy nothing. */
static bool has_left(const Kernel *k) {
    for (int i = 0; i < k->buffers.count; i++)
        if (k->buffers.at[i].is_shared) return true;
    return false;
}

void cuda_find_thread_rows(CudaKernel *k, CudaWriter *c, Text *declarations) {
    const Writer *w = &c->w;
    int all = 0;
    c->thread_row = arena_array(w->arena, ThreadRow, w->k->buffers.count + 1);
    if (w->b->axes.count != 1 || has_left(w->k)) return;
    for (int i = 0; i < w->k->buffers.count; i++) {
        const KernelBuffer *of = &w->k->buffers.at[i];
        const int length = of->written ? row_length(c, i) : 0;
        const int bytes = length * (int)dtype_size(of->type), size = bytes * c->tile.threads;
        const bool is_access = bytes <= ACCESS_BYTES && !(bytes & (bytes - 1));
        if (length < 2 || is_access || bytes == SECTOR_BYTES || all + size > MOST_BYTES) continue;
        const char *type = cuda_storage(of->type);
        const char *at =
            all ? arena_printf(w->arena, "(dynamic_shared + %d)", all) : "dynamic_shared";
        const char *name = fresh(&c->w, arena_printf(w->arena, "%s_rows", of->name));
        text_printf(declarations, "%s *const %s = (%s *)%s;\n", type, name, type, at);
        cuda_shared(k, c->tile.threads, bytes, arena_printf(w->arena, "rows of %s", of->name));
        c->thread_row[i] = (ThreadRow){name, length};
        all += size;
    }
}

const char *cuda_thread_row_at(CudaWriter *c, int buffer, Ix ix) {
    const ThreadRow *r = &c->thread_row[buffer];
    const Dtype type = c->w.k->buffers.at[buffer].type;
    int64_t length, place = 0;
    if (!is_part(c, ix, &length, &place)) BUG("rows of %s", c->w.k->buffers.at[buffer].name);
    if (is_permuted(r, type))
        return arena_printf(c->w.arena, "row_place<%d, %d>(threadIdx.x, %d)", r->length,
                            ACCESS_BYTES / (int)dtype_size(type), (int)place);
    return arena_printf(c->w.arena, place ? "threadIdx.x * %d + %d" : "threadIdx.x * %d", r->length,
                        (int)place);
}

const char *cuda_copies_of_rows(CudaWriter *c, const char *count) {
    Writer *w = &c->w;
    Text out = text_new(w->arena);
    for (int i = 0; i < w->k->buffers.count; i++) {
        const ThreadRow *r = &c->thread_row[i];
        if (!r->name) continue;
        const bool is_moved = is_permuted(r, w->k->buffers.at[i].type);
        if (!out.size) text_str(&out, "__syncthreads();\n");
        text_printf(&out, "%s<%d%s%d>(%s + tile * %d, %s, (%s - tile) * %d);\n",
                    is_moved ? "copy_rows" : "copy_block", c->tile.threads, is_moved ? ", " : " * ",
                    r->length, buffer_name(w, i), r->length, r->name, count, r->length);
    }
    return text_get(&out);
}
