/* command.h: the command line. main.c picks a command, options.c reads its arguments, one file
 * cmd_*.c for each command does the work. Only these files print. */
#ifndef FUSEC_COMMAND_H
#define FUSEC_COMMAND_H

#include "cli/options.h"

/* ---- artifact.c: the bytes of what a model is compiled to ------------------------------------ */

bool is_header_path(const char *path); /* NULL is none */
/* The product that --target or the suffix of -o asks for. False after a diag_error. */
bool artifact_choose(Session *s, Artifact *artifact);
/* The stages and options of the pipeline that an artifact needs. */
void artifact_prepare(Artifact artifact, const Options *options, CompileOptions *compile);
/* The header of what is emitted for a target. */
void artifact_header(Session *s, const Compilation *c, const Target *target, Text *out);
/* Its text; *bytes instead, to be freed, for a binary. False after a diagnostic. */
bool artifact_make(Session *s, const Compilation *c, Artifact artifact, Text *out, char **bytes,
                   size_t *size);

/* ---- model.c: reading the model ------------------------------------------------------------- */

bool model_read(Session *s, const char *path, uint32_t *file); /* false after a diagnostic */
/* Reads and compiles the model of the command line, and writes the text of every stage to the
 * folder of --keep. NULL after a diagnostic. */
Compilation *compile_file(Session *s, CompileOptions *compile);
/* The same for a device, with the choices of `fusec tune` that are in its cache. What was found of
 * them is added to recalls: nothing where tiles are given, or --tuning=never. */
Compilation *compile_tuned(Session *s, const FusecContext *context, CompileOptions *compile,
                           Recalls *recalls);
void times_print(const Compilation *c); /* to standard error */

/* ---- machine_file.c: --machine --------------------------------------------------------------- */

/* Has a model planned for --machine, if it is given; false after a diag_error, also if --arch or
 * --assume-aligned do not suit the target. */
bool machine_choose(Session *s, CompileOptions *compile);
struct json_t *chip_json(const Chip *chip); /* as --machine reads it */

/* ---- advice.c: sizes that would be faster ---------------------------------------------------- */

typedef struct Advice {
    const char *text;       /* "V = 50257 -> 50304 saves 9 %: .." */
    const char *dim, *name; /* name: of the kernel that gains most */
    int64_t from, to;
    double share, times; /* of the expected time of all kernels; times: of the kernel's */
    int function, kernel, binding;
} Advice;

typedef Vec(Advice) Advices;

/* For the dims that -D gives; the tiles of c must be known. */
Advices advice_make(Session *s, const Compilation *c, const CompileOptions *o);
/* The model with another value of a dim that -D gives; NULL: it does not allow that. */
Compilation *compile_with_size(Session *s, const CompileOptions *o, int binding, int64_t size);
void advice_remark(Session *s, const Compilation *c, const CompileOptions *o); /* -Wperf */

/* ---- explain.c: --roofline ------------------------------------------------------------------- */

bool explain_memory(Session *s, const Compilation *c, Text *out);    /* text, or a drawing */
bool explain_rooflines(Session *s, const Compilation *c, Text *out); /* false after a diagnostic */
bool sweep_read(Arena *arena, const char *text, Sweep *sweep);       /* false: not of that form */
extern const char *const sweep_wants;
bool is_drawing_path(const char *path); /* an .svg; NULL is none */

/* ---- tool.c: programs that may be installed ------------------------------------------------- */

typedef struct ToolOutput {
    const char *text; /* NULL: there is none */
    size_t size;
    const char *why; /* "is not installed" */
} ToolOutput;

/* What `program flags.. FILE` prints, where the file has those bytes. flags: the last is NULL. */
ToolOutput tool_run(Session *s, const char *program, const char *const *flags, const void *bytes,
                    size_t size);
/* Writes what a script draws to a file; false after a refusal. */
bool gnuplot_draw(Session *s, const char *script, const char *path);

/* ---- resources.c: --resources --------------------------------------------------------------- */

bool explain_resources(Session *s, const Compilation *c, Text *out); /* false after a refusal */

/* ---- sass.c: the instructions of a GPU ------------------------------------------------------ */

bool make_sass(Session *s, const Compilation *c, Text *out); /* false after a refusal */

/* ---- inputs.c: the tensors of a run --------------------------------------------------------- */

typedef struct RunTensors {
    int input_count, output_count;
    Tensor **input, **output; /* by number; owned */
    int64_t *dims;            /* by symbol */
    int64_t
        period; /* set before: random inputs repeat their first so many elements; 0: they do not */
} RunTensors;

/* By the end of the name. */
bool is_npy(const char *path);

/* Reads the --in files, solves the dims, makes the other inputs random, and allocates poisoned
 * outputs. *t is zero but for the period. False after a diagnostic. Must be freed in any case. */
bool run_tensors_make(Session *s, const Graph *g, RunTensors *t);
void run_tensors_free(RunTensors *t);
/* Does -D give every dim of its functions? False after a diag_error. */
bool dims_are_given(Session *s, const Compilation *c);

/* ---- device.c: a function on a device ------------------------------------------------------ */

/* A context for the device that --device selects, which is entered; free with context_close. NULL
 * after a refusal. What it has to say goes to s->diag. */
FusecContext *context_open(Session *s);
void context_close(FusecContext *context); /* NULL is fine */
/* Compile options for its device. */
void context_target(const FusecContext *context, CompileOptions *options);
/* Tells s->diag what went wrong in a function of libfusec. */
bool succeeded(Session *s, FusecStatus status);

