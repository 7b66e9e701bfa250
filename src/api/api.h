/* api.h: libfusec: the implementation of fusec.h. Shared by its files.
 *
 *     FusecContext <-- FusecModel <-- FusecFunction <-- FusecExecutable      each keeps its parent
 *       device           text           Variant ..         Call
 *
 * Every handle has an arena of its own, which holds all its data. A function of fusec.h packs its
 * arguments in a struct and passes its body to api_run. api_run turns every failure, including lack
 * of memory and a BUG, into a status and the thread's error record. */
#ifndef FUSEC_API_H
#define FUSEC_API_H

#include "api/within.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum {
    DIMS_MOST = 64,        /* open dims of a function */
    ARGUMENTS_MOST = 2048, /* inputs and outputs of a function */
    WORKSPACES_MOST = 64,
    RELEASED_MOST = 8,
    ALIGNED = 256 /* workspaces */
};

/* The head of every handle. */
typedef struct Handle {
    uint32_t kind; /* HandleKind; another number: no handle, or a released one */
    atomic_int references;
    Arena *arena; /* that holds it */
} Handle;

typedef enum HandleKind {
    HANDLE_CONTEXT = 0x46580001,
    HANDLE_MODEL,
    HANDLE_FUNCTION,
    HANDLE_EXECUTABLE,
    HANDLE_MESSAGES,
    HANDLE_RELEASED
} HandleKind;

typedef struct Workers Workers; /* threads that compile in the background: background.c */

struct FusecContext {
    Handle handle;
    FusecContextOptions options;
    Allocator host, of_device;
    atomic_int is_timing;            /* a call by fusec_profile uses the events of the device */
    const Allocator *host_allocator; /* NULL: malloc */
    Limits limits;
    Device *device;
    Cache *cache;     /* NULL: none */
    Workers *workers; /* NULL: none */
    /* A debug build keeps the last few released handles, to report the use of one. */
    _Atomic(Arena *) released[RELEASED_MOST];
    atomic_uint released_count;
};

struct FusecMessages {
    Handle handle;
    FusecMessage *at;
    size_t count;
    const char *text;
};

/* Of a GPU that an artifact was saved on: for all of its architecture the model is planned for this
 * size, so that its code is found. */
typedef struct GpuSize {
    const char *arch;
    MachineSize size;
} GpuSize;

typedef List(GpuSize) GpuSizes;

struct FusecModel {
    Handle handle;
    FusecContext *context;
    const char *name, *text;
    size_t size;
    FusecModelOptions options;
    List(DimBinding) dims;
    bool is_file;
    bool is_adopted;        /* the next is the caller's: see function_adopt */
    const Imports *imports; /* of the artifact that it comes from; NULL: none */
    GpuSizes sizes;         /* the same: that its code was planned for */
    Arena *artifact;        /* that holds these */
    const Compilation *c;   /* up to its graphs */
    CodeTable codes;        /* of all its functions, and of the artifact that it comes from */
};

/* One compilation, in an arena of its own. */
typedef struct Compiled {
    Arena *arena;
    Diag *diag;
    Compilation *c;
    const CompileOptions *options;
} Compiled;

/* Inputs and outputs. */
typedef struct Argument {
    const char *name, *type_name;
    Dtype type;
    DLDataType dl_type;
    int rank;
    bool is_output, is_constant, is_consumed;
    Dim shape[RANK_MAX];
    int symbol[RANK_MAX];    /* the dim that an axis is; -1: another size */
    int64_t known[RANK_MAX]; /* a size that is a number; 0: it is none */
    const char *shape_text[RANK_MAX];
    Span span;
} Argument;

/* What code is compiled for, by dim of the function. */
typedef struct Specialisation {
    int64_t fixed[DIMS_MOST];    /* its value; 0: an argument of the code */
    int64_t multiple[DIMS_MOST]; /* what an argument is a multiple of; 0: nothing is known */
    bool any_alignment;          /* tensors need not be aligned to TENSOR_ALIGNED */
} Specialisation;

