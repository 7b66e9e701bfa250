/* attention_wgmma.c: attentions by wgmma, through templates/cuda/attention_wgmma.cu: the TMA boxes
 * of its operands, and the instructions for its tiles.
 * In: Kernel of family F_ATTENTION, its AttentionForm with a Tile for wgmma. Out: text and
 * launch. */
#include "emit/cuda/attention.h"

#include <stdlib.h>
#include <string.h>

enum {
    EACH = 8,        /* elements of a chunk */
    PANEL = 64,      /* elements of a row in shared memory */
    GROUP_ROWS = 64, /* queries of a warpgroup */
    CHUNK_BYTES = 16 /* of a copy without TMA */
};

typedef AttentionTiles Wgmma;

static const char *number(const Wgmma *m, int64_t n) { return cuda_number(m->k->arena, n); }
static Dim extent(const Wgmma *m, int axis) { return m->c->w.b->indices->extent[axis]; }
static const char *dim(const Wgmma *m, int axis) { return cuda_dim(m->c, extent(m, axis)); }
static int panels(int steps) { return (16 * steps + PANEL - 1) / PANEL; }

/* ---- operands -------------------------------------------------------------------------------- */

static TensorForm form_of(const Wgmma *m, const AttentionBox *o) {
    TensorForm form;
    if (!tensor_form(m->c->w.b, o->value, o->own, o->along, &form))
        BUG("attention: operand %d of %s is no tensor for TMA", o->value, m->k->k->name);
    return form;
}

static const IxNode *index_of(const Wgmma *m, const AttentionBox *o) {
    const Body *b = m->c->w.b;
    return &b->indices->node.at[b->values.at[o->value].ix];
}

static const char *bytes_text(const Wgmma *m, const AttentionBox *o, Dim elements) {
    Dims *d = m->c->w.b->indices->dims;
    const size_t size = dtype_size(m->c->w.b->values.at[o->value].type);
    return names_size(m->k->names, dim_mul(d, dim_const(d, (int64_t)size), elements));
}

static const char *add_map(Wgmma *m, const AttentionBox *o, const TensorForm *form) {
    const Body *b = m->c->w.b;
    const Value *v = &b->values.at[o->value];
    const Names *names = m->k->names;
    Dims *d = b->indices->dims;
    const IxTerm *plane = form->plane < 0 ? NULL : &index_of(m, o)->term[form->plane];
    Dim row = dim_const(d, EACH), one = dim_const(d, 1);
    if (form->run)
        row = index_of(m, o)->term[form->row].scale;
    else
        index_along(b, v->ix, o->own, &row);
    const char *name =
        fresh(&m->c->w, arena_printf(m->k->arena, "%s_map", value_stem(&m->c->w, o->value)));
    const ProgramMap map = {
        .name = name,
        .buffer = m->c->w.k->buffers.at[v->attr].name,
        .type = v->type,
        .offset = names_size(names, index_of(m, o)->offset),
        .extent = {names_size(names, form->within ? row : extent(m, o->along)),
                   names_size(names, form->run ? form->run : extent(m, o->own)),
                   plane ? names_size(names, dim_add(d, ix_atom_hi(b->indices, plane->atom), one))
                         : "1"},
        .step = {bytes_text(m, o, row), bytes_text(m, o, plane ? plane->scale : row)},
        .box = {PANEL, form->run ? TENSOR_RUN : o->rows}};
    vec_push(m->k->arena, &m->k->maps, map);
    return name;
}

/* As an int, which coordinates of TMA are. */
static const char *as_int(const Wgmma *m, const char *text) {
    const bool bare = !strchr(text, ' ');
    if (m->c->is_32bit) return text;
    return arena_printf(m->k->arena, bare ? "(int)%s" : "(int)(%s)", text);
}

/* Where the batch's part of a row begins: "at_batch % H * D"; empty: it has whole rows. */
static const char *part_text(Wgmma *m, const AttentionBox *o, const TensorForm *form) {
    const IxNode *n = index_of(m, o);
    Text out = text_new(m->k->arena);
    for (int i = 0; i < n->count; i++)
        if (form->within >> i & 1)
            text_printf(&out, "%s%s * %s", out.size ? " + " : "",
                        atom_text(&m->c->w, n->term[i].atom), cuda_dim(m->c, n->term[i].scale));
    return out.size ? as_int(m, text_get(&out)) : "";
}

