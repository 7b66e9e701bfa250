/* target.c: the targets, one row each: all that is asked of a target elsewhere is a field of it. */
#include "emit/c/c.h"
#include "emit/cuda/cuda.h"

#include <string.h>

static const Machine *core_of(const char *arch) {
    (void)arch;
    return machine_cpu();
}

static void build_c(const EmitOptions *options, const Program *programs, int count, Text *out) {
    (void)options, (void)programs, (void)count;
    text_str(out,
             " *\n * Build: cc -O3 -march=native -ffp-contract=fast -fopenmp; add -DFUSEC_MAIN "
             "(and -lm) for a program\n * that tests and times it. */\n\n");
}

static void build_cuda(const EmitOptions *options, const Program *programs, int count, Text *out) {
    bool one_arch = false;
    for (int i = 0; i < count; i++) one_arch |= programs[i].one_arch;
    if (one_arch)
        text_str(
            out,
            " *\n * Build for sm_90a alone: nvcc -O3 -gencode=arch=compute_90a,code=sm_90a, or "
            "NVRTC; add\n * -DFUSEC_MAIN for a program that tests and times it. */\n\n"
            "#if defined __CUDA_ARCH__ && !defined __CUDA_ARCH_FEAT_SM90_ALL\n"
            "#error \"this file is for sm_90a alone: -gencode=arch=compute_90a,code=sm_90a\"\n"
            "#endif\n\n");
    else
        text_printf(out,
                    " *\n * Build for sm_%d or later: nvcc -O3 -arch=native, or NVRTC; add "
                    "-DFUSEC_MAIN for a program\n * that tests and times it. */\n\n",
                    machine_gpu(options->arch)->sm);
}

static const char *const c_preludes[] = {"c/lanes.h",  "c/arithmetic.h", "c/functions.h",
                                         "c/narrow.h", "c/memory.h",     "c/reduce.h",
                                         "c/rows.h",   "c/tiles.h",      NULL};
static const char *const cuda_preludes[] = {"cuda/prelude.cuh", NULL};

static const char c_types[] = "#include <stdint.h>\n\n"
                              "typedef uint16_t bf16, f16;\n"
                              "typedef uint8_t f8e4m3, f8e5m2, bool_t;\n\n";
/* As CUDA's own headers have it, which need not be there. */
static const char cuda_types[] = "struct CUstream_st;\n"
                                 "typedef struct CUstream_st *cudaStream_t;\n\n";

const Target target_c = {.name = "c",
                         .suffix = "c",
                         .device = DEVICE_CPU,
                         .preludes = c_preludes,
                         .test_memory = "host/cpu.c",
                         .test_section = "FOR_CPU",
                         .test_arguments = "",
                         .machine = core_of,
                         .function = emit_c_launcher,
                         .prototypes = emit_c_prototypes,
                         .header_types = c_types,
                         .build = build_c};

const Target target_cuda = {.name = "cuda",
                            .suffix = "cu",
                            .device = DEVICE_CUDA,
                            .preludes = cuda_preludes,
                            .test_memory = "host/cuda.cu",
                            .test_section = "FOR_CUDA",
                            .test_arguments = ", 0", /* the stream */
                            .machine = machine_gpu,
                            .function = emit_cuda_launcher,
                            .prototypes = emit_cuda_prototypes,
                            .header_types = cuda_types,
                            .build = build_cuda};

static const Target *const targets[] = {&target_cuda, &target_c};
enum { TARGETS = sizeof targets / sizeof *targets };

const Target *target_find(const char *name) {
    for (int i = 0; i < TARGETS; i++)
        if (!strcmp(targets[i]->name, name)) return targets[i];
    return NULL;
}

const Target *target_of_device(DeviceKind device) {
    for (int i = 0; i < TARGETS; i++)
        if (targets[i]->device == device) return targets[i];
    BUG("no target for device %d", (int)device);
}
