/* runtime.h: Tensors and their files (tensor.h), and the devices that run compiled code.
 * It knows no graph: what was compiled runs without the compiler.
 *
 * Ownership  what a function returns is the caller's, to be freed by the function named there;
 *            arguments are borrowed for the call.
 * Errors     NULL or false comes after a diagnostic, unless said otherwise. What is wrong with the
 *            data is a diag_error without place ("path: what is wrong"); a call that the machine
 *            refused is a diag_refuse with the call, the path and the system's words.
 * Threads    no mutable globals: calls with different arguments (Diag included) may run at once. */
#ifndef FUSEC_RUNTIME_H
#define FUSEC_RUNTIME_H

#include "runtime/tensor.h"

#include <pthread.h>

/* ---- formula.c: expressions of dims ------------------------------------------------------ */

typedef struct FormulaDims {
    const char *const *name;
    const int64_t *value;
    int count;
} FormulaDims;

typedef struct FormulaCode FormulaCode;

/* A text that is parsed once and computed often; NULL: it is not such an expression.
 * (formula_run.c) */
const FormulaCode *formula_compile(Arena *arena, const char *text, const char *const *names,
                                   int count);
/* With the values of the names. `code` may be NULL, which has none. */
bool formula_run(const FormulaCode *code, const int64_t *dims, Dtype type, Scalar *value);
/* The value of a C expression of literals, dims, + - * / % ?: ! && ||, comparisons, casts, and the
 * functions of <math.h>, ceil_div, fx_least and fx_most, converted to `type`. False, without a
 * diagnostic, when it has none: it overflows int64_t, divides an integer by 0, or is not such an
 * expression. */
bool formula_value(const char *text, const FormulaDims *dims, Dtype type, Scalar *value);

/* ---- processors.c ------------------------------------------------------------------------ */

/* Those that this process and its children may run on: taskset and cpusets leave it fewer. */
int processors_here(void);

/* ---- threads.c --------------------------------------------------------------------------- */

/* As pthread_create does, but the thread blocks all signals. False: none was started. */
bool thread_start(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                  void *of);
/* Calls work(of, first, end) for parts of 0 .. count - 1, side by side in up to so many threads,
 * and up to as many as there are processors, this one included. Returns when all are done. */
void share_range(int64_t count, int parts, void (*work)(void *of, int64_t first, int64_t end),
                 void *of);

/* ---- child.c: a command, run ------------------------------------------------------------- */

/* Asked now and then while something takes long. */
typedef struct Watch {
    bool (*goes_on)(void *user); /* false: it is to be ended */
    void *user;
} Watch;

typedef struct Child {
    Arena *arena;
    char *const *words; /* end with NULL */
    const char *log;    /* the file for its output */
    const char *folder; /* its TMPDIR */
    const char *makes;  /* the file that it makes if it succeeds; NULL: none */
    const Watch *watch; /* NULL: none. With one it is a process group, which is killed as a whole */
    int status;         /* set: as by waitpid */
    bool was_ended;     /* set: by its watcher */
} Child;

/* Until it has ended. 0, or the error number of what could not be done. */
int child_run(Child *child);
/* The same of several that run at a time, until all have ended. Once one is ended by its watcher,
 * so are the others. */
int child_run_all(Child *children, int count);

/* ---- code.c: machine code by what it was compiled from ------------------------------------- */

typedef struct CodeKey {
    uint64_t low, high;
} CodeKey;

typedef struct Code {
    struct Code *next; /* an older one */
    CodeKey key;
    size_t size;
    unsigned char bytes[]; /* of a shared library, or of a cubin or PTX */
} Code;

/* Starts as {0}. Code stays in it unchanged until code_table_free; any thread may find and add. */
typedef struct CodeTable {
    _Atomic(Code *) newest;
    const char *build; /* of fusec: part of every key */
} CodeTable;

/* Of all parts, by XXH3 with 128 bits. */
CodeKey code_key(const FilePart *parts, size_t count);
/* The newest with that key; NULL: none. */
const Code *code_find(const CodeTable *table, CodeKey key);
/* Copies it. False, without a diagnostic, when out of memory. */
bool code_add(CodeTable *table, CodeKey key, const void *bytes, size_t size);
void code_table_free(CodeTable *table);

