/* lower_private.h: private to the files of src/graph/lower. A function is lowered by one walk over
 * its statements. Names stand for Entries of the innermost Scope; a call of another function opens
 * its own Scope over the same Graph: the callee is inlined. Every function here returns 0 or false
 * after a diag_error, and treats an argument of 0 as "already reported". */
#ifndef FUSEC_LOWER_PRIVATE_H
#define FUSEC_LOWER_PRIVATE_H

#include "graph/grad/grad.h"
#include "graph/lower/lower.h"
#include "graph/operands/operands.h"

typedef Vec(NodeId) NodeIds;
typedef Vec(HandWritten) HandWrittens;

/* ---- names.c: name to number, and what the user may have meant ---------------------------- */

typedef struct Names {
    struct NameSlot {
        const char *name; /* NULL: free */
        int value;
    } * slot;
    int count, cap;
} Names;

int names_find(const Names *names, const char *name);                    /* -1 when absent */
void names_add(Arena *arena, Names *names, const char *name, int value); /* must be absent */

/* The candidate nearest to the given name, if one is near enough. */
typedef struct Suggestion {
    const char *wanted, *best;
    int distance;
} Suggestion;

Suggestion suggestion_for(const char *wanted);
void suggestion_add(Suggestion *s, const char *candidate);
void suggestion_add_names(Suggestion *s, const Names *names);
const char *suggestion_text(const Suggestion *s, Arena *arena); /* "; did you mean `x`?" or "" */

/* ---- scope.c: what the names of a function stand for -------------------------------------- */

typedef enum EntryKind { E_DIM, E_INPUT, E_LOCAL, E_OUTPUT } EntryKind;

typedef struct Entry {
    const char *name;
    Span span;
    EntryKind kind;
    bool known; /* dims of a callee: solved; outputs: assigned, .. */
    Span given; /* .. here */
    bool used;
    Dim dim;     /* E_DIM */
    NodeId node; /* all others; 0 after an error */
    Dtype type;  /* E_OUTPUT: as declared, as is the shape */
    int rank;
    Dim shape[RANK_MAX];
} Entry;

typedef enum Derive {
    DERIVE_VJP,
    DERIVE_GRAD,
    DERIVE_VALUE_AND_GRAD,
    DERIVE_JVP,
    DERIVE_VALUE_AND_VJP, /* hidden: what the next two are divided from */
    DERIVE_FORWARD,       /* fn fwd, bwd = train(f); */
    DERIVE_BACKWARD
} Derive;

typedef struct Item {
    const Ast *ast;
    enum { ITEM_FN, ITEM_CONST, ITEM_OTHER } kind; /* ITEM_OTHER: derived, and not resolved */
    bool failed;                                   /* reported: its users stay silent */
    bool is_int;                                   /* ITEM_CONST, with its value: */
    int64_t integer;
    double number;
    enum { UNSEEN, OPEN, DONE } state; /* an ITEM_FN in callgraph.c; an ITEM_CONST with a value */
    FnAttrs attrs;                     /* once it has been lowered */
    bool called;
    int height; /* of the tree of calls below it; 0: calls none */
    /* A derived function (its ast is only a signature): */
    const Ast *derived; /* vjp(f, wrt = [x]); NULL: it is written */
    Derive derive;
    int base;        /* number of the item that it is derived from */
    const bool *wrt; /* by input of that */
    int backward;    /* number of the hidden item that @vjp makes; -1: none */
    bool hidden;     /* without a name: never compiled for itself */
    bool is_second;  /* bwd of fn fwd, bwd = ..; */
} Item;

typedef struct Scope {
    Item *item;
    struct Scope *caller; /* NULL: the function itself */
    Span call;            /* where the caller calls it */
    int depth;            /* number of callers */
    Dtype autocast;
    Names names;
    Names unknown; /* have no value, as was reported */
    Vec(Entry) entries;
} Scope;

