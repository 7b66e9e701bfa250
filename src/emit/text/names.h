/* names.h: what emitted text calls the functions, kernels, tensors and dims of a model: as the
 * model does, unless the text of the target has that word already. */
#ifndef FUSEC_NAMES_H
#define FUSEC_NAMES_H

#include "emit/emit.h"

/* ---- words.c: a set of words, and those of templates --------------------------------------- */

typedef struct Word {
    const char *at;
    size_t size;
} Word;

typedef struct Words {
    Arena *arena;
    Word *slot;
    size_t mask;
    int count;
} Words;

Words *words_new(Arena *arena);
void words_add(Words *words, const char *names); /* separated by spaces */
bool words_have(const Words *words, const char *name);
void words_of_text(Words *words, const char *text);
void words_of_template(Words *words, const char *name);
/* used: what the text of functions has: bodies of macros count if they are among it. */
void words_of_prelude(Words *words, const Words *used, const char *name);

/* ---- names.c ------------------------------------------------------------------------------- */

/* Of one function. names_choose (emit.h) makes those of a model. */
struct Names {
    const char *function;      /* that an application calls */
    const char *const *symbol; /* dims, by number */
    const Plan *plan;          /* the same plan, with names of the text for buffers and kernels */
    bool *used; /* where given, set for each dim that is written: see names_recording */
    Arena *arena;
};

/* The same names, which record the dims that are written from now on: those that a function
 * needs. */
Names names_recording(const Names *names);
/* The same kernels, with names of the text. */
TiledKernels names_kernels(const Names *names, const TiledKernels *kernels);
/* "layers_7, layers_14": the other kernels that call the function of one; NULL: none does. */
const char *names_callers(const TiledKernels *kernels, int function, Arena *arena);

const char *names_size(const Names *names, Dim size);        /* an expression of the dims */
const char *names_size_factor(const Names *names, Dim size); /* the same inside any other */

#endif
