/* segments.c: the sort of indices for a scatter, or a step of it: a device function computes the
 * row of an index; what blocks do, the templates say. In: Kernel. Out: text and launch. */
#include "emit/cuda/cuda.h"

void cuda_start_element(CudaWriter *c, const char *at, Text *text) {
    Writer *w = &c->w;
    w->axis_name[w->b->lane] = at;
    w->out = text;
    w->indent = 1;
    declare_level(w, 0, 0);
    w->level = 2;
    w->stage = 0;
    count_uses(w);
}

const char *cuda_element_function(CudaKernel *k, const CudaWriter *c, const char *suffix,
                                  const char *parameter, const char *argument, const char *text) {
    const char *name = arena_printf(k->arena, "%s_%s", k->k->name, suffix);
    const Parameters given = writer_parameters(&c->w);
    const char *parameters = parameters_text(&c->w, &given);
    const char *comma = *parameters && *parameter ? ", " : "";
    emit_signature(k->out, arena_printf(k->arena, "DEVICE int %s(", name),
                   arena_printf(k->arena, "%s%s%s", parameters, comma, parameter));
    text_printf(k->out, " {\n%s}\n\n", text);
    return arena_printf(k->arena, "%s(%s%s%s)", name, parameters_names(k->arena, &given), comma,
                        argument);
}

/* Writes the function that returns the row of index i; returns its call. */
static const char *write_row(CudaKernel *k, CudaWriter *c) {
    Text text = text_new(k->arena);
    const int value = c->w.b->stores.at[0].value;
    cuda_start_element(c, "i", &text);
    declare_value(&c->w, value);
    write_line(&c->w, "return %s;", value_expr(&c->w, value).text);
    const bool varies = c->w.used.axes;
    return cuda_element_function(k, c, "row", varies ? "idx i" : "", varies ? "i" : "",
                                 text_get(&text));
}

/* A block for each multiprocessor, if there are rows for them. */
static const char *grid_of(const CudaKernel *k, Dim rows) {
    const int most = k->gpu->processors;
    int64_t known;
    if (dim_is_const(k->names->plan->g->dims, rows, &known))
        return cuda_number(k->arena, known < most ? known : most);
    const char *text = names_size_factor(k->names, rows);
    return arena_printf(k->arena, "%s < %d ? %s : %d", text, most, text, most);
}

/* Blocks, and how they share the work. */
static void share_out(CudaKernel *k, const SortValues *sort, Dim rows) {
    const int m = k->tiles[0].m, windows = (sort->groups + m - 1) / m;
    switch (sort->op) {
    case OP_TALLY:
        k->grid = cuda_number(k->arena, sort->parts * windows);
        k->how = "A block counts those of a part";
        return;
    case OP_GROUPS:
        k->grid = cuda_number(k->arena, sort->parts);
        k->how = "A block places those of a part";
        return;
    case OP_GROUPED:
        k->grid = cuda_number(k->arena, sort->groups);
        k->how = "A block has a group of rows";
        return;
    default: break;
    }
    k->grid = grid_of(k, rows);
    k->how =
        arena_printf(k->arena, "Each of %d blocks has a part of the rows, and reads all indices",
                     k->gpu->processors);
}

static const char *template_of(Op op) {
    return op == OP_TALLY     ? "cuda/tally.cu"
           : op == OP_GROUPS  ? "cuda/groups.cu"
           : op == OP_GROUPED ? "cuda/grouped.cu"
                              : "cuda/segments.cu";
}

/* What it writes, and what a step of a sort reads, as the templates have them. */
static Fills fills_of(CudaKernel *k, CudaWriter *c, const SortValues *sort) {
    const char *to = buffer_name(&c->w, c->w.b->stores.at[0].buffer);
    Fills fills = {0};
    vec_push(k->arena, &fills, ((Fill){sort->op == OP_TALLY ? "TALLY" : "START", to}));
    if (sort->op == OP_GROUPS || sort->op == OP_GROUPED)
        vec_push(
            k->arena, &fills,
            ((Fill){sort->op == OP_GROUPS ? "TALLY" : "GROUP", buffer_name(&c->w, sort->from)}));
    if (sort->op == OP_TALLY)
        vec_push(k->arena, &fills,
                 ((Fill){"COPIES", cuda_number(k->arena, tile_tally_copies(&c->tile))}));
    return fills;
}

void cuda_segments(CudaKernel *k) {
    CudaWriter c = cuda_writer(k, 0);
    const Body *b = c.w.b;
    const Tile *t = &c.tile;
    const Dim rows = b->indices->extent[SEGMENTS_ROWS], count = b->indices->extent[SEGMENTS_COUNT];
    c.vector = 1;
    cuda_writer_ready(&c);
    if (b->sort.op == OP_BINNED) {
        cuda_binned(k, &c);
        return;
    }
    cuda_choose_index(&c, false);
    const char *row = write_row(k, &c);
    Fills all = fills_of(k, &c, &b->sort);
    const Fill fills[] = {{"THREADS", cuda_number(k->arena, t->threads)},
                          {"WARPS", cuda_number(k->arena, t->threads / 32)},
                          {"MOST", cuda_number(k->arena, t->m)},
                          {"PARTS", cuda_number(k->arena, b->sort.parts)},
                          {"GROUPS", cuda_number(k->arena, b->sort.groups)},
                          {"ROWS", cuda_dim(&c, rows)},
                          {"COUNT", cuda_dim(&c, count)},
                          {"ROW", row}};
    FILLS_ADD(k->arena, &all, fills);
    k->threads = t->threads;
    k->block_x = cuda_number(k->arena, t->threads);
    k->static_shared = tile_segments_shared(b, t);
    share_out(k, &b->sort, rows);
    cuda_function(k, &c, template_of(b->sort.op), "", false, all.at, all.count);
}
