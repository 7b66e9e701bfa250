/* host.h: what the launchers of all targets have in common: the functions that an application
 * calls, and their prototypes in the header.
 * `once`: the function that prepares constant inputs; else the function of every call. */
#ifndef FUSEC_HOST_H
#define FUSEC_HOST_H

#include "emit/text/writer.h"

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
} HostDialect;

/* The statements of a target in the function of every call. */
typedef struct HostBody {
    const char *unused;   /* for the parameters that no kernel is given */
    const char *prepared; /* declares what is prepared */
    const char *memory;   /* declares the rest of the workspace, behind the slots */
    const char *calls;    /* of kernels, and the return */
    const Kernel *const *kernels;
    const Parameters *given; /* to each kernel, by those calls */
} HostBody;

bool host_takes(const Buffer *b, bool once);
bool host_takes_dim(const Plan *plan, int symbol, bool once);
/* The dims: "N, D", or with a type before each. */
const char *host_dims(const Names *names, bool once, const char *type);
/* Bytes of the workspace before a slot: "0", or a sum. */
const char *host_slot_offset(const HostDialect *h, const Names *names, int slot);

/* The lines of a comment about tensors and dims; returns the width of the column of names. */
int host_document_takes(const Names *names, bool once, Text *out);
void host_document(const HostDialect *h, const Names *names, Text *out); /* of every call */
/* Of the function, and of the query of the size of its memory. */
void host_prototypes(const HostDialect *h, const Names *names, bool once, Text *out);

void host_signature(const HostDialect *h, const Names *names, bool once, Text *out);
/* The query. names: recording, the dims of `lines` and `bytes` are marked. */
void host_query(const HostDialect *h, const Names *names, bool once, const char *lines,
                const char *bytes, Text *out);
/* The query of the workspace: the slots, and `more`, "" or a sum. */
void host_workspace(const HostDialect *h, const Names *names, const char *lines, const char *more,
                    Text *out);
void host_function(const HostDialect *h, const Names *names, const Program *program,
                   const HostBody *body, Text *out); /* of every call */

#endif
