/* pointwise.c: kernels of the pointwise family. Each body runs over one flat position, a tile of
 * it to a block, over tiles that are transposed (transpose.c), or over boxes (permute.c); several
 * bodies share the blocks out. In: Kernel. Out: text and launch. */
#include "emit/cuda/cuda.h"

#include <string.h>

typedef struct Pointwise {
    CudaWriter c;
    CudaKernel *k;
    Dims *d;
    Axis *axes; /* the lane axis last */
    int count;
    Dim elements;
    bool single;     /* one element per thread: no loop */
    bool whole;      /* all blocks are full */
    bool leaves;     /* threads beyond the end read nothing: another one may write it in place */
    bool is_counted; /* the number of elements is a parameter, `count` */
    bool is_told;    /* what its threads beyond the end do, in a comment */
    int tile;        /* elements of a block */
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
 * beyond the end read the last elements again and store nothing, or leave. */
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
    const char *n = p->is_counted ? "count" : size_text(&p->c.w, p->elements);
    if (p->leaves)
        return arena_printf(arena, "const %s flat = %s;\nif (flat >= %s) %s;\n%s", index, at, n,
                            p->single ? "return" : "continue", both);
    const char *last = arena_printf(arena, "const %s flat = valid ? at : %s - %s;\n", index, n,
                                    p->c.wide ? "VEC" : "1");
    const char *why = p->is_told ? "" : " /* else: read the last elements, store nothing */";
    p->is_told = true;
    return arena_printf(arena, "const %s at = %s;\nconst bool valid = at < %s;%s\n%s%s", index, at,
                        n, why, flat ? last : "", both);
}

/* ---- text ---------------------------------------------------------------------------------- */

static const char *hoisted_loads(Pointwise *p, Text *arrays) {
    const Body *b = p->c.w.b;
    Text fill = text_new(p->k->arena);
    if (p->single) return "";
    for (int i = 1; i < b->values.count; i++)
        if (cuda_may_hoist_load(&p->c, i) && !cuda_is_in_window(&p->c, i))
            cuda_hoist_load(&p->c, i, arrays, &fill);
    return fill.size ? with_positions(p, text_get(&fill)) : "";
}

/* Packs do not divide what is one row from end to end: a block for each tile that is whole, and
 * blocks for the rest, an element at a time. */
static bool has_rest(const Pointwise *p) {
    const Dim pack = dim_const(p->d, p->c.vector);
    return p->c.wide && p->count == 1 && !dim_divides(p->d, pack, p->elements);
}

static const char *whole_tiles(const Pointwise *p) {
    int64_t n;
    if (dim_is_const(p->d, p->elements, &n)) return cuda_number(p->k->arena, n / p->tile);
    const char *all = p->is_counted ? cuda_size(p->k, p->elements) /* where the body is called */
                                    : size_factor_text(&p->c.w, p->elements);
    return arena_printf(p->k->arena, "%s / %d", all, p->tile);
}

static const char *blocks_of(const Pointwise *p, const Names *names) {
    const int each = p->tile / p->c.vector;
    int64_t n;
    if (!p->c.whole_tiles) return cuda_blocks(names, p->elements, p->tile);
    if (dim_is_const(p->d, p->elements, &n))
        return cuda_number(p->k->arena, n / p->tile + (n % p->tile + each - 1) / each);
    const char *all = names_size_factor(names, p->elements);
    return arena_printf(p->k->arena, "%s / %d + ceil_div(%s %% %d, %d)", all, p->tile, all, p->tile,
                        each);
}

static Pointwise pointwise_new(CudaKernel *k, int body, bool is_one_of_several) {
    Pointwise p = {.k = k, .c = cuda_writer(k, body)};
    CudaWriter *c = &p.c;
    const Body *b = c->w.b;
    p.d = b->indices->dims;
    order_axes(&p);
    cuda_name_flat(c, p.axes, p.count, "flat");
    cuda_writer_ready(c);
    cuda_find_windows(c);
    p.single = c->tile.unroll == 1;
    p.tile = c->tile.threads * c->tile.vector * c->tile.unroll;
    p.elements = dim_mul(p.d, b->rows, b->cols);
    p.whole = dim_divides(p.d, dim_const(p.d, p.tile), p.elements);
    p.is_counted = is_one_of_several && !p.whole;
    if (has_rest(&p)) c->whole_tiles = whole_tiles(&p);
    for (int i = 0; i < k->k->buffers.count; i++) p.leaves |= k->k->buffers.at[i].is_shared;
    c->store_if = c->row_if = p.whole || p.leaves ? "" : "if (valid) ";
    k->threads = c->tile.threads;
    return p;
}

