/* c.c: tiles of kernels in C: how transposes, contractions and attentions are blocked for a thread
 * and its caches. In: a TileSpace. Out: legal tiles; times are not estimated: the first was the
 * fastest on a core with 512-bit vectors and 2 MB of L2. */
#include "kernel/tile/tile_private.h"

enum {
    PARALLEL_PRODUCTS = 100000, /* products from which threads pay, */
    PARALLEL_SCORES = 4096,     /* scores of an attention */
    SUMS_OF_ROWS = 512,         /* columns of which a block of rows stays in L2 */
    VECTOR_REGISTERS = 32,
    LEAST_BLOCK = 16,
    CROSSED = 64,   /* elements of a transposed block's side, */
    STAGED = 16384, /* and its bytes: half of L1 */
    LINES = 2 * 64, /* least bytes of a row of it */
    LINE_BYTES = 64,
    STRIP = 4096,        /* columns that a thread reduces at a time, */
    STRIP_BYTES = 16384, /* and their accumulators: half of L1 */
    STRIP_STEP = 64,     /* whole lines of any type */
    MOST_STRIP = 1 << 14,
    BESIDE = 16, /* rows of a strip, read at a time */
    /* So many rows of so long a strip, read so many at a time, are in L2 when the next stage reads
     * them. One thread of a Zen 3, variances of f32 [40, 10000] by strips of 1024, 8 rows at a
     * time, and so: 84 and 60 us, of [64, 4096] 72 and 44, of [256, 5000] 253 and 173. */
    NEAR_ROWS = 256,
    NEAR_STRIP = 512,
    NEAR_BESIDE = 4,
    MOST_SIDE = 512,
    MOST_STAGED = 1 << 18, /* bytes of it on the stack */
    STACK_PANELS = 64      /* panels of queries times panels of keys: scores are on the stack */
};

int tile_stream_from(const TileSpace *s) { return s->machine->l3_size << 19; }

int tile_prefetched_from(const TileSpace *s) { return s->machine->l2_size << 19; }

const char *tile_range_refusal(const TileSpace *s, const char *what, int n, int least, int most) {
    if (n >= least && n <= most) return NULL;
    return tile_refuse(s, "%s must be a number from %d to %d, not %d", what, least, most, n);
}

/* Adds t if it is close to the measured one: the product of all values would be too large. */
static void add_near(const TileSpace *s, const Tile *first, Tile t, Candidates *out) {
    enum { NEAR = 3 };
    const int distance = tile_distance(first, &t);
    if (distance && distance <= NEAR) candidate_add(s, t, distance, out);
}

bool tile_is_at_most(const TileSpace *s, Dim dim, int64_t most) {
    int64_t n;
    return dim_is_const(s->b->indices->dims, dim, &n) && n <= most;
}

/* ---- transposes ------------------------------------------------------------------------------ */

/* Blocks are squares of vectors of any width. */
static const char *side_refusal(const TileSpace *s, const char *what, int side) {
    if (side % LEAST_BLOCK == 0 && side >= LEAST_BLOCK && side <= MOST_SIDE) return NULL;
    return tile_refuse(s, "%s must be a multiple of %d, to %d, not %d", what, LEAST_BLOCK,
                       MOST_SIDE, side);
}

static int64_t staged_bytes(const TileSpace *s, const Tile *t) {
    return (int64_t)t->m * t->n * s->transpose.staged;
}

static const char *transpose_refusal(const TileSpace *s, const Tile *t) {
    const char *wrong = side_refusal(s, "m", t->m);
    if (!wrong) wrong = side_refusal(s, "n", t->n);
    if (!wrong) wrong = tile_range_refusal(s, "parallel", t->parallel, 0, C_LARGEST);
    if (!wrong) wrong = tile_range_refusal(s, "stream", t->stream, 0, C_LARGEST);
    if (!wrong) wrong = tile_range_refusal(s, "prefetch_from", t->prefetch_from, 0, C_LARGEST);
    if (wrong || staged_bytes(s, t) <= MOST_STAGED) return wrong;
    return tile_refuse(s, "a block takes %lld bytes of the stack, which has room for %d",
                       (long long)staged_bytes(s, t), MOST_STAGED);
}

