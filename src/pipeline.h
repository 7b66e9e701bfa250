/* pipeline.h: the stages in order, from source text to the text of a target; see pipeline.c.
 * What they make, and what that depends on, as text. */
#ifndef FUSEC_PIPELINE_H
#define FUSEC_PIPELINE_H

#include "emit/emit.h"
#include "graph/pass/pass.h"
#include "kernel/schedule/schedule.h"
#include "roofline/roofline.h"
#include "sched/report/report.h"
#include "sched/split/split.h"

typedef enum Stage {
    STAGE_AST,
    STAGE_GRAPH,
    STAGE_PLAN,
    STAGE_KERNEL,
    STAGE_TILE,
    STAGE_SOURCE
} Stage;

/* What --time-passes reports times of; pass_name has their names. */
typedef enum Pass {
    PASS_PARSE,
    PASS_LOWER,
    PASS_DEFER,
    PASS_DECOMPOSE,
    PASS_LIFT,
    PASS_SIMPLIFY,
    PASS_SLICES,
    PASS_VERIFY,
    PASS_FUSE,
    PASS_BUFFERS,
    PASS_KERNEL,
    PASS_TILE,
    PASS_SHARE,
    PASS_SCHEDULE,
    PASS_EMIT,
    PASS_COMPILER, /* of the device: a C compiler or NVRTC */
    PASS_COUNT
} Pass;

extern const char *const pass_name[PASS_COUNT];

/* Also the exit statuses of the command line. */
typedef enum Status {
    STATUS_OK = 0,
    STATUS_WRONG = 1, /* the model or its data is wrong */
    STATUS_USAGE = 2,
    STATUS_REFUSED = 3 /* the machine: no compiler, no device, out of memory, I/O */
} Status;

/* What a tune lock was made for: how a function computes (see numeric_mode), and on what. */
typedef struct FunctionPin {
    const char *fn, *mode;
    MachineSize size; /* all 0: the usual chip */
    Span at;
} FunctionPin;

typedef Vec(FunctionPin) FunctionPins;

typedef struct CompileOptions {
    const char *fn; /* NULL: every function that no other function calls */
    const DimBinding *bindings;
    int binding_count;
    const DimBinding *multiples; /* divisors of open dims, as if the model asserted them */
    int multiple_count;
    const char *const *import_dirs; /* -I: where headers may be, too; ends with NULL; NULL: none */
    const Imports *imported;        /* headers that were read before; NULL: none */
    bool is_no_file;                /* the model: headers are in import_dirs only */
    int opt;                        /* 0: a kernel per op .. 3 */
    Stage until;                    /* the last stage to run */
    const Target *target;
    const Machine *machine; /* to plan for; NULL: the target's, of this size */
    MachineSize size;       /* of the device in hand; all 0: the usual chip */
    EmitOptions emit;
    TilePins tile_pins;
    FunctionPins function_pins;
    FusePins fuse_pins;
    bool warnings_are_errors, perf_remarks, grad_warnings;
    int64_t keep_bytes; /* --keep-bytes; 0: any number */
    bool keeps_inputs;  /* no input is consumed: it is read again by the next launch */
    Limits limits;
} CompileOptions;

CompileOptions compile_options_default(void);
/* For the runtime to load on that device: its target, its architecture, its size, its processor. */
void compile_for_device(CompileOptions *options, const Device *device);

/* All forms of one function; NULL if a stage was not reached. */
typedef struct Function {
    const Graph *lowered;
    const Graph *deferred; /* the reference for results: see defer.c */
    const Graph *decomposed, *lifted, *simplified, *sliced;
    OpenSplits open_splits; /* what split_products leaves to measurements */
    Plan *plan;
    TiledKernels kernels; /* one for each group */
} Function;

typedef struct Compilation {
    Arena *arena;
    Diag *diag;
    const char *name; /* name of the model */
    Ast *ast;
    Model *model;
    Vec(Function) functions;
    const Plan **plans; /* one for each function */
    const Names *names; /* names of all emitted text, if there is a source */
    Text source;
    Program *programs; /* one for each function, if there is a source */
    double seconds[PASS_COUNT], clock;
} Compilation;

/* Runs the stages over source number `file` of diag. Everything is allocated in `arena`, which is
 * also diag's. On failure diag has the reason, and the result has the forms that were reached. */
Compilation *compile(Arena *arena, Diag *diag, uint32_t file, const CompileOptions *options);
/* The status that follows from diag. */
Status diag_status(const Diag *diag);
/* File name without folder and suffix; "model" for standard input. */
const char *model_name(Arena *arena, const char *path);

/* ---- pipeline_print.c ---- */

/* The text of one stage; for STAGE_GRAPH after every pass, with "(unchanged)" if it changed
 * nothing. */
void compilation_print(const Compilation *c, Stage stage, Text *out);
/* The reports of the kernels of each function. */
const KernelReport *const *compilation_kernels(const Compilation *c);
/* The plans as JSON, with rooflines; false when out of memory. */
bool compilation_json(const Compilation *c, Text *out);
void compilation_print_times(const Compilation *c, Text *out);

/* ---- pipeline_about.c ---- */

/* The fields by which a person tells the code of one function from that of another, in the order in
 * which `fusec cache why` looks for a difference. */
KeyFields program_about(const Compilation *c, uint32_t file, const Function *f,
                        const CompileOptions *options);
/* "ieee", "tf32,strict": the attributes of a function that its results depend on. */
const char *numeric_mode(Arena *arena, const Graph *g);
/* The size of the GPU that a plan is for, as text; NULL: that of the usual chip. */
const char *size_planned(Arena *arena, const CompileOptions *options, const Plan *plan);

#endif
