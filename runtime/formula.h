/* formula.h: what formula.c makes of a text, and formula_run.c computes: steps of a stack
 * machine. */
#ifndef FUSEC_RUNTIME_FORMULA_H
#define FUSEC_RUNTIME_FORMULA_H

#include "runtime/runtime.h"

enum { FORMULA_STACK = 512 };

typedef struct Number {
    bool is_real;
    Scalar value; /* f when it is real, else i */
} Number;

/* What a step does with the values on top of the stack; a is below b. */
typedef enum FormulaOp {
    F_NUMBER,
    F_DIM, /* number `at` of the dims */
    F_NEGATE,
    F_NOT,
    F_TRUTH, /* 0 or 1 */
    F_CAST,  /* to the Dtype `at` */
    F_EQUAL,
    F_UNEQUAL,
    F_LESS,
    F_MORE,
    F_NOT_MORE,
    F_NOT_LESS,
    F_ADD,
    F_SUB,
    F_MUL,
    F_DIV,
    F_MOD,
    F_CEIL_DIV,
    F_LEAST,
    F_MOST,
    F_UNARY,
    F_BINARY,
    F_OR,     /* true: 1, and on at `at`; false: takes it away */
    F_AND,    /* false: 0, and on at `at`; true: takes it away */
    F_UNLESS, /* takes it away; false: on at `at` */
    F_JUMP
} FormulaOp;

typedef struct FormulaStep {
    FormulaOp op;
    int at;
    union {
        Number number;
        double (*unary)(double);
        double (*binary)(double, double);
    };
} FormulaStep;

struct FormulaCode {
    Vec(FormulaStep) steps;
};

#endif
