/* import.h: `import "ops.h";`: functions of C and CUDA headers as elementwise operators.
 *
 *     the model's imports --source.c--> one text, all includes expanded --clang.c--> declarations
 *         --declare.c--> declarations, and functions (ImportFunction) --text.c--> text of a target
 *
 * libclang reads what is declared; bodies are kept as text. It is loaded by name at the first
 * import of a model: nothing here is linked with it. */
#ifndef FUSEC_IMPORT_H
#define FUSEC_IMPORT_H

#include "graph/graph.h"
#include "runtime/runtime.h"

/* templates/import: shim.h, numbers.h, host.h */
extern const char import_shim[], import_numbers[], import_host[];

/* Where headers may be, and how they are read. */
typedef struct ImportOptions {
    const char *folder;      /* of the model: looked at first; "": the current one; NULL: none */
    const char *const *dirs; /* -I, in order; the last is NULL; NULL: none */
    const Imports *read;     /* what was read before, and is not read again; NULL: nothing */
    bool is_cuda;            /* as nvcc reads them: with __CUDACC__ and __CUDA_ARCH__ */
} ImportOptions;

typedef struct ImportFile {
    const char *path;           /* as it can be opened: */
    const char *folder, *below; /* the model's or that of -I, and the path below it */
    uint32_t source;            /* in diag */
    uint64_t digest;            /* of its bytes */
    bool once;                  /* #pragma once */
    bool is_open;               /* being expanded */
} ImportFile;

/* The text from `at` on is that of a source, from `offset` on, up to the next segment. */
typedef struct Segment {
    uint32_t at, source, offset;
} Segment;

typedef enum DeclarationKind {
    DECLARATION_FUNCTION,
    DECLARATION_MACRO,
    DECLARATION_VARIABLE,
    DECLARATION_TYPE
} DeclarationKind;

/* A declaration of the text, as a whole: what is copied when something needs it. */
typedef struct Declaration {
    DeclarationKind kind;
    const char *name;
    uint32_t begin, end;   /* of its text; a function's with its body, others' with the ';' */
    uint32_t name_at;      /* where its name stands */
    uint32_t parameters;   /* function: where its '(' stands; 0: a macro writes it; */
    uint32_t body;         /* and its '{'; 0: it has none */
    const char *result;    /* function: type of the result, as written */
    const char *doc;       /* function: its comment in short, or NULL */
    bool is_const;         /* variable */
    bool is_scalar;        /* variable: of a number */
    const char *flaw;      /* function: why it is no operator */
    const char *deep_flaw; /* why nothing that needs it is one, once it `is_done` */
    bool is_open, is_done; /* of the search for that */
    Vec(int) needs;        /* declarations that its text names, each once */
} Declaration;

typedef struct DeclaredName {
    const char *name;
    int declaration;
} DeclaredName;

/* What libclang has read of a text. */
typedef struct Parsed {
    uint64_t digest; /* of the text, and of how it was read */
    const Declaration *declarations;
    const DeclaredName *names;
    const ImportFunction *functions;
    int declaration_count, name_count, function_count;
} Parsed;

struct Imports {
    Arena *arena;
    Diag *diag;
    const ImportOptions *options;
    int64_t most; /* bytes of all headers */
    bool is_cpp;
    Vec(ImportFile) files;
    Vec(Segment) segments;
    Text text;
    Vec(Declaration) declarations;
    Vec(DeclaredName)
        names; /* of declarations: constants of an enum are names of its declaration, too */
    Vec(ImportFunction) functions;
    const Parsed *parsed; /* NULL: not yet */
    bool *used;           /* by function: a function of the model calls it */
    CpuModule *module;    /* the functions for the evaluator: see call.c */
};

/* ---- source.c: files to one text ----------------------------------------------------------- */

/* Reads the headers of the paths (spans: where the model names them), and what they include by
 * #include "..". False after diag_errors. */
bool imports_read(Imports *m, const char *const *paths, const Span *spans, int count);
Span imports_span(const Imports *m, uint32_t lo, uint32_t hi); /* of the text, in its source */

/* ---- tokens.c: the words of C ------------------------------------------------------------- */

typedef enum CTokenKind {
    C_END,
    C_NAME,
    C_NUMBER,
    C_STRING,
    C_COMMENT,
    C_BLANK,
    C_OTHER
} CTokenKind;

typedef struct CToken {
    CTokenKind kind;
    const char *at;
    size_t size;
} CToken;

CToken c_token(const char *at, const char *end); /* the one that starts at `at` */
bool c_token_is(const CToken *token, const char *text);
/* The newline in a blank that ends a line; NULL: there is none, or a backslash before each. */
const char *c_line_end(const CToken *blank);
CToken c_word(const char **at, const char *end); /* the next, blanks and comments aside */
/* Behind the bracket that closes the one at `at`; NULL: none does. */
const char *c_behind_bracket(const char *at, const char *end);

/* ---- clang.c: declarations of the text ------------------------------------------------------ */

/* Adds declarations, names and functions. False after a diag_error, or a refusal: libclang is
 * missing. */
bool imports_parse(Imports *m);
/* What libclang says of its version; false after a refusal: it is missing. */
bool imports_version(Diag *diag, const char **version);

/* ---- parsed.c: the same without libclang ---------------------------------------------------- */

void imports_keep(Imports *m);        /* what imports_parse has added */
bool imports_take_parsed(Imports *m); /* from options->read; false: that is of another text */

/* ---- declare.c: what they mean for a model -------------------------------------------------- */

void declaration_name(Imports *m, const char *name, int declaration);
/* What each declaration needs, which functions are operators, and why the others are none. */
void imports_declare(Imports *m);
int imports_find(const Imports *m, const char *name); /* number of the operator, or -1 */
/* The declaration of a function of that name that is no operator; NULL: there is none. */
const Declaration *imports_other(const Imports *m, const char *name);

/* ---- text.c: declarations as text of a language ---------------------------------------------- */

typedef enum ImportStyle {
    IMPORT_C,        /* static inline */
    IMPORT_CUDA,     /* __device__ __forceinline__ */
    IMPORT_DECLARED, /* C of the host, as written: fx_own_f */
    IMPORT_EXACT     /* C of the host, in double: fx_exact_f */
} ImportStyle;

/* The functions that are `wanted` (by number), and what they need, in an order in which C takes
 * them. names: what stands for each of Imports.names in IMPORT_C and
 * IMPORT_CUDA; NULL: itself. lines: with #line. */
void imports_text(const Imports *m, const bool *wanted, ImportStyle style, const char *const *names,
                  bool lines, Text *out);
/* The declaration of each function that is wanted, and all that these need. */
const bool *imports_needed(const Imports *m, const bool *wanted);
/* Whether a function is computed in double for EXACT results: not where its text looks at the bits
 * of its numbers. */
bool import_is_widened(const Imports *m, int function);

#endif