/* "tma_load(k_slot, &k_map, arrival, 0, n_start, at_batch);" of each panel; from `to` on. */
static const char *boxes(Wgmma *m, const AttentionBox *o, const TensorForm *form, const char *to,
                         const char *row) {
    const char *map = add_map(m, o, form), *part = part_text(m, o, form), *plane = "0";
    Text out = text_new(m->k->arena);
    if (form->plane >= 0)
        plane = as_int(m, atom_text(&m->c->w, index_of(m, o)->term[form->plane].atom));
    for (int i = 0; i < o->panels; i++) {
        const char *column = number(m, i * PANEL);
        if (*part) column = i ? arena_printf(m->k->arena, "%s + %s", column, part) : part;
        text_printf(&out, "tma_load(%s, &%s, %s, %s, %s, %s);\n",
                    cuda_behind(m->k->arena, to, i * o->rows * 128), map, o->barrier, column,
                    as_int(m, row), plane);
    }
    return text_get(&out);
}

/* Rows in runs come TENSOR_RUN at a time, so that a box has rows of one run. */
const char *attention_copies(Wgmma *m, const AttentionBox *o) {
    const TensorForm form = form_of(m, o);
    Text out = text_new(m->k->arena);
    if (!form.run) return boxes(m, o, &form, o->slot, o->start);
    const char **name = &m->c->w.axis_name[o->own], *own = *name;
    *name = "at_row";
    const char *row = atom_text(&m->c->w, index_of(m, o)->term[form.row].atom);
    const char *to = arena_printf(m->k->arena, "%s + 128 * row", o->slot);
    text_printf(&out,
                "#pragma unroll 1\nfor (int row = 0; row < %d; row += %d) {\n"
                "    const %s at_row = %s + row;\n",
                o->rows, TENSOR_RUN, m->c->index, o->start);
    text_indented(&out, boxes(m, o, &form, to, row), 4);
    text_str(&out, "}\n");
    *name = own;
    return text_get(&out);
}

