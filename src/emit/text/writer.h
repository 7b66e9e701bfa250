/* writer.h: shared by the files that write bodies: names of values, expressions from the op table's
 * texts, inlining of small expressions. */
#ifndef FUSEC_WRITER_H
#define FUSEC_WRITER_H

#include "emit/text/template.h"
#include "kernel/tile/tile.h"

/* How tightly a text binds; operands that bind less are parenthesised. */
enum Binding {
    BIND_TERNARY,
    BIND_OR,
    BIND_AND,
    BIND_COMPARE,
    BIND_ADD,
    BIND_MUL,
    BIND_UNARY,
    BIND_CALL
};

typedef struct Expr {
    const char *text;
    enum Binding bind;
    bool scalar; /* C: a scalar where a vector is expected: a constant or a uniform */
} Expr;

typedef struct Writer Writer;

/* What the text of a function uses. buffer_name, uniform_name, size_text, index_text and similar
 * functions mark each name they write; the parameters of the function are the marked names
 * (parameters.c). */
typedef struct Uses {
    bool *buffers, *dims, *uniforms; /* by their numbers in the kernel */
    bool scratch, packed;            /* C: memory that the launcher has for the kernel */
    bool lanes;                      /* C: the number of valid lanes */
    uint32_t axes;                   /* whose positions index_text has written: see axes_taken */
} Uses;

/* The differences between targets. */
typedef struct Dialect {
    const char *(*type)(Dtype type);                   /* of a register */
    const char *(*pattern)(Writer *w, const Value *v); /* text with $a $b $c $t */
    Expr (*constant)(Writer *w, const Value *v);
    Expr (*uniform)(Writer *w, const Value *v);
    Expr (*cast)(Writer *w, const Value *v, Expr source);
    void (*declare)(Writer *w, int value); /* statements for loads, indices, scans */
    /* Is an operation declared by statements, too? NULL: none is. */
    bool (*has_statements)(const Writer *w, int value);
    bool (*keeps)(const Writer *w, int value); /* from its first stage to later ones */
    void (*keep)(Writer *w, int value);        /* after its variable is declared */
    void (*fetch)(Writer *w, int value);       /* declares the variable in a later stage */
    const char *(*splat)(Writer *w, Dtype type, const char *scalar);
    bool (*reads_guard)(Writer *w, int load); /* as a value, and not in terms of its own */
    void (*accumulate)(Writer *w, int acc);   /* adds an element to an accumulator */
    void (*store)(Writer *w, int store);      /* of an element */
    void (*store_row)(Writer *w, int store);
    /* Parameters. */
    const char *(*storage)(Dtype type); /* of an element */
    const char *(*scalar)(Dtype type);  /* of a uniform */
    const char *no_alias;               /* of pointers */
} Dialect;

struct Writer {
    const Dialect *dialect;
    Arena *arena;
    const Names *names; /* these mark dims */
    Uses used;          /* by the current function */
    const Kernel *k;
    const Body *b;
    const Tile *tile;             /* C: of b */
    const BodySchedule *schedule; /* of b */
    const Schedule *s;            /* its stages, or that of the current piece */
    Text *out;
    int indent;
    bool marks;              /* see EmitOptions.marks */
    int level, stage;        /* current level and stage */
    int phase;               /* of a stage that goes through groups of a row */
    bool in_group;           /* what is written is of a group: see Place.of_group */
    const char **name;       /* value -> its variable, NULL: none yet */
    const char **index_name; /* V_CLAMP value -> its scalar text inside an index (set by declare) */
    int *uses;               /* value -> readers in the current level and stage */
    Words *made;             /* names in scope by `fresh`, and of uniforms; NULL: none yet */
    const Names *sizes;      /* C: which mark the dims that the memory of the kernel depends on */
    /* buffer written by this function though not by the kernel; NULL: none */
    const KernelBuffer *fills;
    const char *axis_name[2 * RANK_MAX];
    IxFlat flat[2]; /* CUDA: positions in row-major order, `flats` of them */
    int flats;
    const char *lanes;     /* C: number of valid lanes; "VL": always all */
    bool is_aligned;       /* C: the lane axis is at a multiple of VL */
    bool in_turns;         /* C: loads of bf16 are those of a line, the even elements first */
    bool partial_sums;     /* C: the stage has four of each accumulator */
    const char *sums;      /* C: the sums of an element of a contraction, */
    const char *sums_each; /* and from those of one product to the next */
    const char **tiles;    /* C: load -> its transposed elements in a tile; NULL: none are */
    bool streams;          /* C: a streaming store, */
    bool may_stream;       /* or one if `stream` is true at run time */
};