/* ---- cubin.c: what a kernel uses, by its machine code --------------------------------------- */

typedef struct KernelUse {
    int registers, local; /* of a thread; local: bytes of registers that spill, and of arrays */
    int64_t shared;       /* bytes of a block, but for those that its launch asks for */
} KernelUse;

/* False: it is no cubin, or has no such kernel. The bytes may be anything. */
bool cubin_use(const void *bytes, size_t size, const char *kernel, KernelUse *use);

/* ---- fields of keys -------------------------------------------------------------------------- */

/* One thing that a result depends on: "compiler" = "/usr/bin/gcc-12". */
typedef struct KeyField {
    const char *name, *value;
} KeyField;

typedef struct KeyFields {
    const KeyField *at; /* in the order in which differences are reported */
    int count;
} KeyFields;

/* about: what a person knows the code by, no part of the key. */
typedef struct CodeEntry {
    KeyFields key, about;
    const void *bytes;
    size_t size;
    double seconds; /* that compiling it took */
} CodeEntry;

/* Where code outlives the process. What goes wrong in it is at most a remark. */
typedef struct CodeStore CodeStore;
struct CodeStore {
    /* Its code in *bytes, to be freed; false: there is none. about: NULL for a part of other code,
     * which is not counted. */
    bool (*find)(CodeStore *, Diag *, const KeyFields *key, const KeyFields *about, void **bytes,
                 size_t *size);
    /* All of them, or none; but those that are too large for the store are left out. */
    void (*add)(CodeStore *, Diag *, const CodeEntry *entries, int count);
    /* A text by its name; NULL: there is none. */
    const char *(*recall)(CodeStore *, Diag *, const char *name);
    void (*remember)(CodeStore *, Diag *, const char *name, const char *text);
};

/* ---- program.c: compiled functions -------------------------------------------------------- */

/* What a kernel is given, in order. */
typedef enum ArgumentKind { ARG_TENSOR, ARG_WORKSPACE, ARG_PREPARED, ARG_SCALAR } ArgumentKind;

/* Tells TMA where a tensor of three axes lies, contiguous along the first, and which boxes of it
 * are copied at a time. Of images there are four, channels first: a box has channels of so many
 * pixels, row by row and image by image, which are moved; outside of an image they are 0. */
typedef struct ProgramMap {
    const char *name;   /* of the kernel's parameter */
    const char *buffer; /* that the tensor is in, by its name in the text */
    Dtype type;
    bool is_pixels;        /* of images */
    const char *offset;    /* from the start of the buffer, in elements: a formula */
    const char *extent[4]; /* in elements */
    const char *step[3];   /* from one index along the other axes to the next, in bytes */
    int moved[2];          /* pixels of images, along a row and down */
    int box[2];            /* along the first two axes, in elements; pixels */
} ProgramMap;

/* As in CUtensorMapDataType; f32 becomes tf32 as it is loaded. */
typedef enum MapType { MAP_BYTES = 0, MAP_F16 = 6, MAP_BF16 = 9, MAP_TF32 = 11 } MapType;

static inline MapType program_map_type(Dtype type) {
    return dtype_size(type) == 1 ? MAP_BYTES
           : type == T_F32       ? MAP_TF32
           : type == T_BF16      ? MAP_BF16
                                 : MAP_F16;
}

typedef struct ProgramArgument {
    ArgumentKind kind;
    int tensor;            /* ARG_TENSOR: its number; inputs first, then outputs */
    Dtype type;            /* ARG_SCALAR */
    const char *formula;   /* ARG_SCALAR: its value; of memory: bytes from the start of it */
    const ProgramMap *map; /* not NULL: the kernel is given no address, but a map */
} ProgramArgument;