static bool is_copy(const Body *b) {
    for (int i = 0; i < b->stores.count; i++)
        if (b->values.at[b->stores.at[i].value].kind != V_LOAD) return false;
    return true;
}

/* Half of L1; copies take two lines of a row. */
static bool may_widen(const TileSpace *s, const Tile *t) {
    const bool is_short = t->n * s->transpose.staged < LINES;
    return 2 * staged_bytes(s, t) <= STAGED && (is_short || !is_copy(s->b));
}

/* Rows that start anywhere in a line are read in longer pieces. One thread of a Zen 4, bf16, 64 x
 * 64 and 128 x 64: [4095, 4097] 6.2 and 5.8 ms, [5000, 5000] 8.1 and 7.1, [1000, 3000] 726 and 692
 * us; but of whole blocks [4, 2048, 16, 64] 1.4 and 2.0 ms. */
static bool may_deepen(const TileSpace *s, const Tile *t) {
    const int64_t rows = s->transpose.rows, cols = s->transpose.cols;
    if (s->transpose.staged != 2 || !is_copy(s->b) || 2 * staged_bytes(s, t) > STAGED) return false;
    return rows > 2 * t->m && cols > 0 && (rows % t->m || cols % t->n);
}

/* Bytes of a result that is written around the caches, where its rows are of known length. */
static int transpose_stream_from(const TileSpace *s) {
    const Body *b = s->b;
    const KernelBuffer *result = &s->k->buffers.at[b->stores.at[0].buffer];
    const int64_t row = s->transpose.cols * (int64_t)dtype_size(result->type);
    if (row % LINE_BYTES == 0) return tile_prefetched_from(s);
    return row < RAGGED_ROW ? C_LARGEST : RAGGED_TIMES * tile_prefetched_from(s);
}

/* Lines of a row that are stored one by one are read, too, unless they go around the caches: this
 * pays from the size of L2. */
static Tile transpose_first(const TileSpace *s) {
    Tile t = {.kind = TILE_C_TRANSPOSE,
              .m = CROSSED,
              .n = CROSSED,
              .keep = KEEP_NOTHING,
              .parallel = C_PARALLEL_FROM,
              .stream = transpose_stream_from(s),
              .prefetch_from = tile_prefetched_from(s)};
    if (may_widen(s, &t)) t.n *= 2;
    if (may_deepen(s, &t)) t.m *= 2;
    for (; staged_bytes(s, &t) > STAGED && t.n > LEAST_BLOCK; t.n /= 2)
        if (t.m > t.n) t.m /= 2;
    return t;
}

/* Rows of less than a vector waste most of a square: loops come first. */
static void transpose_list(const TileSpace *s, Candidates *out) {
    enum { SHORT = 8 };
    const TransposeForm *f = &s->transpose;
    const bool is_short = (f->rows && f->rows < SHORT) || (f->cols && f->cols < SHORT);
    const Tile first = transpose_first(s);
    for (int m = LEAST_BLOCK; m <= MOST_SIDE; m *= 2)
        for (int n = LEAST_BLOCK; n <= MOST_SIDE; n *= 2)
            for (int choice = 0; choice < 4; choice++) {
                Tile t = first;
                t.m = m, t.n = n;
                if (choice & 1) t.stream = tile_stream_from(s);
                if (choice & 2) t.prefetch_from = 0;
                candidate_add(s, t, tile_distance(&first, &t) + is_short, out);
            }
}

const TileFamily tile_c_transpose = {transpose_list, NULL, transpose_refusal};

/* ---- reductions of columns ------------------------------------------------------------------- */

/* Of accumulators and what is computed of them; positions of an argmax are 4 bytes each. */
static int64_t strip_bytes(const TileSpace *s, const Tile *t) {
    int64_t bytes = s->column_bytes;
    for (int i = 0; i < s->b->accs.count; i++) {
        const Accumulator *a = &s->b->accs.at[i];
        bytes += (int64_t)dtype_size(dtype_compute(s->b->values.at[a->value].type));
        if (a->op == OP_ARGMAX) bytes += 4;
    }
    return bytes * t->n;
}

