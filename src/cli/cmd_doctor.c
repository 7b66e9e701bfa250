/* cmd_doctor.c: fusec doctor: what works on this machine, and why the rest does not.
 * In: nothing. Out: a line for each thing that fusec can use; each is tested by using it. */
#include "cli/command.h"
#include "graph/import/import.h"

#include <string.h>

static void put(Text *out, const char *what, bool works, const char *detail) {
    text_printf(out, "%-12s %-3s  ", what, works ? "ok" : "no");
    for (; *detail; detail++) {
        text_char(out, *detail);
        if (*detail == '\n') text_printf(out, "%18s", "");
    }
    text_char(out, '\n');
}

/* What the flags of emitted C mean to the compiler. */
static const char probe[] = "int fusec_openmp(void) {\n"
                            "#ifdef _OPENMP\n    return _OPENMP;\n#else\n    return 0;\n#endif\n}\n"
                            "const char *fusec_vectors(void) {\n"
                            "#if defined __AVX512F__\n    return \"AVX-512\";\n"
                            "#elif defined __AVX2__\n    return \"AVX2\";\n"
                            "#elif defined __AVX__\n    return \"AVX\";\n"
                            "#elif defined __ARM_FEATURE_SVE\n    return \"SVE\";\n"
                            "#elif defined __ARM_NEON\n    return \"NEON\";\n"
                            "#elif defined __SSE2__\n    return \"SSE2\";\n"
                            "#else\n    return \"none known\";\n#endif\n}\n";

typedef int Openmp(void);
typedef const char *Vectors(void);

static void put_vectors(Text *out, CpuModule *module, const char *remarks) {
    Vectors *vectors;
    Openmp *openmp;
    void *symbol = cpu_symbol(module, "fusec_vectors");
    memcpy(&vectors, &symbol, sizeof symbol);
    symbol = cpu_symbol(module, "fusec_openmp");
    memcpy(&openmp, &symbol, sizeof symbol);
    bool native = !strstr(remarks, "-march=native");
    put(out, "-march", native,
        arena_printf(out->arena, "%s, vectors: %s",
                     native ? "native" : "the compiler does not accept -march=native", vectors()));
    put(out, "OpenMP", openmp(),
        openmp() ? arena_printf(out->arena, "version %d", openmp())
                 : "the compiler does not accept -fopenmp: one thread only");
}

static void examine_cpu(Text *out) {
    const char *version;
    Diag *diag = diag_new(out->arena, 1);
    bool found = cpu_compiler_version(out->arena, cpu_compiler(NULL), &version);
    CpuModule *module = found ? cpu_compile(diag, probe, NULL, NULL) : NULL;
    Text remarks = text_new(out->arena);
    for (int i = 0; i < diag->messages.count; i++) text_str(&remarks, diag->messages.at[i].text);
    put(out, "C compiler", module, found && !module ? diag->refusal : version);
    if (module) put_vectors(out, module, text_get(&remarks));
    cpu_free(module);
}

static void examine_imports(Text *out) {
    const char *version;
    Diag *diag = diag_new(out->arena, 1);
    bool found = imports_version(diag, &version);
    put(out, "libclang", found, found ? version : diag->refusal);
}

Status cmd_doctor(Session *s) {
    Text out = text_new(s->arena);
    const char *detail;
    interrupt_hold();
    examine_cpu(&out);
    interrupt_release();
    examine_imports(&out);
    bool ok = nvrtc_version(s->arena, &detail);
    put(&out, "NVRTC", ok, detail);
    ok = cuda_devices(s->arena, &detail);
    put(&out, "CUDA device", ok, detail);
    write_output(s, "-", out.data, out.size);
    return exit_status(s);
}