/* One kernel. Where a number depends on dims it is a formula (see formula.c). */
typedef struct ProgramKernel {
    const char *name;
    const char *place; /* where the model asks for it: "geglu.fx:3:5" */
    size_t source_at;  /* where the text of its function starts, counted from that of the Program */
    const char *bytes, *flops; /* moved and computed; NULL: too large to count */
    Dtype product;             /* element type of a matrix product in it; T_NONE: there is none */

    /* of CUDA code; C code knows by itself */
    const char *function; /* the name of its code, which other kernels may launch, too */
    const char *grid, *block_x, *block_y, *shared;
    int persistent; /* not 0: of `grid` blocks, as many as there are multiprocessors are launched,
                     * in whole clusters of this many */
    const ProgramArgument *arguments;
    int argument_count;
    const ProgramArgument *zeroed; /* the memory that holds zeros when it starts; NULL: none */
    const char *zeroed_bytes;      /* a formula */
} ProgramKernel;

/* Does it have code of its own, not that of an earlier one? */
bool kernel_has_code(const ProgramKernel *kernel);

/* A condition under which the dims are refused, and why: "!(D % 8 == 0)", "assert". */
typedef struct ProgramGuard {
    const char *broken_if, *why;
    const char *shown; /* broken_if with the names of the model, for messages */
} ProgramGuard;

enum { TENSOR_ALIGNED = 16 }; /* bytes that a GPU loads at once */

/* One function of a model: what to compile, how to launch it. Texts are borrowed. */
typedef struct Program {
    const char *name, *source, *file; /* file: what compilers call the source, "geglu.cu" */
    const char *model_name;           /* what the model calls the function, for messages */
    int input_count, output_count, symbol_count, kernel_count, guard_count;
    const char *const *symbols;   /* the dims by the names that formulas have for them */
    const ProgramKernel *kernels; /* those of a call, then those that prepare constants */
    int once_count;               /* of the latter; kernel_count has the former only */
    const ProgramGuard *guards;
    size_t source_at; /* where in the source its functions start; what is before is shared */
    /* C: the text of functions that sources share, by their names, as it is for any program; NULL:
     * of all. */
    const char *(*shared)(Arena *arena, const char *names);
    bool needs_aligned;    /* CUDA: its code relies on tensors that are aligned to TENSOR_ALIGNED */
    bool is_dependent;     /* CUDA: its kernels wait for those before them, and may begin earlier */
    bool one_arch;         /* its code runs on the one architecture that it was emitted for */
    const char *workspace; /* CUDA: its bytes, a formula. C: NULL, the code says */
    const char *prepared;  /* CUDA: bytes of what is computed from constants, a formula */
    bool prepares;         /* some inputs are constant, and prepared before it is called */
    CodeTable *codes;      /* load takes its code from here, or puts it here; NULL: neither */
    const Watch *watch;    /* of the compiler, while load runs it; NULL: none */
    KeyFields about;       /* the model, its dims and options: what a person knows the code by */
    bool is_compiled;      /* by load: its code was neither in `codes` nor in the device's store */
    void *loaded;          /* what load of its device made of it */
} Program;

/* A program made ready for certain dims: nothing is computed from them any more when it is
 * launched, also by several threads at a time. Lives in the arena of the Diag it was made with. */
typedef struct Call {
    const Program *program;
    const int64_t *dims;
    int64_t workspace_bytes;
    int threads;                 /* CPU: of OpenMP, that the workspace is for; 0: it is not there */
    int64_t prepared_bytes;      /* 0: the program prepares no constants */
    struct CudaLaunch *launches; /* CUDA: one for each kernel */
} Call;

/* What a launch works on, all in the device's memory. */
typedef struct Memory {
    void *const *tensors; /* inputs, then outputs */
    void *prepared;       /* filled by prepare_constants; NULL: prepared_bytes is 0 */
    void *workspace;
    void *const *stream; /* CUDA: the one to launch in; NULL: the device's own */
} Memory;

typedef struct Device Device;
typedef struct DeviceGraph DeviceGraph;

/* Checks the conditions on the dims and evaluates what depends on them. NULL after a diagnostic. */
Call *program_prepare(Diag *diag, Device *device, const Program *program, const int64_t *dims);

/* ---- device.c: where programs run --------------------------------------------------------- */