static const char *column_refusal(const TileSpace *s, const Tile *t) {
    const char *wrong = tile_range_refusal(s, "n", t->n, STRIP_STEP, MOST_STRIP);
    if (!wrong && t->n % STRIP_STEP)
        wrong = "n is a multiple of 64 columns: strips are whole lines";
    if (!wrong) wrong = tile_range_refusal(s, "parallel", t->parallel, 0, C_LARGEST);
    if (!wrong) wrong = tile_range_refusal(s, "rows", t->rows, 1, BESIDE);
    if (!wrong && !s->column_stages) wrong = "no columns are only reduced";
    if (wrong || strip_bytes(s, t) <= MOST_STAGED) return wrong;
    return tile_refuse(s, "a strip takes %lld bytes of the stack, which has room for %d",
                       (long long)strip_bytes(s, t), MOST_STAGED);
}

/* Are rows few, and found by positions that are read from memory? Strips read them in no better
 * order than loops do. One thread of a Zen 4, sums of K rows of f32 [1000, D], us by strips and by
 * loops: K=4 D=12 1361 and 609, K=4 D=128 835 and 503, K=8 D=1024 739 and 572, K=16 D=256 409 and
 * 378; but K=32 D=128 306 and 395. */
static bool gathers_few_rows(const TileSpace *s) {
    enum { FEW = 16 };
    const Body *b = s->b;
    const uint32_t cols = body_col_axes(b);
    if (!tile_is_at_most(s, b->cols, FEW)) return false;
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].kind == V_CLAMP && b->values.at[i].axes & cols) return true;
    return false;
}

/* Rows are read in long pieces, several at a time: memory serves several streams faster than one.
 * Accumulators are in L1. Where a row is one vector, loops have them in a register, and a few rows
 * are in L1 when they are read again: there loops come first. One thread of a Zen 5, variances of
 * f32 [1000000, 16] 3.1 ms by loops, 3.9 by strips; of 4000 [8, 100] 0.31 and 0.49; but of
 * [300000, 32] 3.3 and 2.3, of 2000 [32, 128] 2.4 and 1.6, of [16384, 1024] 17.5 and 5.8. */
static void column_list(const TileSpace *s, Candidates *out) {
    const Dim cols = s->b->indices->extent[s->b->lane];
    const bool is_small = tile_is_at_most(s, cols, LEAST_BLOCK) ||
                          tile_is_at_most(s, s->b->cols, LEAST_BLOCK); /* rows of it */
    const double after = (s->column_stages > 1 && is_small) || gathers_few_rows(s) ? 1 : 0;
    Tile first = {.kind = TILE_C_COLUMN,
                  .n = STRIP,
                  .rows = 8,
                  .keep = KEEP_MEMORY,
                  .parallel = C_PARALLEL_FROM};
    while (strip_bytes(s, &first) > STRIP_BYTES && first.n > STRIP_STEP) first.n /= 2;
    if (s->column_stages > 1 && tile_is_at_most(s, s->b->cols, NEAR_ROWS)) {
        if (first.n > NEAR_STRIP) first.n = NEAR_STRIP;
        first.rows = NEAR_BESIDE;
    }
    for (int n = STRIP_STEP; n <= MOST_STRIP; n *= 2)
        for (int rows = 1; rows <= BESIDE; rows *= 2) {
            Tile t = first;
            t.n = n, t.rows = rows;
            candidate_add(s, t, tile_distance(&first, &t) + after, out);
        }
}

const TileFamily tile_c_column = {column_list, NULL, column_refusal};

/* ---- contractions ---------------------------------------------------------------------------- */

bool tile_has_panels(const Body *b) {
    for (int i = 0; i < b->dots; i++)
        if (b->accs.at[i].panels[0] || b->accs.at[i].panels[1]) return true;
    return false;
}

