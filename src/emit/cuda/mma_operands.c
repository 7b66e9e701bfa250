/* mma_operands.c: how each operand of mma.cu, and a computed one of wgmma.cu, reaches shared
 * memory: copied, computed as it is loaded, or computed from copies of what it loads. In: a
 * contraction on tensor cores. Out: what its stages are filled with. */
#include "emit/cuda/mma.h"

enum { CHUNK = 16 }; /* bytes that are copied at a time */

static const char *number(const Mma *m, int64_t n) { return cuda_number(m->k->arena, n); }
static int element_size(const Mma *m) { return (int)dtype_size(m->form->product->type); }

/* The end of the operands along an axis. */
static Dim end_of(const Mma *m, int axis) {
    return axis == DOT_N ? m->form->n_end : m->c->w.b->indices->extent[axis];
}

/* Does it coincide with the end of a tile? */
static bool is_whole(const Mma *m, int axis, int64_t tile) {
    Dims *d = m->c->w.b->indices->dims;
    return dim_divides(d, dim_const(d, tile), end_of(m, axis));
}

/* Elements that a thread computes at a time. */
static int each_of(const Mma *m, const MmaOperand *o) {
    return o->raw->count ? o->raw->elements : CHUNK / element_size(m);
}

/* The text of a computed element of the tile, and a pack that is copied instead: producers for
 * wgmma, which do not wait for copies, compute it. */
static const char *computed_text(Mma *m, const MmaOperand *o, CudaPart *part) {
    CudaWriter *c = m->c;
    const Piece *piece =
        cuda_choose_pack(c, PIECE_OPERAND, o->value, o->summed, each_of(m, o), &m->alignments);
    *part = cuda_part(c, piece->roots[0], m->form->product->type);
    if (m->t.kind != TILE_MMA && m->t.kind != TILE_MMA_ROWS) part->from = NULL;
    return cuda_operand_pack(c, piece->roots[0], m->form->product->type);
}

/* Declares and returns "x_first_0": the first chunk of a copied operand for a thread, in the first
 * stage. */
static const char *first_chunk(Mma *m, const MmaOperand *o, const char *row, const char *chunk) {
    CudaWriter *c = m->c;
    const Value *v = &c->w.b->values.at[o->value];
    const int across = o->feed == OPERAND_K_MAJOR ? o->own : o->summed, along = c->w.s->lane;
    const char *const own = c->w.axis_name[o->own], *const k = c->w.axis_name[o->summed];
    const char *name =
        fresh(&c->w, arena_printf(m->k->arena, "%s_first", value_stem(&c->w, o->value)));
    c->w.axis_name[across] = row;
    c->w.axis_name[along] = arena_printf(m->k->arena, "%s * %d", chunk, CHUNK / element_size(m));
    c->w.axis_name[o->own] =
        arena_printf(m->k->arena, "(%s + %s)", o->start, c->w.axis_name[o->own]);
    text_printf(&m->pointers, "const %s *const %s =\n    %s;\n", cuda_storage(v->type), name,
                address_text(&c->w, v->attr, v->ix));
    c->w.axis_name[o->own] = own;
    c->w.axis_name[o->summed] = k;
    return name;
}

/* The source of a thread's chunks: the address, statements before the loop over chunks, and the
 * advance to the next. */
typedef struct CopySource {
    const char *at, *start, *next;
    uint32_t axes; /* whose positions the address is written with */
} CopySource;

static CopySource copied_from(Mma *m, const MmaOperand *o) {
    CudaWriter *c = m->c;
    Arena *arena = m->k->arena;
    const Value *v = &c->w.b->values.at[o->value];
    const bool along = o->feed == OPERAND_K_MAJOR;
    Dim across = 0;
    writer_piece(&c->w, PIECE_OPERAND, o->value, along ? o->summed : o->own);
    cuda_add_row_alignments(c, o->value, CHUNK, &m->alignments);
    if (index_along(c->w.b, v->ix, along ? o->own : o->summed, &across) != 1) {
        const char *address = address_text(&c->w, v->attr, v->ix);
        return (CopySource){address, "", "", axes_taken(&c->w)};
    }
    const int chunks = (along ? m->t.k : o->rows) * element_size(m) / CHUNK;
    const char *row = arena_printf(arena, "(int)(thread / %d)", chunks);
    const char *chunk = arena_printf(arena, "(int)(thread %% %d)", chunks);
    const char *first = first_chunk(m, o, row, chunk), *step = cuda_dim(c, across);
    const char *at = fresh(&c->w, arena_printf(arena, "%s_from", value_stem(&c->w, o->value)));
    const char *k = along ? "k_start" : arena_printf(arena, "k_start * %s", step);
    const char *start =
        arena_printf(arena, "const %s *%s = %s + %s;\n", cuda_storage(v->type), at, first, k);
    return (CopySource){
        at, start, arena_printf(arena, "%s += %d * %s;\n", at, m->t.threads / chunks, step), 0};
}

