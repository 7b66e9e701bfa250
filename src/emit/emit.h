/* emit.h: Kernels to Program text. Text in another language is in templates/; the code
 * here writes only what depends on the graph: declarations, element statements, index expressions.
 * User text is never copied: identifiers are generated or checked, numbers are printed from parsed
 * values, and names in comments are percent-encoded (emit_comment). */
#ifndef FUSEC_EMIT_H
#define FUSEC_EMIT_H

#include "graph/lower/lower.h"
#include "kernel/tile/tile.h"
#include "runtime/runtime.h"

typedef struct EmitOptions {
    const char *command; /* for the header comment, e.g. "fusec geglu.fx -o geglu.cu" */
    const char *file;    /* the same: the name of the source, "geglu.cu"; NULL: that of the model */
    const char *header;  /* that of its header, "geglu.h", which names its guard; NULL: the same */
    bool entry;          /* C only: also emit the entry points that cpu_device.c calls */
    const char *arch;    /* CUDA only, such as sm_90a; NULL: the default of machine_gpu */
    bool bare;           /* only the kernels: no header comment, no self-test */
    bool no_test;        /* no self-test */
    bool aligned;        /* CUDA only: tensors are aligned to TENSOR_ALIGNED: no kernel tests it */
    bool dependent;      /* CUDA only: kernels wait for those before them: see grid_dependency */
    bool marks;          /* CUDA only: lines "//@AT file offset", of the model, before statements */
    Arena *arena;
} EmitOptions;

/* ---- file/target.c: the languages that kernels are emitted in, one row each ------------------ */

typedef struct Names Names; /* names of a function of the model in emitted text: see names.h */

typedef struct Target {
    const char *name;            /* "cuda": the value of --target */
    const char *suffix;          /* of its files: "cu" */
    DeviceKind device;           /* the device that runs its code */
    Language language;           /* its column of the op table */
    const char *templates;       /* the folder of its templates: "cuda/" */
    const char *const *preludes; /* those with //@SECTIONs, ending with NULL: see prelude_link */
    /* Sections of them, as Program.shared; NULL: the runtime compiles all with a program. */
    const char *(*shared)(Arena *arena, const char *names);
    const char *test_memory;    /* template of the self-test: memory of its tensors */
    const char *test_section;   /* section of the self-test's template for this target only */
    const char *test_arguments; /* further arguments of the functions under test */

    /* Names that a model's names must not collide with, besides the words of its templates. Words
     * are separated by spaces. */
    const char *words;   /* of the language, and macros, types and functions of its library */
    const char *written; /* that its writers emit, and no template has */
    const char *library; /* functions declared in the same headers */
    const char *const *prefixes; /* reserved prefixes of names in headers and emitted text */

    /* The machine to plan for; NULL: the default architecture. */
    const Machine *(*machine)(const char *arch);
    /* One function of a model: its kernels, and the function that an application calls. Also
     * records in the program how its kernels are launched, if the runtime launches them. */
    void (*function)(const Names *names, const TiledKernels *kernels, const EmitOptions *options,
                     Program *program, Text *out);
    /* The declarations of a function in the header, and the types that they need. */
    void (*prototypes)(const Names *names, const EmitOptions *options, Text *out);
    const char *header_types;
    /* The last paragraph of the head comment of the file: how to compile it. And an #error for
     * other architectures if it is for one only. */
    void (*build)(const EmitOptions *options, const Program *programs, int count, Text *out);
} Target;

extern const Target target_c, target_cuda;
const Target *target_find(const char *name); /* NULL: there is none */
const Target *target_of_device(DeviceKind device);

/* ---- file/source.c: the file: header comment, helpers, kernels, launcher, self-test ---------- */

/* The names of each function, its kernels, tensors and dims in emitted text. Warns about each
 * function that is emitted under another name. */
const Names *names_choose(const Plan *const *plans, int count, const Target *target, Arena *arena);

/* All text of one model for one target. names, kernels, programs (which are filled in): one for
 * each function. */
void emit_source(const Model *model, const Names *names, const TiledKernels *kernels,
                 const Target *target, const EmitOptions *options, Program *programs, Text *out);
/* The matching header, for C and C++: -o x.h. */
void emit_header(const Model *model, const Names *names, const Target *target,
                 const EmitOptions *options, Text *out);

#endif
