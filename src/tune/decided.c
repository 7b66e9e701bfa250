/* decided.c: a model compiled with the decisions of a text: the same in the tuner and in
 * workers. */
#include "tune/tune.h"

#include <string.h>

static TilePins pins_copy(Arena *arena, const TilePins *pins) {
    TilePins copy = {0};
    for (int i = 0; i < pins->count; i++) vec_push(arena, &copy, pins->at[i]);
    return copy;
}

Compilation *compile_decided(Arena *arena, Diag *diag, const TuneModel *model,
                             const char *decisions) {
    CompileOptions *own = arena_new_of(arena, CompileOptions); /* graphs keep its limits */
    Lock lock;
    *own = *model->compile;
    const uint32_t file = diag_source(diag, model->path, model->text, model->size);
    own->tile_pins = pins_copy(arena, &model->compile->tile_pins);
    if (*decisions) {
        const uint32_t text = diag_source(diag, "decisions", decisions, strlen(decisions));
        if (!lock_read(diag, text, &lock) || !lock_apply(diag, &lock, own)) return NULL;
    }
    Compilation *c = compile(arena, diag, file, own);
    return diag_status(diag) == STATUS_OK ? c : NULL;
}