typedef enum DeviceKind { DEVICE_CPU, DEVICE_CUDA } DeviceKind;

enum { ALL_KERNELS = -1 };

typedef struct DeviceEntry {
    bool is_slow; /* may allocate and load, without disturbing a thread that captures a stream */
    int capture_mode; /* CUDA: of the thread */
} DeviceEntry;

/* The operations of a device. All report to diag. Launches and copies are queued, and are done in
 * order; `wait` waits for them, and tells what went wrong meanwhile. */
struct Device {
    DeviceKind kind;
    const char *name; /* "NVIDIA H200 (sm_90)" */
    const char *arch; /* "sm_90a"; NULL: a CPU */
    size_t cache;     /* bytes of its largest cache */
    int processors;   /* multiprocessors; 0: a CPU */
    /* Of a GPU, bytes of shared memory: the most of a block, and of a multiprocessor; 0: unknown.
     */
    int shared_block, shared_processor;
    double clocks;        /* of all its multiprocessors in a second, at most; 0: a CPU */
    const char *compiler; /* of a CPU: see CpuOptions */
    const char *cpu_arch; /* of a CPU: for its compiler's -march; NULL: this machine */
    int threads;          /* of a CPU: that a launch may use; 0: what OpenMP takes */
    CodeStore *store;     /* load takes code from here, or puts it here; NULL: neither. Not owned */

    void (*close)(Device *);
    /* What a thread needs around all of the following; NULL: nothing. On CUDA, a context that is
     * current; after `leave` that of before is so again. */
    bool (*enter)(Device *, Diag *, DeviceEntry *entry);
    void (*leave)(Device *, DeviceEntry *entry);
    bool (*is_capturing)(Device *, void *stream); /* NULL: never */
    /* Compiles and loads the source. Copies of what that makes go to folder `keep`, if not NULL. */
    bool (*load)(Device *, Diag *, Program *, const char *keep);
    void (*unload)(Device *, Program *); /* what load made; nothing, if it has failed */
    /* By what load asks the store for code; no fields: it does not ask. With a store only. */
    KeyFields (*key)(Device *, Diag *, const Program *);
    bool (*prepare)(Device *, Diag *, Call *);
    void *(*allocate)(Device *, Diag *, size_t bytes); /* 256-byte aligned; NULL after a refusal */
    void (*release)(Device *, void *);                 /* NULL is fine */
    bool (*put)(Device *, Diag *, void *to, const void *from, size_t bytes); /* from this process */
    bool (*get)(Device *, Diag *, void *to, const void *from, size_t bytes); /* .. to it; waits */
    bool (*copy)(Device *, Diag *, void *to, const void *from, size_t bytes);
    /* Fills m->prepared from constant inputs, once before any launch; it is done on return. Waits
     * for m->stream first. */
    bool (*prepare_constants)(Device *, Diag *, const Call *, const Memory *m);
    /* kernel: its number, or ALL_KERNELS. */
    bool (*launch)(Device *, Diag *, const Call *, const Memory *m, int kernel);
    /* All kernels of a call as one graph; NULL: the device has none. Freed also after a failure. A
     * graph is launched by one thread at a time. */
    bool (*graph_make)(Device *, Diag *, const Call *, DeviceGraph **graph);
    bool (*graph_launch)(Device *, Diag *, const Call *, DeviceGraph *graph, const Memory *m);
    void (*graph_free)(Device *, DeviceGraph *graph);
    bool (*wait)(Device *, Diag *);
    bool (*start)(Device *, Diag *);                 /* the time of what is queued from here .. */
    bool (*stop)(Device *, Diag *, double *seconds); /* .. to here; waits */
};

/* NULL after a refusal that says what is missing and what to install. For device_close. */
Device *device_open(Diag *diag, DeviceKind kind);
void device_close(Device *device);  /* NULL is fine */
typedef struct CpuModule CpuModule; /* compiled C, loaded: cpu.c */

/* ---- cpu_cache.c: caches of the CPU ------------------------------------------------------- */

/* Of the largest caches together, as Linux tells it in a folder, of so many processors; 0: it tells
 * nothing. */
