/* base.h: Memory, text, spans and diagnostics, element types, hashing, limits. What lives
 * as long as one compilation is allocated in its Arena and never freed by itself. Nothing here, or
 * anywhere below the command line, exits, prints, or asserts on user input. */
#ifndef FUSEC_BASE_H
#define FUSEC_BASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(F, A) __attribute__((format(printf, F, A)))
#define NORETURN          __attribute__((noreturn))
#else
#define PRINTF_LIKE(F, A)
#define NORETURN
#endif

/* ---- recover.c -------------------------------------------------------------------------- */

typedef enum RecoveryKind { LEFT_FOR_MEMORY, LEFT_FOR_BUG } RecoveryKind;

/* Why work was left unfinished. */
typedef struct Recovery {
    RecoveryKind kind;
    const char *file; /* where it happened in fusec */
    int line;
    char text[256];
} Recovery;

/* Runs work(of). False if it was left by BUG or because memory ran out: *failure says why. The
 * caller frees what work had allocated, through `of`. Frames nest; a frame belongs to its
 * thread. */
bool recover(void (*work)(void *of), void *of, Recovery *why);
/* work(of), and after(of) in any case; if work was left, the callers' work is left, too. */
void ensure(void (*work)(void *of), void (*after)(void *of), void *of);
/* Sets the handler for work that is left outside of all frames. It must not return. */
void recover_last(void (*hear)(const Recovery *why));
/* Leaves the innermost frame of this thread. */
NORETURN void leave(const Recovery *why);
NORETURN void leave_for_memory(const char *file, int line);

/* ---- arena.c ---------------------------------------------------------------------------- */

/* Where memory comes from. allocate gives NULL when there is none left; release gets the size, too.
 */
typedef struct Allocator {
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} Allocator;

/* Memory that is freed as a whole. Allocation never returns NULL: if memory runs out, or `limit`
 * bytes (0: no limit) are exceeded, the current work is left (recover.c). Memory is zeroed. Not
 * thread safe. */
typedef struct Arena {
    struct ArenaBlock *block;
    const Allocator *allocator;  /* NULL: malloc */
    struct ArenaBlock *borrowed; /* a block that is not ours to give back; NULL: none */
    struct ArenaOwned *owned;
    size_t used, limit;
} Arena;

Arena *arena_new(size_t limit);                                /* NULL when malloc fails */
Arena *arena_new_in(const Allocator *allocator, size_t limit); /* the same; NULL: malloc */
/* One that takes memory from `room`, which is aligned to 16, first; for arena_clear. */
Arena arena_over(void *room, size_t size);
void arena_free(Arena *arena);  /* NULL is fine */
void arena_clear(Arena *arena); /* gives back what was taken; for an Arena that is no arena_new's */
/* Calls release(what) when the arena is freed or cleared: for what lives as long, and is no memory
 * of it. */
void arena_owns(Arena *arena, void (*release)(void *), void *what);
void *arena_alloc(Arena *arena, size_t size);
void *arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size);
char *arena_strdup(Arena *arena, const char *text);
char *arena_strndup(Arena *arena, const char *text, size_t size);
char *arena_printf(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);

#define arena_new_of(A, T)   ((T *)arena_alloc((A), sizeof(T)))
#define arena_array(A, T, N) ((T *)arena_alloc((A), sizeof(T) * (size_t)(N)))

/* Growable array: `typedef Vec(int) IntVec;  IntVec v = {0};  vec_push(arena, &v, 7);  v.at[0]` */
#define Vec(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        int count, cap;                                                                            \
    }
#define vec_push(A, V, X)                                                                          \
    do {                                                                                           \
        if ((V)->count == (V)->cap) {                                                              \
            int cap_ = (V)->cap ? 2 * (V)->cap : 8;                                                \
            (V)->at = arena_grow((A), (V)->at, sizeof *(V)->at * (size_t)(V)->cap,                 \
                                 sizeof *(V)->at * (size_t)cap_);                                  \
            (V)->cap = cap_;                                                                       \
        }                                                                                          \
        (V)->at[(V)->count++] = (X);                                                               \
    } while (0)