typedef struct Lower {
    Arena *arena;
    Diag *diag;
    const Limits *limits;
    const LowerOptions *options;
    Vec(Item) items;
    Names item_names;
    Imports *imports;      /* of the file; NULL: it has none */
    Graph *g;              /* the graph under construction */
    Scope *scope;          /* innermost */
    HandWrittens *by_hand; /* of the function that is being derived; NULL: none is */
    bool in_type;          /* of an input or output: only dims are known there */
    int depth;             /* of nested expressions, through calls */
    int64_t spent;         /* steps of inlining, in all functions together */
} Lower;

Scope *scope_new(Lower *l, Item *item, Span call);
bool name_check(Lower *l, const char *name, Span span);  /* reports inf, nan, true, false */
Entry *scope_find(const Scope *scope, const char *name); /* NULL when absent */
/* A new name, or NULL after a diag_error. Valid until the next one is added. */
Entry *scope_add(Lower *l, Scope *scope, EntryKind kind, const char *name, Span span);
/* The node of a name. */
NodeId lower_name(Lower *l, const Ast *e);
void scope_warn_unused(Lower *l, const Scope *scope);

/* ---- callgraph.c: who calls whom ---------------------------------------------------------- */

Item *item_find(Lower *l, const char *name); /* NULL when absent */
/* Functions in an order in which callees come first; those on a cycle have failed. */
void order_functions(Lower *l, int *order, int *count);

/* ---- function.c: a function, its statements ----------------------------------------------- */

Graph *lower_fn(Lower *l, Item *item, bool root); /* root: -D bindings hold; NULL after errors */
bool declare_outputs(Lower *l, Scope *scope);
bool lower_body(Lower *l, Scope *scope); /* statements; all outputs assigned */
bool lower_type(Lower *l, const Ast *type, Dtype *dtype, int *rank, Dim *shape);

bool declare_inputs(Lower *l, Scope *scope);

/* ---- derived.c: the signatures of derived functions --------------------------------------- */

void derived_items(Lower *l);

/* ---- derive.c: their bodies --------------------------------------------------------------- */

bool lower_derived(Lower *l, Scope *scope); /* assigns the outputs; false after a diag_error */
/* In a function that is being derived: what a call with @vjp gives, becomes an input. */
bool stand_in(Lower *l, Scope *callee);
void derived_attrs(const Lower *l, Item *item); /* those that it has from its base */
bool is_train(const Item *item);                /* made by train: only compiled for itself */
Graph *lower_train(Lower *l, Item *item, bool root);

/* ---- attributes.c ------------------------------------------------------------------------- */

bool lower_attrs(Lower *l, const Ast *fn, FnAttrs *attrs);
Dtype lower_dtype(Lower *l, const char *name, Span span); /* T_NONE after a diag_error */

/* ---- expression.c ------------------------------------------------------------------------- */

NodeId lower_expr(Lower *l, const Ast *e);
/* Inlining grows with nested calls, so its steps are counted. False after a diag_error if there are
 * too many; from then on nothing is inlined. */
bool spend(Lower *l, int steps, Span span);
bool lower_values(Lower *l, const Ast *e, NodeIds *values); /* one or more */

/* ---- cast.c ------------------------------------------------------------------------- */

NodeId lower_cast(Lower *l, const Ast *e);
/* Warns if `call` reads as (left op right) as T but is not. Nodes may be 0. */
void warn_bare_cast(Lower *l, const Ast *call, NodeId left, NodeId right, NodeId result);

/* ---- size.c: where a size or an integer is needed ------------------------------------ */

Dim lower_dim(Lower *l, const Ast *e);                  /* any integer expression of dims */
Dim lower_size(Lower *l, const Ast *e);                 /* one that is at least 1 */
bool lower_int(Lower *l, const Ast *e, int64_t *value); /* a constant */
bool size_check(Lower *l, Dim size, Span span); /* at least 1: known, assumed, or reported */
Dim dim_checked(Lower *l, Dim dim, Span span);  /* reports 0, the overflow of dim arithmetic */
bool lower_assert(Lower *l, const Ast *condition);

/* ---- call.c: calls of builtins, their arguments ------------------------------------- */

enum { PARAM_MAX = 5 };

typedef struct Param {
    const char *name;     /* NUL-terminated, as all texts here */
    const char *fallback; /* default value, NULL: required */
    bool variadic;
} Param;

