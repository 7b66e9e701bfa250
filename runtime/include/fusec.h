/* fusec.h: compiles models of pointwise, reduction, matmul and softmax maths at run time, and calls
 * them. C99 and C++. docs/embedding.md has a whole example.
 *
 *     FusecContext *context;   FusecModel *model;   FusecFunction *softmax;
 *     fusec_context_create(NULL, &context);
 *     fusec_model_from_file(context, "softmax.fx", NULL, NULL, &model);
 *     fusec_function_create(model, "softmax_rows", NULL, &softmax);
 *     fusec_prepare(softmax, (const int64_t[]){1024, 768}, NULL, NULL);      N, D
 *     fusec_call(softmax, (const DLTensor *const[]){&x, &y}, 2, NULL);
 *
 * Errors     A function that can fail gives a FusecStatus. What went wrong is in the record of the
 *            thread (fusec_last_error). After a failure nothing has been made: what an argument
 *            that takes a result points to is NULL or unchanged. Nothing exits, aborts, or writes
 *            to standard error; a mistake in fusec itself is FUSEC_BUG.
 * Ownership  What a *_create or *_from_* function gives is the caller's, to be given back once with
 *            the *_release function of its type. A handle keeps what it was made from: handles may
 *            be released in any order. Arguments are borrowed for the call only, unless said
 *            otherwise. Texts that are given out belong to the handle that was asked, and live
 *            as long as it does. They are UTF-8, but for the name of a model, which is as given.
 * Threads    Any function may be called from any thread at any time, also on the same handle, with
 *            two exceptions: a handle must not be released during a call on it, and must not be
 *            used after its release (a debug build reports that for the last eight handles of
 *            a context). Callbacks may come from any thread, and a thread may be in the C locale
 *            (uselocale) meanwhile; no function changes what is set for the process.
 * Growth     A struct that the caller fills begins with struct_size, to be set to sizeof of that
 *            struct (FUSEC_OPTIONS does so); a field that is 0 has its default. Fields are added at
 *            the end only. NULL in place of options is all defaults. */
#ifndef FUSEC_H
#define FUSEC_H

#include <stddef.h>
#include <stdint.h>

#include "fusec_dlpack.h"

/* FusecCallOptions call = FUSEC_OPTIONS(FusecCallOptions); */
#ifdef __cplusplus
template <class Options> inline Options fusec_options() {
    Options options = Options();
    options.struct_size = sizeof options;
    return options;
}
#define FUSEC_OPTIONS(Type) (fusec_options<Type>())
#else
#define FUSEC_OPTIONS(Type) ((Type){.struct_size = sizeof(Type)})
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FUSEC_API __attribute__((visibility("default")))
#else
#define FUSEC_API
#endif

typedef struct FusecContext FusecContext;       /* a device, and what all models of it share */
typedef struct FusecModel FusecModel;           /* a text, checked */
typedef struct FusecFunction FusecFunction;     /* one function of it, and its compiled variants */
typedef struct FusecExecutable FusecExecutable; /* a function made ready for certain dims */
typedef struct FusecMessages FusecMessages;     /* what was said of a model */

/* "0.1.0" */
FUSEC_API const char *fusec_version(void);

/* ---- errors ------------------------------------------------------------------------------- */

typedef enum FusecStatus {
    FUSEC_OK = 0,
    FUSEC_WRONG_MODEL = 1,    /* the text of a model; the messages say where */
    FUSEC_WRONG_ARGUMENT = 2, /* of this call: FusecError.argument names it */
    FUSEC_WRONG_DIMS = 3,     /* sizes that the model refuses, by an assert for instance, or with
                                 which a value has 2^48 elements or more */
    FUSEC_NOT_PREPARED = 4,   /* no compiled variant takes these sizes: fusec_prepare makes one */
    FUSEC_BUSY = 5,      /* more calls at once than there are workspaces of the library's own; or
                            what waits for a compilation, from a callback of that compilation */
    FUSEC_CANCELLED = 6, /* by the progress callback */
    FUSEC_REFUSED = 7,   /* by the machine: no compiler, no device, a file that is not there */
    FUSEC_NO_MEMORY = 8, /* of the host, of the device, or by the limit memory_bytes */
    FUSEC_BUG = 9        /* a mistake in fusec: please report it */
} FusecStatus;

