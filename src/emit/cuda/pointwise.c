/* pointwise.c: kernels of the pointwise family. Each body runs over one flat position, a tile
 * of it to a block; several bodies share the blocks out. In: Kernel. Out: text and launch. */
#include "emit/cuda/cuda.h"

#include <string.h>

typedef struct Pointwise {
    CudaWriter c;
    CudaKernel *k;
    Dims *d;
    Axis *axes; /* the lane axis last */
    int count;
    Dim elements;
    bool single; /* one element a thread: no loop */
    bool whole;  /* blocks are known to be full */
    int tile;    /* elements of a block */
} Pointwise;

/* ---- axes and positions -------------------------------------------------------------------- */

static void order_axes(Pointwise *p) {
    const Body *b = p->c.w.b;
    const int lane = p->c.w.s->lane;
    p->axes = arena_array(p->k->arena, Axis, b->axes.count);
    for (int i = 0; i < b->axes.count; i++)
        if (b->axes.at[i].number != lane) p->axes[p->count++] = b->axes.at[i];
    for (int i = 0; i < b->axes.count; i++)
        if (b->axes.at[i].number == lane) p->axes[p->count++] = b->axes.at[i];
    for (int i = 0; i < p->count; i++)
        p->c.w.axis_name[p->axes[i].number] =
            p->count == 1 ? "flat" : arena_printf(p->k->arena, "i%d", i);
}

static const char *item_position(const Pointwise *p) {
    const char *format =
        p->c.wide ? "tile + (item * %d + threadIdx.x) * VEC" : "tile + item * %d + threadIdx.x";
    if (p->single) return p->c.wide ? "tile + threadIdx.x * VEC" : "tile + threadIdx.x";
    return arena_printf(p->k->arena, format, p->c.tile.threads);
}

/* Text that was written since this was last asked, after the positions that it reads. Threads
 * beyond the end read the last elements again and store nothing. */
static const char *with_positions(Pointwise *p, const char *text) {
    Arena *arena = p->k->arena;
    p->c.reads_flat = false;
    const char *axes = cuda_positions(&p->c, p->axes, p->count, "flat");
    const char *both = arena_printf(arena, "%s%s", axes, text), *index = p->c.index;
    const char *at = item_position(p);
    const bool flat = p->c.reads_flat;
    if (p->whole)
        return arena_printf(arena, "%s%s",
                            flat ? arena_printf(arena, "const %s flat = %s;\n", index, at) : "",
                            both);
    const char *n = size_text(&p->c.w, p->elements);
    const char *last = arena_printf(arena, "const %s flat = valid ? at : %s - %s;\n", index, n,
                                    p->c.wide ? "VEC" : "1");
    return arena_printf(arena, "const %s at = %s;\nconst bool valid = at < %s;\n%s%s", index, at, n,
                        flat ? last : "", both);
}

/* ---- text ---------------------------------------------------------------------------------- */

static const char *hoisted_loads(Pointwise *p, Text *arrays) {
    const Body *b = p->c.w.b;
    Text fill = text_new(p->k->arena);
    if (p->single) return "";
    for (int i = 1; i < b->values.count; i++)
        if (cuda_may_hoist_load(&p->c, i)) cuda_hoist_load(&p->c, i, arrays, &fill);
    return fill.size ? with_positions(p, text_get(&fill)) : "";
}

static const char *item_text(Pointwise *p) {
    CudaWriter *c = &p->c;
    const Body *b = c->w.b;
    Text out = text_new(p->k->arena);
    bool elements = false;
    c->w.out = &out;
    cuda_level(c, 1, 0);
    for (int i = 0; i < b->stores.count; i++) {
        if (c->w.s->store[i].level == 1)
            cuda_store_row(c, &b->stores.at[i]);
        else
            elements = true;
    }
    if (elements) text_str(&out, cuda_item(c, 0));
    return with_positions(p, text_get(&out));
}

static Pointwise pointwise_new(CudaKernel *k, int body) {
    Pointwise p = {.k = k, .c = cuda_writer(k, body)};
    CudaWriter *c = &p.c;
    const Body *b = c->w.b;
    p.d = b->indices->dims;
    order_axes(&p);
    cuda_writer_ready(c);
    p.single = c->tile.unroll == 1;
    p.tile = c->tile.threads * c->tile.vector * c->tile.unroll;
    p.elements = dim_mul(p.d, b->rows, b->cols);
    p.whole = dim_divides(p.d, dim_const(p.d, p.tile), p.elements);
    c->store_if = c->row_if = p.whole ? "" : "if (valid) ";
    k->threads = c->tile.threads;
    return p;
}