/* The same without TMA. */
const char *attention_elements(Wgmma *m, const AttentionBox *o) {
    CudaWriter *c = m->c;
    const Value *v = &c->w.b->values.at[o->value];
    writer_piece(&c->w, PIECE_OPERAND, o->value, o->along);
    cuda_add_row_alignments(c, o->value, CHUNK_BYTES, &m->alignments);
    const PanelCopy copy = {.name = value_stem(&c->w, o->value),
                            .slot = o->slot,
                            .rows = o->rows,
                            .panels = o->panels,
                            .each = EACH,
                            .row = {c->w.axis_name[o->own], o->start, dim(m, o->own)},
                            .column = {c->w.axis_name[o->along], NULL, dim(m, o->along)},
                            .copy = "copy_chunk",
                            .from = address_text(&c->w, v->attr, v->ix)};
    return cuda_panels(c, &copy);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static void put_instructions(const Wgmma *m, const char *scores, const char *values) {
    const AttentionForm *f = m->form;
    const WgmmaText both[] = {{.name = scores,
                               .comment = "a, b: see wgmma_descriptor",
                               .columns = m->c->tile.n,
                               .type = f->scores,
                               .steps = f->depth_steps,
                               .a_rows = GROUP_ROWS,
                               .b_rows = m->c->tile.n,
                               .sets = true},
                              {.name = values,
                               .comment = "a in registers",
                               .columns = 16 * f->column_steps,
                               .type = f->values,
                               .steps = m->c->tile.n / 16,
                               .in_registers = true,
                               .b_across = true}};
    for (int i = 0; i < 2; i++) cuda_wgmma_text(&both[i], m->k->instructions);
}

/* Of deep heads whose scores are functions of the products, descriptors of all steps are too many
 * to keep. */
static bool renews_descriptors(const Wgmma *m) {
    enum { DEEP = 12 }; /* steps of 16 */
    return m->changes_scores && m->form->depth_steps > DEEP;
}

static bool is_one(const Wgmma *m) {
    return dim_is(m->c->w.b->indices->dims, extent(m, ATTENTION_BATCH), 1);
}

static const char *sizes(const Wgmma *m) {
    const AttentionForm *f = m->form;
    const Tile *t = &m->c->tile;
    return arena_printf(m->k->arena,
                        "constexpr int consumers = %d, tile_m = %d, tile_n = %d;\n"
                        "constexpr int query_stages = %d, stages = %d;\n"
                        "[[maybe_unused]] constexpr int columns = %d;\n"
                        "[[maybe_unused]] constexpr int key_bytes = %d; /* and of its values */\n"
                        "constexpr int q_bytes = %d * 64 * 128; /* panels of a warpgroup */\n"
                        "constexpr int k_bytes = %d * tile_n * 128, v_bytes = %d * tile_n * 128;\n",
                        t->warpgroups, t->m, t->n, tile_attention_wgmma_query_stages(f, t),
                        t->stages, 16 * f->column_steps, 32 * (f->depth_steps + f->column_steps),
                        panels(f->depth_steps), panels(f->depth_steps), panels(f->column_steps));
}

/* Where a size is open, so is whether a head has so few tiles that heads are computed one after the
 * other: see attention_order.c. */
static const char *is_short(const Wgmma *m) {
    const Dims *d = m->c->w.b->indices->dims;
    int64_t size;
    if (dim_is_const(d, extent(m, ATTENTION_BATCH), &size) &&
        dim_is_const(d, extent(m, ATTENTION_QUERY), &size))
        return "";
    return arena_printf(m->k->arena, " && %d * grid_m > %d", ATTENTION_HEADS,
                        m->k->gpu->processors);
}

/* Long rows first, from as many batches as have keys and values that fit in L2. */
static const char *tile_at(const Wgmma *m) {
    Arena *arena = m->k->arena;
    const char *batches = dim(m, ATTENTION_BATCH);
    if (is_one(m))
        return arena_printf(arena, "return {%s, 0};\n", attention_row_at(m->c, "number"));
    if (!m->c->tile.l2)
        return arena_printf(arena,
                            "const int place = number %% grid_m;\n"
                            "return {%s, number / grid_m};\n",
                            attention_row_at(m->c, "place"));
    return arena_printf(arena,
                        "const int fitting = (int)((%d << 20) / key_bytes / (%s + 1)); /* L2 */\n"
                        "const int together = fitting > 1%s ? fitting : 1;\n"
                        "const int first = number / (together * grid_m) * together;\n"
                        "const int count = %s - first < together ? (int)%s - first : together;\n"
                        "const int within = number - first * grid_m, place = within / count;\n"
                        "return {%s, first + within %% count};\n",
                        m->c->tile.l2, dim(m, ATTENTION_KEY), is_short(m), batches, batches,
                        attention_row_at(m->c, "place"));
}

/* Tiles: if the kernel is not persistent, each block that ends makes place for the next. */
static const char *grid_text(const Wgmma *m) {
    return cuda_times(m->k->arena, cuda_size(m->k, extent(m, ATTENTION_BATCH)),
                      cuda_blocks(m->k->names, extent(m, ATTENTION_QUERY), m->c->tile.m));
}

static void add_shared(Wgmma *m) {
    enum { PANEL_ROW = 128, BARRIER_BYTES = 8 };
    const AttentionForm *f = m->form;
    const Tile *t = &m->c->tile;
    const int queries = tile_attention_wgmma_query_stages(f, t);
    const int depth = PANEL_ROW * panels(f->depth_steps);
    const int columns = PANEL_ROW * panels(f->column_steps);
    cuda_shared(m->k, queries, GROUP_ROWS * depth, "stages of queries");
    cuda_shared(m->k, t->stages, t->n * depth, "of keys");
    cuda_shared(m->k, t->stages, t->n * columns, "of values");
    const int barriers = tile_attention_wgmma_shared(f, t) - atoi(m->k->shared);
    cuda_shared(m->k, barriers / BARRIER_BYTES, BARRIER_BYTES, "mbarriers");
}

static void set_launch(Wgmma *m) {
    CudaKernel *k = m->k;
    const Tile *t = &m->c->tile;
    k->threads = t->threads;
    k->blocks = t->blocks;
    k->block_x = number(m, t->threads);
    add_shared(m);
    k->grid = grid_text(m), k->persistent = t->persistent && !m->is_skipped_by_data;
    k->how =
        arena_printf(k->arena,
                     "Tensor cores (wgmma), %s products; %d threads of about %d registers for each "
                     "%d queries, %d keys in each of %d stages",
                     dtype_name(m->form->scores), t->threads,
                     tile_attention_wgmma_registers(t).launched, t->m, t->n, t->stages);
}

typedef struct Operands {
    AttentionBox q, k, v;
} Operands;

static Operands operands_of(const Wgmma *m) {
    const Body *b = m->c->w.b;
    const AttentionForm *f = m->form;
    const Tile *t = &m->c->tile;
    const Accumulator *scores = &b->accs.at[f->attention.scores],
                      *out = &b->accs.at[f->attention.out];
    const int depth = panels(f->depth_steps), columns = panels(f->column_steps);
    return (Operands){.q = {scores->value, ATTENTION_QUERY, ATTENTION_DEPTH, GROUP_ROWS, depth,
                            "m_start", "q_slot", "arrival"},
                      .k = {scores->index, ATTENTION_KEY, ATTENTION_DEPTH, t->n, depth, "n_start",
                            "k_slot", "arrival"},
                      .v = {out->index, ATTENTION_KEY, ATTENTION_COLUMN, t->n, columns, "n_start",
                            "v_slot", "arrival"}};
}

static void add_fetches(Wgmma *m, const Operands *o, Fills *fills) {
    const Fill own[] = {{"FETCH_QUERIES", attention_elements(m, &o->q)},
                        {"FETCH_KEYS", attention_elements(m, &o->k)},
                        {"FETCH_VALUES", attention_elements(m, &o->v)}};
    FILLS_ADD(m->k->arena, fills, own);
}

static void add_copies(Wgmma *m, const Operands *o, Fills *fills) {
    const Fill own[] = {{"COPY_QUERIES", attention_copies(m, &o->q)},
                        {"COPY_KEYS", attention_copies(m, &o->k)},
                        {"COPY_VALUES", attention_copies(m, &o->v)}};
    FILLS_ADD(m->k->arena, fills, own);
}

/* The instructions for its tiles, the tile of a block, and setmaxnreg of its warpgroups. */
static void add_tiles(const Wgmma *m, Fills *fills) {
    Arena *arena = m->k->arena;
    const WarpgroupRegisters registers = tile_attention_wgmma_registers(&m->c->tile);
    const int stages = tile_attention_wgmma_query_stages(m->form, &m->c->tile);
    const char *by_keys = arena_printf(arena, "%s_scores", m->k->k->name);
    const char *by_values = arena_printf(arena, "%s_values", m->k->k->name);
    put_instructions(m, by_keys, by_values);
    const Fill own[] = {
        {"MULTIPLY_SCORES", by_keys},
        {"MULTIPLY_VALUES", by_values},
        {"SIZES", sizes(m)},
        {"Q_ROWS", renews_descriptors(m) ? "renewed(q_rows)" : "q_rows"},
        {"WARP", renews_descriptors(m) ? "" : "warp_uniform"},
        {"TILE_AT", tile_at(m)},
        {"ALL_TILES",
         is_one(m) ? "grid_m"
                   : arena_printf(arena, "%s%s * grid_m", m->c->to_int, dim(m, ATTENTION_BATCH))},
        {"PRODUCER_REGISTERS", number(m, registers.producer)},
        {"CONSUMER_REGISTERS", number(m, registers.consumer)},
        {"AHEAD", stages > m->c->tile.warpgroups ? "1" : ""},
        {"PING_PONG", m->c->tile.warpgroups > 1 && m->form->column_steps <= 12 ? "1" : ""},
    };
    FILLS_ADD(arena, fills, own);
}

void cuda_attention_wgmma(CudaKernel *k, CudaWriter *c, const AttentionForm *form) {
    static const AttentionNames names = {
        .score = "score[4 * j + part]",
        .query = "m_start + m_warp + 8 * (part / 2) + own_row",
        .key = "n_start + 8 * j + pair + part % 2",
        .weight_query = "m_start + m_warp + 8 * half + own_row",
        .weight_key = "n_start + 8 * j + pair + part",
        .out = "out[4 * piece + 2 * half + part + l]",
        .quad_out = "out[16 * piece + 2 * half + (part + l) / 2 * 4 + (part + l) % 2]",
        .sum = "row_sum[half]",
        .max = "row_max[half]",
        .scales_late = true,
        .skips_apart = true,
    };
    Wgmma m = {.k = k, .c = c, .form = form};
    c->tests_wide = true;
    const Operands operands = operands_of(&m);
    Fills fills = {0};
    add_fetches(&m, &operands, &fills);
    attention_add_pairs(&m, &names, &fills);
    attention_fills(&m, &names, &fills);
    add_tiles(&m, &fills);
    add_copies(&m, &operands, &fills);
    set_launch(&m);
    cuda_function_tested(k, c, "cuda/attention_wgmma.cu", &m.alignments, fills.at, fills.count);
}