/* "FUSEC_WRONG_MODEL"; "FUSEC_UNKNOWN" for what is no status. */
FUSEC_API const char *fusec_status_name(FusecStatus status);

typedef struct FusecError {
    FusecStatus status;
    const char *text;     /* the message, without a newline at the end, cut to 2047 bytes; "" before
                             the first failure */
    const char *file;     /* of the model; NULL: the error is not about a place in one */
    int line, column;     /* there, from 1; 0: no place */
    const char *argument; /* the argument that is wrong, by its name; NULL: none */
    int device_lost;      /* 1: no call on this device will work in this process any more */
    const char *bug_file; /* FUSEC_BUG: the place in fusec; else NULL */
    int bug_line;
} FusecError;

/* The error of the last function that failed in this thread. Belongs to the thread; valid until the
 * next failure in it. Never NULL. Functions that succeed do not change it. */
FUSEC_API const FusecError *fusec_last_error(void);

/* ---- messages: diagnostics ---------------------------------------------------------------- */

typedef enum FusecSeverity {
    FUSEC_ERROR = 0,
    FUSEC_WARNING = 1,
    FUSEC_REMARK = 2,
    FUSEC_NOTE = 3 /* belongs to the message before it */
} FusecSeverity;

typedef struct FusecMessage {
    FusecSeverity severity;
    const char *text;     /* "x is f32[N, D], w is f32[K, D]" */
    const char *file;     /* as the model was named; NULL: no place */
    int line, column;     /* from 1; the column counts code points */
    size_t offset, size;  /* the marked range of the file, in bytes */
    const char *rendered; /* with place, source line and the range marked under it, as the command
                             shows it; ends with a newline */
} FusecMessage;

/* 0 for NULL. */
FUSEC_API size_t fusec_messages_count(const FusecMessages *messages);
/* Number `index` of them, in the order of their creation; a text belongs to `messages`. */
FUSEC_API FusecStatus fusec_messages_get(const FusecMessages *messages, size_t index,
                                         FusecMessage *message);
/* All of them rendered, one after the other; "" for NULL. */
FUSEC_API const char *fusec_messages_text(const FusecMessages *messages);
FUSEC_API void fusec_messages_release(FusecMessages *messages); /* NULL is fine */

/* ---- context ------------------------------------------------------------------------------ */

typedef enum FusecDevice {
    FUSEC_DEVICE_CPU = 0,
    FUSEC_DEVICE_CUDA = 1,
    FUSEC_DEVICE_AUTO = 2 /* the GPU where there is one that can be used, else the CPU */
} FusecDevice;

/* allocate returns NULL when no memory is left. release gets a pointer that allocate returned, and
 * the same size. Any thread may call both, but fusec_call and fusec_execute never do. */
typedef struct FusecAllocator {
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} FusecAllocator;

/* A limit on the work of a compilation, with the names of `fusec --limit`. */
typedef struct FusecLimit {
    const char *name; /* "nodes", "memory_bytes", .. */
    int64_t value;
} FusecLimit;

