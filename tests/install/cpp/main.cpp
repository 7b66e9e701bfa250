// An application in C++: what it uses releases itself, and failures are exceptions.
#include <fusec.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

static const std::string text = "fn scale[N, D](x: f32[N, D], gain: f32[D]) -> (y: f32[N, D]) {\n"
                                "    y = 2 * x * gain;\n"
                                "}\n";

static DLTensor tensor(float *data, int rank, std::int64_t *shape) {
    return {data, {kDLCPU, 0}, rank, {kDLFloat, 32, 1}, shape, nullptr, 0};
}

static void print(float (&y)[6]) {
    for (int i = 0; i < 6; i++) {
        std::printf("%g%c", y[i], i == 5 ? '\n' : ' ');
        y[i] = 0;
    }
}

static void call_with_tensors(const fusec::Function &scale) {
    float x[] = {1, 2, 3, 4, 5, 6}, gain[] = {1, 10, 100}, y[6];
    std::int64_t matrix[] = {2, 3}, row[] = {3};
    const DLTensor tx = tensor(x, 2, matrix), tgain = tensor(gain, 1, row),
                   ty = tensor(y, 2, matrix);
    scale({&tx, &tgain, &ty});
    print(y);
    scale(std::vector<const DLTensor *>{&tx, &tgain, &ty});
    print(y);
}

static void call_with_pointers(const fusec::Executable &run) {
    float x[] = {1, 2, 3, 4, 5, 6}, y[6];
    const float gain[] = {1, 10, 100};
    float own_gain[] = {1, 10, 100};
    run({x, gain, y});
    print(y);
    run(std::vector<void *>{x, own_gain, y});
    print(y);
    run(std::vector<const void *>{x, gain, y}, FUSEC_OPTIONS(FusecCallOptions));
    print(y);
}

template <class Call> static void refused(Call call) {
    try {
        call();
        std::puts("not refused");
    } catch (const fusec::Error &error) {
        std::printf("%d %s: %s\n", error.status, error.argument.c_str(), error.what());
    }
}

int main() {
    try {
        FusecContextOptions options = fusec::options<FusecContextOptions>();
        options.device = FUSEC_DEVICE_CPU;
        fusec::Context context(options);
        fusec::Function scale = context.from_text("scale.fx", text).function();
        fusec::Executable run = scale.prepare({2, 3});
        call_with_tensors(scale);
        call_with_pointers(run);
        refused([&] { scale.prepare({2}); });
        refused([&] { scale.shape(0, {2, 3, 4}); });
        const fusec::Function moved = std::move(scale);
        refused([&] { scale.prepare({2, 3}); });
    } catch (const fusec::Error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
