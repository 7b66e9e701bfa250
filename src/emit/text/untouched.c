/* untouched.c: text of the condition that results are written in place.
 * In: a Writer with a body whose stores may be written over inputs. Out: an expression. */
#include "emit/text/writer.h"

#include <string.h>

const char *in_place_text(Writer *w) {
    Text out = text_new(w->arena);
    for (int i = 0; i < w->b->stores.count; i++) {
        const int result = w->b->stores.at[i].buffer;
        const char *name = buffer_name(w, result),
                   *over = buffer_name(w, kernel_may_be(w->k, result));
        text_printf(&out, "%s%s == %s", out.size ? " && " : "", name, over);
    }
    return text_get(&out);
}

int touch_level(const Writer *w, const Untouched *u) {
    int level = 0;
    for (int i = 0; i < u->count; i++) {
        const Value *v = &w->b->values.at[u->touch[i].value];
        const bool is_segment = v->kind == V_COMBINE;
        const int first = is_segment ? v->src[1] : u->touch[i].value;
        const int last = is_segment ? v->src[2] : first;
        if (w->s->value[first].level > level) level = w->s->value[first].level;
        if (w->s->value[last].level > level) level = w->s->value[last].level;
    }
    return level;
}

void declare_touch(Writer *w, const Touch *touch) {
    const Value *v = &w->b->values.at[touch->value];
    if (v->kind != V_COMBINE) {
        declare_value(w, touch->value);
    } else {
        declare_value(w, v->src[1]);
        declare_value(w, v->src[2]);
    }
}