typedef struct FusecContextOptions {
    size_t struct_size;
    FusecDevice device;
    int device_number;  /* CUDA: the driver's ordinal */
    void *cuda_context; /* CUDA: a CUcontext of that device, which outlives the context; NULL: the
                           primary one, which the CUDA runtime and PyTorch use */
    int threads;        /* CPU: that one call may use; 0: what OpenMP takes, and took when the
                           function was prepared, 1: the caller only.
                           CUDA: in which NVRTC compiles the kernels of one function, at most 8; 0:
                           one for each processor */
    int background_threads; /* that compile better variants meanwhile, at most 16; 0: none */
    const char *compiler;   /* CPU: command of the C compiler; NULL: $CC, else cc */
    const FusecAllocator *host_allocator;   /* copied. Of handles, compilations and, on the CPU,
                                               workspaces; NULL: malloc */
    const FusecAllocator *device_allocator; /* CUDA, copied: of workspaces and prepared constants,
                                               256-byte aligned; NULL: cuMemAlloc */
    const FusecLimit *limits;               /* copied */
    size_t limit_count;
    /* Called with every message, also of compilations in the background, but with what was said of
     * a model only once, when it is loaded; the message is valid during the call. It must not
     * release what is being made or prepared. */
    void (*log)(void *user, const FusecMessage *message);
    void *log_user;
    const char *cpu_arch; /* CPU, copied: the processor to compile for, as in the C compiler's
                             -march: "x86-64-v3"; NULL: this machine. Code that this machine cannot
                             run ends the process when it is called */
    const char *cache;    /* folder in which compiled code is kept for later processes; NULL:
                             $FUSEC_CACHE_DIR, else $XDG_CACHE_HOME/fusec, else ~/.cache/fusec;
                             "off": none. A cache that cannot be used is a remark for the log */
    const char *command;  /* copied: the command `fusec`, for FUSEC_TUNING_AUTO; NULL: the one that
                             is installed with the library, else that of $PATH */
    int dependent_launch; /* CUDA, sm_90 and later: 1: programmatic dependent launch: the blocks of
                             a kernel may be placed while the kernel before it in the stream ends,
                             and wait before they read. For chains of kernels that take a few
                             microseconds each and are launched one by one. Off by default: early
                             blocks occupy the multiprocessors that a long kernel before them still
                             uses. Calls that are launched as a graph ignore it */
} FusecContextOptions;

/* FUSEC_REFUSED if the device cannot be used. The thread's current CUcontext does not change. */
FUSEC_API FusecStatus fusec_context_create(const FusecContextOptions *options,
                                           FusecContext **context);
/* Waits for compilations in the background. NULL is fine. */
FUSEC_API void fusec_context_release(FusecContext *context);

/* Its texts live as long as the context. */
typedef struct FusecDeviceInfo {
    size_t struct_size; /* set by the caller, as in all structs here that are filled */
    FusecDevice device; /* CPU or CUDA */
    int number;
    const char *name; /* "NVIDIA H200 (sm_90)" */
    const char *arch; /* "sm_90a"; NULL: a CPU */
} FusecDeviceInfo;

FUSEC_API FusecStatus fusec_context_device(const FusecContext *context, FusecDeviceInfo *info);

/* ---- models ------------------------------------------------------------------------------- */

/* The value of a dim, at least 1, by its name. */
typedef struct FusecDim {
    const char *name;
    int64_t value;
} FusecDim;

typedef enum FusecOptimise {
    FUSEC_O_DEFAULT = 0, /* O2 */
    FUSEC_O0 = 1,        /* a kernel for each operation */
    FUSEC_O1 = 2,
    FUSEC_O2 = 3,
    FUSEC_O3 = 4
} FusecOptimise;

typedef struct FusecModelOptions {
    size_t struct_size;
    FusecOptimise optimise;
    const FusecDim *dims; /* copied. Fixed in all functions that have them, as by -D; each once. One
                             that no function has is FUSEC_WRONG_MODEL */
    size_t dim_count;
    int warnings_are_errors;        /* as -Werror */
    int perf_remarks;               /* as -Wperf */
    const char *const *import_dirs; /* ends with NULL; copied. Where imported headers may be, as by
                                       -I; those of a model from a file are beside it, too */
} FusecModelOptions;

/* Checks a model: all of its text, the shapes of all functions. Compiles nothing yet.
 * name      what messages call the text
 * text      `size` bytes; need not end with 0; copied, as the name
 * messages  may be NULL; else it gets the messages, also after a failure, or NULL if there are
 *           none. Free them with fusec_messages_release. */
FUSEC_API FusecStatus fusec_model_from_text(FusecContext *context, const char *name,
                                            const char *text, size_t size,
                                            const FusecModelOptions *options,
                                            FusecMessages **messages, FusecModel **model);
/* The same for a file. FUSEC_REFUSED if it cannot be read. */
FUSEC_API FusecStatus fusec_model_from_file(FusecContext *context, const char *path,
                                            const FusecModelOptions *options,
                                            FusecMessages **messages, FusecModel **model);
/* A saved model, with its name, text, options and compiled code. A variant needs no compiler if the
 * file has its code, by the same build of fusec and for the same kind of processor; others are
 * compiled as usual. Kernels for a GPU are planned for the size of the one it was saved on, if that
 * has the same architecture. FUSEC_REFUSED if the file is not an artifact of this version, or is
 * damaged or truncated. Its code is executed: an artifact is to be trusted like a program
 * (docs/security.md). */