/* Compiled code, for all dims or for some. Lifetimes as long as its function. */
typedef struct Variant {
    struct Variant *next; /* of all that the function ever had */
    Arena *arena;
    const Compilation *c;
    Program *program;
    Specialisation of;
    int dim_of[DIMS_MOST];      /* by symbol of the program */
    int64_t (*sizes)[RANK_MAX]; /* of an exact one: of each argument */
    const char *guards;
    bool is_exact;
    Call *call;     /* of an exact variant: made ready */
    void *prepared; /* constants */
    size_t prepared_bytes;
    double seconds, compiler_seconds;       /* to compile; of that the device's compiler */
    const char *text[FUSEC_TEXT_GRAPH + 1]; /* that were asked for */
    atomic_uint_fast64_t hits, last_use;
} Variant;

/* The value of a constant. Immutable: calls read it without a lock. */
typedef struct BoundConstant {
    void *memory;
    int64_t shape[RANK_MAX];
} BoundConstant;

enum { VARIANTS_MOST = 32 };

/* The variants that calls use, in the order they are tried. Immutable; a change makes a new table.
 */
typedef struct VariantTable {
    int count;
    Variant *at[VARIANTS_MOST];
} VariantTable;

typedef struct Workspace {
    atomic_int is_busy; /* whoever sets it owns the other fields */
    void *memory;
    size_t bytes;
    bool has_stream; /* CUDA: it is used in one stream only */
    void *stream;
} Workspace;

/* A block that a larger one has replaced, and that what is queued may still use. */
typedef struct Retired {
    const struct Retired *next;
    void *memory;
    size_t bytes;
} Retired;

/* Dims of calls: those that a general variant often handles, and the last that no variant accepts.
 * A call that finds it locked does not wait. */
enum { SEEN_MOST = 16, ASKED = INT32_MAX }; /* ASKED: a worker has taken them */
typedef struct Seen {
    atomic_int is_busy;
    struct {
        int64_t dims[DIMS_MOST];
        int count; /* calls; 0: unused */
    } at[SEEN_MOST];
    int next; /* to be overwritten */
    bool missed;
    int64_t miss[DIMS_MOST];
} Seen;

/* Where tiles come from: see FusecPrepareOptions. */
typedef struct TuningOptions {
    FusecTuning when;
    double budget;
    const char *lock; /* NULL: none */
} TuningOptions;

/* The shape of a value, with open dims. */
typedef struct OpenShape {
    const Node *of;
    const char *text; /* "f32[N, D]" */
} OpenShape;

struct FusecFunction {
    Handle handle;
    FusecModel *model;
    FusecFunctionOptions options;
    const char *name;
    List(DimBinding) dims; /* of the model's, those that it has */
    const Compilation *c;  /* with open dims */
    const Graph *g;
    Argument *arguments;
    int input_count, argument_count, dim_count, constant_count, consumed_count;
    uint64_t parameters;     /* dims that no input's shape determines, one bit each */
    const char **conditions; /* by guard of the graph: "m.fx:3: assert N % 2 == 0" */
    List(OpenShape) shapes;  /* each once */
    /* By input: of a constant; NULL: not bound. They change until there is a variant. */
    _Atomic(BoundConstant *) *bound;
    const char *text[FUSEC_TEXT_GRAPH + 1];
    Compiled
        shown; /* compiled once more for texts: making these changes its sizes, which calls read */

    pthread_mutex_t lock; /* of all below, and of the arena: see function_lock */
    bool has_lock;
    Variant *variants;
    _Atomic(const VariantTable *) table;
    Workspace workspaces[WORKSPACES_MOST];
    size_t workspace_bytes; /* of each */
    const Retired *retired;
    atomic_uint_fast64_t hits, misses, clock;
    atomic_uint_fast64_t compilations, evictions; /* written with the lock, read without */
    _Atomic double compile_seconds;
    TuningOptions tuning;        /* of the last preparation */
    int64_t first[DIMS_MOST];    /* dims of the first preparation; 0: there was none */
    int64_t multiple[DIMS_MOST]; /* of those that vary: of all values; 0: it has not varied */

    Seen seen;
    FusecFunction *next_in_context; /* with the lock of the workers, as the next */
    int compiling;                  /* workers that compile for it now */
    int specialisations;            /* by workers, so far */
};

