/* nvrtc.c: NVIDIA's run-time compiler, loaded at run time.
 * In: CUDA C++ text. Out: PTX or a cubin; or its errors, at the places in the model that the text
 * comes from. No GPU and no headers of CUDA are needed. */
#include "runtime/cuda.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* FUNCTION(field, name without "nvrtc", parameters); all return 0 for success. */
#define FUNCTIONS                                                                                  \
    FUNCTION(version, "Version", (int *, int *))                                                   \
    FUNCTION(arch_count, "GetNumSupportedArchs", (int *))                                          \
    FUNCTION(archs, "GetSupportedArchs", (int *))                                                  \
    FUNCTION(create, "CreateProgram",                                                              \
             (void **, const char *, const char *, int, const char *const *, const char *const *)) \
    FUNCTION(compile, "CompileProgram", (void *, int, const char *const *))                        \
    FUNCTION(log_size, "GetProgramLogSize", (void *, size_t *))                                    \
    FUNCTION(log, "GetProgramLog", (void *, char *))                                               \
    FUNCTION(ptx_size, "GetPTXSize", (void *, size_t *))                                           \
    FUNCTION(ptx, "GetPTX", (void *, char *))                                                      \
    FUNCTION(cubin_size, "GetCUBINSize", (void *, size_t *))                                       \
    FUNCTION(cubin, "GetCUBIN", (void *, char *))                                                  \
    FUNCTION(destroy, "DestroyProgram", (void **))

typedef struct Nvrtc {
    Library library;
#define FUNCTION(field, name, parameters) int(*field) parameters;
    FUNCTIONS
#undef FUNCTION
    const char *(*error_text)(int);
} Nvrtc;

/* ---- loading ------------------------------------------------------------------------------ */

static bool nvrtc_load(Arena *arena, Nvrtc *nvrtc, const char **why) {
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", NULL};
    *nvrtc = (Nvrtc){0};
    if (!library_open(arena, &nvrtc->library, names, why)) {
        if (!*why)
            *why =
                "NVRTC is not installed: no libnvrtc.so.13 or .12 where the system looks for "
                "libraries, nor in /usr/local/cuda/lib64; it comes with the CUDA toolkit, and as "
                "the Python package nvidia-cuda-nvrtc: name its folder in FUSEC_CUDA_PATH";
        return false;
    }
    bool ok = library_symbol(&nvrtc->library, "nvrtcGetErrorString", &nvrtc->error_text);
#define FUNCTION(field, name, parameters)                                                          \
    ok = library_symbol(&nvrtc->library, "nvrtc" name, &nvrtc->field) && ok;
    FUNCTIONS
#undef FUNCTION
    if (!ok)
        *why =
            arena_printf(arena, "%s is too old: CUDA 12 or newer is needed", nvrtc->library.path);
    return ok;
}

static bool nvrtc_need(Diag *diag, Nvrtc *nvrtc) {
    const char *why;
    bool ok = nvrtc_load(diag->arena, nvrtc, &why);
    if (!ok) diag_refuse(diag, "%s", why);
    return ok;
}

/* ---- what the compiler says --------------------------------------------------------------- */

enum { ERRORS_SHOWN = 5 };

static const char *read_log(Arena *arena, const Nvrtc *nvrtc, void *program) {
    size_t size = 0;
    if (nvrtc->log_size(program, &size) || !size) return "";
    char *log = arena_alloc(arena, size + 1);
    return nvrtc->log(program, log) ? "" : log;
}

static size_t line_offset(const char *source, long line) {
    const char *at = source;
    while (--line > 0 && strchr(at, '\n')) at = strchr(at, '\n') + 1;
    return (size_t)(at - source);
}

/* The part of the source that a line is in; NULL: in none, or in what all parts share. */
static const NvrtcPlace *place_of(const NvrtcInput *input, long line) {
    const NvrtcPlace *found = NULL;
    size_t offset = line_offset(input->source, line);
    for (int i = 0; i < input->place_count && input->places[i].source_at <= offset; i++)
        found = &input->places[i];
    return found;
}

/* "file.cu(143): error: .." : the number, and what comes after it; 0 when it is no such line. */
static long message_line(const NvrtcInput *input, const char *line, const char **text) {
    size_t size = strlen(input->file);
    if (strncmp(line, input->file, size) != 0 || line[size] != '(') return 0;
    char *end;
    long number = strtol(line + size + 1, &end, 10);
    if (strncmp(end, "): ", 3) != 0) return 0;
    *text = end + 3;
    return number;
}

static void put_message(const NvrtcInput *input, long number, const char *text, size_t size,
                        Text *out) {
    const NvrtcPlace *place = place_of(input, number);
    if (place)
        text_printf(out, "\n%s: %.*s (%s, %s:%ld)", place->place, (int)size, text, place->part,
                    input->file, number);
    else
        text_printf(out, "\n%s:%ld: %.*s", input->file, number, (int)size, text);
}

