/* recover.c: leaves work that cannot continue: no memory, or a mistake in fusec.
 * In: work, as a function. Out: whether it finished, and else why not. The frames of a thread are a
 * list on its stack. The head of that list is the only thread-local state of fusec, since BUG is
 * called where no object is available that could hold it. */
#include "base/base.h"

#include <setjmp.h>

typedef struct Frame {
    jmp_buf at;
    struct Frame *outer;
    Recovery *why;
} Frame;

static _Thread_local Frame *innermost;
static _Thread_local void (*last)(const Recovery *why);

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

void ensure(void (*work)(void *of), void (*after)(void *of), void *of) {
    Recovery why;
    bool done = recover(work, of, &why);
    after(of);
    if (!done) leave(&why);
}

void recover_last(void (*hear)(const Recovery *why)) { last = hear; }

void leave(const Recovery *why) {
    if (innermost) {
        *innermost->why = *why;
        longjmp(innermost->at, 1);
    }
    if (last) last(why);
    __builtin_trap();
}

void leave_for_memory(const char *file, int line) {
    const Recovery why = {LEFT_FOR_MEMORY, file, line, "out of memory"};
    leave(&why);
}