FUSEC_API FusecStatus fusec_model_from_artifact(FusecContext *context, const char *path,
                                                FusecMessages **messages, FusecModel **model);
/* Writes the model, and the code of all variants that its functions have had so far, to one file.
 * An existing file is replaced when the new one is complete. Other threads may call and prepare
 * meanwhile. */
FUSEC_API FusecStatus fusec_model_save(const FusecModel *model, const char *path);
FUSEC_API void fusec_model_release(FusecModel *model); /* NULL is fine */

/* The functions that no other function calls, in the order of the text. The name is NULL where
 * there is no such index. */
FUSEC_API size_t fusec_model_function_count(const FusecModel *model);
FUSEC_API const char *fusec_model_function_name(const FusecModel *model, size_t index);

/* ---- functions ---------------------------------------------------------------------------- */

typedef enum FusecPolicy {
    FUSEC_AUTOMATIC = 0, /* exact at first; a dim that varies becomes an argument of the code, which
                            may rely on what it was always a multiple of: 128, 16 or 8 */
    FUSEC_EXACT = 1,     /* a variant for each set of dims */
    FUSEC_GENERAL = 2    /* one variant for all */
} FusecPolicy;

typedef struct FusecFunctionOptions {
    size_t struct_size;
    /* Of a function of `train` FUSEC_GENERAL in any case: what it keeps for the other one is chosen
     * for the dims that the model fixes, and for no others. */
    FusecPolicy policy;
    int exact_most; /* exact variants that calls can use, at most 30: beyond, the least recently
                       used one is evicted; its memory is freed with the function; 0: 8 */
    int exact_hits; /* FUSEC_AUTOMATIC with background threads: calls with the same dims, after
                       which they get an exact variant; 0: 3 */
    int workspaces; /* of the library, for calls that pass none: the number of calls at a time (on
                       CUDA: of streams), at most 64; 0: 16 on the CPU, 1 on CUDA */
} FusecFunctionOptions;

/* A function of the model by its name, which may also be one that others call; NULL: the only one.
 * Each has variants, workspaces and constants of its own. Plans it, with open dims, and writes its
 * source; the compiler of the device is not called yet. FUSEC_WRONG_MODEL, too, for more than 64
 * open dims or 2048 arguments. */
FUSEC_API FusecStatus fusec_function_create(FusecModel *model, const char *name,
                                            const FusecFunctionOptions *options,
                                            FusecFunction **function);
/* Waits for its compilations in the background; on CUDA, what it has launched is done by then, or
 * the caller has waited for it. NULL is fine. */
FUSEC_API void fusec_function_release(FusecFunction *function);

/* NULL for NULL. */
FUSEC_API const char *fusec_function_name(const FusecFunction *function);

typedef struct FusecArgument {
    size_t struct_size;
    const char *name;
    int is_output;
    int is_constant; /* @constant: bound once, by fusec_function_bind; calls pass NULL for it */
    DLDataType type;
    const char *type_name; /* "bf16" */
    int rank;
    const char *const *shape; /* of each axis, an expression of the dims: "8*D" */
    int line, column;         /* where the model declares it */
    int is_consumed; /* @consume: a call may overwrite it; its contents are undefined then */
} FusecArgument;

/* Inputs, then outputs: the order of arguments in a call. 0 for NULL. */
FUSEC_API size_t fusec_function_argument_count(const FusecFunction *function);
FUSEC_API size_t fusec_function_input_count(const FusecFunction *function);
FUSEC_API FusecStatus fusec_function_argument(const FusecFunction *function, size_t index,
                                              FusecArgument *argument);

typedef struct FusecDimInfo {
    size_t struct_size;
    const char *name;
    int is_parameter;              /* no input's shape determines it: calls pass its value */
    int64_t least, most, multiple; /* what the model asserts of it; without asserts 1, the limit
                                      `elements` (2^40), 1 */
    int line, column;
} FusecDimInfo;