/* The rest of an axis, from the start of the tile. */
const char *mma_left_of(const Mma *m, int axis) {
    if (axis == DOT_M) return is_whole(m, axis, m->t.m) ? NULL : "m_left";
    if (axis == DOT_N) return is_whole(m, axis, m->t.n) ? NULL : "n_left";
    return is_whole(m, axis, m->t.k) ? NULL : "k_left";
}

const char *mma_left_text(const Mma *m, int axis, const char *start, const char *tile) {
    const char *name = mma_left_of(m, axis), *n = cuda_dim(m->c, end_of(m, axis));
    if (!name) return "";
    return arena_printf(m->k->arena, "const int %s = (int)(%s - %s < %s ? %s - %s : %s);\n", name,
                        n, start, tile, n, start, tile);
}

/* Elements of a chunk that are in bounds: the rest along its axis, 0 beyond the end of the other
 * axis. */
static const char *inside_text(const Mma *m, const MmaOperand *o) {
    const bool is_along = o->feed == OPERAND_K_MAJOR;
    const char *along = mma_left_of(m, is_along ? o->summed : o->own);
    const char *across = mma_left_of(m, is_along ? o->own : o->summed);
    const char *inside = number(m, CHUNK / element_size(m));
    if (along) inside = arena_printf(m->k->arena, "%s - chunk * %s", along, inside);
    return across ? arena_printf(m->k->arena, "row < %s ? %s : 0", across, inside) : inside;
}

/* Is any of them? */
static const char *chunk_condition(const Mma *m, const MmaOperand *o) {
    const bool is_along = o->feed == OPERAND_K_MAJOR;
    const char *along = mma_left_of(m, is_along ? o->summed : o->own);
    const char *across = mma_left_of(m, is_along ? o->own : o->summed);
    Text out = text_new(m->k->arena);
    if (across) text_printf(&out, "row < %s", across);
    if (along)
        text_printf(&out, "%schunk * %d < %s", across ? " && " : "", CHUNK / element_size(m),
                    along);
    return out.size ? text_get(&out) : "true";
}

/* May rows of a copied operand end within a chunk? */
static bool ends_anywhere(const Mma *m, const MmaOperand *o) {
    Dims *d = m->c->w.b->indices->dims;
    const int each = CHUNK / element_size(m);
    const Dim end = end_of(m, o->feed == OPERAND_K_MAJOR ? o->summed : o->own);
    bool tested = dim_divides(d, dim_const(d, each), end);
    for (int i = 0; i < m->alignments.count && !tested; i++)
        tested = m->alignments.at[i].size == end && m->alignments.at[i].by % each == 0;
    return !tested;
}

/* The same for a computed element, or for the first of a chunk. */
static const char *condition_text(const Mma *m, const MmaOperand *o, const char *part) {
    const char *own = mma_left_of(m, o->own), *k = mma_left_of(m, o->summed);
    const char *each = number(m, each_of(m, o));
    Text out = text_new(m->k->arena);
    if (own) text_printf(&out, "row < %s", own);
    if (k) text_printf(&out, "%schunk * %s%s < %s", own ? " && " : "", each, part, k);
    return text_get(&out);
}

/* Threads advance along `inner` positions first; the position of item i after that. */
static const char *strided_text(const Mma *m, int inner) {
    if (m->t.threads % inner) BUG("mma: rows of %d positions", inner);
    return arena_printf(m->k->arena, "(int)(thread / %d) + %d * item", inner, m->t.threads / inner);
}

/* "const int at_m = m_start + row;" of an axis among these. */
static const char *position_text(const Mma *m, uint32_t axes, int axis, const char *start,
                                 const char *beyond) {
    if (!(axes >> axis & 1)) return "";
    return arena_printf(m->k->arena, "const %s %s = %s + %s;\n", m->c->index,
                        m->c->w.axis_name[axis], start, beyond);
}

