/* lower.h: Ast to Graphs, one for each function. */
#ifndef FUSEC_LOWER_H
#define FUSEC_LOWER_H

#include "graph/import/import.h"
#include "syntax/syntax.h"

typedef struct LowerOptions {
    const char *fn; /* NULL: all functions that no other function calls */
    const DimBinding *bindings;
    int binding_count;
    const DimBinding *multiples; /* open dims that are known to be multiples of a number */
    int multiple_count;
    ImportOptions imports;
    bool grad_warnings; /* -Wgrad */
    int64_t keep_bytes; /* --keep-bytes; 0: any number */
} LowerOptions;

typedef struct Model {
    const char *name; /* file name without folder and suffix */
    Vec(Graph *) functions;
    const Imports *imports; /* NULL: none */
} Model;

/* Checks the whole file and lowers the requested functions. NULL after diag_errors. */
Model *lower(Arena *arena, Diag *diag, const Ast *file, const char *name, const Limits *limits,
             const LowerOptions *options);

#endif
