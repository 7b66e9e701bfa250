/* cuda_attention.c: attentions as CUDA: operands evaluated while they are copied to shared memory,
 * scores and weights in registers, by templates/cuda/attention.cu. In: Kernel of family
 * F_ATTENTION. Out: text and launch. */
#include "emit/cuda.h"

#include <string.h>

enum { TILE = 64, THREADS = 256, MOST_CHUNKS = 4 };

/* Statements, and the expression that they lead to. */
typedef struct Piece {
    const char *lines, *value;
} Piece;

static int result_of(const Writer *w, int acc) { return w->b->accs.at[acc].result; }

/* Starts a piece: lines go to `text`, all names are forgotten. */
static void start(CudaWriter *c, const int *roots, int count, Text *text) {
    Writer *w = &c->w;
    *text = text_new(w->arena);
    w->out = text;
    w->level = 2;
    w->stage = 0;
    w->indent = 0;
    memset(w->name, 0, sizeof *w->name * (size_t)w->b->values.count);
    body_focus(w->b, roots, count);
    count_uses(w);
}

static Piece finish_piece(CudaWriter *c, int value, const Text *text) {
    declare_value(&c->w, value);
    const char *x = value_text(&c->w, value);
    return (Piece){text_get(text), x};
}

/* ---- operands ------------------------------------------------------------------------------- */

typedef struct Operand {
    int value, own, k; /* value and axes */
    const char *tile, *own_start;
    int width;
} Operand;

/* "const int at_m = m_start + own < M ? m_start + own : M - 1;" where `text` mentions the position.
 */
static void clamp_position(CudaWriter *c, int axis, const char *start, const char *text,
                           Text *out) {
    const char *name = c->w.axis_name[axis], *n = cuda_dim(c, c->w.b->indices->extent[axis]);
    if (!text_mentions(text, name)) return;
    text_printf(out, "const %s %s = %s < %s ? %s : %s - 1;\n", c->index, name, start, n, start, n);
}

static const char *load_tile(CudaWriter *c, Operand o) {
    Arena *arena = c->w.arena;
    const Body *b = c->w.b;
    Text text, at = text_new(arena), out = text_new(arena);
    start(c, &o.value, 1, &text);
    Piece piece = finish_piece(c, o.value, &text);
    bool along_k = value_contiguous(b, o.value, o.own) <= value_contiguous(b, o.value, o.k);
    const char *mentions = arena_printf(arena, "%s%s", piece.lines, piece.value);
    clamp_position(c, o.own, arena_printf(arena, "%s + own", o.own_start), mentions, &at);
    clamp_position(c, o.k, "k_start + kk", mentions, &at);
    const Fill fills[] = {{"WIDTH", cuda_number(arena, o.width)},
                          {"OWN", arena_printf(arena, along_k ? "l / 16" : "l %% %d", o.width)},
                          {"KK", arena_printf(arena, along_k ? "l %% 16" : "l / %d", o.width)},
                          {"K_SIZE", cuda_dim(c, b->indices->extent[o.k])},
                          {"TILE", o.tile},
                          {"VALUE", piece.value},
                          {"lines", piece.lines},
                          {"at", text_get(&at)}};
    template_fill("cuda/tile_load.cu", fills, (int)(sizeof fills / sizeof *fills), &out);
    return text_get(&out);
}

/* ---- scores and weights --------------------------------------------------------------------- */

static Piece score_piece(CudaWriter *c, const AttentionParts *p, int x) {
    Text text;
    start(c, &x, 1, &text);
    c->w.name[result_of(&c->w, p->scores)] = "score[i][j]";
    return finish_piece(c, x, &text);
}

static const char *score_position(CudaWriter *c, int axis, const char *at, Piece score) {
    Text text = text_new(c->w.arena);
    clamp_position(c, axis, at, arena_printf(c->w.arena, "%s%s", score.lines, score.value), &text);
    return text_get(&text);
}

static Piece shift_piece(CudaWriter *c, const AttentionParts *p) {
    Text text;
    start(c, &p->shift, 1, &text);
    c->w.name[result_of(&c->w, p->max)] = "largest";
    return finish_piece(c, p->shift, &text);
}

static Piece e_piece(CudaWriter *c, const AttentionParts *p) {
    Text text;
    start(c, &p->e, 1, &text);
    c->w.name[p->x] = "x";
    c->w.name[p->shift] = "shift";
    return finish_piece(c, p->e, &text);
}

static Piece weight_piece(CudaWriter *c, const AttentionParts *p) {
    Text text;
    start(c, &p->weights, 1, &text);
    c->w.name[p->e] = "e";
    return finish_piece(c, p->weights, &text);
}

/* ---- results -------------------------------------------------------------------------------- */

/* Stores of one level: a row's, or an element's. */
static const char *stores(CudaWriter *c, const AttentionParts *p, int level) {
    Writer *w = &c->w;
    Body *b = w->b;
    int *roots = arena_array(w->arena, int, b->stores.count + 1), count = 0;
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].level == level) roots[count++] = b->stores.at[i].value;
    Text text;
    start(c, roots, count, &text);
    w->name[result_of(w, p->max)] = "max_of_row";
    if (p->sum >= 0) w->name[result_of(w, p->sum)] = "sum_of_row";
    w->name[result_of(w, p->out)] = "out[c][i][j]";
    for (int i = 0; i < count; i++) declare_value(w, roots[i]);
    for (int i = 0; i < b->stores.count; i++) {
        const Store *s = &b->stores.at[i];
        const KernelBuffer *buffer = &w->k->buffers.at[s->buffer];
        if (s->level != level) continue;
        write_line(w, "%s[%s] = %s;", buffer->name, index_text(w, s->ix),
                   cuda_stored(c, buffer->type, value_text(w, s->value)));
    }
    return text_get(&text);
}