/* Rows and vectors of accumulators. rows 0: as many as fit the processor's registers, which is
 * known when the file is compiled. Others are valid for vectors of any width: panels are written by
 * whole vectors. */
static const char *micro_refusal(const TileSpace *s, const Tile *t) {
    const Dtype type = s->b->accs.at[0].type;
    const bool is_default = !t->rows && t->vectors == 2;
    if (is_default) return NULL;
    if (type == T_I32)
        return "the micro-kernel of i32 sums is that of the processor: rows=0, vectors=2";
    if (tile_has_panels(s->b)) return "constants are packed for rows=0, vectors=2";
    if (t->vectors < 1 || t->vectors > 4 || (dtype_size(type) == 8 && t->vectors % 2))
        return tile_refuse(s, "vectors must be %s, not %d",
                           dtype_size(type) == 8 ? "2 or 4" : "1, 2, 3 or 4", t->vectors);
    if (t->rows != 2 && t->rows != 4 && t->rows != 8)
        return tile_refuse(s, "rows must be 0 (with vectors=2), 2, 4 or 8, not %d", t->rows);
    const int registers = t->rows * t->vectors + t->vectors + 1;
    if (registers <= VECTOR_REGISTERS) return NULL;
    return tile_refuse(s, "the micro-kernel takes %d registers, and there are %d", registers,
                       VECTOR_REGISTERS);
}

/* A block of rows is at least one of the micro-kernel's. */
static const char *sums_refusal(const TileSpace *s, const Tile *t) {
    enum { MOST_ROWS = 14, MOST_SUMS = 1 << 16 }; /* rows: MR in templates/c/tiles_blocks.h */
    int64_t n;
    const char *wrong = tile_range_refusal(s, "sums", t->sums, LEAST_BLOCK, MOST_SUMS);
    if (wrong || !body_has_rows(s->b) || !dim_is_const(s->b->indices->dims, s->b->cols, &n))
        return wrong;
    n *= s->b->dots;
    if (n <= t->sums || (int64_t)t->block * t->sums / n >= MOST_ROWS) return NULL;
    return tile_refuse(s,
                       "block=%d and sums=%d leave %d rows of %lld columns, and %d are "
                       "the least",
                       t->block, t->sums, (int)((int64_t)t->block * t->sums / n), (long long)n,
                       MOST_ROWS);
}

static const char *dot_refusal(const TileSpace *s, const Tile *t) {
    enum { MOST_EXTENT = 1 << 13, MOST_DEPTH = 1 << 14, MOST_GROUP = 1 << 10 };
    const char *wrong = tile_range_refusal(s, "m", t->m, LEAST_BLOCK, MOST_EXTENT);
    if (!wrong) wrong = tile_range_refusal(s, "n", t->n, LEAST_BLOCK, MOST_EXTENT);
    if (!wrong) wrong = tile_range_refusal(s, "k", t->k, LEAST_BLOCK, MOST_DEPTH);
    if (!wrong) wrong = tile_range_refusal(s, "block", t->block, LEAST_BLOCK, MOST_EXTENT);
    if (!wrong) wrong = tile_range_refusal(s, "group", t->group, 1, MOST_GROUP);
    if (!wrong) wrong = sums_refusal(s, t);
    if (!wrong) wrong = tile_range_refusal(s, "parallel", t->parallel, 0, C_LARGEST);
    return wrong ? wrong : micro_refusal(s, t);
}

/* In how many parts a row is summed. Of few elements four take longer than one: on a Zen 5, one
 * thread, softmax of f32[8192, 32] 188 us instead of 201, of f32[4096, 64] 140 instead of 147. */
int tile_c_unroll(const TileSpace *s) {
    enum { FEW = 64 };
    return tile_is_at_most(s, s->b->cols, FEW) ? 1 : 4;
}

void tile_c_complete(const TileSpace *s, Tile *t) {
    t->unroll = tile_c_unroll(s), t->keep = KEEP_MEMORY, t->prefetch = s->machine->prefetch;
    t->stream = tile_stream_from(s);
    t->prefetch_from = tile_prefetched_from(s), t->stack = C_STACK, t->partial = C_PARTIAL_VALUES;
    t->partial_sums = C_PARTIAL_SUMS;
}

