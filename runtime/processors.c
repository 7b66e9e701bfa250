/* processors.c: on how many processors this process, and what it starts, may run. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "runtime/runtime.h"

#include <sched.h>
#include <unistd.h>

int processors_here(void) {
    cpu_set_t here;
    if (!sched_getaffinity(0, sizeof here, &here)) return CPU_COUNT(&here);
    const long all = sysconf(_SC_NPROCESSORS_ONLN); /* more than a set has */
    return all > 0 ? (int)all : 1;
}
