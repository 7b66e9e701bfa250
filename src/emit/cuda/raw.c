/* raw.c: text of loads of a computed operand that cp.async brings, as they are in memory, to a
 * place of the thread that computes from them, in shared memory. In: RawLoads. Out: copies, and
 * where packs are loaded from. */
#include "emit/cuda/cuda.h"

/* "slot + raw_w + (item * 128 + thread) * 4" */
static const char *place_text(const CudaWriter *c, const char *name, int bytes) {
    return arena_printf(c->w.arena, "%s + %s + (item * %d + thread) * %d", c->raw_memory, name,
                        c->raw_threads, bytes);
}

void cuda_raw_names(CudaWriter *c, const RawLoads *raw, int places, const char **at, Text *sizes) {
    for (int i = 0; i < raw->count; i++) {
        const char *name =
            fresh(&c->w, arena_printf(c->w.arena, "raw_%s", value_stem(&c->w, raw->at[i].value)));
        text_printf(sizes, ", %s = %s", name, *at);
        c->raw_name[raw->at[i].value] = name;
        *at = arena_printf(c->w.arena, "%s + %d", name, places * raw->at[i].bytes);
    }
}

const char *cuda_raw_copies(CudaWriter *c, const RawLoads *raw, const char *const *from) {
    Text out = text_new(c->w.arena);
    for (int i = 0; i < raw->count; i++) {
        const RawLoad *r = &raw->at[i];
        const Value *v = &c->w.b->values.at[r->value];
        const char *type = cuda_storage(v->type), *at = from ? from[i] : NULL;
        const char *to = place_text(c, c->raw_name[r->value], r->bytes);
        const int count = r->bytes / (int)dtype_size(v->type);
        if (!at) at = address_text(&c->w, v->attr, v->ix);
        if (r->bytes == 16)
            text_printf(&out, "cp_async(%s, %s, inside);\n", to, at);
        else
            text_printf(&out, "cp_async_part<%d>((%s *)(%s), %s, inside);\n", count, type, to, at);
    }
    return text_get(&out);
}

const char *cuda_raw_reads(CudaWriter *c, const RawLoads *raw, int places) {
    const int items = (places + c->raw_threads - 1) / c->raw_threads;
    const bool is_partial = places % c->raw_threads;
    Text out = text_new(c->w.arena), reads = text_new(c->w.arena);
    if (is_partial)
        text_printf(&reads, "    if (item * %d + thread >= %d) break;\n", c->raw_threads, places);
    for (int i = 0; i < raw->count; i++) {
        const RawLoad *r = &raw->at[i];
        const Value *v = &c->w.b->values.at[r->value];
        const char *type = cuda_storage(v->type), *stem = value_stem(&c->w, r->value);
        const char *name = fresh(&c->w, arena_printf(c->w.arena, "%s_read", stem));
        const int count = r->bytes / (int)dtype_size(v->type);
        text_printf(&out, "Pack<%s, %d> %s[%d];\n", type, count, name, items);
        text_printf(&reads, "    %s[item] = load_pack<%d>((const %s *)(%s));\n", name, count, type,
                    place_text(c, c->raw_name[r->value], r->bytes));
        c->raw_read[r->value] = name;
    }
    text_printf(&out, "#pragma unroll\nfor (int item = 0; item < %d; item++)%s\n%s%s", items,
                raw->count + is_partial > 1 ? " {" : "", text_get(&reads),
                raw->count + is_partial > 1 ? "}\n" : "");
    return text_get(&out);
}

const char *cuda_raw_element(CudaWriter *c, int value) {
    const Value *v = &c->w.b->values.at[value];
    const RawLoad *r = c->raw ? raw_load_of(c->raw, c->w.b, value) : NULL;
    if (!r || index_axes(c->w.b, v->ix) >> c->w.s->lane & 1) return NULL;
    return arena_printf(c->w.arena, "*(const %s *)(%s)", cuda_storage(v->type),
                        place_text(c, c->raw_name[r->value], r->bytes));
}

const char *cuda_pack_address(CudaWriter *c, int value) {
    const Value *v = &c->w.b->values.at[value];
    const RawLoad *r = c->raw ? raw_load_of(c->raw, c->w.b, value) : NULL;
    if (!r) return address_text(&c->w, v->attr, v->ix);
    const char *read = c->raw_read[r->value];
    if (read) return arena_printf(c->w.arena, "%s[item].at", read);
    const char *name = fresh(&c->w, arena_printf(c->w.arena, "%s_copy", value_stem(&c->w, value)));
    text_printf(&c->before, "const auto *const %s = (const %s *)(%s);\n", name,
                cuda_storage(v->type), place_text(c, c->raw_name[r->value], r->bytes));
    return name;
}