/* A position within the tile, or 0 where it is beyond the end of the axis. */
static const char *clamped_text(const Mma *m, int axis, const char *at) {
    const char *left = mma_left_of(m, axis);
    return left ? arena_printf(m->k->arena, "(%s < %s ? %s : 0)", at, left, at) : at;
}

/* Where elements that are computed at such positions have to be zero: beyond the end of k, and of
 * columns if results have more of these, or are reduced along them. */
static const char *zero_text(const Mma *m, const MmaOperand *o) {
    const DotForm *f = m->form;
    const bool has_columns = f->columns || f->n_end != m->c->w.b->indices->extent[DOT_N];
    const bool is_own = o->own == DOT_N && has_columns;
    const char *own = is_own ? mma_left_of(m, o->own) : NULL, *k = mma_left_of(m, o->summed);
    Text out = text_new(m->k->arena);
    if (own) text_printf(&out, "row >= %s", own);
    if (k) text_printf(&out, "%schunk * %d >= %s", own ? " || " : "", each_of(m, o), k);
    return text_get(&out);
}

/* Do neighbouring threads take neighbouring rows of the tile that are contiguous in memory? */
static bool is_by_rows(const Mma *m, const MmaOperand *o, int rows) {
    const Body *b = m->c->w.b;
    return o->feed == OPERAND_COMPUTED && m->t.threads % rows == 0 &&
           value_contiguous(b, o->value, o->own) > value_contiguous(b, o->value, o->summed);
}

/* What a thread does with each of its chunks of an operand. */
typedef struct Chunks {
    CopySource from;      /* of a copied operand */
    const char *elements; /* of a computed one */
    CudaPart part;
    bool has_packs; /* it loads some */
    bool is_share;  /* a step takes `parts`-th of them */
    uint32_t axes;
} Chunks;

static bool loads_packs(const CudaWriter *c) {
    for (int i = 1; i < c->w.b->values.count; i++)
        if (c->w.s->value[i].used && cuda_is_packed(c, &c->w.b->values.at[i])) return true;
    return false;
}

static Chunks chunks_of(Mma *m, const MmaOperand *o) {
    Chunks made = {.is_share = m->in_parts && o->raw->count > 0};
    if (o->feed == OPERAND_COMPUTED) {
        made.elements = computed_text(m, o, &made.part);
        made.has_packs = m->c->raw || loads_packs(m->c);
        made.axes = axes_taken(&m->c->w);
    } else {
        made.from = copied_from(m, o);
        made.has_packs = true;
        made.axes = made.from.axes;
    }
    return made;
}

/* Which chunks of an operand's tile a thread has, items of them. */
typedef struct Share {
    int row_elements, items;
    Fills fills;
} Share;

static Share share_of(const Mma *m, const MmaOperand *o) {
    Arena *arena = m->k->arena;
    const bool across = o->feed == OPERAND_MN_MAJOR;
    const int row_elements = across ? o->rows : m->t.k, rows = across ? m->t.k : o->rows;
    const int chunks = row_elements / each_of(m, o);
    const bool by_rows = is_by_rows(m, o, rows);
    Share share = {row_elements, (rows * chunks + m->t.threads - 1) / m->t.threads, {0}};
    const Fill fills[] = {{"ITEMS", number(m, share.items)},
                          {by_rows ? "CHUNK" : "ROW", strided_text(m, by_rows ? rows : chunks)},
                          {by_rows ? "ROW" : "CHUNK",
                           arena_printf(arena, "(int)(thread %% %d)", by_rows ? rows : chunks)},
                          {"WHICH", by_rows ? "chunk" : "row"},
                          {"MOST", number(m, by_rows ? chunks : rows)},
                          {"IF_PARTIAL", rows * chunks % m->t.threads ? "1" : ""}};
    FILLS_ADD(arena, &share.fills, fills);
    return share;
}

/* "row < m_left && (at_m % 56 >= 1)": when a pack is copied; else it is 0. */
static const char *part_condition(const Mma *m, const CudaPart *part, const char *condition) {
    if (!*part->inside) return *condition ? condition : "true";
    if (!*condition) return part->inside;
    return arena_printf(m->k->arena, "%s && (%s)", condition, part->inside);
}