/* Bytes of the elements that are multiplied; the first product's count. */
static size_t element_size(const Body *b) {
    const size_t left = dtype_size(b->values.at[b->accs.at[0].value].type);
    const size_t right = dtype_size(b->values.at[b->accs.at[0].index].type);
    return left > right ? left : right;
}

/* The depth of panels of few rows: half of the usual one, at which the panels of b stay in L2.
 * Rows of b that are contiguous along k are read in long pieces instead: pieces of 512 bytes wait
 * for memory. Measured on a Zen 4, bf16, one thread, ms with 256 and 1024: 12 x 11008 x 4096 18.2
 * and 14.5, 64 x 4096 x 4096 14.6 and 13.4, 97 x 5156 x 3693 22.2 and 20.4; f32 16 x 4096 x 4096
 * 10.8 and 9.7. f32 of 100 rows gains nothing, and bytes lose 7 %. */
static int depth_of_few_rows(const TileSpace *s, size_t size) {
    enum { FEW = 64, SHALLOW = 256, DEEP = 1024 };
    const bool is_along = !operand_is_across(s->b, s->b->accs.at[0].index, DOT_N);
    const bool pays = size == 2 || tile_is_at_most(s, s->b->indices->extent[DOT_M], FEW);
    return is_along && pays && size > 1 ? DEEP : SHALLOW;
}

/* Panels of the right operand that are packed and multiplied together, and their depth. With few
 * rows the time is that of packing: rows of 64 panels are read in long pieces. Measured on a Zen 5,
 * f32, one thread, N = 2048, K = 1024: 1137 us instead of 1731 with 16 rows, 4467 instead of 5306
 * with 100; no difference with 256. Panels of few products take little of L2 in any case. Pairs and
 * quads of narrow elements are fewer steps. On a Zen 4, twice the depth: bf16 4096 x 64 x 1024 2.65
 * ms instead of 2.94; bytes 1000 x 1023 x 777, and half the rows, 3.93 instead of 4.04. Of bytes a
 * block of 2048 saves sums in memory, and half the panels are as many bytes: on a Zen 5 2048 x 2048
 * x 2048 17.2 ms instead of 18.2, 1536 x 1536 x 1536 7.3 instead of 7.9. */
static void dot_panels(const TileSpace *s, Tile *t) {
    enum { SHORT = 32, FEW = 128, FEW_COLUMNS = 256, USUAL = 32, DEEP = 1024 };
    const bool has_few_rows = tile_is_at_most(s, s->b->indices->extent[DOT_M], FEW);
    const bool has_few_columns = tile_is_at_most(s, s->b->indices->extent[DOT_N], FEW_COLUMNS);
    const bool is_short = tile_is_at_most(s, s->b->indices->extent[DOT_K], SHORT);
    const size_t size = element_size(s->b);
    const bool is_deep = size == 1 || (size == 2 && has_few_columns);
    const bool has_quads = size == 1 && s->b->accs.at[0].type == T_I32 && !has_few_rows;
    t->group = has_few_rows || is_short ? 2 * USUAL : USUAL;
    t->k = has_few_rows ? depth_of_few_rows(s, size) : is_deep ? DEEP : 512;
    if (has_quads) t->k = 2 * DEEP;
    if (has_quads && !tile_is_at_most(s, s->b->indices->extent[DOT_K], DEEP)) t->group = USUAL / 2;
    t->block = size == 1 ? 112 : 224;
}

enum { FAR = 2 }; /* steps from the first tile that a candidate may have */

typedef struct Blocking {
    Tile tile;
    int distance;
} Blocking;

typedef Vec(Blocking) Blockings;