/* A function of a compilation, ready to be launched with certain tensors. Starts as {0}. */
typedef struct Ready {
    FusecFunction *function;
    FusecExecutable *executable;
    const RunTensors *tensors;
    Device *device;
    int count;
    void **at;                /* inputs, then outputs, in the device's memory */
    FusecCallOptions options; /* with a workspace */
} Ready;

/* Compiles function number `number`, and copies the tensors to a GPU. False after a diagnostic.
 * Must be released in any case, before t. */
bool ready_make(Session *s, FusecContext *context, Compilation *c, int number, const RunTensors *t,
                Ready *ready);
/* Copies the outputs back from `at`, that of `ready` or another one. The kernels must have finished.
 */
bool ready_download(Session *s, const Ready *ready, void *const *at);
/* `at` with outputs in the memory of the inputs that they may be; NULL: none may be. */
void **ready_in_place(Session *s, const Ready *ready);
/* Inputs that are overwritten get their values again; all that is to be written is poisoned. */
bool ready_again(Session *s, const Ready *ready, void *const *at);
void ready_release(Ready *ready);

/* ---- trace.c: run --trace ------------------------------------------------------------------- */

/* Runs the kernels --repeat times, else 5 times, and writes when each was launched and how long it
 * took. c: its passes are in the trace, too. */
bool trace_write(Session *s, const Compilation *c, const Ready *ready);

/* ---- peaks.c: what a device can do at most -------------------------------------------------- */

/* Rates per second; 0: not known. */
typedef struct Peaks {
    double bytes;         /* read and written by a copy */
    double flops;         /* f32 multiply-adds */
    double double_flops;  /* f64 ones */
    double product_flops; /* matrix products of narrow floats */
    int threads;          /* of the CPU; 0 on a GPU */
} Peaks;

bool peaks_measure(Session *s, Device *device, Peaks *peaks); /* false after a refusal */
/* The time of so many bytes and operations at the peak rates, 0 if not known. product: the element
 * type of a matrix product, else T_NONE. */
double peaks_least_seconds(const Peaks *peaks, double bytes, double flops, Dtype product);
/* What a kernel is expected to take with its launch, at these peaks; 0: there is no such one. */
double peaks_expected_seconds(const Peaks *peaks, const Function *f, const char *kernel);

/* ---- calibrate.c ---------------------------------------------------------------------------- */

/* Writes the figures of this machine, as --machine reads them; false after a diagnostic. */
bool calibrate(Session *s, FusecContext *context);

/* ---- bench_advice.c ------------------------------------------------------------------------- */

/* Measures what is advised beside what is; false after a diagnostic. */
bool bench_advice(Session *s, FusecContext *context, Text *out);

/* ---- measure.c: how long kernels take ------------------------------------------------------- */

typedef struct Timing {
    double median, least; /* seconds of a launch */
    int batch, rounds;    /* launches that are timed as one; measurements */
} Timing;

/* timings: one for each kernel, and one for all together. *sets: sets of buffers. False after a
 * diagnostic. */
bool measure(Session *s, const Ready *ready, Timing *timings, int *sets);
double median_of(double *values, int count); /* sorts them */

/* ---- bench_diagnose.c ----------------------------------------------------------------------- */

/* The tables of bench --diagnose, or an object for each function if functions is not NULL, and the
 * peaks, which it measures; false after a diagnostic. */
bool bench_diagnose(Session *s, FusecContext *context, Peaks *peaks, struct json_t *functions,
                    Text *out);

/* ---- outputs.c: the outputs that --against names -------------------------------------------- */

bool run_outputs_read(Session *s, const Graph *g, RunTensors *t); /* false after a diagnostic */

/* ---- ranges.c: between which numbers a random input lies ------------------------------------ */

typedef struct InputRange {
    double low, high; /* low <= x < high */
} InputRange;

bool ranges_check(Session *s, const Graph *g, const int64_t *dims); /* false after a diag_error */
/* The range that --range or a comment of the model gives an input; false: none. */
bool input_range(Session *s, const Graph *g, int input, const int64_t *dims, InputRange *range);

/* ---- index_range.c: which inputs are indices ------------------------------------------------ */

/* The size of the axis that the values of input number `input` index (the smallest, if several), 0
 * if they are neither indices of take nor labels. */
int64_t index_range(const Graph *g, int input, const int64_t *dims);

/* ---- interrupt.c: what must not be left half done ------------------------------------------- */

void interrupt_hold(void);    /* defers SIGINT, SIGTERM and SIGHUP .. */
void interrupt_release(void); /* .. until here */

/* ---- progress.c: what takes so long? on a terminal, after a second -------------------------- */

void progress_begin(const char *what); /* a string constant */
void progress_end(void);

/* ---- the commands --------------------------------------------------------------------------- */

Status cmd_compile(Session *s);
Status cmd_run(Session *s);
Status cmd_bench(Session *s);
Status cmd_tune(Session *s);
Status cmd_tune_worker(Session *s); /* the process that it starts */
Status cmd_fmt(Session *s);
Status cmd_doctor(Session *s);
Status cmd_cache(Session *s);
Status cmd_machines(Session *s);
Status cmd_report(Session *s);

/* ---- overwritten.c --------------------------------------------------------------------------- */

/* Where -MD writes: -MF, else beside the output; NULL: nowhere. */
const char *depend_path(Session *s);
/* Would an output overwrite a file of the command line, or another output? False after a
 * diag_error. */
bool outputs_spare_model(Session *s);
/* Headers are known once they have been read. */
bool outputs_spare_headers(Session *s, const Compilation *c);

/* ---- cmd_compile.c --------------------------------------------------------------------------- */

/* Writes a file, or standard output for "-", with interrupts held. */
bool write_output(Session *s, const char *path, const void *bytes, size_t size);

#endif
