/* nvrtc.c: a run-time compiler for tests, loaded by fusec in place of libnvrtc.so.13. What it makes
 * of CUDA text is the path of a program, made by the command in FAKE_NVRTC, which gets the names of
 * a file with the text and of the program to be. FAKE_NVRTC_LOG is what it says against any text
 * instead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define FUNCTION(NAME, ...)                                                                        \
    EXPORT int NAME(__VA_ARGS__);                                                                  \
    EXPORT int NAME(__VA_ARGS__)

enum { ERROR_COMPILATION = 6 };

typedef struct Program {
    char *source;
    char path[256];
} Program;

EXPORT const char *nvrtcGetErrorString(int status);
EXPORT const char *nvrtcGetErrorString(int status) {
    return status == ERROR_COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR";
}

FUNCTION(nvrtcVersion, int *major, int *minor) {
    *major = 13;
    *minor = 0;
    return 0;
}

FUNCTION(nvrtcGetNumSupportedArchs, int *count) {
    *count = 2;
    return 0;
}

FUNCTION(nvrtcGetSupportedArchs, int *archs) {
    archs[0] = 80;
    archs[1] = 90;
    return 0;
}

FUNCTION(nvrtcCreateProgram, Program **program, const char *source, const char *name, int headers,
         const char *const *texts, const char *const *names) {
    *program = calloc(1, sizeof **program);
    (*program)->source = strdup(source);
    (void)name, (void)texts, (void)names;
    return headers;
}

FUNCTION(nvrtcCompileProgram, Program *program, int count, const char *const *options) {
    static _Atomic int number; /* programs may be compiled at once */
    char file[300], command[2048];
    const char *folder = getenv("TMPDIR"), *compiler = getenv("FAKE_NVRTC");
    if (count < 1 || strcmp(options[0], "--gpu-architecture=sm_90a") != 0) return 1;
    if (getenv("FAKE_NVRTC_LOG") || !compiler) return ERROR_COMPILATION;
    snprintf(program->path, sizeof program->path, "%s/module%d-%d", folder ? folder : "/tmp",
             (int)getpid(), number++); /* processes may share the folder */
    snprintf(file, sizeof file, "%s.cu", program->path);
    FILE *out = fopen(file, "w");
    if (!out || fputs(program->source, out) < 0 || fclose(out)) return 1;
    snprintf(command, sizeof command, "%s '%s' '%s' >&2", compiler, file, program->path);
    return system(command) ? ERROR_COMPILATION : 0;
}

static const char *log_text(void) {
    const char *text = getenv("FAKE_NVRTC_LOG");
    return text ? text : "";
}

FUNCTION(nvrtcGetProgramLogSize, Program *program, size_t *size) {
    *size = strlen(log_text()) + 1;
    return !program;
}

FUNCTION(nvrtcGetProgramLog, Program *program, char *log) {
    strcpy(log, log_text());
    return !program;
}

FUNCTION(nvrtcGetCUBINSize, Program *program, size_t *size) {
    *size = strlen(program->path) + 1;
    return 0;
}

FUNCTION(nvrtcGetCUBIN, Program *program, char *bytes) {
    strcpy(bytes, program->path);
    return 0;
}

FUNCTION(nvrtcGetPTXSize, Program *program, size_t *size) {
    return nvrtcGetCUBINSize(program, size);
}
FUNCTION(nvrtcGetPTX, Program *program, char *bytes) { return nvrtcGetCUBIN(program, bytes); }

FUNCTION(nvrtcDestroyProgram, Program **program) {
    free((*program)->source);
    free(*program);
    return 0;
}
