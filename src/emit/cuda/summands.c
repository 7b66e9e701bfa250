/* summands.c: products on tensor cores that are added up in one accumulator: their tiles along k
 * follow each other.
 * In: Body. Out: text that says to which product a tile belongs. */
#include "emit/cuda/cuda.h"

static const char *tiles_of(const CudaWriter *c, int axis) {
    return arena_printf(c->w.arena, "%s((%s + tile_k - 1) / tile_k)", c->to_int,
                        cuda_dim(c, c->w.b->indices->extent[axis]));
}

const char *cuda_tiles_text(const CudaWriter *c) {
    const Body *b = c->w.b;
    Text out = text_new(c->w.arena);
    if (!b->added.count) {
        text_printf(&out, "const int tiles_k = %s;\n", tiles_of(c, DOT_K));
        return text_get(&out);
    }
    text_printf(&out, "const int tiles_0 = %s;\n", tiles_of(c, DOT_K));
    for (int i = 0; i < b->added.count; i++)
        text_printf(&out, "const int tiles_%d = tiles_%d + %s;\n", i + 1, i,
                    tiles_of(c, b->added.at[i].axis));
    text_printf(&out, "const int tiles_k = tiles_%d;\n", b->added.count);
    return text_get(&out);
}

const char *cuda_k_start(const CudaWriter *c, int summand) {
    Arena *arena = c->w.arena;
    const char *tile = summand ? arena_printf(arena, "(tile - tiles_%d)", summand - 1) : "tile";
    return arena_printf(arena, "const %s k_start = %s%s * tile_k;\n", c->index, c->to_index, tile);
}

const char *cuda_of_summand(const CudaWriter *c, const char *const *texts) {
    Choice choices[TERMS_MAX];
    const int count = body_summand_count(c->w.b);
    for (int i = 0; i < count; i++)
        choices[i] = (Choice){"", arena_printf(c->w.arena, "tile < tiles_%d", i), texts[i]};
    return choice_text(c->w.arena, choices, count);
}
