/* fuzz_lower.c: libFuzzer target for the whole compiler. Any bytes: they become source for C and
 * for CUDA, or there is an error that says why not. Seeds and words of the language help:
 *   fuzz_lower -dict=build/fuzz/tests/fx.dict -max_len=4096 CORPUS_FOLDER examples */
#include "pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Small, so that what is slow by its size alone does not hide what hangs. */
static Limits small_limits(void) {
    Limits limits = limits_default();
    limits.depth = 64;
    limits.statements = 500;
    limits.nodes = 5000;
    limits.kernels = 500;
    limits.memory_bytes = 256 << 20;
    return limits;
}

static void compile_for(const Target *target, int opt, const uint8_t *data, size_t size) {
    Arena *arena = arena_new(256 << 20);
    if (!arena) return;
    Diag *diag = diag_new(arena, 5);
    CompileOptions options = compile_options_default();
    options.limits = small_limits();
    options.target = target;
    options.opt = opt;
    const char *text = arena_strndup(arena, (const char *)data, size);
    Compilation *c = compile(arena, diag, diag_source(diag, "fuzz.fx", text, size), &options);
    if (diag_status(diag) == STATUS_OK) {
        Text out = text_new(arena);
        for (int stage = STAGE_AST; stage <= STAGE_SOURCE; stage++)
            compilation_print(c, (Stage)stage, &out);
        for (int i = 0; i < c->functions.count; i++)
            plan_explain(c->plans[i], compilation_kernels(c)[i], &out);
        if (!c->source.size) abort();
    }
    Text said = text_new(arena);
    diag_print(diag, &said, false);
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    compile_for(&target_c, 2, data, size);
    compile_for(&target_cuda, 0, data, size);
    return 0;
}