/* The open dims, in the order in which all functions here take their values. */
FUSEC_API size_t fusec_function_dim_count(const FusecFunction *function);
FUSEC_API FusecStatus fusec_function_dim(const FusecFunction *function, size_t index,
                                         FusecDimInfo *dim);

typedef struct FusecAttributes {
    size_t struct_size;
    int max_kernels;       /* of @max_kernels and @one_kernel; 0: none */
    int strict;            /* @strict */
    const char *autocast;  /* of @autocast: "bf16"; NULL: none */
    const char *precision; /* of @precision: "ieee", "tf32", .. */
    int kernel_count;      /* of a call, as planned with open dims */
    int nondeterministic;  /* @nondeterministic */
} FusecAttributes;

FUSEC_API FusecStatus fusec_function_attributes(const FusecFunction *function,
                                                FusecAttributes *attributes);

typedef enum FusecText {
    FUSEC_TEXT_SOURCE = 0,    /* the input of the device's compiler */
    FUSEC_TEXT_PLAN_JSON = 1, /* docs/plan.md */
    FUSEC_TEXT_PLAN = 2,      /* as --emit=plan */
    FUSEC_TEXT_EXPLAIN = 3,   /* as --explain */
    FUSEC_TEXT_GRAPH = 4      /* as --emit=graph */
} FusecText;

/* Of the function with open dims. The text belongs to the function. It is made at the first
 * request, which waits for preparations in other threads. */
FUSEC_API FusecStatus fusec_function_text(FusecFunction *function, FusecText kind,
                                          const char **text);
/* The bytes that the kernels of one call move, and the operations that they compute, with these
 * dims, one for each open dim. Each result may be NULL. */
FUSEC_API FusecStatus fusec_function_work(const FusecFunction *function, const int64_t *dims,
                                          int64_t *bytes, int64_t *operations);
/* Values of the dims from `count` inputs; a parameter is taken from where it stands in `dims`, all
 * others are written there. FUSEC_WRONG_ARGUMENT names the input that does not fit. */
FUSEC_API FusecStatus fusec_function_solve(const FusecFunction *function,
                                           const DLTensor *const *inputs, size_t count,
                                           int64_t *dims);
/* The sizes of an argument, by its number, with these dims, of which those that inputs determine
 * may be 0: `rank` of them are written. */
FUSEC_API FusecStatus fusec_function_shape(const FusecFunction *function, size_t argument,
                                           const int64_t *dims, int64_t *shape);

/* Gives a @constant input its value. The tensor's memory is read until the function is released,
 * and does not change; its other fields are copied. Before the first variant is made, by
 * fusec_prepare or a call, which computes what depends on constants alone: later it is
 * FUSEC_WRONG_ARGUMENT. Until then the last value counts. On CUDA see FusecPrepareOptions.stream.
 */
FUSEC_API FusecStatus fusec_function_bind(FusecFunction *function, const char *name,
                                          const DLTensor *tensor);

/* ---- preparing ---------------------------------------------------------------------------- */

/* Where the tiles of kernels come from: the numbers that change their speed and nothing else. */
typedef enum FusecTuning {
    FUSEC_TUNING_NEVER,  /* those that are expected to be the fastest */
    FUSEC_TUNING_CACHED, /* those that `fusec tune` or FUSEC_TUNING_AUTO has chosen for the same
                            kernels, sizes and machine, from the cache; where there are none, the
                            default ones, and a remark for the log names the command that
                            chooses some. There are none for variants with open dims */
    FUSEC_TUNING_AUTO    /* the same; where there are none they are measured now, by other processes
                            that run the command `fusec`, with random inputs. On the CPU they
                            compile by $CC, else cc, for this machine, whatever `compiler` and
                            `cpu_arch` say. Where that fails, a remark says why */
} FusecTuning;