struct FusecExecutable {
    Handle handle;
    FusecFunction *function;
    Variant *variant;
    Call *call;
    int64_t dims[DIMS_MOST]; /* by symbol of the program */
    DeviceGraph *graph;      /* NULL: kernels are launched one by one */
    atomic_int graph_is_busy;
};

/* ---- error.c: the record of the thread ------------------------------------------------------ */

FusecStatus api_fail(FusecStatus status, const char *format, ...) PRINTF_LIKE(2, 3);
FusecStatus api_fail_argument(const char *argument, const char *format, ...) PRINTF_LIKE(2, 3);
FusecStatus api_fail_at(FusecStatus status, const Diag *diag, Span span, const char *format, ...)
    PRINTF_LIKE(4, 5);
FusecStatus api_fail_memory(void);
/* The status for diag: of its first error, or its refusal. FUSEC_OK if it has none. */
FusecStatus api_fail_diag(const Diag *diag);
/* The same, but an error, which otherwise is one of the model, has this status. */
FusecStatus api_fail_diag_as(const Diag *diag, FusecStatus of_error);
/* body(of), in a frame of recover.c. */
FusecStatus api_recover(FusecStatus (*body)(void *of), void *of);
/* The same in the C locale: numbers in texts have a decimal point, whatever the application has
 * set. */
FusecStatus api_run(FusecStatus (*body)(void *of), void *of);

/* ---- device.c -------------------------------------------------------------------------------- */

/* api_run, while the thread has what the device needs. is_slow: it may allocate and load; else it
 * neither reads nor writes numbers in texts, and is run by api_recover. */
FusecStatus device_run(const FusecContext *context, bool is_slow, FusecStatus (*body)(void *of),
                       void *of);
void *device_take(const FusecContext *context, Diag *diag, size_t bytes); /* NULL after a refusal */
void device_give_back(const FusecContext *context, void *memory, size_t bytes);

/* ---- handle.c: arenas with a head ----------------------------------------------------------- */

/* An arena with a zeroed handle of that size in it; NULL: no memory. */
void *handle_new(const Allocator *allocator, size_t limit, HandleKind kind, size_t size);
void handle_keep(Handle *handle);
bool handle_drop(Handle *handle); /* was it the last? Then the caller frees it */
void handle_free(Handle *handle);
void handle_release(FusecContext *context,
                    Handle *handle); /* the same, of a handle that the caller has */
/* False after a FUSEC_WRONG_ARGUMENT: NULL, or not a handle of this kind. */
bool handle_is(const void *handle, HandleKind kind, const char *argument);
/* Copies the caller's options to the current version of the struct: missing fields are 0.
 * False after a FUSEC_WRONG_ARGUMENT. */
bool options_take(void *own, size_t size, const void *given, const char *argument);
/* The other way: as much as the caller's struct holds. */
bool options_give(const void *own, size_t size, void *to, const char *argument);

/* ---- messages.c ----------------------------------------------------------------------------- */

/* Writes to the log what was not among `told`, if that is not NULL, and makes *messages, of all,
 * unless that is NULL. Jumps when out of memory. */
void messages_deliver(const FusecContext *context, const Diag *diag, const Diag *told,
                      FusecMessages **messages);

/* ---- model.c -------------------------------------------------------------------------------- */

void context_keep(FusecContext *context);
void model_keep(FusecModel *model);

/* What is known of dims when a text is compiled. */
typedef struct DimValues {
    const DimBinding *fixed;
    int fixed_count;
    const DimBinding *multiples;
    int multiple_count;
    bool any_alignment; /* see Specialisation */
} DimValues;

/* For the device of its context. */
CompileOptions model_options(const FusecModel *model);
/* Compiles the model's text: `fn`, or with NULL all functions. The arena is to be freed in any
 * case. */
void model_compile(const FusecModel *model, const char *fn, const DimValues *values, Stage until,
                   Compiled *compiled);

/* ---- artifact.c ----------------------------------------------------------------------------- */

