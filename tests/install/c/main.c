/* An application: compiles a model that it holds as text, and calls it. */
#include <fusec.h>

#include <stdio.h>
#include <string.h>

static const char text[] = "fn scale[N, D](x: f32[N, D], gain: f32[D]) -> (y: f32[N, D]) {\n"
                           "    y = 2 * x * gain;\n"
                           "}\n";

static int failed(const char *what) {
    fprintf(stderr, "%s: %s\n", what, fusec_last_error()->text);
    return 1;
}

static DLTensor tensor(float *data, int rank, int64_t *shape) {
    return (DLTensor){.data = data, .device = {kDLCPU, 0}, .ndim = rank, .dtype = {kDLFloat, 32, 1},
                      .shape = shape};
}

static int call(FusecFunction *scale) {
    float x[6] = {1, 2, 3, 4, 5, 6}, gain[3] = {1, 10, 100}, y[6];
    int64_t matrix[] = {2, 3}, row[] = {3};
    DLTensor tensors[] = {tensor(x, 2, matrix), tensor(gain, 1, row), tensor(y, 2, matrix)};
    const DLTensor *arguments[] = {&tensors[0], &tensors[1], &tensors[2]};
    if (fusec_call(scale, arguments, 3, NULL) != FUSEC_NOT_PREPARED) return failed("unprepared");
    if (fusec_prepare(scale, matrix, NULL, NULL)) return failed("prepare");
    if (fusec_call(scale, arguments, 3, NULL)) return failed("call");
    for (int i = 0; i < 6; i++) printf("%g%c", y[i], i == 5 ? '\n' : ' ');
    return 0;
}

int main(void) {
    FusecContext *context = NULL;
    FusecModel *model = NULL;
    FusecFunction *scale = NULL;
    FusecContextOptions options = FUSEC_OPTIONS(FusecContextOptions);
    options.device = FUSEC_DEVICE_CPU;
    int status = 0;
    if (fusec_context_create(&options, &context) ||
        fusec_model_from_text(context, "scale.fx", text, strlen(text), NULL, NULL, &model) ||
        fusec_function_create(model, "scale", NULL, &scale))
        status = failed("load");
    else
        status = call(scale);
    fusec_function_release(scale);
    fusec_model_release(model);
    fusec_context_release(context);
    return status;
}