/* The fills of pointwise.cu; returns how many. */
static int fill_body(Pointwise *p, const char *block, Fill *fills) {
    Text scalars = text_new(p->k->arena), arrays = text_new(p->k->arena);
    p->c.w.out = &scalars;
    cuda_level(&p->c, 0, 0);
    const char *early = hoisted_loads(p, &arrays), *item = item_text(p);
    const char *tile = cuda_number(p->k->arena, p->c.tile.threads * p->c.tile.unroll);
    if (p->c.wide) tile = arena_printf(p->k->arena, "%s * VEC", tile);
    if (!p->single) text_printf(&scalars, "constexpr int items = %d;\n", p->c.tile.unroll);
    text_str(&scalars, text_get(&arrays));
    const Fill made[] = {{"IDX", p->c.index},
                         {"BLOCK", block},
                         {"TILE", tile},
                         {"scalars", text_get(&scalars)},
                         {"early", early},
                         {"loop", p->single ? "" : item},
                         {"single", p->single ? item : ""}};
    memcpy(fills, made, sizeof made);
    return (int)(sizeof made / sizeof *made);
}

/* ---- several bodies ------------------------------------------------------------------------ */

static const char *body_name(const CudaKernel *k, int i) {
    const char *round = i < 26 ? "" : cuda_number(k->arena, i / 26);
    return arena_printf(k->arena, "%s_%c%s", k->k->name, 'a' + i % 26, round);
}

/* One device function a body, each with parameters of its own; `choices` gets that among
 * them, which `all` uses. */
static void write_body(CudaKernel *k, int i, Writer *all, Text *choices, Text *grid) {
    Pointwise p = pointwise_new(k, i);
    Arena *arena = k->arena;
    Fill fills[8];
    int count = fill_body(&p, "block", fills);
    fills[count++] = (Fill){"HEAD", ""};
    Text head = text_new(arena);
    const Parameters given = writer_parameters(&p.c.w);
    const char *name = body_name(k, i), *args = parameters_names(arena, &given);
    const char *params = parameters_text(&p.c.w, &given);
    if (p.c.wide) text_str(&head, "template <int VEC>\n");
    emit_signature(&head, arena_printf(arena, "DEVICE void %s(", name),
                   arena_printf(arena, "%s, idx block", params));
    fills[count - 1].text = text_get(&head);
    template_fill("cuda/pointwise.cu", fills, count, k->out);
    text_char(k->out, '\n');

    const char *blocks = cuda_blocks(all->names, p.elements, p.tile);
    const char *arguments = arena_printf(arena, "%s, block", args);
    const char *of_tile = arena_printf(arena, "%s, %d * block + l", args, p.c.vector);
    const char *condition = p.c.wide ? cuda_wide_condition(&p.c) : "";
    uses_add(all, &p.c.w.used);
    const char *call = p.c.wide ? "" : arena_printf(arena, "%s(%s);\n", name, arguments);
    Fill choice[] = {{"BLOCKS", blocks},
                     {"BODY", name},
                     {"ARGUMENTS", arguments},
                     {"CONDITION", condition},
                     {"VECTOR", cuda_number(arena, p.c.vector)},
                     {"wide", p.c.wide ? "1" : ""},
                     {"TILE_ARGUMENTS", of_tile},
                     {"narrow", call}};
    template_fill("cuda/part.cu", choice, (int)(sizeof choice / sizeof *choice), choices);
    text_printf(grid, "%s%s", grid->size ? " + " : "", blocks);
}

static void write_bodies(CudaKernel *k) {
    Text choices = text_new(k->arena), grid = text_new(k->arena);
    Writer all = {.dialect = &cuda_dialect, .arena = k->arena, .k = k->k};
    writer_function(&all, k->names);
    for (int i = 0; i < k->k->bodies.count; i++) write_body(k, i, &all, &choices, &grid);
    k->arguments = writer_parameters(&all);
    text_printf(k->out, "%s {\n    idx block = blockIdx.x;\n%s}\n",
                cuda_head(k, parameters_text(&all, &k->arguments)), text_get(&choices));
    k->grid = text_get(&grid);
    k->how = "Each tensor has blocks of its own";
}

void cuda_pointwise(CudaKernel *k) {
    if (k->k->bodies.count > 1) {
        write_bodies(k);
    } else {
        Pointwise p = pointwise_new(k, 0);
        Fill fills[8];
        int count = fill_body(&p, p.c.wide ? "block" : "blockIdx.x", fills);
        k->grid = cuda_blocks(k->names, p.elements, p.tile);
        k->how =
            arena_printf(k->arena, "%d threads for each %d elements", p.c.tile.threads, p.tile);
        cuda_function(k, &p.c, "cuda/pointwise.cu", "tile", true, fills, count);
    }
    k->block_x = cuda_number(k->arena, k->threads);
}
