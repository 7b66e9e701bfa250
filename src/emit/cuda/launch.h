/* launch.h: shared by the files that write the functions an application calls. `once`: for kernels
 * that run when constants are prepared; else for those of every call. */
#ifndef FUSEC_EMIT_CUDA_LAUNCH_H
#define FUSEC_EMIT_CUDA_LAUNCH_H

#include "emit/cuda/cuda.h"
#include "emit/text/host.h"

typedef struct CudaLauncher {
    Launcher l;   /* first: see cuda_launcher */
    Launch *made; /* of each kernel */
    const EmitOptions *options;
} CudaLauncher;

static inline const CudaLauncher *cuda_launcher(const Launcher *l) {
    return (const CudaLauncher *)l;
}

/* ---- launch.c ---- */

const Parameters *cuda_given(const Launcher *l, bool once); /* to each kernel */
void cuda_call_kernel(const Launcher *l, int k, int number, Text *out);
/* Bytes of scratch memory of these kernels, which run one after the other; "": they have none. */
const char *cuda_scratch(const Launcher *l, bool once);
/* If any launch has a status of its own. */
void cuda_declare_status(const Launcher *l, bool once, Text *out);

/* ---- prepare.c: functions with constant inputs ---- */

/* Bytes of prepared memory before a buffer of the plan: "0", or a sum. The number of buffers:
 * before the scratch memory of kernels that prepare; one more: of all. */
const char *cuda_prepared_offset(const Launcher *l, int buffer);
/* In a call: pointers to what is prepared. */
void cuda_declare_prepared(const Launcher *l, Text *out);
/* The function that prepares, and the query of the size of its memory. */
void cuda_prepare_function(const Launcher *l, Text *out);

#endif
