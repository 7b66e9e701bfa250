/* binned.c: scatters that warps combine in shared memory: a device function computes where an
 * element goes, and what is combined there; what blocks do, the template says. In: Kernel whose
 * first store is of where elements go. Out: text and launch. */
#include "emit/cuda/cuda.h"

/* Writes the function that returns where element `at` goes, and its values; returns its call. */
static const char *write_values(CudaKernel *k, CudaWriter *c, const char *type) {
    Writer *w = &c->w;
    const Body *b = w->b;
    Text text = text_new(k->arena);
    cuda_start_element(c, "at", &text);
    for (int i = 0; i < b->stores.count; i++) declare_value(w, b->stores.at[i].value);
    for (int i = 1; i < b->stores.count; i++)
        write_line(w, "value.at[%d] = %s;", i - 1, value_text(w, b->stores.at[i].value));
    write_line(w, "return %s;", value_text(w, b->stores.at[0].value));
    const char *values = arena_printf(k->arena, "%s at, Values<%s, %d> &value", c->index, type,
                                      b->stores.count - 1);
    return cuda_element_function(k, c, "element", values, "at, value[item]", text_get(&text));
}

static const char *stores_text(CudaKernel *k, CudaWriter *c, const char *op) {
    const Body *b = c->w.b;
    Text text = text_new(k->arena);
    const int values = b->stores.count - 1;
    int64_t bins = 0;
    dim_is_const(b->indices->dims, b->indices->extent[SEGMENTS_ROWS], &bins);
    for (int i = 0; i < values; i++)
        text_printf(&text, "%s[to] = combine_tables<%s, %d, %lld>(bins%s + i);\n",
                    buffer_name(&c->w, b->stores.at[i + 1].buffer), op,
                    tile_bin_tables(b, &c->tile, k->gpu), (long long)(values * bins),
                    i ? arena_printf(k->arena, " + %lld", (long long)(i * bins)) : "");
    return text_get(&text);
}

/* With so few warps a thread loads its next elements before it combines those it has. */
enum { FEW_WARPS = 8 };

/* Are positions behind the end, which a block may compare with it, proven to fit an int? */
static bool is_32bit(const Body *b) {
    enum { MOST = 1 << 30 };
    int64_t count;
    return dim_is_const(b->indices->dims, b->indices->extent[SEGMENTS_COUNT], &count) &&
           count <= MOST;
}

void cuda_binned(CudaKernel *k, CudaWriter *c) {
    const Body *b = c->w.b;
    const Tile *t = &c->tile;
    const int tables = tile_bin_tables(b, t, k->gpu);
    cuda_choose_index(c, c->is_32bit && is_32bit(b));
    const char *type = cuda_register(b->sort.type), *op = reduction_of(b->sort.with)->functions;
    const char *place = write_values(k, c, type);
    const int slices = tile_bin_slices(b) ? tile_bin_slices(b) : 1;
    const bool is_ahead = tables * slices < FEW_WARPS;
    k->threads = t->threads;
    k->block_x = cuda_number(k->arena, t->threads);
    k->grid = cuda_number(k->arena, b->sort.parts);
    k->how = "A block combines a part of the elements in shared memory";
    cuda_shared(k, tables, tile_bins_shared(b), "results of warps");
    const char *count = cuda_dim(c, b->indices->extent[SEGMENTS_ROWS]);
    const Fill fills[] = {{"STORES", stores_text(k, c, op)},
                          {"THREADS", cuda_number(k->arena, t->threads)},
                          {"ITEMS", cuda_number(k->arena, t->m)},
                          {"PARTS", cuda_number(k->arena, b->sort.parts)},
                          {"BINS", count},
                          {"VALUES", cuda_number(k->arena, b->stores.count - 1)},
                          {"SLICES", cuda_number(k->arena, slices)},
                          {"TABLES", cuda_number(k->arena, tables)},
                          {"ahead", is_ahead ? "1" : ""},
                          {"behind", is_ahead ? "" : "1"},
                          {"INDEX", c->index},
                          {"TYPE", type},
                          {"OP", op},
                          {"MEET", b->sort.columns < 32 ? "true" : "false"},
                          {"ROWS", cuda_dim(c, b->sort.rows)},
                          {"COLUMNS", cuda_number(k->arena, b->sort.columns)},
                          {"PLACE", place}};
    cuda_function(k, c, "cuda/binned.cu", "", false, fills, (int)(sizeof fills / sizeof *fills));
}