/* `names`: of the function that counts its blocks. `block`: the number of one; NULL: the kernel has
 * one body. */
static CudaBody flat_body(CudaKernel *k, int body, const Names *names, const char *block) {
    Pointwise p = pointwise_new(k, body, block != NULL);
    Arena *arena = k->arena;
    Text scalars = text_new(arena), arrays = text_new(arena);
    p.c.w.out = &scalars;
    declare_level(&p.c.w, 0, 0);
    const char *hoisted = hoisted_loads(&p, &arrays);
    if (!block && p.single && !p.c.wide) {
        cuda_find_thread_rows(k, &p.c, &arrays);
        cuda_find_records(&p.c);
    }
    const char *item = with_positions(&p, cuda_pointwise_item(&p.c));
    if (p.c.thread_row)
        item = arena_printf(arena, "%s%s", item,
                            cuda_copies_of_rows(&p.c, size_text(&p.c.w, p.elements)));
    const char *tile = cuda_number(arena, p.c.tile.threads * p.c.tile.unroll);
    if (p.c.wide) tile = arena_printf(arena, "%s * VEC", tile);
    const char *number =
        block || p.c.wide ? "block" : arena_printf(arena, "(%s)blockIdx.x", p.c.index);
    if (!p.single) text_printf(&scalars, "constexpr int items = %d;\n", p.c.tile.unroll);
    text_str(&scalars, text_get(&arrays));
    const Fill fills[] = {{"IDX", p.c.index},
                          {"BLOCK", number},
                          {"TILE", tile},
                          {"scalars", text_get(&scalars)},
                          {"hoisted", hoisted},
                          {"loop", p.single ? "" : item},
                          {"single", p.single ? item : ""}};
    CudaBody out = {
        .c = p.c, .template = "cuda/pointwise.cu", .blocks = blocks_of(&p, names), .splits = true};
    out.counted = p.is_counted ? p.elements : 0;
    FILLS_ADD(arena, &out.fills, fills);
    out.how = arena_printf(arena, "%d threads for each %d elements", p.c.tile.threads, p.tile);
    return out;
}

static CudaBody body_of(CudaKernel *k, int body, const Names *names, const char *block) {
    switch (k->tiles[body].kind) {
    case TILE_TRANSPOSE: return cuda_transpose(k, body, names, block);
    case TILE_PERMUTE: return cuda_permute(k, body, block);
    default: return flat_body(k, body, names, block);
    }
}

/* ---- several bodies ------------------------------------------------------------------------ */

static const char *body_name(const CudaKernel *k, int i) {
    const char *round = i < 26 ? "" : cuda_number(k->arena, i / 26);
    return arena_printf(k->arena, "%s_%c%s", k->k->name, 'a' + i % 26, round);
}

/* The call of a body by its own blocks; the last one has those that are left. */
static void put_choice(const char *call, const char *blocks, bool is_last, Text *choices) {
    if (!is_last) text_printf(choices, "    if (block < %s) {\n", blocks);
    text_indented(choices, call, is_last ? 4 : 8);
    if (!is_last) text_printf(choices, "        return;\n    }\n    block -= %s;\n", blocks);
}

/* A device function that is written. */
typedef struct Written {
    const char *name, *text;
    Parameters given;
    bool wide;
} Written;

typedef Vec(Written) WrittenVec;

static const char *const *parameter_names(const Parameters *given, Arena *arena) {
    const char **names = arena_array(arena, const char *, given->count + 1);
    for (int i = 0; i < given->count; i++) names[i] = given->at[i].name;
    return names;
}

/* A function that does the same with other tensors; NULL: there is none. */
static const char *written_alike(const WrittenVec *all, const Written *own, Arena *arena) {
    for (int i = 0; i < all->count; i++) {
        const Written *w = &all->at[i];
        const int count = w->given.count;
        if (count == own->given.count && w->wide == own->wide &&
            text_is_renamed(strchr(w->text, '('), strchr(own->text, '('),
                            parameter_names(&w->given, arena), parameter_names(&own->given, arena),
                            count))
            return w->name;
    }
    return NULL;
}