/* What a row's stores read of it. */
static const char *row_values(const CudaWriter *c, const char *rows, const char *finish) {
    const char *mentions = arena_printf(c->w.arena, "%s%s", rows, finish);
    Text text = text_new(c->w.arena);
    if (text_mentions(mentions, "sum_of_row"))
        text_str(&text, "const float sum_of_row = warp_reduce<Sum, 16>(row_sum[i]);\n");
    if (text_mentions(mentions, "max_of_row"))
        text_str(&text, "const float max_of_row = row_max[i];\n");
    return text_get(&text);
}

/* ---- the kernel ----------------------------------------------------------------------------- */

static bool small(const Dims *d, Dim n) {
    int64_t value;
    return dim_is_const(d, n, &value) && value <= 1 << 24;
}

static CudaWriter attention_writer(CudaKernel *k) {
    CudaWriter c = cuda_writer(k, 0);
    Body *b = c.w.b;
    static const char *const names[] = {"at_batch", "at_m", "at_n", "at_k", "at_c"};
    c.is_32bit = cuda_is_32bit(b);
    for (int i = 0; i < ATTENTION_AXES; i++) {
        c.w.axis_name[i] = names[i];
        c.is_32bit = c.is_32bit && small(b->indices->dims, b->indices->extent[i]);
    }
    c.tile = tile_default(k->k, b);
    c.index = c.is_32bit ? "int" : "idx";
    return c;
}

/* Blocks of 64 columns of a thread block: all of them, where their number is known and small. */
static int column_chunks(const Body *b) {
    int64_t columns;
    if (!dim_is_const(b->indices->dims, b->indices->extent[ATTENTION_COLUMN], &columns)) return 1;
    int64_t chunks = (columns + TILE - 1) / TILE;
    return chunks < MOST_CHUNKS ? (int)chunks : MOST_CHUNKS;
}

void cuda_attention(CudaKernel *k) {
    CudaWriter c = attention_writer(k);
    AttentionParts p = attention_parts(c.w.b);
    Body *body = c.w.b;
    const Dim *extent = body->indices->extent;
    Dims *d = body->indices->dims;
    Arena *arena = k->arena;
    int chunks = column_chunks(body);
    TileMask mask = tile_mask(&c.w, p.x);
    const Accumulator *scores = &body->accs.at[p.scores], *out = &body->accs.at[p.out];
    Piece x = score_piece(&c, &p, p.x), shift = shift_piece(&c, &p), e = e_piece(&c, &p);
    Piece weight = weight_piece(&c, &p);
    const char *rows = stores(&c, &p, 1), *finish = stores(&c, &p, 2);
    const char *batch = arena_printf(
        arena, "const %s at_batch = (%s)blockIdx.x / grid_c / grid_m;\n", c.index, c.index);
    if (dim_is(d, extent[ATTENTION_BATCH], 1)) batch = "";
    Operand q = {scores->value, ATTENTION_QUERY, ATTENTION_DEPTH, "q_tile", "m_start", TILE};
    Operand keys = {scores->index, ATTENTION_KEY, ATTENTION_DEPTH, "k_tile", "n_start", TILE};
    Operand v = {out->index, ATTENTION_COLUMN, ATTENTION_KEY, "v_tile", "c_start", TILE * chunks};
    const Fill fills[] = {{"IDX", c.index},
                          {"QUERIES", cuda_dim(&c, extent[ATTENTION_QUERY])},
                          {"KEYS", cuda_dim(&c, extent[ATTENTION_KEY])},
                          {"DEPTH", cuda_dim(&c, extent[ATTENTION_DEPTH])},
                          {"COLUMNS", cuda_dim(&c, extent[ATTENTION_COLUMN])},
                          {"CHUNKS", cuda_number(arena, chunks)},
                          {"WIDTH", cuda_number(arena, TILE * chunks)},
                          {"MASKED", mask.masked ? mask.masked : ""},
                          {"at_batch", batch},
                          {"at_query", score_position(&c, ATTENTION_QUERY, "m_start + ty + i", x)},
                          {"at_key", score_position(&c, ATTENTION_KEY, "n_start + tx + j", x)},
                          {"load_q", load_tile(&c, q)},
                          {"load_k", load_tile(&c, keys)},
                          {"load_v", load_tile(&c, v)},
                          {"score_lines", x.lines},
                          {"SCORE", x.value},
                          {"shift_lines", shift.lines},
                          {"SHIFT", shift.value},
                          {"e_lines", e.lines},
                          {"E", e.value},
                          {"weight_lines", weight.lines},
                          {"WEIGHT", weight.value},
                          {"row_stores", rows},
                          {"row_values", row_values(&c, rows, finish)},
                          {"stores", finish}};
    k->threads = THREADS;
    k->blocks = 1;
    k->block_x = cuda_number(arena, THREADS);
    k->grid = arena_printf(arena, "%s * %s * %s", cuda_dim(&c, extent[ATTENTION_BATCH]),
                           cuda_blocks(d, extent[ATTENTION_QUERY], TILE, arena),
                           cuda_blocks(d, extent[ATTENTION_COLUMN], TILE * chunks, arena));
    k->how = arena_printf(arena, "256 threads for each 64 queries and %d columns", TILE * chunks);
    cuda_function(k, &c, "cuda/attention.cu", "", false, fills,
                  (int)(sizeof fills / sizeof *fills));
}
