/* tune.h: floor above the pipeline: finds the fastest legal tiles of a model's kernels by measuring
 * them. A worker process runs the candidates, since one may crash, hang, or ruin its device:
 *
 *     tuner (tune.c, race.c) --request, a line of JSON--> worker (serve.c) --> device
 *                            <-------- response --------
 *
 * More workers, the pool, compile candidates meanwhile. A candidate is the decisions for a whole
 * function, as text (lock.c): both sides compile the model with them. docs/tuning.md has the
 * rest. */
#ifndef FUSEC_TUNE_H
#define FUSEC_TUNE_H

#include "cache/cache.h"
#include "graph/eval/eval.h"
#include "pipeline.h"

#include <jansson.h>
#include <sys/types.h>

/* ---- lock.c: decisions as text ------------------------------------------------------------- */

typedef struct LockEntry {
    const char *kernel, *tile;
    int part; /* of the kernel, from 1; 0: it has one */
    Span at;
} LockEntry;

/* Of one function for one target. */
typedef struct LockSection {
    const char *fn, *target, *numeric, *dims; /* dims: for the reader */
    const char *size;                         /* see size_planned */
    FusePins fusions;
    Vec(LockEntry) entries;
    Span at, target_at, numeric_at, size_at;
} LockSection;

typedef struct Lock {
    uint32_t file;
    Vec(LockSection) sections;
} Lock;

/* command: for the head comment; NULL: none. */
void lock_print(const Lock *lock, const char *command, Text *out);
/* Of source number `file`. False after an error that points at it. */
bool lock_read(Diag *diag, uint32_t file, Lock *lock);
/* Adds what is decided for the target of these options; false after an error. What is illegal or
 * unknown there is an error of the compilation. */
bool lock_apply(Diag *diag, const Lock *lock, CompileOptions *options);
const char *lock_target(Arena *arena, const CompileOptions *options); /* "c", "cuda sm_90a" */

/* ---- decided.c ------------------------------------------------------------------------------- */

/* A model in memory, and how it is compiled. */
typedef struct TuneModel {
    const char *path, *text;
    size_t size;
    const CompileOptions *compile; /* of one function, for the device */
} TuneModel;

/* The model with these decisions ("": none) instead of tiles by default; pins of the options stay.
 * NULL after an error. */
Compilation *compile_decided(Arena *arena, Diag *diag, const TuneModel *model,
                             const char *decisions);

/* ---- records.c: what is kept in the cache --------------------------------------------------- */

/* What times depend on, besides the kernel. */
typedef struct TuneFacts {
    DeviceKind kind;
    const char *chip, *features, *toolchain; /* NULL: not known, or not of this kind */
    int threads;                             /* of a CPU */
    const char *driver;                      /* of a GPU, recorded with choices; NULL: not known */
    double copied, operations; /* rates of a CPU, per second, as measured; 0: not known */
} TuneFacts;

/* threads: that the command line asks for; 0: the device's. */
TuneFacts tune_facts(Diag *diag, Device *device, Cache *cache, int threads);
/* The least seconds that a kernel could take, by its roofline; 0: not known. */
double tuning_least(const TuneFacts *facts, const Function *f, int kernel);
/* Of one body of a kernel that was compiled with default tiles. */
KeyFields tuning_key(Arena *arena, const TuneFacts *facts, const Function *f, int kernel, int body,
                     const CompileOptions *options);
/* Of the choice between pairs of kernels that are one, or might be. f has the default ones. */
#define PARTITION "partition"
KeyFields partition_key(Arena *arena, const TuneFacts *facts, const Function *f,
                        const CompileOptions *options);
/* As fuse_pin_print; NULL: "default". */
void partition_put(const FusePin *pin, Text *out);
const char *partition_print(Arena *arena, const FusePin *pin);
/* Such a text; of "default", a is NULL. False: it is none. */
bool partition_parse(Arena *arena, const char *text, FusePin *pin);
/* The field "kernel text" of such a key: the kernel with default tiles. */
const char *tuning_kernel_text(Arena *arena, const Function *f, int kernel);
/* Adds pins for a tile, for all kernels that are calls of this one's function. */
void tile_pins_add(Diag *diag, const Function *f, int kernel, int body, const char *tile,
                   TilePins *pins);

typedef enum RecallState {
    RECALL_USED,
    RECALL_MISSING,
    RECALL_IMPORTED, /* and not verified here */
    RECALL_UNFIT     /* the choice is not legal here */
} RecallState;

/* What was found of a kernel, or of a part of one that has several. */
typedef struct Recall {
    int function;
    const char *kernel, *part; /* part: NULL: it has one */
    KeyFields key;
    const KeyFields *about;
    RecallState state;
    CacheChoice choice; /* unless it is missing */
} Recall;

typedef Vec(Recall) Recalls;

/* Adds pins for the partition and the tiles that were chosen for function number `function`, which
 * has default ones, and what was found to recalls: first of the partition. How many are used. */
int tuning_recall(Cache *cache, Diag *diag, const TuneFacts *facts, const Compilation *c,
                  int function, CompileOptions *options, Recalls *recalls);
