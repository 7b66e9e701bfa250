/* emit.h: floor 6. Kernels to Program text. Text in another language lives in templates/; what is
 * written here is only what a graph decides: declarations, element statements, index expressions.
 * User text never reaches the output raw: identifiers are generated or checked, numbers are printed
 * from parsed values, and names in comments are percent-encoded (emit_comment). */
#ifndef FUSEC_EMIT_H
#define FUSEC_EMIT_H

#include "kernel/kernel.h"

typedef enum Target { TARGET_C, TARGET_CUDA } Target;

typedef struct EmitOptions {
    const char *command; /* for the header comment, e.g. "fusec geglu.fx -o geglu.cu" */
    bool entry;          /* C only: also emit the entry points that cpu_device.c calls */
    const char *arch;    /* CUDA only, such as sm_90a; NULL: what machine_gpu takes then */
    bool bare;           /* only the kernels: no header comment, no self-test */
    Arena *arena;
} EmitOptions;

/* ---- template.c ---------------------------------------------------------------------------- */

typedef struct Template {
    const char *name; /* "c/row.c" */
    const char *text;
} Template;

extern const Template embedded_templates[]; /* generated from templates/; ends with a NULL name */

const char *template_text(const char *name); /* BUGs when there is none */

/* What fills a template. A whole identifier equal to `key` becomes `text`; a line `//@HOLE key`
 * becomes the lines of `text` at the hole's indentation (empty text: the line goes). Lines between
 * `//@IF key` and `//@END` stay when the key's text is not empty. Lines up to a `//@BEGIN` line
 * (the defaults that let the template compile by itself) are dropped. */
typedef struct Fill {
    const char *key, *text;
} Fill;

void template_fill(const char *name, const Fill *fills, int count, Text *out);
void text_indented(Text *out, const char *text, int indent); /* but for lines of the preprocessor */

/* Does the identifier occur in the text, not as a member of something? */
bool text_mentions(const char *text, const char *word);

/* Copies from preludes (templates in //@SECTIONs; `files` ends with NULL) those sections whose
 * names occur in `text`, or in a section copied: the emitted file holds the helpers it uses and no
 * others. */
void prelude_link(const char *const *files, const char *text, Text *out);

/* ---- wrap.c ------------------------------------------------------------------------------- */

void text_wrapped(Text *out, const char *text); /* lines longer than 100 columns are broken */

/* ---- cuda.c: one kernel -------------------------------------------------------------------- */

/* How to launch it: formulas (see runtime.h), which are C expressions over the dims. */
typedef struct Launch {
    const char *grid;              /* blocks, in one dimension */
    const char *block_x, *block_y; /* threads of a block */
    const char *shared;            /* bytes of dynamic shared memory: a number */
    const char *arguments;         /* names of maps, buffers, dims, uniforms, separated by ", " */
    const ProgramMap *maps;        /* of tensors, by the names of the parameters */
    int map_count;
} Launch;

Launch emit_cuda_kernel(const Kernel *k, const Machine *gpu, Text *out);

/* ---- cuda_launch.c: the function an application calls, and the kernels before it ----------- */

/* Also tells the program how its kernels are launched. */
void emit_cuda_launcher(const Plan *plan, Kernel *const *kernels, const EmitOptions *options,
                        Program *program, Text *out);

/* ---- program.c: a function as the runtime sees it ------------------------------------------ */

/* All but the source, and how CUDA kernels are launched. `file`: what compilers call the source. */
Program emit_program(const Plan *plan, const char *file);
/* Statements that return 1 when the dims break a guard, or any. */
void emit_guard(const ProgramGuard *guard, Text *out);
void emit_guards(const Program *program, Text *out);

/* ---- uniform.c ----------------------------------------------------------------------------- */

/* A scalar of literals and dims as an expression for the host, valid in C and C++ with <math.h>. */
const char *uniform_text(const Graph *g, NodeId id, Arena *arena);

/* ---- c_launch.c: the function an application calls ----------------------------------------- */

void emit_c_launcher(const Plan *plan, Kernel *const *kernels, const EmitOptions *options,
                     const Program *program, Text *out);
void emit_c_prototypes(const Plan *plan, Text *out);

/* ---- selftest.c: what -DFUSEC_MAIN adds ---------------------------------------------------- */

void emit_self_test(const Model *model, const Plan *const *plans, Target target, Text *out);

/* ---- source.c: the file: header comment, helpers, kernels, launcher, self-test ------------- */

/* Everything of one model for one target. plans, kernels (those of kernels_build, which are
 * changed), programs (which are filled in): one for each function. */
void emit_source(const Model *model, const Plan *const *plans, Kernel *const *const *kernels,
                 Target target, const EmitOptions *options, Program *programs, Text *out);
/* The matching C header: -o x.h. */
void emit_header(const Model *model, const Plan *const *plans, const EmitOptions *options,
                 Text *out);
void emit_comment(Text *out, const char *text);       /* printable ASCII, else %XX */
void emit_block_comment(Text *out, const char *text); /* as a block comment, wrapped */
/* `head` and comma-separated parameters with a closing parenthesis, wrapped at 100 columns. */
void emit_signature(Text *out, const char *head, const char *params);

#endif
