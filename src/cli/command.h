/* command.h: the command line. main.c picks a command, options.c reads its arguments, one file
 * cmd_*.c for each command does the work. Only these files print. */
#ifndef FUSEC_COMMAND_H
#define FUSEC_COMMAND_H

#include "api/within.h"
#include "graph/eval/eval.h"
#include "tune/tune.h"

/* Bits, so that an option can name the commands that take it. */
typedef enum CommandId {
    CMD_COMPILE = 1 << 0,
    CMD_RUN = 1 << 1,
    CMD_FMT = 1 << 2,
    CMD_DOCTOR = 1 << 3,
    CMD_GRAPH = 1 << 4,
    CMD_EXPLAIN = 1 << 5,
    CMD_BENCH = 1 << 6,
    CMD_TUNE = 1 << 7,
    CMD_CACHE = 1 << 8,
    CMD_MACHINES = 1 << 9,
    CMD_REPORT = 1 << 10
} CommandId;

/* The output of `fusec model.fx -o X`: a suffix of X, or --target. */
typedef enum Artifact {
    ARTIFACT_CUDA,
    ARTIFACT_C,
    ARTIFACT_HEADER,
    ARTIFACT_JSON,
    ARTIFACT_DOT,
    ARTIFACT_PTX,
    ARTIFACT_CUBIN,
    ARTIFACT_SASS,
    ARTIFACT_LIBRARY,
    ARTIFACT_STAGE,  /* --emit */
    ARTIFACT_EXPLAIN /* --explain alone, fusec explain */
} Artifact;

typedef Vec(const char *) NameVec;
typedef Vec(DimBinding) BindingVec;

typedef enum Colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } Colour;
typedef enum Where { WHERE_AUTO, WHERE_CPU, WHERE_CUDA } Where;
typedef enum Merge { MERGE_KEEP, MERGE_REPLACE, MERGE_BEST } Merge;
typedef enum CacheSort { SORT_USED, SORT_NAME, SORT_SIZE, SORT_GAIN } CacheSort;

typedef struct Options {
    CommandId command;
    NameVec files;
    bool help, version;
    Colour colour;

    /* compiling */
    CompileOptions compile;
    BindingVec bindings;
    const char *output, *target, *arch; /* NULL: not given */
    const char *header;                 /* the same: written beside output */
    const char *machine;                /* the same: to plan for */
    bool memory;                        /* explain: over the kernels of a call */
    const char *trace;                  /* run: where a trace is written; NULL: nowhere */
    const char *times;                  /* report: what bench --json printed; NULL */
    bool resources;
    bool roofline;
    Shard shard;
    Sweep sweep;
    bool json, explain, emits_stage, time_passes;
    Stage stage;
    bool makes_depend;
    const char *depend_path, *keep;
    const char *cache; /* its folder; NULL: the usual one; "off": none */

    /* fusec cache */
    const char *of_model, *family, *plot, *reason; /* NULL: not given */
    CacheSort sort;
    Merge merge;
    int64_t most_bytes; /* 0: not given */
    bool stale, dry_run, off, recompile;

    /* running */
    NameVec in_files;
    const char *out_file, *against, *inputs_file;
    NameVec import_dirs;
    NameVec ranges; /* "labels=0..V" */
    uint64_t seed;
    bool check;
    Where device;
    int threads, repeat;

    /* tuning */
    bool calibrate, advice, diagnose; /* bench */
    double budget;                    /* seconds; 0: not given */
    Effort effort;
    bool resume, is_tune_worker, no_tuning;
    const char *tune_lock; /* NULL: not given */
    char *const *words;    /* of the command line after the command */
    int word_count;
} Options;

/* The context of a command. */
typedef struct Session {
    Arena *arena;
    Diag *diag;
    Options *options;
    const char *failure; /* what libfusec said last of an error; NULL: nothing */
} Session;

/* ---- options.c --------------------------------------------------------------------------- */

/* Arguments after the program's name. False after a diag_error: exit 2. */
bool options_parse(Diag *diag, int count, char **arguments, Options *options);
/* A note that names the nearest of `count` names, if one is near enough. */
void suggest(Diag *diag, const char *wrong, const char *const *names, int count);

/* ---- help.c ------------------------------------------------------------------------------ */

void help_print(CommandId command, Text *out);

/* ---- option_table.c: every option, one row each --------------------------------------------- */