/* `wide`: in packs. */
static void put_chunks(const Mma *m, const MmaOperand *o, const Chunks *made, bool wide,
                       Text *out) {
    const bool in_packs = wide && made->has_packs, parts = wide && made->part.from;
    Arena *arena = m->k->arena;
    const bool across = o->feed == OPERAND_MN_MAJOR, computed = o->feed == OPERAND_COMPUTED;
    const int each = each_of(m, o), whole = CHUNK / element_size(m);
    const char *chunk = arena_printf(arena, "chunk * %d%s", each, computed ? " + part" : "");
    const char *condition = condition_text(m, o, " + part");
    Share share = share_of(m, o);
    const bool is_read = o->raw->count && !m->in_parts, ends = !computed && ends_anywhere(m, o);
    /* Without a branch loads of several chunks are under way. */
    const bool is_clamped = computed && !parts && in_packs && m->c->vector == each && *condition;
    const char *own_at = across ? chunk : "row", *k_at = across ? "row" : chunk;
    const char *zero = is_clamped ? zero_text(m, o) : "";
    if (is_clamped) {
        condition = "", chunk = arena_printf(arena, "chunk * %d", each);
        own_at = clamped_text(m, o->own, "row"), k_at = clamped_text(m, o->summed, chunk);
    }
    const Fill fills[] = {{"TYPE", cuda_storage(m->form->product->type)},
                          {"SLOT", o->slot},
                          {"FIRST", made->is_share ? "part_of_tile" : "0"},
                          {"NEXT_ITEM", made->is_share ? "item += parts" : "item++"},
                          {"ROW_BYTES", number(m, (int64_t)share.row_elements * element_size(m))},
                          {"EACH", number(m, each)},
                          {"WHOLE", number(m, whole)},
                          {"IF_ONE", each == whole ? "1" : ""},
                          {"IF_SEVERAL", each == whole ? "" : "1"},
                          {"INSIDE", parts ? part_condition(m, &made->part, condition) : condition},
                          {"CHUNK_FROM", made->from.at},
                          {"CHUNK_INSIDE", chunk_condition(m, o)},
                          {"COUNT", inside_text(m, o)},
                          {"START", computed ? "" : made->from.start},
                          {"NEXT", computed ? "" : made->from.next},
                          {"ELEMENTS", made->elements},
                          {"FROM", made->part.from},
                          {"IF_PARTS", parts ? "1" : ""},
                          {"AT_OWN", position_text(m, made->axes, o->own, o->start, own_at)},
                          {"AT_K", position_text(m, made->axes, o->summed, "k_start", k_at)},
                          {"IF_ZERO", zero},
                          {"ZERO", zero},
                          {"VECTOR", number(m, in_packs ? m->c->vector : 1)},
                          {"UNROLL", number(m, !wide      ? 1
                                               : is_read  ? share.items
                                               : computed ? m->t.operand_unroll
                                                          : share.items)},
                          {"IF_EDGE", condition},
                          {"IF_WHOLE", *condition ? "" : "1"},
                          {"IF_ASYNC", wide && !computed && !ends ? "1" : ""},
                          {"IF_ENDS", wide && !computed && ends ? "1" : ""},
                          {"IF_COPIED", wide || computed ? "" : "1"},
                          {"IF_COMPUTED", computed && !parts ? "1" : ""}};
    FILLS_ADD(arena, &share.fills, fills);
    template_fill("cuda/mma_operand.cu", share.fills.at, share.fills.count, out);
}

/* ---- what operands are computed from, as it is in memory ------------------------------------- */

static void put_raw_copies(Mma *m, const MmaOperand *o, Text *out) {
    Arena *arena = m->k->arena;
    const char *copies = cuda_raw_copies(m->c, o->raw, NULL), *inside = condition_text(m, o, "");
    const uint32_t axes = axes_taken(&m->c->w);
    const char *chunk = arena_printf(arena, "chunk * %d", each_of(m, o));
    Share share = share_of(m, o);
    const Fill fills[] = {{"INSIDE", *inside ? inside : "true"},
                          {"AT_OWN", position_text(m, axes, o->own, o->start, "row")},
                          {"AT_K", position_text(m, axes, o->summed, "k_start", chunk)},
                          {"COPIES", copies}};
    FILLS_ADD(arena, &share.fills, fills);
    template_fill("cuda/mma_raw.cu", share.fills.at, share.fills.count, out);
}

/* Of tensors of 16-byte accesses, cp.async brings what the operand is computed from, and each
 * thread computes from its own copies when they have arrived; of others it is loaded then. */