size_t cpu_cache_bytes(const char *folder, int processors);
size_t cpu_cache_here(void); /* of this machine; never 0 */

/* ---- cpu_device.c: the CPU as a device ---------------------------------------------------- */

/* A program in C has two entry points, whatever its inputs and dims are:
 *     int fusec_entry_NAME(void *const *tensors, const int64_t *dims, const void *prepared,
 *                          void *workspace, int kernel)
 *     int64_t fusec_workspace_NAME(const int64_t *dims)
 * and, where it prepares constants, two more:
 *     int fusec_prepare_NAME(void *const *tensors, const int64_t *dims, void *prepared)
 *     int64_t fusec_prepared_size_NAME(const int64_t *dims)
 * tensors: inputs, then outputs. dims: all symbols in order. kernel: one, or -1 for all. They
 * return 0, or another number when the dims are refused. */
Device *cpu_open(Diag *diag);
/* Any C text as `load` has it compiled, or found in the store: of the program only `source` and
 * `about` count. For cpu_free. */
CpuModule *cpu_device_compile(Device *device, Diag *diag, Program *program);

/* ---- cpu.c: C text compiled for this machine and loaded ------------------------------------- */

/* Functions that programs share: a store has them compiled. */
typedef struct CpuShared {
    CodeStore *store;
    KeyFields key; /* of the program; its last field is the source */
    size_t before; /* the functions of the source that start before are shared */
    const char *(*text)(Arena *, const char *names); /* see Program.shared */
} CpuShared;

/* All zero is the default. */
typedef struct CpuOptions {
    const char *compiler; /* command, split on spaces; NULL: $CC, else cc */
    const char *flags;    /* more flags at the end, split on spaces; NULL: none */
    bool one_thread;      /* without OpenMP */
    int parts;            /* at most so many runs of the compiler at a time; 0: by the processors */
    CodeTable *codes;     /* gets the library, as `key`; NULL: it is not wanted */
    CodeKey key;
    const CpuShared *shared; /* NULL: all functions of the text are compiled with it */
    const Watch *watch;      /* a compiler that it ends is a refusal; NULL: none */
} CpuOptions;

/* Compiles C for this machine and loads it. The source, the library and the compiler's messages
 * are in a private temporary folder ($TMPDIR, else /tmp) that is gone on return; copies of them
 * stay in folder `keep`, made if need be, when it is not NULL. A missing compiler, and code it
 * rejects (ours: never the user's mistake), are refusals. A flag the compiler does not know is left
 * out with a diag_remark. */
CpuModule *cpu_compile(Diag *diag, const char *source, const char *keep, const CpuOptions *options);
/* Loads a library that was compiled before. NULL after a refusal: this machine cannot load it. */
CpuModule *cpu_load(Diag *diag, const Code *code);
/* The flags that cpu_compile gives the compiler, those aside that it turns out not to know. */
const char *cpu_flags(Arena *arena, const CpuOptions *options);
void *cpu_symbol(CpuModule *module, const char *name); /* NULL: none */
void cpu_free(CpuModule *module);                      /* NULL is fine */

/* Compiles C for this machine into a shared library at `path`, which appears when complete. */
bool cpu_library(Diag *diag, const char *source, const char *path, const CpuOptions *options);
/* The command of the C compiler: of the options, else $CC, else cc. */
const char *cpu_compiler(const CpuOptions *options);
/* The first line of what it says of its version; false, with the reason in its place, when it
 * cannot be run. */
bool cpu_compiler_version(Arena *arena, const char *command, const char **text);

/* ---- cpu_parts.c: a long C text as several ----------------------------------------------- */

enum { CPU_PARTS_MOST = 8, CPU_NAMES_MOST = 64 };

typedef struct CpuNames {
    const char *at[CPU_NAMES_MOST];
    int count;
} CpuNames;

/* At most `most` texts, which make a library together. 1: the text is compiled as it is; parts are
 * not set. */
int cpu_parts_split(Arena *arena, const char *text, int most, const char **parts);
/* The same without the shared functions before byte `before`, which are called: they are to be
 * linked. 0: there are none, and parts are not set. */