/* What a file holds; all but the codes in the arena of the Diag it is read with. */
typedef struct Artifact {
    const char *name, *text;
    size_t size;
    bool is_file; /* imported headers may be beside it */
    FusecModelOptions options;
    const Imports *imports; /* NULL: it has none */
    GpuSizes sizes;
    CodeTable codes; /* to be freed, also after a failure */
} Artifact;

/* The file has at most `most` bytes. False after a diagnostic. */
bool artifact_is(const void *bytes, size_t size); /* do they begin as one? */
bool artifact_read(Diag *diag, const char *path, size_t most, Artifact *artifact);

/* ---- function.c ----------------------------------------------------------------------------- */

void function_keep(FusecFunction *function);
/* Waits for preparations in other threads; calls never do. FUSEC_BUSY: the thread has the lock,
 * since this is a callback of the function's compilation. */
FusecStatus function_lock(FusecFunction *function);
void function_unlock(FusecFunction *function);
/* Makes all that calls read, from its compilation. */
FusecStatus function_describe(FusecFunction *f);

/* ---- bind.c --------------------------------------------------------------------------------- */

/* The memory of a constant; NULL: it is not bound. */
void *bound_memory(const FusecFunction *f, int input);

/* ---- introspect.c ---------------------------------------------------------------------------- */

/* False after a FUSEC_WRONG_ARGUMENT: "index is 3, of 2 kernels". */
bool index_is_right(size_t index, int count, const char *what);

/* ---- solve.c: dims from tensors -------------------------------------------------------------- */

/* Checks every tensor except its sizes; outputs, too, if count includes them. Sets the dims, except
 * parameters, from the inputs. */
FusecStatus arguments_solve(const FusecFunction *f, const DLTensor *const *tensors, int count,
                            int64_t *dims);
FusecStatus tensor_check(const FusecFunction *f, const Argument *a,
                         const DLTensor *t); /* but sizes */
/* Every argument has the sizes that the dims give it, and the model takes these. */
FusecStatus sizes_check(const FusecFunction *f, const DLTensor *const *tensors, int count,
                        const int64_t *dims);
/* All constants are bound, with sizes that the dims give them. */
FusecStatus constants_check(const FusecFunction *f, const int64_t *dims);
/* Conditions of the model; sizes that bytes can be counted of. */
FusecStatus dims_refuse(const FusecFunction *f, const int64_t *dims);
/* The same, but dims may be 0: shapes may have them, though nothing is computed. */
FusecStatus dims_refuse_shapes(const FusecFunction *f, const int64_t *dims);
bool dims_are_empty(const FusecFunction *f, const int64_t *dims); /* is one 0? */
/* Dims that no shape of an input determines, one bit each. */
uint64_t parameters_of(const FusecFunction *f);

/* ---- consume.c: inputs that a call overwrites ------------------------------------------------ */

/* No other argument overlaps them; outputs that have all of their memory are not looked at. */
FusecStatus consumed_check(const FusecFunction *f, const int64_t *dims, void *const *memory);
/* The input whose memory may be given for an argument; -1: none. Buffers of a plan come in the order
 * of the arguments. */
int variant_may_be(const Variant *v, int argument);
/* Outputs that are given the memory of such inputs are written in place by the variant. */
FusecStatus in_place_check(const FusecFunction *f, const Variant *v, void *const *memory);
FusecStatus consumed_check_for(const FusecExecutable *x, void *const *memory);

/* ---- variants.c ----------------------------------------------------------------------------- */

/* The first that takes these dims, and tensors that are aligned to TENSOR_ALIGNED, or not; NULL:
 * none. */
Variant *variant_find(const VariantTable *table, const int64_t *dims, int count, bool is_aligned);
/* How one is made. watch: of the compiler; keep: see FusecPrepareOptions. NULL: none. stream: that
 * writes the constants; NULL: they are in memory. */
typedef struct VariantOptions {
    const Watch *watch;
    const char *keep;
    void *const *stream;
} VariantOptions;

/* Makes one, that takes these dims among others, and puts it in the table. With the function's
 * lock. */
FusecStatus variant_add(FusecFunction *f, const Specialisation *of, const int64_t *dims,
                        const VariantOptions *options, Variant **variant);
