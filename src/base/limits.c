/* limits.c: the bounds of limits.def as one struct.
 * In: a name. Out: defaults, and the address of a bound by its name. */
#include "base/base.h"

#include <string.h>

Limits limits_default(void) {
    return (Limits){
#define LIMIT(name, value, what) .name = (value),
#include "limits.def"
#undef LIMIT
    };
}

int64_t *limits_find(Limits *limits, const char *name) {
#define LIMIT(field, value, what)                                                                  \
    if (!strcmp(name, #field)) return &limits->field;
#include "limits.def"
#undef LIMIT
    return NULL;
}