typedef struct FusecPrepareOptions {
    size_t struct_size;
    /* Called with the current step and the progress, 0 to 1: with "compile" before a compilation,
     * every 50 ms while the compiler runs, and for each tile that is measured; with "ready" at the
     * end. If it returns a number other than 0, it is not called again, and fusec_prepare returns
     * FUSEC_CANCELLED at once, after it has ended the C compiler and removed its files. NVRTC
     * cannot be interrupted: it goes on in a thread of its own, uses nothing of the caller's, and
     * its result is dropped; until then libfusec must not be unloaded. It must not release the same
     * function; what would wait for the compilation is FUSEC_BUSY there: preparing the function,
     * binding its constants, its texts. */
    int (*progress)(void *user, const char *step, double done);
    void *progress_user;
    int background; /* 1: where no variant fits, a general one is made now, and the better one in
                       the background, if the context has threads for that */
    int graph; /* CUDA: a call of the executable launches all kernels as one CUDA graph, in which it
                  changes the pointers: for many small kernels. In a stream that is captured they
                  are launched one by one */
    const char *keep;     /* a folder, made if need be in one that is there, for copies of what a
                             compilation reads, makes and says: source, machine code, log; nothing
                             where the code is there already; NULL: none */
    int any_alignment;    /* CUDA: 1: also for tensors that are aligned to their elements only, by
                             kernels that test it and have a second path, and compile longer. Else a
                             variant may rely on tensors that are aligned to 16 bytes, as a view of
                             every other element may not be; its guards say so */
    FusecTuning tuning;   /* of variants that are made now, and later in the background and by calls
                             that may prepare, until the next fusec_prepare */
    double tuning_budget; /* AUTO: seconds at most; 0: 5 for each kernel */
    const char *tune_lock; /* decisions of `fusec tune --tune-lock`, a file: its tiles are used,
                              whatever `tuning` says; NULL: none */
    void *stream; /* CUDA: the CUstream that writes the bound constants; NULL: the caller's default
                     stream. Where something is computed from constants alone, it is waited for, so
                     it must not be captured then */
    int no_workspaces; /* 1: takes no memory for workspaces: calls bring theirs */
} FusecPrepareOptions;

/* Makes the function ready for these dims, one for each open dim: compiles a variant by the policy
 * of the function where none fits, takes memory for its workspaces, prepares its constants: what is
 * computed from these alone is computed now, once for each variant. May take seconds, and waits for
 * the compiler; calls go on meanwhile, in other threads.
 *
 * `executable` may be NULL; else it gets a handle for calls by bare pointers with these dims. */
FUSEC_API FusecStatus fusec_prepare(FusecFunction *function, const int64_t *dims,
                                    const FusecPrepareOptions *options,
                                    FusecExecutable **executable);
FUSEC_API void fusec_executable_release(FusecExecutable *executable); /* NULL is fine */

/* Bytes of workspace, aligned to 256, that a call with these dims needs. 0: none. */
FUSEC_API FusecStatus fusec_executable_workspace(const FusecExecutable *executable, size_t *bytes);
/* As of fusec_function_text, of the variant that the executable runs. */
FUSEC_API FusecStatus fusec_executable_text(FusecExecutable *executable, FusecText kind,
                                            const char **text);

typedef struct FusecKernel {
    size_t struct_size;
    const char *name;          /* of its function in the source */
    const char *place;         /* in the model: "geglu.fx:3:5" */
    int64_t bytes, operations; /* moved and computed with these dims; -1: they do not fit 64 bits */
    const char *product; /* element type of a matrix product in it, "bf16"; NULL: there is none */
} FusecKernel;

/* The kernels of the variant that the executable runs, in the order in which they run. */
FUSEC_API size_t fusec_executable_kernel_count(const FusecExecutable *executable);
FUSEC_API FusecStatus fusec_executable_kernel(const FusecExecutable *executable, size_t index,
                                              FusecKernel *kernel);

typedef struct FusecPass {
    size_t struct_size;
    const char *name; /* as --time-passes has it: "parse", "fuse", .., "compiler" */
    double seconds;
} FusecPass;

/* How long each pass took when that variant was compiled; "compiler" is that of the device. */
FUSEC_API size_t fusec_executable_pass_count(const FusecExecutable *executable);
FUSEC_API FusecStatus fusec_executable_pass(const FusecExecutable *executable, size_t index,
                                            FusecPass *pass);

/* ---- calling ------------------------------------------------------------------------------ */

typedef enum FusecCallFlags {
    FUSEC_CALL_MAY_PREPARE = 1 /* prepares sizes that are new, as fusec_prepare does, and so may
                                  compile, allocate and wait; an error while a stream captures */
} FusecCallFlags;