typedef enum OptionId {
    OPT_OUTPUT,
    OPT_TARGET,
    OPT_FN,
    OPT_DEFINE,
    OPT_INCLUDE,
    OPT_ARCH,
    OPT_ALIGNED,
    OPT_LEVEL,
    OPT_DEPEND,
    OPT_DEPEND_FILE,
    OPT_WERROR,
    OPT_WGRAD,
    OPT_WPERF,
    OPT_EMIT,
    OPT_JSON,
    OPT_EXPLAIN,
    OPT_TIME,
    OPT_KEEP,
    OPT_LIMIT,
    OPT_KEEP_BYTES,
    OPT_TILE,
    OPT_COLOUR,
    OPT_IN,
    OPT_OUT,
    OPT_SEED,
    OPT_CHECK,
    OPT_AGAINST,
    OPT_RANGE,
    OPT_SAVE_INPUTS,
    OPT_DEVICE,
    OPT_THREADS,
    OPT_REPEAT,
    OPT_CACHE,
    OPT_OF_MODEL,
    OPT_FAMILY,
    OPT_STALE,
    OPT_SORT,
    OPT_PLOT,
    OPT_MERGE,
    OPT_DRY_RUN,
    OPT_REASON,
    OPT_OFF,
    OPT_RECOMPILE,
    OPT_MOST,
    OPT_BUDGET,
    OPT_EFFORT,
    OPT_RESUME,
    OPT_TUNE_LOCK,
    OPT_TUNING,
    OPT_MACHINE,
    OPT_ROOFLINE,
    OPT_MEMORY,
    OPT_TIMES,
    OPT_TRACE,
    OPT_SHARD,
    OPT_SWEEP,
    OPT_CALIBRATE,
    OPT_RESOURCES,
    OPT_ADVICE,
    OPT_DIAGNOSE,
    OPT_HELP,
    OPT_VERSION
} OptionId;

typedef struct OptionRow {
    OptionId id;
    const char *name;
    const char *value; /* name of its value; NULL: takes none */
    bool joined;       /* -DN=1, -O2: the value may follow without space; --name=value always may */
    unsigned commands;
    const char *help;
    const char *choices; /* all that its value may be, with spaces between; NULL: anything */
} OptionRow;

extern const OptionRow option_rows[];
extern const int option_row_count;

typedef struct CommandRow {
    CommandId id;
    const char *name; /* NULL: no name, the default */
    const char *usage;
    const char *brief; /* a few words, for lists */
    const char *help;
    Status (*function)(Session *session);
} CommandRow;

extern const CommandRow command_rows[];
extern const int command_row_count;

/* What follows `fusec cache`. */
typedef struct CacheWordRow {
    const char *word, *arguments; /* "": none */
    const char *help;
    int least, most; /* how many arguments */
    bool without;    /* does not open the cache */
} CacheWordRow;

typedef enum CacheWordId {
    WORD_LS,
    WORD_SHOW,
    WORD_WHY,
    WORD_STATS,
    WORD_VERIFY,
    WORD_EXPORT,
    WORD_IMPORT,
    WORD_DIFF,
    WORD_PIN,
    WORD_BAN,
    WORD_GC,
    WORD_CLEAR,
    WORD_PATH,
    WORDS_COUNT
} CacheWordId;

extern const CacheWordRow cache_word_rows[WORDS_COUNT];

const CommandRow *command_row(CommandId id);

extern const char *const exit_statuses[]; /* what each says, by Status */
extern const int exit_status_count;

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
/* The same for a device, with the choices of `fusec tune` that are in its cache. */
Compilation *compile_tuned(Session *s, const FusecContext *context, CompileOptions *compile);
void times_print(const Compilation *c); /* to standard error */
/* Adds the decisions of --tune-lock, if it is given; false after a diagnostic. */
bool model_decide(Session *s, CompileOptions *compile);

/* ---- machine_file.c: --machine --------------------------------------------------------------- */

/* Has a model planned for --machine, if it is given; false after a diag_error. */
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

/* Reads the --in files, solves the dims, makes the other inputs random, and allocates poisoned
 * outputs. *t is zero but for the period. False after a diagnostic. Must be freed in any case. */
bool run_tensors_make(Session *s, const Graph *g, RunTensors *t);
void run_tensors_free(RunTensors *t);

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
/* Copies the outputs back. The kernels must have finished. */
bool ready_download(Session *s, const Ready *ready);
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

/* The tables of bench --diagnose, or an object for each function if functions is not NULL; false
 * after a diagnostic. */
bool bench_diagnose(Session *s, FusecContext *context, const Peaks *peaks, struct json_t *functions,
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

/* ---- cmd_compile.c --------------------------------------------------------------------------- */

/* Writes a file, or standard output for "-", with interrupts held. */
bool write_output(Session *s, const char *path, const void *bytes, size_t size);

#endif
