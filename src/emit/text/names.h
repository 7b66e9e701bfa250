/* names.h: the names of a model's functions, kernels, tensors and dims in emitted text: the
 * model's, unless the target's text uses them already. */
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
void words_add_all(Words *words, const Words *of);
bool words_have(const Words *words, const char *name);
void words_of_text(Words *words, const char *text);
void words_of_template(Words *words, const char *name);
/* Adds the words that are visible outside of its functions, and to `bodies` those of macros that
 * the functions' text uses. */
void words_of_prelude(Words *visible, Words *bodies, const Words *used, const char *name);

/* ---- names.c ------------------------------------------------------------------------------- */

/* Of one function. names_choose (emit.h) makes those of a model. */
struct Names {
    const char *function;        /* that an application calls */
    const char *const *symbol;   /* dims, by number */
    const Plan *plan;            /* the same plan, with emitted names of buffers and kernels */
    const char *const *imported; /* what stands for each of Imports.names; NULL: no header */
    const Target *target;
    const Words *words; /* of the language and of the text of functions */
    bool *used; /* if given, set for each dim that is written: see names_recording */
    Arena *arena;
};

/* The same names, recording the dims that are written from now on: those that a function needs. */
Names names_recording(const Names *names);
/* May a variable of a kernel have this name? Not if the kernel's text may have another of it. */
bool names_are_free(const Names *names, const char *name);
/* The same kernels, with emitted names. */
TiledKernels names_kernels(const Names *names, const TiledKernels *kernels);
/* "layers_7, layers_14": the other kernels that call a function; NULL: none. */
const char *names_callers(const TiledKernels *kernels, int function, Arena *arena);

/* "f32[N, D]": for comments, so it marks no dims. */
const char *names_shape(const Names *names, const Node *n);
const char *names_size(const Names *names, Dim size); /* an expression of the dims */
/* the same, safe inside any other expression */
const char *names_size_factor(const Names *names, Dim size);

#endif