/* Writes the function of a body unless there is one that does the same; returns its name. */
static const char *write_function(CudaKernel *k, CudaBody *body, WrittenVec *all) {
    Arena *arena = k->arena;
    Text head = text_new(arena), text = text_new(arena);
    const Parameters given = writer_parameters(&body->c.w);
    const char *name = body_name(k, all->count), *params = parameters_text(&body->c.w, &given);
    if (body->counted) params = arena_printf(arena, "%s, %s count", params, body->c.index);
    if (body->c.wide) text_str(&head, "template <int VEC>\n");
    emit_signature(&head, arena_printf(arena, "DEVICE void %s(", name),
                   arena_printf(arena, "%s, idx block", params));
    vec_push(arena, &body->fills, ((Fill){"HEAD", text_get(&head)}));
    template_fill(body->template, body->fills.at, body->fills.count, &text);
    const Written own = {name, text_get(&text), given, body->c.wide};
    const char *alike = written_alike(all, &own, arena);
    if (alike) return alike;
    vec_push(arena, all, own);
    text_printf(k->out, "%s\n", own.text);
    return name;
}

/* `choices` gets the call of a body's function, with its own arguments. */
static void write_body(CudaKernel *k, int i, Writer *all, WrittenVec *written, Text *choices,
                       Text *grid) {
    Arena *arena = k->arena;
    CudaBody body = body_of(k, i, all->names, "block");
    const bool wide = body.c.wide, splits = wide && body.splits;
    const Parameters given = writer_parameters(&body.c.w);
    const char *name = write_function(k, &body, written), *args = parameters_names(arena, &given);
    if (body.counted) args = arena_printf(arena, "%s, %s", args, size_text(all, body.counted));
    const char *arguments = arena_printf(arena, "%s, block", args);
    const char *of_tile = arena_printf(arena, "%s, %d * block + l", args, body.c.vector);
    const char *rest = arena_printf(arena, "%s, %s", args, cuda_rest_block(&body.c, "block"));
    const char *condition = wide ? cuda_packs_condition(k, &body.c) : "";
    uses_add(all, &body.c.w.used);
    const char *call = arena_printf(arena, "%s%s(%s);\n", name, wide ? "<1>" : "", arguments);
    Fill choice[] = {{"BODY", name},
                     {"ARGUMENTS", arguments},
                     {"CONDITION", condition},
                     {"VECTOR", cuda_number(arena, body.c.vector)},
                     {"always", wide && !*condition ? "1" : ""},
                     {"tested", *condition ? "1" : ""},
                     {"tiles", *condition && splits ? "1" : ""},
                     {"TILE_ARGUMENTS", of_tile},
                     {"WHOLE", body.c.whole_tiles ? body.c.whole_tiles : ""},
                     {"REST_ARGUMENTS", rest},
                     {"rest", body.c.whole_tiles ? "1" : ""},
                     {"narrow", splits || (wide && !*condition) ? "" : call}};
    Text nest = text_new(arena);
    TEMPLATE_FILL("cuda/loop_nest.cu", choice, &nest);
    put_choice(text_get(&nest), body.blocks, i == k->k->bodies.count - 1, choices);
    text_printf(grid, "%s%s", grid->size ? " + " : "", body.blocks);
}

static void write_bodies(CudaKernel *k) {
    Text choices = text_new(k->arena), grid = text_new(k->arena);
    Writer all = {.dialect = &cuda_dialect, .arena = k->arena, .k = k->k};
    writer_function(&all, k->names);
    WrittenVec written = {0};
    for (int i = 0; i < k->k->bodies.count; i++) write_body(k, i, &all, &written, &choices, &grid);
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
        CudaBody body = body_of(k, 0, k->names, NULL);
        k->grid = body.blocks;
        k->how = body.how;
        if (body.c.records_if.count)
            cuda_function_wide(k, &body.c, body.template, "body", &body.c.records_if, body.fills.at,
                               body.fills.count);
        else
            cuda_function(k, &body.c, body.template, "tile", body.splits, body.fills.at,
                          body.fills.count);
    }
    k->block_x = cuda_number(k->arena, k->threads);
}