/* The first dim whose value it does not accept; -1: it accepts all. */
int variant_refuses(const Variant *v, const int64_t *dims, int count);
void variant_free(FusecFunction *f, Variant *v);
/* The function's dims, in the order of the variant's program. */
void variant_dims(const Variant *v, const int64_t *dims, int64_t *of_program);

/* ---- tuning.c -------------------------------------------------------------------------------- */

/* Compiles again with the tiles that the function's options ask for; what is wrong is in compiled's
 * diag. watch: of the measuring; NULL: none. */
void tuning_choose(const FusecFunction *f, Compiled *compiled, const Watch *watch);

/* ---- prepare.c ------------------------------------------------------------------------------- */

/* As fusec_prepare does, with the tuning of the last one; no workspaces where the call brings one.
 */
FusecStatus prepare_for_call(FusecFunction *f, const int64_t *dims, bool any_alignment,
                             const FusecCallOptions *call, Variant **variant);
/* Adds a variant, and workspaces that are large enough for these dims. With the function's lock. */
FusecStatus prepare_specialised(FusecFunction *f, const int64_t *dims, Specialisation of);

/* ---- policy.c: which variants to compile ----------------------------------------------------- */

/* What to compile where no variant takes these dims, by the policy of the function. With its lock.
 */
Specialisation policy_choose(FusecFunction *f, const int64_t *dims);
Specialisation specialise_exactly(const FusecFunction *f, const int64_t *dims);
/* A call used v, which is not exact for its dims. True: an exact variant would pay. */
bool policy_note_hit(FusecFunction *f, const int64_t *dims);
void policy_want(FusecFunction *f, const int64_t *dims);
bool policy_take_wanted(FusecFunction *f, int64_t *dims); /* false: nothing is wanted */
void policy_note_miss(FusecFunction *f, const int64_t *dims);
bool policy_last_miss(FusecFunction *f, int64_t *dims); /* false: there was none */
/* Why no variant takes these dims: for messages. *span: of the dim that decides. */
void policy_print_miss(const FusecFunction *f, const int64_t *dims, char *text, size_t size,
                       Span *span);

/* ---- background.c ---------------------------------------------------------------------------- */

/* As many as the options say; to be stopped also after a failure. */
FusecStatus workers_start(FusecContext *context);
void workers_stop(Workers *workers);      /* NULL is fine */
void workers_join(FusecFunction *f);      /* a new function: it may ask for work */
void workers_part(FusecFunction *f);      /* no worker works for it any more */
void workers_ask(const FusecFunction *f); /* for what policy_note_hit or policy_want has noted */

/* ---- call.c ---------------------------------------------------------------------------------- */

FusecStatus pointers_check(const FusecFunction *f, void *const *pointers, size_t count);
FusecStatus alignment_check(const FusecExecutable *x, void *const *memory);
/* These, with those of constants in between. */
void pointers_merge(const FusecFunction *f, void *const *pointers, void **memory);
/* False after a FUSEC_WRONG_ARGUMENT. */
bool call_options_take(FusecCallOptions *own, const FusecCallOptions *given);

/* ---- launch.c -------------------------------------------------------------------------------- */

typedef struct Launch {
    FusecFunction *f;
    const Variant *variant;
    const Call *ready;   /* NULL: to be made for the dims */
    const int64_t *dims; /* of the function; NULL: ready is there */
    void *const *tensors;
    const FusecCallOptions *options; /* NULL: none */
    FusecExecutable *executable;     /* whose graph is launched, if it has one; NULL: none */
} Launch;

FusecStatus launch(const Launch *l);
bool brings_workspace(const FusecCallOptions *o); /* the call uses none of the library's */
FusecStatus workspace_check(const FusecCallOptions *o, size_t bytes);

/* ---- workspace.c ---------------------------------------------------------------------------- */

/* Afterwards each workspace of the function has at least this many bytes. With the function's lock.
 */
FusecStatus workspaces_grow(FusecFunction *f, size_t bytes);
void workspaces_free(FusecFunction *f);
Workspace *workspace_take(FusecFunction *f, void *stream); /* NULL: all are in use */
void workspace_return(Workspace *workspace);

#endif
