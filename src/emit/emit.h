/* emit.h: floor 6. Kernels to Program text. Text in another language lives in templates/; what is
 * written here is only what a graph decides: declarations, element statements, index expressions.
 * User text never reaches the output raw: identifiers are generated or checked, numbers are printed
 * from parsed values, and names in comments are percent-encoded (emit_comment). */
#ifndef FUSEC_EMIT_H
#define FUSEC_EMIT_H

#include "graph/lower/lower.h"
#include "kernel/kernel.h"
#include "runtime/runtime.h"

typedef enum Target { TARGET_C, TARGET_CUDA } Target;

typedef struct EmitOptions {
    const char *command; /* for the header comment, e.g. "fusec geglu.fx -o geglu.cu" */
    bool entry;          /* C only: also emit the entry points that cpu_device.c calls */
    const char *arch;    /* CUDA only, such as sm_90a; NULL: what machine_gpu takes then */
    bool bare;           /* only the kernels: no header comment, no self-test */
    Arena *arena;
} EmitOptions;

/* ---- file/source.c: the file: header comment, helpers, kernels, launcher, self-test ------------- */

/* Everything of one model for one target. plans, kernels (those of kernels_build, which are
 * changed), programs (which are filled in): one for each function. */
void emit_source(const Model *model, const Plan *const *plans, Kernel *const *const *kernels,
                 Target target, const EmitOptions *options, Program *programs, Text *out);
/* The matching C header: -o x.h. */
void emit_header(const Model *model, const Plan *const *plans, const EmitOptions *options,
                 Text *out);

#endif