/* The first kernel without a choice that is used; NULL: all have one. */
const Recall *recall_missing(const Recalls *recalls);

/* ---- message.c: lines of JSON between processes --------------------------------------------- */

typedef struct Channel {
    int fd;
    char *data; /* that was received: of malloc */
    size_t size, room;
} Channel;

typedef enum Received { RECEIVED, RECEIVED_LATE, RECEIVED_END, RECEIVED_STOP } Received;

bool message_send(int fd, const json_t *message); /* false: the other end is gone */
/* Until `deadline` (seconds, CLOCK_MONOTONIC), or until *stop is set (NULL: never). */
Received message_receive(Channel *channel, double deadline, const volatile int *stop,
                         json_t **message);
bool channel_is_readable(const Channel *channel); /* would message_receive return at once? */
void channel_close(Channel *channel);

/* ---- serve.c: the worker's side -------------------------------------------------------------- */

/* Inputs and outputs of a function, by number; owned. */
typedef struct TuneTensors {
    int input_count, output_count;
    Tensor **input, **output;
    int64_t *dims; /* by symbol */
} TuneTensors;

/* What a worker works on. */
typedef struct Workplace {
    TuneModel model;
    Device *device;
    /* Fills inputs with the values that the user wants; dims as the bindings say. False after a
     * diagnostic. To be freed in any case. */
    bool (*make)(void *user, Diag *diag, const Graph *g, const DimBinding *bindings, int count,
                 TuneTensors *tensors);
    void *user;
} Workplace;

/* Answers requests on `fd` until the other end is closed. */
void tune_serve(const Workplace *place, int fd);

/* ---- worker.c: the tuner's side ------------------------------------------------------------- */

/* How workers are started. */
typedef struct WorkerCommand {
    char *const *words; /* the command with its options; ends with NULL */
    const char *folder; /* their TMPDIR */
} WorkerCommand;

typedef struct Worker {
    const WorkerCommand *command;
    pid_t pid; /* 0: it does not run */
    Channel channel;
    int starts; /* so far: what was loaded belongs to one of them */
    bool is_busy;
} Worker;

/* 0, or the error number of what could not be done. */
int worker_start(Worker *worker);
void worker_kill(Worker *worker); /* with all that it has started; nothing if it does not run */
/* Steals the request. True: it is under way, and worker_answer gives the response. */
bool worker_send(Worker *worker, json_t *request);
/* The response (to be decref'ed), or NULL: then *outcome is OUTCOME_TIMEOUT or OUTCOME_RUNTIME, the
 * worker is killed, and *why says what happened. stop: see message_receive. */
json_t *worker_answer(Worker *worker, double deadline, const volatile int *stop,
                      CacheOutcome *outcome, char why[static 128]);

/* ---- tune.c: a function --------------------------------------------------------------------- */

typedef enum Effort { EFFORT_QUICK, EFFORT_NORMAL, EFFORT_FULL } Effort;

/* One that was tried. */
typedef struct Trial {
    const char *kernel, *tile;
    int part;
    CacheOutcome outcome;
    double median, spread; /* seconds; spread: of the middle half, relative to the median */
    double score;          /* what is compared: the first quartile, which load disturbs less */
    int rounds;
    double error;          /* relative to what is allowed; -1: not compared with the evaluator */
    int registers, spills; /* of a thread; spills: bytes; -1: not known */
    char note[128];
} Trial;

/* What is told while it goes on. */
typedef struct TuneNews {
    const char *kernel;
    int kernel_number, kernel_count, tried, planned;
    double best, first; /* seconds of the kernel: with the best tile, with the default */
    double left;        /* seconds of the budget */
    const Trial *trial; /* that has just ended; NULL: none */
} TuneNews;

typedef struct TuneOptions {
    Effort effort;
    double budget; /* seconds; 0: by the effort, for each kernel */
    bool resume;   /* trials of before are not repeated */
    Cache *cache;  /* NULL: nothing is kept */
    TuneFacts facts;
    char *const *worker;                            /* command line; ends with NULL */
    const volatile int *stop;                       /* set: end with what is known; NULL: never */
    void (*tell)(void *user, const TuneNews *news); /* NULL: nobody listens */
    void *user;
} TuneOptions;

typedef struct TunedKernel {
    const char *name;
    double first, best; /* seconds: with the default tile, with the chosen one */
    double share;       /* of the function's time, with default tiles */
    const char *tile, *default_tile;
    int tried, wrong, failed;
    bool is_skipped; /* too small a part of the function */
} TunedKernel;

typedef struct Tuned {
    const char *fn;
    double first, best; /* of the whole function, in one interleaved run */
    bool is_kept;       /* false: the default was as fast, and is kept */
    bool is_interrupted, is_out_of_time;
    double seconds; /* that tuning took */
    Vec(TunedKernel) kernels;
    Vec(Trial) trials;
    LockSection section;
} Tuned;

/* Tunes the one function of a compilation with default tiles. False after a refusal: workers cannot
 * run at all. */
bool tune_function(Diag *diag, const Compilation *c, const CompileOptions *compile,
                   const TuneOptions *options, Tuned *tuned);

#endif