void write_line(Writer *w, const char *format, ...) PRINTF_LIKE(2, 3); /* indented, with newline */
/* A name that nothing else in scope has: the stem, with a number if that is taken. */
const char *fresh(Writer *w, const char *stem);
/* The same for an accumulator x: part_x, best_x and at_x are its own, too. */
const char *fresh_accumulator(Writer *w, const char *stem);
/* Text in braces: other text may have the names that are made in it. */
Words *writer_open_block(Writer *w);
void writer_close_block(Writer *w, Words *outside);
const char *value_op_name(const Kernel *k, const Value *v); /* a call's: that of its function */
const char *value_stem(const Writer *w, int value);
/* The text of a value: its variable, or its expression if it has one reader. */
Expr value_expr(Writer *w, int value);
const char *value_text(Writer *w, int value);   /* the same as an argument of a call */
bool value_is_here(const Writer *w, int value); /* is it of the current level and stage? */
/* And neither declared yet nor kept by an earlier stage? */
bool value_is_due(const Writer *w, int value);
/* Declares everything of this level and stage that a value needs and that cannot be inlined. Call
 * it for each root after count_uses. */
void declare_value(Writer *w, int value);
/* Writes the statements of a value, behind a mark of its place in the model if w->marks. */
void write_marked(Writer *w, int value, void (*write)(Writer *w, int number), int number);
/* A block whose declarations end with it. */
typedef struct NamesOutside {
    const char **name, **index_name;
} NamesOutside;
NamesOutside writer_enter(Writer *w);
void writer_leave(Writer *w, NamesOutside outside);
/* Combines the element of a V_COMBINE into `to`. */
void write_combined(Writer *w, const Value *combine, Language language, const char *to);
/* "y == x && z == w": are the results of the kernel written over the inputs that they may be? */
const char *in_place_text(Writer *w);
/* Of elements that may be left untouched: the level of what the conditions read; declares what one
 * reads. */
int touch_level(const Writer *w, const Untouched *untouched);
void declare_touch(Writer *w, const Touch *touch);
/* Declares a value as `name`, whatever its readers. */
void declare_as(Writer *w, int value, const char *name);
void assign_value(Writer *w, int value, const char *to); /* to an element of an array, "x[u]" */
void count_uses(Writer *w); /* for w->level and w->stage; forgets names of level 2 */
/* Starts a body: no names yet. */
void writer_body(Writer *w, const Body *b, const BodySchedule *schedule);
/* Starts on a piece of it, along a lane axis. All names are forgotten, and the axes used. */
const Piece *writer_piece(Writer *w, PieceRole role, int operand, int lane);
const char *index_text(Writer *w, Ix ix);
const char *atom_text(Writer *w, int atom);       /* of an index */
const char *size_text(const Writer *w, Dim size); /* an expression of the dims */
/* the same, safe inside any other expression */
const char *size_factor_text(const Writer *w, Dim size);
/* The text without parentheses around all of it. */
const char *text_inside(Arena *arena, const char *text);
/* `name` followed by an offset: "x", "x + i0 * D + j". */
const char *address_text(Writer *w, int buffer, Ix ix);
/* The same with another constant offset. */
const char *address_text_at(Writer *w, int buffer, Ix ix, int64_t offset);

/* ---- stages.c ---- */