static void put_raw(Mma *m, const MmaOperand *o, MmaFetches *out) {
    CudaWriter *c = m->c;
    Arena *arena = m->k->arena;
    Text from_copies = text_new(arena), from_memory = text_new(arena);
    const int places = o->rows * m->t.k / o->raw->elements;
    cuda_raw_names(c, o->raw, places, &m->stage_bytes, &m->raw_sizes);
    if (!m->in_parts) text_str(&from_copies, cuda_raw_reads(c, o->raw, places));
    c->raw = o->raw;
    const Chunks wide = chunks_of(m, o);
    put_chunks(m, o, &wide, true, &from_copies);
    put_raw_copies(m, o, m->in_parts ? &out->wide : &m->copies);
    c->raw = NULL;
    const Chunks single = chunks_of(m, o);
    put_chunks(m, o, &single, false, &from_memory);
    const Choice choices[] = {{"", "wide", text_get(&from_copies)},
                              {"", "", text_get(&from_memory)}};
    text_str(&m->converted, choice_text(arena, choices, 2));
}

/* ---- all operands ---------------------------------------------------------------------------- */

void mma_put_operand(Mma *m, const MmaOperand *o, MmaFetches *out) {
    if (o->raw->count) {
        put_raw(m, o, out);
        return;
    }
    const Chunks made = chunks_of(m, o);
    if (!made.has_packs) {
        put_chunks(m, o, &made, true, &out->all);
        return;
    }
    put_chunks(m, o, &made, true, &out->wide);
    put_chunks(m, o, &made, false, &out->single);
}

/* "slot + a_bytes + 2 * b_bytes": a tile behind others of `ready` or of a stage. */
static const char *behind(Arena *arena, const char *memory, bool left, int right) {
    Text out = text_new(arena);
    text_str(&out, memory);
    if (left) text_str(&out, " + a_bytes");
    if (right == 1) text_str(&out, " + b_bytes");
    if (right > 1) text_printf(&out, " + %d * b_bytes", right);
    return text_get(&out);
}

/* Where a right operand of the tile is. */
const char *mma_right_slot(const Mma *m, int i) {
    const DotForm *f = m->form;
    const bool left_raw = f->raw_left.count, raw = f->raw_right[i].count;
    int before = 0;
    for (int j = 0; j < i; j++) before += (f->raw_right[j].count > 0) == raw;
    return behind(m->k->arena, raw ? "ready" : "slot", left_raw == raw, before);
}

/* Tiles of the left operand and of the right ones, of product i of the sums. */
static void put_operands(Mma *m, int i, MmaFetches *out) {
    const Body *b = m->c->w.b;
    const Summand s = body_summand(b, i);
    const DotForm *f = m->form;
    MmaOperand left = {.value = s.left,
                       .own = DOT_M,
                       .summed = s.axis,
                       .rows = m->t.m,
                       .feed = i ? f->added[i - 1].left : f->left,
                       .start = "m_start",
                       .slot = f->raw_left.count ? "ready" : "slot",
                       .raw = &f->raw_left};
    mma_put_operand(m, &left, out);
    for (int j = 0; j < f->count; j++) {
        MmaOperand right = {.value = s.right[j],
                            .own = DOT_N,
                            .summed = s.axis,
                            .rows = m->t.n,
                            .feed = i ? f->added[i - 1].right[j] : f->right[j],
                            .start = "n_start",
                            .slot = mma_right_slot(m, j),
                            .raw = &f->raw_right[j]};
        mma_put_operand(m, &right, out);
    }
}

/* The fetch text of product i of a sum: stages of the first product come first. */
static void put_summand(Mma *m, int i, Text *out) {
    const Summand s = body_summand(m->c->w.b, i);
    Arena *arena = m->k->arena;
    MmaFetches fetches = {text_new(arena), text_new(arena), text_new(arena)};
    text_str(out, cuda_k_start(m->c, i));
    text_str(out, mma_left_text(m, s.axis, "k_start", "tile_k"));
    put_operands(m, i, &fetches);
    const Choice choices[] = {{"", "wide", text_get(&fetches.wide)},
                              {"", "", text_get(&fetches.single)}};
    text_str(out, text_get(&fetches.all));
    if (fetches.wide.size) text_str(out, choice_text(arena, choices, 2));
}

const char *mma_fetch_text(Mma *m) {
    const char *texts[TERMS_MAX];
    for (int i = 0; i < body_summand_count(m->c->w.b); i++) {
        Text fetch = text_new(m->k->arena);
        put_summand(m, i, &fetch);
        texts[i] = text_get(&fetch);
    }
    return cuda_of_summand(m->c, texts);
}
