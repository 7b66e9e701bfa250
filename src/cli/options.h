/* options.h: the options of the command line, one row each, and what they say. */
#ifndef FUSEC_OPTIONS_H
#define FUSEC_OPTIONS_H

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
enum { CACHE_WORD_BIT = 11 }; /* of the first word of fusec cache, for options of some words only */

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

/* An option of the command line. */
typedef struct GivenOption {
    const struct OptionRow *row;
    const char *value; /* NULL: takes none */
} GivenOption;

typedef Vec(const char *) NameVec;
typedef Vec(GivenOption) GivenVec;
typedef Vec(DimBinding) BindingVec;

typedef enum Colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } Colour;
typedef enum Where { WHERE_AUTO, WHERE_CPU, WHERE_CUDA } Where;
typedef enum Merge { MERGE_KEEP, MERGE_REPLACE, MERGE_BEST } Merge;
typedef enum CacheSort { SORT_USED, SORT_NAME, SORT_SIZE, SORT_GAIN } CacheSort;

typedef struct Options {
    CommandId command;
    NameVec files;
    GivenVec given;
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
    bool is_misused;     /* an error is of the command line, whatever the files hold */
} Session;

/* ---- exit_status.c ----------------------------------------------------------------------- */

extern const char *const exit_statuses[]; /* what each says, by Status */
extern const int exit_status_count;
/* After a diag_error about the command line itself: false. */
bool is_misuse(Session *s);
/* What a command ends with, by the messages and is_misuse. */
Status exit_status(const Session *s);

/* ---- options.c --------------------------------------------------------------------------- */

/* Arguments after the program's name. False after a diag_error: exit 2. */
bool options_parse(Diag *diag, int count, char **arguments, Options *options);
/* A note that names the nearest of `count` names. False: none is near enough. */
bool suggest(Diag *diag, const char *wrong, const char *const *names, int count);

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
    OPT_NO_TEST,
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
    unsigned commands; /* bits of CommandId, and of words of fusec cache: none, if all take it */
    const char *help;
    const char *choices; /* all that its value may be, with spaces between; NULL: anything */
} OptionRow;

/* What nvcc and NVRTC of CUDA 12 or 13 know. */
#define ARCHITECTURES                                                                              \
    "sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_101 sm_101a "      \
    "sm_101f sm_103 sm_103a sm_103f sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121 "         \
    "sm_121a sm_121f"

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
    bool makes;      /* makes one where there is none; the others refuse that */
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

/* ---- option_values.c --------------------------------------------------------------------- */

/* Is it one of ARCHITECTURES? */
bool is_architecture(const char *name);

/* Sets what the option says. False after a diag_error. */
bool option_set(Diag *diag, const OptionRow *row, const char *value, Options *options);

#endif
