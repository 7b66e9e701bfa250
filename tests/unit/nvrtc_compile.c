/* Compiles CUDA files to cubins with NVRTC, which is loaded by name: no driver, no GPU.
 *   nvrtc_compile [--quick] [--arch sm_90a]... [-I DIR] [-D NAME=VALUE].. FILE...
 * Every file is compiled for every architecture (sm_90a when none is given). --quick: with as
 * little optimisation as this NVRTC offers. Exit 0: all compiled · 1: one did not (its log is
 * shown) · 2: usage · 77: no libnvrtc. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct _nvrtcProgram *Program;

static struct {
    const char *(*error)(int);
    int (*create)(Program *, const char *, const char *, int, const char *const *,
                  const char *const *);
    int (*destroy)(Program *);
    int (*compile)(Program, int, const char *const *);
    int (*log_size)(Program, size_t *);
    int (*log)(Program, char *);
    int (*cubin_size)(Program, size_t *);
} nvrtc;

static int nvrtc_load(void) {
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                        "/usr/local/cuda/lib64/libnvrtc.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW);
    if (!library) return 0;
    struct {
        const char *name;
        void *at;
    } wanted[] = {
        {"nvrtcGetErrorString", &nvrtc.error},       {"nvrtcCreateProgram", &nvrtc.create},
        {"nvrtcDestroyProgram", &nvrtc.destroy},     {"nvrtcCompileProgram", &nvrtc.compile},
        {"nvrtcGetProgramLogSize", &nvrtc.log_size}, {"nvrtcGetProgramLog", &nvrtc.log},
        {"nvrtcGetCUBINSize", &nvrtc.cubin_size}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *symbol = dlsym(library, wanted[i].name);
        if (!symbol) return 0;
        memcpy(wanted[i].at, &symbol, sizeof symbol);
    }
    return 1;
}

static char *file_read(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = NULL;
    if (!fseek(file, 0, SEEK_END)) {
        long size = ftell(file);
        rewind(file);
        text = size >= 0 ? calloc(1, (size_t)size + 1) : NULL;
        if (text && fread(text, 1, (size_t)size, file) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void log_print(Program program) {
    size_t size = 0;
    if (nvrtc.log_size(program, &size) || size <= 1) return;
    char *log = malloc(size);
    if (log && !nvrtc.log(program, log)) fprintf(stderr, "%s", log);
    free(log);
}

/* The last of the options is how to be quick, or NULL: code for debuggers takes up to three times
 * as long, and older versions know nothing else. */
static int compile_quickly(Program program, const char **options, int option_count) {
    enum { INVALID_OPTION = 5 };
    if (!options[option_count - 1]) return nvrtc.compile(program, option_count - 1, options);
    int status = nvrtc.compile(program, option_count, options);
    if (status != INVALID_OPTION) return status;
    options[option_count - 1] = "--device-debug";
    return nvrtc.compile(program, option_count, options);
}

static int compile(const char *path, const char *text, const char *arch, bool quick,
                   const char **options, int option_count) {
    char target[64];
    snprintf(target, sizeof target, "--gpu-architecture=%s", arch);
    options[option_count] = target;
    options[option_count + 1] = quick ? "--Ofast-compile=max" : NULL;
    Program program;
    if (nvrtc.create(&program, text, path, 0, NULL, NULL)) return 0;
    double start = seconds();
    int status = compile_quickly(program, options, option_count + 2);
    double taken = seconds() - start;
    log_print(program);
    size_t size = 0;
    if (!status) status = nvrtc.cubin_size(program, &size);
    if (status)
        printf("%s %s: %s\n", path, arch, nvrtc.error(status));
    else
        printf("%s %s: %zu bytes in %.0f ms\n", path, arch, size, 1e3 * taken);
    nvrtc.destroy(&program);
    return !status && size > 0;
}

int main(int argc, char **argv) {
    enum { MOST = 64 };
    const char *archs[MOST], *files[MOST], *options[MOST + 3] = {"--std=c++17"};
    int arch_count = 0, file_count = 0, option_count = 1;
    bool quick = false;
    for (int i = 1; i < argc; i++) {
        if (arch_count + file_count + option_count >= MOST) return 2;
        if (!strcmp(argv[i], "--arch") && i + 1 < argc)
            archs[arch_count++] = argv[++i];
        else if (!strcmp(argv[i], "--quick"))
            quick = true;
        else if (argv[i][0] == '-') {
            options[option_count++] = argv[i];
            if (!argv[i][2] && i + 1 < argc) options[option_count++] = argv[++i];
        } else
            files[file_count++] = argv[i];
    }
    if (!file_count) {
        fprintf(
            stderr,
            "usage: nvrtc_compile [--quick] [--arch sm_90a].. [-I DIR] [-D NAME=VALUE].. FILE..\n");
        return 2;
    }
    if (!arch_count) archs[arch_count++] = "sm_90a";
    if (!nvrtc_load()) {
        fprintf(stderr, "nvrtc_compile: skipped: %s\n", dlerror());
        return 77;
    }
    int failed = 0;
    for (int f = 0; f < file_count; f++) {
        char *text = file_read(files[f]);
        if (!text) {
            perror(files[f]);
            return 2;
        }
        for (int a = 0; a < arch_count; a++)
            failed |= !compile(files[f], text, archs[a], quick, options, option_count);
        free(text);
    }
    return failed;
}
