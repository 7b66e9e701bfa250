/* launch.h: shared by the files that write the functions an application calls. `once`: for kernels
 * that run when constants are prepared; else for those of every call. */
#ifndef FUSEC_EMIT_C_LAUNCH_H
#define FUSEC_EMIT_C_LAUNCH_H

#include "emit/c/c.h"
#include "emit/text/host.h"

enum { LINE = 64 }; /* bytes of a cache line: parts of memory start at multiples */

typedef struct CLauncher {
    Launcher l; /* first: see c_launcher */
    HostDialect host;
    const Text *before; /* the text of the functions before this one in the file */
    CKernel *texts;     /* one for each kernel */
    bool has_entry;     /* with the entry point for code that is loaded at run time */
} CLauncher;

static inline const CLauncher *c_launcher(const Launcher *l) { return (const CLauncher *)l; }

/* ---- launch.c ---- */

const Parameters *c_given(const Launcher *l, bool once); /* what the calls of each kernel pass */
/* The most bytes that any kernel needs: packed operands, or scratch of one thread. "0": none.
 * lines: what has to stand before the expression. */
const char *c_most_bytes(const Launcher *l, bool once, bool packed, Text *lines);
bool c_is_given(const Launcher *l, bool once, const char *name); /* to a kernel */
void c_put_unread(const Launcher *l, bool once, Text *out); /* tensors that are taken for nothing */
void c_mark_dims(const Launcher *l, const Names *names, const bool *dims); /* as those used */
/* these, from there on */
void c_declare_memory(const Launcher *l, bool once, const char *at, Text *out);

/* ---- prepare.c: functions with constant inputs ---- */

bool c_prepares(const Launcher *l);
/* the function, and the query of the size of its memory */
void c_prepare(const Launcher *l, Text *out);
void c_prepare_entry(const Launcher *l, Text *out); /* for code that is loaded at run time */
/* in a call: pointers to what is prepared, and the check that it matches */
void c_declare_prepared(const Launcher *l, Text *out);

#endif
