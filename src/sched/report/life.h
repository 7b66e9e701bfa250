/* life.h: memory over the kernels of a call: how long each buffer lives, where in the workspace it
 * is, what is in memory while a kernel runs. `fusec explain --memory`, the JSON plan and the
 * drawing print what stands here. */
#ifndef FUSEC_LIFE_H
#define FUSEC_LIFE_H

#include "sched/report/report.h"

typedef enum LifeRole {
    LIFE_INPUT,
    LIFE_OUTPUT,
    LIFE_KEPT, /* an output of a forward function, or an input of a backward one: made by train */
    LIFE_PREPARED, /* made once, from constants */
    LIFE_TEMP,     /* in the workspace */
    LIFE_ROLES
} LifeRole;

extern const char *const life_role[LIFE_ROLES];

typedef struct Life {
    const char *name;
    LifeRole role;
    Dim size;     /* in bytes; 0: does not fit in 64 bits */
    double bytes; /* at the nominal sizes of open dims */
    int slot;     /* LIFE_TEMP, else -1 */
    int first,
        last; /* kernels of a call, by their numbers in it; the caller's memory: all of them */
} Life;

typedef struct Lives {
    const Plan *plan;
    Vec(Life) buffers; /* inputs, outputs, the others in the order in which they are written */
    Vec(const char *) kernels; /* of a call */
    double *slots;             /* bytes of each slot, */
    int slot_count;
    double role[LIFE_ROLES]; /* bytes of all buffers of a role */
    double workspace;        /* of all slots */
    double *in_use;          /* by kernel: bytes of what is alive, all roles */
    double peak;
    int peak_at;
} Lives;

LifeRole life_role_of(const Plan *plan, const Buffer *buffer);
Lives *lives_of(const Plan *plan);
bool life_holds(const Life *life, int kernel); /* is it alive while the kernel runs? */
void lives_explain(const Lives *lives, const Lives *unfused, Text *out);
/* Boxes over the kernels, each as high as its bytes: SVG, for light and dark pages. */
void lives_draw(const Lives *lives, Text *out);

#endif
