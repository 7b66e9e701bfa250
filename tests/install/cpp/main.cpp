// An application in C++: the C header as it is.
#include <fusec.h>

#include <cstdio>
#include <string>

static const std::string text = "fn scale[N, D](x: f32[N, D], gain: f32[D]) -> (y: f32[N, D]) {\n"
                                "    y = 2 * x * gain;\n"
                                "}\n";

static DLTensor tensor(float *data, int rank, int64_t *shape) {
    return {data, {kDLCPU, 0}, rank, {kDLFloat, 32, 1}, shape, nullptr, 0};
}

int main() {
    FusecContext *context = nullptr;
    FusecModel *model = nullptr;
    FusecFunction *scale = nullptr;
    FusecContextOptions options = FUSEC_OPTIONS(FusecContextOptions);
    options.device = FUSEC_DEVICE_CPU;
    float x[] = {1, 2, 3, 4, 5, 6}, gain[] = {1, 10, 100}, y[6];
    int64_t matrix[] = {2, 3}, row[] = {3};
    DLTensor tensors[] = {tensor(x, 2, matrix), tensor(gain, 1, row), tensor(y, 2, matrix)};
    const DLTensor *arguments[] = {&tensors[0], &tensors[1], &tensors[2]};
    bool done = !fusec_context_create(&options, &context) &&
                !fusec_model_from_text(context, "scale.fx", text.data(), text.size(), nullptr, nullptr,
                                       &model) &&
                !fusec_function_create(model, nullptr, nullptr, &scale) &&
                !fusec_prepare(scale, matrix, nullptr, nullptr) &&
                !fusec_call(scale, arguments, 3, nullptr);
    if (!done) std::fprintf(stderr, "%s\n", fusec_last_error()->text);
    for (int i = 0; done && i < 6; i++) std::printf("%g%c", y[i], i == 5 ? '\n' : ' ');
    fusec_function_release(scale);
    fusec_model_release(model);
    fusec_context_release(context);
    return done ? 0 : 1;
}
