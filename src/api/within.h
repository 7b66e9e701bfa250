/* within.h: internal functions of libfusec for the command line, which shows and checks more of a
 * compilation than fusec.h offers, copies tensors to the device, and measures. */
#ifndef FUSEC_WITHIN_H
#define FUSEC_WITHIN_H

#include "cache/cache.h"
#include "pipeline.h"
#include "runtime/include/fusec.h"

/* ---- context.c ------------------------------------------------------------------------------- */

Device *context_device(const FusecContext *context);
Cache *context_cache(const FusecContext *context); /* NULL: none */

/* ---- artifact.c ------------------------------------------------------------------------------ */

const char *artifact_build(void); /* of fusec */

/* ---- adopt.c --------------------------------------------------------------------------------- */

/* Function number `number` of a compilation up to its source, which outlives the function. Its
 * variant is the general one; it has no workspaces of its own. */
FusecStatus function_adopt(FusecContext *context, const Compilation *c, int number,
                           FusecFunction **function);

/* ---- profile.c ------------------------------------------------------------------------------- */

const Call *executable_call(const FusecExecutable *x);
/* The input, by its number, whose memory may be given for an argument; -1: none. */
int executable_may_be(const FusecExecutable *x, int argument);
/* Launches a kernel, or ALL_KERNELS, in the device's own stream; m has all memory that it needs. */
FusecStatus executable_launch(const FusecExecutable *x, const Memory *m, int kernel);

/* When a thread of the host launched a kernel: seconds of CLOCK_MONOTONIC. */
typedef struct HostTime {
    double start, end;
} HostTime;

/* fusec_profile of each kernel; host: by kernel; NULL: not asked for. */
FusecStatus executable_trace(FusecExecutable *x, void *const *pointers, size_t count,
                             const FusecCallOptions *options, double *seconds, size_t kernels,
                             HostTime *host);

#endif
