/* ops.c: the op table of ops.def as data. */
#include "graph/graph.h"

#include <string.h>

const OpInfo op_info[OP_COUNT] = {
    [OP_NULL] = {"null", "", LEAF, R_GIVEN, false, "", "", ""},
#define OP(id, name, signature, class, rule, commutes, c, cuda, meaning)                           \
    [OP_##id] = {name, signature, class, rule, commutes, c, cuda, meaning},
#include "graph/ops.def"
#undef OP
};

const char *op_text(Op op, const char *text) {
    if (!*text) BUG("no text for %s", op_info[op].name);
    return text;
}

/* Parameters without a default are sources, but for sizes and axes, which leaves and views have. */
int op_sources(Op op) {
    const OpInfo *info = &op_info[op];
    if (info->class == LEAF || info->class == SUGAR) return 0;
    if (info->class == VIEW) return op == OP_PAD ? 2 : 1;
    int count = 1;
    const char *end = strchr(info->signature, '=');
    for (const char *c = info->signature; *c && c != end; c++) count += *c == ',';
    return end ? count - 1 : count;
}