int cpu_parts_without(Arena *arena, const char *text, size_t before, int most, CpuNames *outside,
                      const char **parts);
bool cpu_parts_share(const char *text); /* Has it functions that may be shared? */
/* Of a text that has such functions the one whose object has those names. Others of `outside` it
 * only calls: where it calls one that is not linked, it is itself not called. NULL: there are too
 * many. */
const char *cpu_parts_of(Arena *arena, const char *text, const CpuNames *names,
                         const CpuNames *outside);

/* ---- cuda_device.c: the first GPU as a device ----------------------------------------------- */

/* All zero is the default. */
typedef struct CudaOptions {
    int number;    /* of the device */
    void *context; /* NULL: its primary one */
} CudaOptions;

/* Programs in CUDA C++, as emitted, compiled by NVRTC. */
Device *cuda_open(Diag *diag, const CudaOptions *options);

/* ---- cuda_driver.c: is there a GPU? --------------------------------------------------------- */

/* "NVIDIA H200 (sm_90), 132 multiprocessors, driver 13.0"; false, with the reason in its place,
 * when there is none. */
bool cuda_devices(Arena *arena, const char **text);
const char *cuda_driver_version(Arena *arena); /* "13.0"; NULL: there is no driver */

/* ---- nvrtc.c: CUDA C++ to PTX or machine code, without a GPU ------------------------------- */

typedef enum NvrtcResult { NVRTC_PTX, NVRTC_CUBIN } NvrtcResult;

/* Where in the model a part of a source comes from: what NVRTC says of it is said of that place. */
typedef struct NvrtcPlace {
    size_t source_at; /* the part starts here, and ends where the next starts; ascending */
    const char *place, *part;
} NvrtcPlace;

typedef struct NvrtcInput {
    const char *source, *file; /* file: what messages call it */
    const char *arch;          /* "sm_90a" */
    const NvrtcPlace *places;  /* none: messages speak of the source itself */
    int place_count;
    const char *keep; /* folder for the whole log; NULL: none */
    bool lines;       /* the machine code knows the lines of the source */
} NvrtcInput;

/* The library is loaded by name at the call; one that is missing, and source it rejects, are
 * refusals. free() the result. */
void *nvrtc_compile(Diag *diag, const NvrtcInput *input, NvrtcResult result, size_t *size);
enum { NVRTC_PARTS_MOST = 8 };

typedef struct NvrtcCode {
    void *bytes; /* to be freed */
    size_t size;
} NvrtcCode;

/* The same for up to NVRTC_PARTS_MOST inputs at a time, each in a thread of its own. Where there is
 * a watcher, it is asked now and then, and a compilation that it ends is a refusal at once; NVRTC
 * goes on in its thread, and its result is dropped. (nvrtc_parts.c) */
bool nvrtc_compile_parts(Diag *diag, const NvrtcInput *inputs, int count, NvrtcResult result,
                         const Watch *watch, NvrtcCode *codes);
/* Can it make machine code for sm_NN? If not, *most is the highest NN below, 0 when there is
 * none. */
bool nvrtc_knows(Diag *diag, int number, int *most);
/* "13.0, sm_75 to sm_121 (libnvrtc.so.13)"; false, with the reason in its place, when there is
 * none. */
bool nvrtc_version(Arena *arena, const char **text);

/* ---- toolchain.c: which compiler would compile --------------------------------------------- */

/* The C compiler: its command and the files that this names; what it says of its version, or why it
 * says nothing. Once for each state of the files: the store remembers it. */
void toolchain_c(Diag *diag, CodeStore *store, const CpuOptions *options, const char **compiler,
                 const char **version);
/* Does the command, or a file that it leads to, have the name of clang? */
bool toolchain_is_clang(Arena *arena, const char *command);
/* False where the command now is another file, or the store has another version of it. Runs
 * nothing. */
bool toolchain_is_current(Diag *diag, CodeStore *store, const char *compiler, const char *version);
/* As nvrtc_version; NULL: there is none. */
const char *toolchain_nvrtc(Diag *diag, CodeStore *store);

#endif