/* The arguments of a call in the order of the op's signature. */
typedef struct Args {
    const Ast *call;
    Op op;
    int count;
    Param param[PARAM_MAX];
    const Ast *value[PARAM_MAX]; /* NULL: the default; the first of a variadic's */
    Ast *const *rest;            /* of the variadic one, in order */
    int rest_count;
} Args;

Op op_find(const char *name, const Ast *call); /* the builtin that a call means; OP_NULL: none */
void suggestion_add_ops(Suggestion *s);
bool args_match(Lower *l, Op op, const Ast *call, Args *args);
NodeId arg_value(Lower *l, const Args *a, int i);
/* counted from 0; -1 is the last */
bool arg_axis(Lower *l, const Args *a, int i, int rank, int *axis);
bool arg_axes(Lower *l, const Args *a, int i, int rank, uint32_t *mask);
bool arg_bool(Lower *l, const Args *a, int i, bool *value);
bool arg_number(Lower *l, const Args *a, int i, double *value);
bool axis_normal(Lower *l, int64_t axis, int rank, Span span, int *normal);

/* ---- builtin.c ---------------------------------------------------------------------- */

bool lower_builtin(Lower *l, Op op, const Ast *call, NodeIds *values);
NodeId lower_indices(Lower *l, const Args *a, int i); /* integers */
NodeId lower_tensor(Lower *l, const Args *a, int i);  /* in the type that the op computes in */

/* ---- view.c, pad.c, index.c --------------------------------------------- */

/* The operand of a view; a number without type gets one. */
NodeId lower_viewed(Lower *l, const Args *a, int i);
NodeId lower_reshape(Lower *l, const Args *a);
NodeId lower_permute(Lower *l, const Args *a);
NodeId lower_broadcast(Lower *l, const Args *a);
NodeId lower_transpose(Lower *l, const Args *a);
NodeId lower_full(Lower *l, const Args *a);
NodeId lower_flip(Lower *l, const Args *a);
NodeId lower_pad(Lower *l, const Args *a);
NodeId lower_concat(Lower *l, const Args *a);
bool lower_split(Lower *l, const Args *a, NodeIds *values);
NodeId lower_index(Lower *l, const Ast *e);
NodeId drop_axes(Graph *g, NodeId x, uint32_t axes, Span span);

bool lower_sizes(Lower *l, const Args *a, Dim *shape); /* the variadic argument */

/* ---- scatter.c -------------------------------------------------------------------------- */

NodeId lower_scatter(Lower *l, const Args *a);

/* ---- random.c --------------------------------------------------------------------------- */

NodeId lower_philox(Lower *l, const Args *a);
NodeId lower_unit_float(Lower *l, const Args *a);
NodeId lower_random(Lower *l, const Args *a); /* random_bits, random_uniform, random_normal */
NodeId lower_dropout(Lower *l, const Args *a);

/* ---- contract.c, einsum.c: matmul and einsum to DOT --------------------------------------- */

/* A tensor whose axes carry labels. */
typedef struct Labelled {
    NodeId node;
    char label[RANK_MAX + 1]; /* one for each axis */
    Span at;
} Labelled;

/* Sums a*b over the labels that both have and `kept` lacks. Labels of only one operand must be in
 * `kept`. */
bool contract(Lower *l, const Labelled *a, const Labelled *b, const char *kept, Span span,
              Labelled *result);
NodeId label_order(Lower *l, const Labelled *x, const char *order, Span span); /* permutes */
NodeId lower_matmul(Lower *l, const Args *a);
NodeId lower_einsum(Lower *l, const Args *a);

/* ---- imported.c: headers of the file, calls of their functions ---------------------------- */

bool lower_imports(Lower *l, const Ast *file); /* false after a diag_error or a refusal */
NodeId lower_imported(Lower *l, int function, const Ast *call);
void graph_imports(Lower *l); /* tells the graph being made about them */
bool report_not_operator(Lower *l, const Declaration *d, const Ast *call); /* false */

/* ---- inline.c: calls of the file's own functions ------------------------------------ */

bool lower_inline(Lower *l, Item *item, const Ast *call, NodeIds *values);

#endif
