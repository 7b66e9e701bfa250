/* cpu_private.h: a run of the C compiler, shared by cpu.c and cpu_objects.c. */
#ifndef FUSEC_CPU_PRIVATE_H
#define FUSEC_CPU_PRIVATE_H

#include "runtime/runtime.h"

enum { WORDS_MOST = 256, CPU_WISHES = 7 };

/* ---- cpu.c ------------------------------------------------------------------------------ */

typedef struct Build {
    Arena *arena;
    const char *folder, *source, *library, *log; /* paths; folder is NULL until it exists */
    bool dropped[CPU_WISHES];                    /* flags that the compiler may lack */
    Diag *diag;
    const char *text, *keep;
    const CpuOptions *options;
    const Code *code; /* in place of the text; NULL: it is to be compiled */
    const char *to;   /* where the library is wanted; NULL: in this process */
    void *handle;
    CpuModule *module;
    const char *failure; /* NULL: none */
    bool no_memory;      /* why it failed */
    bool was_ended;      /* the compiler, by its watcher */
} Build;

typedef struct Command {
    char *word[WORDS_MOST + 1]; /* the last is NULL */
    int count;
} Command;

/* The compiler and its flags: what it is to make, and of what, follows. */
Command *command_begin(Build *b);
void command_add(Build *b, Command *command, const char *words);
void command_path(Build *b, Command *command, const char *path); /* as it is, blanks and all */
/* The one that makes the library of files. */
Command *command_of(Build *b, const char *const *files, int count);
/* makes: the file that it writes; NULL: none. */
Child build_child(const Build *b, const Command *command, const char *log, const char *makes);
/* A file in the folder. False: b says why. */
bool build_write(Build *b, const char *path, const void *bytes, size_t size);

/* ---- cpu_objects.c ---------------------------------------------------------------------- */

/* The library of a long text, by several runs of the compiler at a time. False: it is to be
 * compiled as a whole, which says what is wrong. */
bool build_objects(Build *b);

#endif
