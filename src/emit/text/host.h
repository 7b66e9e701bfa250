/* host.h: what the launchers of all targets have in common: the functions that an application
 * calls, and their prototypes in the header.
 * `once`: the function that prepares constant inputs; else the function of every call. */
#ifndef FUSEC_HOST_H
#define FUSEC_HOST_H

#include "emit/text/writer.h"

typedef struct Launcher Launcher;

/* The differences between targets. */
typedef struct HostDialect {
    const Dialect *dialect;
    const char *linkage; /* before a definition: "" or "extern \"C\" " */
    const char *open;    /* between a signature and the body */
    const char *nothing; /* the parameters of a definition that has none */
    const char *size;    /* type of a dim and of a number of bytes: "int64_t " */
    const char *tensor;  /* type that pointers to tensors point to; NULL: that of the elements */
    const char *memory;  /* that they are in: "device memory"; "": any */
    const char *tensors; /* more of them: ", 16-byte aligned" */
    int alignment;       /* of the workspace, and of each slot in it */
    const char *(*aligned)(const Names *names, Dim bytes); /* a size as a multiple of that */
    struct {
        const char *type, *name, *comment;
    } last; /* the parameter after the workspace; name "": none; comment "": undocumented */
    const char *returns; /* the end of the comment: what the function returns */
    /* What the function that prepares does, the end of its comment, and whether it has `last`. */
    const char *prepares, *prepare_returns;
    bool prepare_has_last;

    /* Kernel k has a function of its own, which is written, or calls that of an earlier one. */
    void (*define)(Launcher *l, int k, Text *out);
    void (*share)(Launcher *l, int k, int earlier);

    /* The steps of the function of every call; NULL: nothing is written. */
    void (*unused)(const Launcher *l, Text *out);    /* for parameters that no kernel is given */
    void (*prepared)(const Launcher *l, Text *out);  /* declares what is prepared */
    void (*workspace)(const Launcher *l, Text *out); /* declares what follows the slots */
    void (*status)(const Launcher *l, Text *out);    /* declares what the calls assign */
    /* A kernel, the number-th that is called. */
    void (*call)(const Launcher *l, int k, int number, Text *out);
    void (*end)(const Launcher *l, Text *out); /* the return */
} HostDialect;

/* One function of a model while it is written. A target's own struct begins with it. */
struct Launcher {
    const HostDialect *host;
    const Names *names;
    const Plan *plan; /* names->plan */
    Arena *arena;
    const TiledKernels *kernels;
    Program *program;
    const Parameters *given; /* to each kernel, by every call */
    bool has_scratch;        /* CUDA: calls need workspace that is in no slot */
};

Launcher launcher_new(const HostDialect *host, const Names *names, Arena *arena);
/* The functions of all kernels. */
void host_kernels(Launcher *l, Text *out);

/* A tensor of the model that is a parameter. */
bool host_takes(const Buffer *b, bool once);
bool host_takes_dim(const Plan *plan, int symbol, bool once);
/* Bytes of the workspace before a slot: "0", or a sum. */
const char *host_slot_offset(const HostDialect *h, const Names *names, int slot);

void host_document(const HostDialect *h, const Names *names, Text *out); /* of every call */
void host_prepare_document(const HostDialect *h, const Names *names, Text *out);
/* Of the function, and of the query of the size of its memory. */
void host_prototypes(const HostDialect *h, const Names *names, bool once, Text *out);

/* Returns 1 when sizes break a condition; `once`: of those that are known when constants are
 * prepared. */
void host_guards(const Launcher *l, bool once, Text *out);
void host_signature(const HostDialect *h, const Names *names, bool once, Text *out);
/* The query. names: recording, the dims of `lines` and `bytes` are marked. */
void host_query(const HostDialect *h, const Names *names, bool once, const char *lines,
                const char *bytes, Text *out);
/* The query of the workspace: the slots, and `more`, "" or a sum. */
void host_workspace(const HostDialect *h, const Names *names, const char *lines, const char *more,
                    Text *out);
void host_function(const Launcher *l, Text *out); /* of every call */

#endif
