/* emit.h: floor 6. Kernels to Program text. Text in another language lives in templates/; what is
 * written here is only what a graph decides: declarations, element statements, index expressions.
 * User text never reaches the output raw: identifiers are generated or checked, numbers are printed
 * from parsed values, and names in comments are percent-encoded (emit_comment). */
#ifndef FUSEC_EMIT_H
#define FUSEC_EMIT_H

#include "graph/lower/lower.h"
#include "kernel/tile/tile.h"
#include "runtime/runtime.h"

typedef struct EmitOptions {
    const char *command; /* for the header comment, e.g. "fusec geglu.fx -o geglu.cu" */
    bool entry;          /* C only: also emit the entry points that cpu_device.c calls */
    const char *arch;    /* CUDA only, such as sm_90a; NULL: what machine_gpu takes then */
    bool bare;           /* only the kernels: no header comment, no self-test */
    Arena *arena;
} EmitOptions;

/* ---- file/target.c: the languages that kernels are emitted in, one row each ------------------ */

typedef struct Names Names; /* of a function of the model in emitted text: see names.h */

typedef struct Target {
    const char *name;            /* "cuda": what --target says */
    const char *suffix;          /* of its files: "cu" */
    DeviceKind device;           /* that runs its code */
    Language language;           /* of texts in the op table */
    const char *templates;       /* the folder of its templates: "cuda/" */
    const char *const *preludes; /* those in //@SECTIONs, ending with NULL: see prelude_link */
    const char *test_memory;     /* template of the self-test: where its tensors are */
    const char *test_section;    /* of the template of the self-test: what this target alone has */
    const char *test_arguments;  /* of the function under test, after those that all targets have */

    /* What a name of the user must not be, beside the words of its templates. Words are separated
     * by spaces. */
    const char *words;   /* of the language, and macros, types and functions of its library */
    const char *written; /* that its writers write, and no template has */
    const char *library; /* functions that are declared beside those of the model */
    const char *const *prefixes; /* of names that headers and emitted text keep for themselves */

    /* The machine that is planned for; NULL: where nobody names an architecture. */
    const Machine *(*machine)(const char *arch);
    /* One function of a model: its kernels, and the function that an application calls. Also tells
     * the program how its kernels are launched, where the runtime does that. */
    void (*function)(const Names *names, const TiledKernels *kernels, const EmitOptions *options,
                     Program *program, Text *out);
    /* What the header declares of a function, and what it needs for that. */
    void (*prototypes)(const Names *names, Text *out);
    const char *header_types;
    /* The last paragraph of the comment at the head of the file: how it is compiled. And an #error
     * where it is compiled for another architecture than it is for. */
    void (*build)(const EmitOptions *options, const Program *programs, int count, Text *out);
} Target;

extern const Target target_c, target_cuda;
const Target *target_find(const char *name); /* NULL: there is none */
const Target *target_of_device(DeviceKind device);

/* ---- file/source.c: the file: header comment, helpers, kernels, launcher, self-test ---------- */

/* What emitted text calls each function, its kernels, tensors and dims. With a warning for each
 * function that is not emitted under its own name. */
const Names *names_choose(const Plan *const *plans, int count, const Target *target, Arena *arena);

/* Everything of one model for one target. names, kernels, programs (which are filled in): one for
 * each function. */
void emit_source(const Model *model, const Names *names, const TiledKernels *kernels,
                 const Target *target, const EmitOptions *options, Program *programs, Text *out);
/* The matching header, for C and C++: -o x.h. */
void emit_header(const Model *model, const Names *names, const Target *target,
                 const EmitOptions *options, Text *out);

#endif
