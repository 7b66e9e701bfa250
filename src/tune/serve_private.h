/* serve_private.h: shared by the files of the worker's side: serve.c, buffers.c, expected.c,
 * agree.c, small.c. */
#ifndef FUSEC_TUNE_SERVE_PRIVATE_H
#define FUSEC_TUNE_SERVE_PRIVATE_H

#include "tune/tune.h"

/* ---- buffers.c: tensors in the device's memory, with guards around them ---------------------- */

/* Copies of all tensors; launches that are timed take turns at them, so that no data is left in a
 * cache. In each, guards lie before, between and behind the tensors:
 *
 *     guard | x | guard | w | guard | y | guard        sets of these, one after the other        */
typedef struct Buffers {
    Device *device;
    const TuneTensors *of;
    int sets, tensors, next;
    uint32_t turn;         /* of next: see serve.c */
    size_t set_bytes, *at; /* at: of each tensor in a set */
    char *bytes;           /* the device's memory */
    void **tensor;         /* by set, then by tensor */
} Buffers;

/* sets: at least one; 0: as many as are larger than its caches, twice. For buffers_free in any
 * case. */
bool buffers_make(Buffers *b, Diag *diag, Device *device, const TuneTensors *of, int sets);
void buffers_free(Buffers *b);
void *const *buffers_set(const Buffers *b, int set);
/* Fills the outputs of set 0 with bytes that no kernel writes by chance, and its guards anew. */
bool buffers_poison(const Buffers *b, Diag *diag);
/* Fetches the outputs of set 0. *wrong: what was overwritten that must not be; NULL: nothing. False
 * after a refusal. */
bool buffers_fetch(const Buffers *b, Diag *diag, const char **wrong);

/* Memory with a guard behind it. */
typedef struct Guarded {
    Device *device;
    char *memory;
    size_t bytes;
} Guarded;

bool guarded_make(Guarded *g, Diag *diag, Device *device, size_t bytes);
void guarded_free(Guarded *g);
bool guarded_poison(const Guarded *g, Diag *diag);
bool guarded_verify(const Guarded *g, Diag *diag, bool *is_whole);

/* ---- expected.c: what results are compared with --------------------------------------------- */

typedef struct Expected {
    const Graph *g; /* defines the results; NULL: too large for the evaluator */
    const TuneTensors *tensors;
    Tensor **exact, **declared; /* the evaluator's */
    Tensor **first;             /* the first result that was right, for comparing bytes */
    double *largest;            /* of each of these; below 0: not known yet */
    double first_error;
} Expected;

/* Operations and elements of the evaluator. */
double expected_work(const Graph *g, const Machine *machine);
/* Of the evaluator, where g is not NULL. For expected_free in any case. */
bool expected_make(Expected *e, Diag *diag, const Graph *g, const TuneTensors *tensors);
void expected_free(Expected *e);
/* Compares the outputs of `tensors`. *why: NULL if they are right. *error: of what is allowed; -1:
 * compared with the first result only. False after a refusal. */
bool expected_compare(Expected *e, Diag *diag, const char **why, double *error);

/* ---- agree.c --------------------------------------------------------------------------------- */

/* Do they differ by no more than roundings? Of one type and shape. *largest: of the first one's
 * finite numbers; below 0: not known yet. */
bool tensors_agree(Arena *arena, const Tensor *first, const Tensor *other, double *largest);

/* ---- small.c --------------------------------------------------------------------------------- */

/* Attempt `number`, from 0 on, in the order in which they are preferred; small: as many as o has.
 * False: there are no more. */
bool small_sizes(const CompileOptions *o, int number, DimBinding *small);

#endif
