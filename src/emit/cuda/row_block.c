/* row_block.c: text of the rows of a block that go through shared memory: see
 * kernel/tile/row_block.c. In: a Row. Out: what comes before the first stage and after the last. */
#include "emit/cuda/row.h"

static int rows_of(const Row *r) { return r->c.tile.threads / r->c.tile.row_threads; }

/* "32 * 33": elements of a block's rows. */
static const char *count_text(const Row *r) {
    return arena_printf(r->c.w.arena, "%d * %s", rows_of(r), size_text(&r->c.w, r->b->cols));
}

/* "copy_block<32 * 33>(x_rows, x + block_row * 33, (928366 - block_row) * 33);" */
static const char *copy_text(const Row *r, int buffer, bool stores) {
    const Writer *w = &r->c.w;
    const char *cols = size_text(w, r->b->cols);
    const char *rows = r->c.block_rows[buffer];
    const char *memory =
        arena_printf(w->arena, "%s + block_row * %s", buffer_name(w, buffer), cols);
    return arena_printf(w->arena, "copy_block<%s>(%s, %s, (%s - block_row) * %s);\n", count_text(r),
                        stores ? memory : rows, stores ? rows : memory, size_text(w, r->b->rows),
                        cols);
}

void row_block_start(Row *r) {
    CudaWriter *c = &r->c;
    Text arrays = text_new(c->w.arena), loads = text_new(c->w.arena);
    c->block_ix = tile_block_rows(c->w.k, c->w.s, &c->tile);
    if (!c->block_ix) return;
    c->block_rows = arena_array(c->w.arena, const char *, c->w.k->buffers.count);
    for (int i = 0; i < c->w.k->buffers.count; i++) {
        const KernelBuffer *b = &c->w.k->buffers.at[i];
        if (!tile_has_block_rows(c->w.k, c->w.s, &c->tile, c->block_ix, i)) continue;
        c->block_rows[i] = fresh(&c->w, arena_printf(c->w.arena, "%s_rows", b->name));
        text_printf(&arrays, "__shared__ __align__(16) %s %s[%s];\n", cuda_storage(b->type),
                    c->block_rows[i], count_text(r));
        if (!b->written) text_str(&loads, copy_text(r, i, false));
    }
    const Fill fills[] = {{"IDX", c->index},
                          {"ROWS", cuda_number(c->w.arena, rows_of(r))},
                          {"arrays", text_get(&arrays)},
                          {"loads", text_get(&loads)}};
    TEMPLATE_FILL("cuda/row_block.cu", fills, &r->body);
}

void row_block_finish(Row *r) {
    const CudaWriter *c = &r->c;
    if (!c->block_ix) return;
    text_str(&r->body, "__syncthreads();\n");
    for (int i = 0; i < c->w.k->buffers.count; i++)
        if (c->block_rows[i] && c->w.k->buffers.at[i].written)
            text_str(&r->body, copy_text(r, i, true));
}

const char *cuda_block_element(CudaWriter *c, int buffer, Ix ix) {
    if (!c->block_ix || ix != c->block_ix || !c->block_rows[buffer]) return NULL;
    const int row = c->w.b->axes.at[0].number;
    const char *const name = c->w.axis_name[row];
    c->w.axis_name[row] = "own";
    const char *at = text_inside(c->w.arena, index_text(&c->w, ix));
    c->w.axis_name[row] = name;
    return arena_printf(c->w.arena, "%s[%s]", c->block_rows[buffer], at);
}