/* A complete Vec, read-only. */
#define List(T)                                                                                    \
    struct {                                                                                       \
        const T *at;                                                                               \
        int count;                                                                                 \
    }
#define list_of(V)                                                                                 \
    { (V).at, (V).count }

/* ---- text.c ----------------------------------------------------------------------------- */

/* A growable string, always NUL-terminated once written to. */
typedef struct Text {
    Arena *arena;
    char *data;
    size_t size, cap;
} Text;

Text text_new(Arena *arena);
void text_char(Text *text, char c);
void text_str(Text *text, const char *str);
void text_bytes(Text *text, const char *bytes, size_t size);
void text_printf(Text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_vprintf(Text *text, const char *format, va_list args);
void text_pad(Text *text, size_t line_start, int column); /* spaces up to `column` of this line */
const char *text_get(const Text *text);                   /* never NULL */
/* Bytes of the valid UTF-8 sequence at `text`, its code point in *code; 0 when there is none. */
size_t utf8_decode(const char *text, size_t size, uint32_t *code);
bool text_is_utf8(const char *text);
/* Copies as many whole code points as there is room for, and a byte that is in none as "<ff>". */
void utf8_copy(char *to, size_t room, const char *text);
const char *utf8_text(Arena *arena, const char *text); /* all of it, in the same way */
/* Edit distance, for "did you mean": INT_MAX when above `most`. */
int text_distance(const char *a, const char *b, int most);

/* ---- diag.c ----------------------------------------------------------------------------- */

/* Bytes lo..hi-1 of source number `file` (see Diag.sources). */
typedef struct Span {
    uint32_t lo, hi, file;
} Span;

Span span_join(Span a, Span b); /* from the start of a to the end of b */

typedef struct Source {
    const char *name; /* as the user gave it: "geglu.fx" or "<stdin>" */
    const char *text; /* NUL-terminated */
    size_t size;
} Source;

typedef enum Severity { D_ERROR, D_WARNING, D_REMARK, D_NOTE } Severity;

typedef struct Message {
    Severity severity;
    Span span; /* NOWHERE: no place */
    const char *text;
} Message;

#define NO_FILE UINT32_MAX
#define NOWHERE ((Span){0, 0, NO_FILE})

/* What is collected while compiling. Three kinds of failure and no fourth:
 *   the user's mistake      diag_error: counted, collected, the caller returns failure
 *   the machine's refusal   diag_refuse: the first message is kept, exit code 3
 *   our bug                 BUG(): names the place, and the work under way is left (recover.c) */
typedef struct Diag {
    Arena *arena;
    Vec(Source) sources;
    Vec(Message) messages; /* a D_NOTE belongs to the message before it */
    int last;              /* index of the last message that is no note */
    int errors, warnings;
    int repeated;        /* of the errors, that were dropped: see diag_drop_repeated */
    int error_limit;     /* further errors are dropped */
    bool silent;         /* the last error was dropped: so are its notes */
    const char *refusal; /* NULL: none */
    bool no_memory;      /* because memory ran out */
    bool device_lost;    /* no later call on the device succeeds */
    uint64_t *said;      /* hash table of messages with their notes */
    int said_cap, said_count;
} Diag;

Diag *diag_new(Arena *arena, int error_limit);
uint32_t diag_source(Diag *diag, const char *name, const char *text, size_t size); /* file number */
void diag_error(Diag *diag, Span at, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_warning(Diag *diag, Span at, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_remark(Diag *diag, Span at, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_note(Diag *diag, Span at, const char *format, ...) PRINTF_LIKE(3, 4);
/* Drops the last message if there is an equal one about the same place, with equal notes, as where
 * two functions are derived from one. What is collected next does so, too. */
void diag_drop_repeated(Diag *diag);
void diag_warnings_are_errors(Diag *diag, int first); /* messages from number `first` on */
void diag_refuse(Diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);
void diag_refuse_memory(Diag *diag, const char *format, ...) PRINTF_LIKE(2, 3); /* out of memory */
/* "file:line:col: error: text", the source line, and the range marked under it; a message without a
 * place is "fusec: error: text". The refusal comes last. The result is safe on a terminal, whatever
 * bytes the source and the names contain. */
void diag_print(const Diag *diag, Text *out, bool colour);
/* 1-based line and column (in code points) of a byte offset. */
void source_place(const Source *source, uint32_t offset, int *line, int *column);

NORETURN void bug(const char *file, int line, const char *format, ...) PRINTF_LIKE(3, 4);
#define BUG(...) bug(__FILE__, __LINE__, __VA_ARGS__)

/* Row `row` of a table of texts that is indexed by an enum; `name` says what the row is for. A
 * missing row is a BUG in every build: its text would go into emitted source. */
const char *table_row(const char *const *table, size_t count, size_t row, const char *name,
                      const char *file, int line);
#define TABLE_ROW(TABLE, ROW, NAME)                                                                \
    table_row((TABLE), sizeof(TABLE) / sizeof *(TABLE), (size_t)(ROW), (NAME), __FILE__, __LINE__)

/* ---- dtype.c ---------------------------------------------------------------------------- */

typedef enum Dtype {
    T_NONE,
    T_BOOL,
    T_U8,
    T_I8,
    T_I32,
    T_I64,
    T_F8E4M3,
    T_F8E5M2,
    T_BF16,
    T_F16,
    T_F32,
    T_F64,
    T_COUNT
} Dtype;

const char *dtype_name(Dtype type);
Dtype dtype_parse(const char *name); /* T_NONE when unknown */
size_t dtype_size(Dtype type);       /* bytes of one element; bool is one byte */
bool dtype_is_float(Dtype type);
bool dtype_is_narrow(Dtype type); /* floats narrower than f32: only stored, never computed in */
bool dtype_is_int(Dtype type);    /* not bool */
/* The type arithmetic happens in: f32 for narrow floats, i32 for i8 and u8, itself otherwise. */
Dtype dtype_compute(Dtype type);
/* Unit in the last place at 1.0: 2^-23 for f32, 2^-7 for bf16; 0 for integers. */
double dtype_epsilon(Dtype type);

/* One number of any type: floats (and f64) in f, integers and bool in i. */
typedef union Scalar {
    double f;
    int64_t i;
} Scalar;

Scalar dtype_load(Dtype type, const void *at);
/* Stores with round-to-nearest-even from double, overflow to infinity (f8e4m3 has none: to NaN),
 * integers wrap. f8e4m3 is the "FN" variant of OCP FP8: no infinities, max 448. */
void dtype_store(Dtype type, void *at, Scalar value);
double dtype_round(Dtype type, double value); /* as stored in `type` */
int64_t dtype_int_min(Dtype type);            /* of integer types; i64's for others */
int64_t dtype_int_max(Dtype type);
Scalar dtype_convert(Dtype from, Dtype to, Scalar value); /* the meaning of `x as T` */

/* ---- clock.c ---------------------------------------------------------------------------- */

double clock_now(void); /* seconds of CLOCK_MONOTONIC */

/* ---- hash.c ----------------------------------------------------------------------------- */

uint64_t hash_bytes(const void *data, size_t size, uint64_t seed); /* xxHash3 */

/* ---- limits ----------------------------------------------------------------------------- */

/* Every bound on the resources that a model can use: limits.def. Exceeding one is an error that
 * names it; `--limit NAME=VALUE` changes it. */
typedef struct Limits {
#define LIMIT(name, value, what) int64_t name;
#include "limits.def"
#undef LIMIT
} Limits;

Limits limits_default(void);
/* More are in no machine, and 64 bits count the bytes of all values of a call. */
#define ELEMENTS_LOG2 48
#define ELEMENTS_MOST ((int64_t)1 << ELEMENTS_LOG2)
int64_t *limits_find(Limits *limits, const char *name); /* NULL when unknown */

#endif
