/* world.h: what the tests of libfusec share: a context, models from texts, tensors from arrays. */
#ifndef FUSEC_TEST_API_WORLD_H
#define FUSEC_TEST_API_WORLD_H

#include <fusec.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))

static inline void assert_ok(FusecStatus status) {
    if (status) fail_msg("%s: %s", fusec_status_name(status), fusec_last_error()->text);
}

/* Kernels that run in the calling thread: the tests count threads of their own. */
static inline FusecContext *open_cpu(void) {
    FusecContextOptions options = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    options.threads = 1;
    assert_ok(fusec_context_create(&options, &context));
    return context;
}

static inline FusecFunction *load_as(FusecContext *context, const char *text,
                                     const FusecModelOptions *model_options,
                                     const FusecFunctionOptions *options) {
    FusecModel *model;
    FusecFunction *function;
    assert_ok(
        fusec_model_from_text(context, "test.fx", text, strlen(text), model_options, NULL, &model));
    assert_ok(fusec_function_create(model, NULL, options, &function));
    fusec_model_release(model); /* the function keeps it */
    return function;
}

static inline FusecFunction *load(FusecContext *context, const char *text,
                                  const FusecFunctionOptions *options) {
    return load_as(context, text, NULL, options);
}

/* A kernel for each operation, and a workspace between them. */
static inline FusecFunction *load_unfused(FusecContext *context, const char *text) {
    FusecModelOptions options = FUSEC_OPTIONS(FusecModelOptions);
    options.optimise = FUSEC_O0;
    return load_as(context, text, &options, NULL);
}

static inline DLTensor tensor(void *data, DLDataType type, int rank, int64_t *shape) {
    return (DLTensor){
        .data = data, .device = {kDLCPU, 0}, .ndim = rank, .dtype = type, .shape = shape};
}

static const DLDataType f32 = {kDLFloat, 32, 1};

#endif