/* The first errors, each with the lines that NVRTC shows under it. */
static const char *log_text(Arena *arena, const NvrtcInput *input, const char *log) {
    Text out = text_new(arena);
    int shown = 0;
    bool showing = false;
    for (const char *line = log, *next; *line; line = next) {
        size_t size = strcspn(line, "\n");
        const char *text = line;
        long number = message_line(input, line, &text);
        next = line + size + (line[size] == '\n');
        if (number) {
            bool is_error = strncmp(text, "warning", 7) != 0 && strncmp(text, "remark", 6) != 0;
            showing = is_error && shown < ERRORS_SHOWN;
            shown += is_error;
            if (showing) put_message(input, number, text, size - (size_t)(text - line), &out);
        } else if (showing && size && *line == ' ') {
            text_printf(&out, "\n%.*s", (int)size, line);
        }
    }
    if (shown > ERRORS_SHOWN) text_printf(&out, "\n.. and %d more", shown - ERRORS_SHOWN);
    return out.size ? text_get(&out) : arena_printf(arena, "\n%s", log);
}

static bool keep_log(Diag *diag, const NvrtcInput *input, const char *log) {
    const char *path = arena_printf(diag->arena, "%s/%s.log", input->keep, input->file);
    return file_write_atomic(diag, path, log, strlen(log));
}

/* ---- compiling ---------------------------------------------------------------------------- */

/* False, with the call and NVRTC's words, when `status` is an error. */
static bool succeeded(Diag *diag, const Nvrtc *nvrtc, const char *call, int status) {
    if (status)
        diag_refuse(diag, "%s: %s (%s)", call, nvrtc->error_text(status), nvrtc->library.path);
    return status == 0;
}

static bool run_compiler(Diag *diag, const Nvrtc *nvrtc, void *program, const NvrtcInput *input) {
    const char *options[] = {arena_printf(diag->arena, "--gpu-architecture=%s", input->arch),
                             "--std=c++17", "--generate-line-info"};
    int status = nvrtc->compile(program, input->lines ? 3 : 2, options);
    const char *log = read_log(diag->arena, nvrtc, program);
    if (input->keep && *log && !keep_log(diag, input, log)) return false;
    if (status)
        diag_refuse(diag, "nvrtcCompileProgram for %s: %s%s", input->arch,
                    nvrtc->error_text(status), log_text(diag->arena, input, log));
    return status == 0;
}

static void *take_result(Diag *diag, const Nvrtc *nvrtc, void *program, NvrtcResult result,
                         size_t *size) {
    bool ptx = result == NVRTC_PTX;
    if (!succeeded(diag, nvrtc, ptx ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize",
                   (ptx ? nvrtc->ptx_size : nvrtc->cubin_size)(program, size)))
        return NULL;
    char *bytes = malloc(*size + 1);
    if (!bytes) {
        diag_refuse_memory(diag, "malloc: %s", strerror(ENOMEM));
    } else if (!succeeded(diag, nvrtc, ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN",
                          (ptx ? nvrtc->ptx : nvrtc->cubin)(program, bytes))) {
        free(bytes);
        return NULL;
    }
    if (ptx && *size) --*size; /* PTX is counted with its NUL */
    return bytes;
}

typedef struct Compilation {
    Diag *diag;
    Nvrtc nvrtc;
    const NvrtcInput *input;
    NvrtcResult result;
    void *program, *bytes;
    size_t *size;
} Compilation;

static void compile(void *of) {
    Compilation *c = of;
    const NvrtcInput *input = c->input;
    if (succeeded(c->diag, &c->nvrtc, "nvrtcCreateProgram",
                  c->nvrtc.create(&c->program, input->source, input->file, 0, NULL, NULL)) &&
        run_compiler(c->diag, &c->nvrtc, c->program, input))
        c->bytes = take_result(c->diag, &c->nvrtc, c->program, c->result, c->size);
}

static void destroy(void *of) {
    Compilation *c = of;
    if (c->program) c->nvrtc.destroy(&c->program);
}

void *nvrtc_compile(Diag *diag, const NvrtcInput *input, NvrtcResult result, size_t *size) {
    Compilation c = {.diag = diag, .input = input, .result = result, .size = size};
    if (nvrtc_need(diag, &c.nvrtc)) ensure(compile, destroy, &c);
    return c.bytes;
}

/* ---- asking ------------------------------------------------------------------------------- */

/* The architectures, ascending; NULL when it does not tell. */
static const int *read_archs(Arena *arena, const Nvrtc *nvrtc, int *count) {
    if (nvrtc->arch_count(count) || *count < 1) return NULL;
    int *archs = arena_array(arena, int, *count);
    return nvrtc->archs(archs) ? NULL : archs;
}

bool nvrtc_knows(Diag *diag, int number, int *most) {
    Nvrtc nvrtc;
    int count = 0;
    *most = 0;
    if (!nvrtc_need(diag, &nvrtc)) return false;
    const int *archs = read_archs(diag->arena, &nvrtc, &count);
    for (int i = 0; archs && i < count && archs[i] <= number; i++) *most = archs[i];
    return *most == number;
}

bool nvrtc_version(Arena *arena, const char **text) {
    const char *path;
    return nvrtc_found(arena, text, &path);
}

bool nvrtc_found(Arena *arena, const char **text, const char **path) {
    Nvrtc nvrtc;
    int major = 0, minor = 0, count = 0;
    if (!nvrtc_load(arena, &nvrtc, text)) return false;
    *path = library_file(arena, nvrtc.error_text);
    const int *archs = read_archs(arena, &nvrtc, &count);
    bool ok = archs && !nvrtc.version(&major, &minor);
    *text = ok ? arena_printf(arena, "%d.%d, sm_%d to sm_%d (%s)", major, minor, archs[0],
                              archs[count - 1], nvrtc.library.path)
               : arena_printf(arena, "%s does not answer", nvrtc.library.path);
    return ok;
}