/* Those that are close to the first tile, which is one of them. */
static Blockings blockings_near(const TileSpace *s, const Tile *first) {
    static const int sides[] = {512, 1024, 2048, 4096}, depths[] = {256, 512, 1024, 2048};
    static const int blocks[] = {56, 112, 224, 448};
    Blockings all = {0};
    for (int choice = 0; choice < 256; choice++)
        for (int group = 8; group <= 64; group *= 2) {
            Tile t = *first;
            t.group = group;
            t.m = sides[choice & 3], t.n = sides[choice >> 2 & 3];
            t.k = depths[choice >> 4 & 3], t.block = blocks[choice >> 6 & 3];
            const Blocking b = {t, tile_distance(first, &t)};
            if (b.distance <= FAR) vec_push(s->arena, &all, b);
        }
    return all;
}

static void dot_list(const TileSpace *s, Candidates *out) {
    static const struct {
        int rows, vectors;
    } micros[] = {{0, 2}, {8, 3}, {8, 2}, {8, 1}, {4, 4}, {4, 3}, {4, 2}, {2, 4}};
    Tile first = {.kind = TILE_C_DOT,
                  .m = 2048,
                  .n = 2048,
                  .vectors = 2,
                  .sums = SUMS_OF_ROWS,
                  .parallel = PARALLEL_PRODUCTS};
    dot_panels(s, &first);
    candidate_add(s, first, 0, out);
    for (int sums = SUMS_OF_ROWS / 4; sums <= 4 * SUMS_OF_ROWS; sums *= 2) {
        Tile t = first;
        t.sums = sums;
        if (sums != SUMS_OF_ROWS) candidate_add(s, t, tile_distance(&first, &t), out);
    }
    const Blockings blockings = blockings_near(s, &first);
    for (size_t micro = 0; micro < sizeof micros / sizeof *micros; micro++)
        for (int i = 0; i < blockings.count; i++) {
            Tile t = blockings.at[i].tile;
            t.rows = micros[micro].rows, t.vectors = micros[micro].vectors;
            /* Every micro-kernel counts as one step from the others. */
            const int distance = blockings.at[i].distance + (micro > 0);
            if (distance && distance <= FAR) candidate_add(s, t, distance, out);
        }
}

const TileFamily tile_c_dot = {dot_list, tile_c_complete, dot_refusal};

/* ---- attentions ----------------------------------------------------------------------------- */

static const char *attention_refusal(const TileSpace *s, const Tile *t) {
    const char *wrong = tile_range_refusal(s, "m", t->m, 1, STACK_PANELS);
    if (!wrong) wrong = tile_range_refusal(s, "n", t->n, 1, STACK_PANELS);
    if (!wrong) wrong = tile_range_refusal(s, "parallel", t->parallel, 0, C_LARGEST);
    if (wrong || t->m * t->n <= STACK_PANELS) return wrong;
    return tile_refuse(s, "scores of %d x %d panels are on the stack, which has room for %d", t->m,
                       t->n, STACK_PANELS);
}

static bool is_of_bf16(const Body *b) {
    const Accumulator *scores = &b->accs.at[b->attention.scores],
                      *out = &b->accs.at[b->attention.out];
    return b->values.at[scores->value].type == T_BF16 && b->values.at[out->value].type == T_BF16;
}

/* Products of bf16 take less time than what is done for each row of a tile of scores; masks, of
 * which more is skipped with few keys, take that back. Zen 4, one thread, 8 heads of 1024 x 64:
 * 13.7 ms instead of 14.6, causal 9.2 instead of 8.9. */
static Tile attention_first(const TileSpace *s) {
    const Body *b = s->b;
    const bool has_mask = b->attention.unmasked != b->attention.x;
    return (Tile){.kind = TILE_C_ATTENTION,
                  .m = 4,
                  .n = is_of_bf16(b) && !has_mask ? 8 : 4,
                  .parallel = PARALLEL_SCORES,
                  .vectors = 2};
}

static void attention_list(const TileSpace *s, Candidates *out) {
    const Tile first = attention_first(s);
    candidate_add(s, first, 0, out);
    for (int m = 1; m <= 16; m *= 2)
        for (int n = 1; n <= 16; n *= 2) {
            Tile t = first;
            t.m = m, t.n = n;
            add_near(s, &first, t, out);
        }
}

const TileFamily tile_c_attention = {attention_list, tile_c_complete, attention_refusal};