void declare_level(Writer *w, int level, int stage); /* all values of it, in that stage */
/* A row: its values, its stages that have work, each by `write`, and its stores. */
void write_stages(Writer *w, void (*write)(Writer *w, int stage));
void write_row_stores(Writer *w, int stage); /* those that are ready before the stage */
/* One element of a stage: values, steps of accumulators, stores. */
void write_element(Writer *w, int stage);
/* Of a group, in w->phase: its values, those of phases from `first` on, and stores. */
void write_group(Writer *w, int stage, int first);
void write_group_accumulators(Writer *w, int stage, void (*write)(Writer *w, int acc));
void forget_groups(Writer *w, bool reductions); /* the names of its values */
bool has_elements(const Writer *w, int stage);  /* has the phase a loop? */
/* For each accumulator of the stage. */
void write_accumulators(Writer *w, int stage, void (*write)(Writer *w, int acc));

/* ---- parameters.c ---- */

typedef struct Parameter {
    enum { GIVEN_MAP, GIVEN_BUFFER, GIVEN_DIM, GIVEN_UNIFORM, GIVEN_MEMORY } kind;
    int number; /* in the kernel */
    const char *name;
    int64_t place; /* of a buffer */
} Parameter;

typedef Vec(Parameter) Parameters;

/* Starts a function: nothing is used yet. */
void writer_function(Writer *w, const Names *names);
const char *buffer_name(const Writer *w, int buffer);
const char *buffer_tensor(const KernelBuffer *b); /* what a call gives for it */
const char *uniform_name(const Writer *w, int uniform);
uint32_t axes_taken(Writer *w);                   /* those written since the last call */
Parameters writer_parameters(const Writer *w);    /* of what is used: buffers, dims, uniforms */
void uses_add(const Writer *w, const Uses *more); /* of another function of the kernel */
/* Declares the scalars that kernels are given, each once; given: of each kernel. */
void declare_uniforms(const Dialect *dialect, const Names *names, const Kernel *const *kernels,
                      const Parameters *given, int count, Text *out);
const char *parameters_text(const Writer *w, const Parameters *all); /* with types */
/* "x, w + 4096, N": the names, and the places in buffers. */
const char *parameters_names(Arena *arena, const Parameters *all);
/* The arguments of k for a function that an identical kernel has. */
Parameters parameters_given(const Kernel *k, const Parameters *all, Arena *arena);
bool parameters_have(const Parameters *all, const char *name);

/* ---- tile_mask.c ---- */

enum TileReads {
    READS_M_START = 1,
    READS_M_LAST = 2,
    READS_N_START = 4,
    READS_N_LAST = 8,
    READS_DATA = 16 /* of a tensor */
};

typedef struct MaskText {
    const char *text; /* NULL: nothing is known */
    uint64_t reads;   /* a set of TileReads, and more for tile_mask_rows */
} MaskText;

/* Conditions over m_start, m_last, n_start, n_last (queries and keys of a tile), as text. */
typedef struct TileMask {
    MaskText masked; /* every score is -Inf; NULL: bounds of indices do not tell */
    MaskText clear;  /* no mask changes a score; NULL: not known, as with masks that are read */
} TileMask;

TileMask tile_mask(Writer *w, int x);
/* The same for the weights of a chain, where masked ones are 0; clear: of chain_mask. */
TileMask tile_mask_chain(Writer *w);
/* Lines that declare what conditions with these `reads` mention of m_start and m_last alone. */
MaskText tile_mask_rows(Writer *w, uint64_t reads);

const char *float_text(Arena *arena, double value, bool is_f32); /* 0.5f, INFINITY, NAN */
const char *int_text(Arena *arena, int64_t value);
const char *storage_type(Dtype type); /* float, bf16, int8_t, .. as the preludes name them */
const char *reg_suffix(Dtype type);   /* f32 f64 i32 i64 b1: of the register that holds it */

/* Statements of which one is selected: the text before the condition, and the statement for the
 * first true condition; the last condition is not tested. */
typedef struct Choice {
    const char *before, *condition, *text;
} Choice;

const char *choice_text(Arena *arena, const Choice *choices, int count);

#endif