typedef struct FusecCallOptions {
    size_t struct_size;
    void *stream; /* CUDA: a CUstream of the context's device; NULL: the caller's default stream */
    void *workspace; /* aligned to 256, not shared with a call that may run at the same time; NULL:
                        one of the library's own */
    size_t workspace_bytes;
    const int64_t *dims; /* fusec_call: where there are parameters, a value for each dim, of which
                            only those of parameters are read */
    unsigned flags;      /* FusecCallFlags; others are FUSEC_WRONG_ARGUMENT */
    /* Where `workspace` is NULL: gives one of `bytes`, aligned to 256. Called at most once, by the
     * thread of the call while the device's CUcontext is current, and only where the call needs a
     * workspace; the work of the call is queued in `stream` afterwards. No lock is held meanwhile.
     * If it returns NULL, the call is FUSEC_NO_MEMORY. */
    void *(*workspace_allocate)(void *user, size_t bytes);
    void *workspace_user;
} FusecCallOptions;

/* Calls the function with inputs, then outputs. Sizes come from the inputs. Every argument is
 * checked: element type, rank, sizes, row-major order, alignment to its elements, device. That
 * outputs overlap neither inputs nor each other is not checked, nor that a bool is 0 or 1.
 *
 * What overlaps a @consume input is FUSEC_WRONG_ARGUMENT, unless it is an output that has all of the
 * input's memory, and that the plan writes in place over it: the memory holds the output then. It
 * stays the caller's; concurrent calls must not use it.
 *
 * A dim may be 0, as that of an empty batch, where no output has elements then: nothing is done, and
 * need not be prepared.
 *
 * Never compiles, allocates, waits for the device, or takes a lock: FUSEC_NOT_PREPARED where no
 * variant takes these sizes. On CUDA the work is queued in the stream, and may be captured there;
 * the thread's current CUcontext stays as it is. On the CPU it is done on return. Reentrant.
 * After a failure outputs are unchanged, but where the device has failed. */
FUSEC_API FusecStatus fusec_call(FusecFunction *function, const DLTensor *const *tensors,
                                 size_t count, const FusecCallOptions *options);
/* The same with memory of the device for each argument, of the dims that the executable is for;
 * only NULL, alignment and overlaps with @consume inputs are checked. The cheapest call. It is
 * reentrant. */
FUSEC_API FusecStatus fusec_execute(FusecExecutable *executable, void *const *pointers,
                                    size_t count, const FusecCallOptions *options);

/* The same kernel by kernel, for measurements: `seconds` gets the time of each, `kernels` of them,
 * or, where that is 0, one time, that of all together. Works in a stream of the library's own and
 * waits for each, so an error names its kernel; what other streams write to the arguments has to be
 * done. Of `options`, the workspace is used; where there is none, it takes memory for one. Calls on
 * one context follow each other. */
FUSEC_API FusecStatus fusec_profile(FusecExecutable *executable, void *const *pointers,
                                    size_t count, const FusecCallOptions *options, double *seconds,
                                    size_t kernels);

/* ---- what was specialised ----------------------------------------------------------------- */

typedef struct FusecStats {
    size_t struct_size;
    uint64_t hits;         /* calls by fusec_call that found a variant */
    uint64_t misses;       /* and those that did not */
    uint64_t compilations; /* by a compiler: not of code that the model had, from an artifact or for
                              another function, or that the cache had */
    uint64_t evictions;
    double compile_seconds;
    size_t variant_count; /* in use now */
    char last_miss[256]; /* the sizes, the guard that fails, unless a variant takes them by now, and
                            the line of the model that its dim comes from; "": none */
} FusecStats;

typedef struct FusecVariant {
    size_t struct_size;
    const char *guards; /* "N % 16 == 0, D == 768"; "": takes all sizes */
    int is_exact;
    uint64_t hits;
    double compile_seconds;
} FusecVariant;

FUSEC_API FusecStatus fusec_function_stats(FusecFunction *function, FusecStats *stats);
/* Number `index` of those in use, in the order in which they are tried. */
FUSEC_API FusecStatus fusec_function_variant(FusecFunction *function, size_t index,
                                             FusecVariant *variant);

#ifdef __cplusplus
}
#endif
#endif
