/* recover.c: how work is left that cannot go on: for want of memory, or by a mistake in fusec.
 * In: work, as a function. Out: whether it was done, and else why not. The frames of a thread are a
 * list on its stack; the head of that list is the only state that a thread of fusec has, for BUG is
 * said where no object is at hand that could tell who has to hear it. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Frame {
    jmp_buf at;
    struct Frame *outer;
    Recovery *why;
} Frame;

static _Thread_local Frame *innermost;

bool recover(void (*work)(void *of), void *of, Recovery *why) {
    Frame frame = {.outer = innermost, .why = why};
    innermost = &frame;
    if (setjmp(frame.at)) {
        innermost = frame.outer;
        return false;
    }
    work(of);
    innermost = frame.outer;
    return true;
}

void leave(const Recovery *why) {
    if (innermost) {
        *innermost->why = *why;
        longjmp(innermost->at, 1);
    }
    if (why->kind == LEFT_FOR_BUG)
        fprintf(stderr,
                "fusec: bug at %s:%d: %s\n"
                "fusec: this is a mistake in fusec, not in your model: please report it\n",
                why->file, why->line, why->text);
    else
        fputs("fusec: out of memory\n", stderr);
    abort();
}

void leave_for_memory(const char *file, int line) {
    const Recovery why = {LEFT_FOR_MEMORY, file, line, "out of memory"};
    leave(&why);
}
