/* program.cpp: main of the program that runs one function of an emitted file.
 *
 *     PROGRAM INPUTS OUTPUTS SKEW MULTIPROCESSORS SIZE.. < TENSORS
 *
 * TENSORS has a line "input|consumed|output|over:NUMBER NAME ELEMENT_BYTES COUNT" for each tensor, in
 * the order of the function's parameters: a consumed input may be written, "over" is an output in the
 * memory of an earlier tensor; file INPUTS the bytes of the inputs
 * one after the other, and OUTPUTS gets those of the outputs. SKEW is how many elements each tensor starts behind an aligned address;
 * MULTIPROCESSORS decides how many blocks a persistent kernel has.
 * Exit status: 1 after an error of the kernels, 3 when the function itself gives one. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

using namespace shim;

/* Defined behind the emitted text. */
extern "C" long long shim_workspace(const long long *sizes);
extern "C" int shim_call(void *const *tensors, const long long *sizes, void *workspace);

int shim::multiprocessors;

enum : size_t { GUARD = 64 << 10 };

static void stop(const char *why) {
    fprintf(stderr, "error: %s\n", why);
    exit(3);
}

/* Memory in the middle of nothing. */
static unsigned char *space(size_t bytes, size_t skew) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    size_t room = (bytes + skew + 4095) / 4096 * 4096;
    char *at = (char *)mmap(nullptr, room + 2 * GUARD, PROT_NONE, flags, -1, 0);
    if (at == MAP_FAILED || mprotect(at + GUARD, room, PROT_READ | PROT_WRITE))
        stop("out of memory");
    return (unsigned char *)at + GUARD + skew;
}

static void *make(const char *name, Kind kind, size_t element, size_t count, size_t skew) {
    size_t bytes = element * count;
    unsigned char *at = space(bytes, skew * element);
    if (kind != Kind::input) memset(at, 0xff, bytes);
    region_add({name, kind, (uintptr_t)at, bytes, element});
    return at;
}

struct Tensors {
    std::vector<void *> at;
    std::vector<std::pair<void *, size_t>> outputs; // with their bytes
};

static void *make_tensor(const char *kind, const char *name, size_t element, size_t count,
                         size_t skew, FILE *inputs) {
    const bool is_consumed = !strcmp(kind, "consumed"), is_input = !strcmp(kind, "input");
    void *at = make(name, is_input ? Kind::input : is_consumed ? Kind::workspace : Kind::output,
                    element, count, skew);
    if ((is_input || is_consumed) && fread(at, element, count, inputs) != count)
        stop("the inputs are too short");
    if (is_consumed) memory_given((uintptr_t)at, element * count);
    return at;
}

static Tensors make_tensors(FILE *inputs, size_t skew) {
    char kind[16], name[256];
    Tensors tensors;
    size_t element, count, number;
    while (scanf("%15s %255s %zu %zu", kind, name, &element, &count) == 4) {
        const bool is_over = sscanf(kind, "over:%zu", &number) == 1;
        void *at = is_over ? tensors.at.at(number)
                           : make_tensor(kind, name, element, count, skew, inputs);
        if (is_over || !strcmp(kind, "output")) tensors.outputs.push_back({at, element * count});
        tensors.at.push_back(at);
    }
    return tensors;
}

static void *make_workspace(const long long *sizes) {
    size_t bytes = (size_t)shim_workspace(sizes);
    if (!bytes) return nullptr;
    unsigned char *at = space(bytes, 0);
    memset(at, 0xff, bytes);
    region_add({"workspace", Kind::workspace, (uintptr_t)at, bytes, 0});
    return at;
}

static void write_outputs(FILE *file, const Tensors &tensors) {
    for (const auto &[at, bytes] : tensors.outputs) fwrite(at, 1, bytes, file);
    if (fclose(file)) stop("the outputs cannot be written");
}

int main(int count, char **arguments) {
    if (count < 5) stop("usage: PROGRAM INPUTS OUTPUTS SKEW MULTIPROCESSORS SIZE..");
    FILE *inputs = fopen(arguments[1], "rb"), *outputs = fopen(arguments[2], "wb");
    if (!inputs || !outputs) stop("the files of inputs and outputs cannot be opened");
    const Tensors tensors = make_tensors(inputs, strtoul(arguments[3], nullptr, 10));
    std::vector<long long> sizes;
    multiprocessors = atoi(arguments[4]);
    for (int i = 5; i < count; i++) sizes.push_back(atoll(arguments[i]));
    sizes.push_back(0);
    shared_find();
    int status = shim_call(tensors.at.data(), sizes.data(), make_workspace(sizes.data()));
    if (status) {
        fprintf(stderr, "error: the function returned %d\n", status);
        return 3;
    }
    memory_check_written();
    write_outputs(outputs, tensors);
    return 0;
}
