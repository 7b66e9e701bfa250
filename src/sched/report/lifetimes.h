/* lifetimes.h: memory over the kernels of a call: how long each buffer lives, where in the
 * workspace it is, what is in memory while a kernel runs. `fusec explain --memory`, the JSON plan
 * and the drawing print what stands here. */
#ifndef FUSEC_LIFETIMES_H
#define FUSEC_LIFETIMES_H

#include "sched/report/report.h"

typedef enum LifetimeRole {
    LIFETIME_INPUT,
    LIFETIME_OUTPUT,
    LIFETIME_KEPT,     /* by train: an output of a forward function, an input of a backward one */
    LIFETIME_PREPARED, /* made once, from constants */
    LIFETIME_TEMP,     /* in the workspace */
    LIFETIME_ROLES
} LifetimeRole;

extern const char *const lifetime_role[LIFETIME_ROLES];

typedef struct Lifetime {
    const char *name;
    LifetimeRole role;
    Dim size;     /* in bytes; 0: does not fit in 64 bits */
    double bytes; /* at the nominal sizes of open dims */
    int slot;     /* LIFETIME_TEMP, else -1; also where it is in an input: */
    const char *input; /* which is consumed; else NULL */
    int first,
        last; /* kernels of a call, by their numbers in it; the caller's memory: all of them */
} Lifetime;

typedef struct Lifetimes {
    const Plan *plan;
    Vec(Lifetime) buffers; /* inputs, outputs, the others in the order in which they are written */
    Vec(const char *) kernels; /* of a call */
    double *slots;             /* bytes of each slot, */
    int slot_count;
    double role[LIFETIME_ROLES]; /* bytes of all buffers of a role */
    double workspace;            /* of all slots */
    double *in_use;              /* by kernel: bytes of what is alive, all roles */
    double peak;
    int peak_at;
} Lifetimes;

LifetimeRole lifetime_role_of(const Plan *plan, const Buffer *buffer);
Lifetimes *lifetimes_of(const Plan *plan);
bool lifetime_holds(const Lifetime *lifetime, int kernel); /* is it alive while the kernel runs? */
void lifetimes_explain(const Lifetimes *lifetimes, const Lifetimes *unfused, Text *out);
/* Boxes over the kernels, each as high as its bytes: SVG, for light and dark pages. */
void lifetimes_draw(const Lifetimes *lifetimes, Text *out);

#endif
