/* index.h: addresses of elements: sums of multiples of loop axes, in normal form. */
#ifndef FUSEC_INDEX_H
#define FUSEC_INDEX_H

#include "graph/graph.h"

/* An index: a sum of Dim multiples of atoms plus a Dim, in normal form; equal ones are one Ix.
 * Atoms are loop axes, x / q and x % q (floor, q a Dim, x >= 0), and integer values (take). */
typedef int32_t Ix;

enum { IX_TERMS = 24 }; /* of one Ix, at most */

typedef enum AtomKind { ATOM_AXIS, ATOM_DIV, ATOM_MOD, ATOM_VALUE } AtomKind;

typedef struct IxAtom {
    AtomKind kind;
    int32_t a;     /* axis number, Ix, or value number */
    Dim q;         /* DIV, MOD: divisor; VALUE: extent */
    uint32_t axes; /* loop axes it depends on */
} IxAtom;

typedef struct IxTerm {
    Dim scale;
    int32_t atom;
} IxTerm;

typedef struct IxNode {
    int count;
    IxTerm *term;  /* by atom number */
    Dim offset;    /* never 0: the Dim of the number 0 if there is none */
    Dim lo, hi;    /* proven bounds, 0 if not known */
    uint32_t axes; /* bit set of the loop axes it depends on, through any atom */
    bool dynamic;  /* depends on a value */
} IxNode;

typedef struct Indices {
    Arena *arena;
    Dims *dims;
    Vec(IxNode) node;
    Vec(IxAtom) atom;
    Dim extent[2 * RANK_MAX]; /* of the loop axes, by number */
    int32_t *table;
    int table_size;
} Indices;

Indices *indices_new(Arena *arena, Dims *dims);
Indices *indices_copy(const Indices *from, Arena *arena);
Ix ix_const(Indices *x, Dim value);
Ix ix_axis(Indices *x, int axis);                              /* extent[axis] must be set */
Ix ix_value(Indices *x, int value, Dim extent, uint32_t axes); /* an integer in 0..extent-1 */
Ix ix_add(Indices *x, Ix a, Ix b);
Ix ix_scale(Indices *x, Ix a, Dim by);
Ix ix_from_end(Indices *x, Ix a, Dim extent); /* extent - 1 - a */
Ix ix_div(Indices *x, Ix a, Dim by);
Ix ix_mod(Indices *x, Ix a, Dim by);
/* Row-major offset of an index vector in a shape, and the reverse. */
Ix ix_flatten(Indices *x, int rank, const Ix *index, const Dim *shape);
void ix_unflatten(Indices *x, Ix flat, int rank, const Dim *shape, Ix *index);
/* a with each axis replaced (axes without replacement, -1, stay). */
Ix ix_replace(Indices *x, Ix a, const Ix *by_axis, int count);
/* The same where `a` is one of other indices, with the same axes and values. */
Ix ix_move(Indices *x, const Indices *from, Ix a, const Ix *by_axis, int count);
/* How a changes with an axis: 0 not at all, 1 by `*scale` for each step, 2 in another way. */
int ix_along(const Indices *x, Ix a, int axis, Dim *scale);
/* Proven: no offset, and no partial sum of one, exceeds 2^31 - 1. */
bool ix_is_32bit(const Indices *x, Ix a);
/* The atom that equals a, or -1. */
int ix_only_atom(const Indices *x, Ix a);
/* The largest value of an atom (the smallest is 0). 0: not known. */
Dim ix_atom_hi(const Indices *x, int atom);
/* Axes whose positions follow from one in row-major order: where they occur together, that is
 * printed: "row * 64" and not "i0 * H * 64 + i1 * 64". */
typedef struct IxFlat {
    const char *name;
    int count, axis[RANK_MAX];
    const char *axis_name[RANK_MAX]; /* it replaces positions of these names, */
    Dim inner[RANK_MAX];             /* of which so many elements are at one */
    bool is_read;                    /* set where the name is printed */
} IxFlat;

/* Names of axes ("0": the axis is at 0) and values in text, by number, and of dims (NULL: the
 * model's); `axes`, if given, gets the set of the axes that are printed. */
typedef struct IxNames {
    const char *const *axis, *const *value;
    const DimNames *dims;
    uint32_t *axes;
    IxFlat *flat; /* `flats` of them */
    int flats;
} IxNames;

void ix_print(const Indices *x, Ix a, const IxNames *names, Text *out); /* as C text */
/* With another offset. */
void ix_print_at(const Indices *x, Ix a, Dim offset, const IxNames *names, Text *out);
/* Without parentheses. */
void ix_print_atom(const Indices *x, int atom, const IxNames *names, Text *out);

#endif
