/* comment.c: comments and signatures of emitted text, wrapped.
 * In: text that may contain a user's names. Out: text that cannot end or continue a comment. */
#include "emit/text/writer.h"

#include <string.h>

static const char nothing[] = "(null)"; /* printf's text for a NULL string */

/* Printable ASCII stays; all else, and what could end or continue a comment, or look like a NULL
 * string, becomes %XX. */
void emit_comment(Text *out, const char *text) {
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        bool risky = *p < ' ' || *p > '~' || *p == '\\' || *p == '%' ||
                     (*p == '*' && p[1] == '/') || (*p == '/' && p[1] == '*') ||
                     (*p == '?' && p[1] == '?') ||
                     !strncmp((const char *)p, nothing, strlen(nothing));
        if (risky)
            text_printf(out, "%%%02X", *p);
        else
            text_char(out, (char)*p);
    }
}

const char *source_flaw(const Text *source) {
    for (size_t i = 0; i < source->size; i++) {
        const char c = source->data[i];
        if ((c < ' ' && c != '\n') || c > '~') return "a byte that is not printable ASCII";
    }
    return strstr(text_get(source), nothing) ? "a text that is missing" : NULL;
}

/* Words of text, wrapped at 100 columns; each line after the first starts with `prefix`. */
void text_put_wrapped(Text *out, size_t column, const char *prefix, const char *text, size_t most) {
    while (*text) {
        size_t word = strcspn(text, " ");
        bool first = column == strlen(prefix);
        if (!first && column + 1 + word > most) {
            text_printf(out, "\n%s", prefix);
            column = strlen(prefix);
            first = true;
        }
        if (!first) text_char(out, ' ');
        text_bytes(out, text, word);
        column += word + !first;
        text += word;
        text += strspn(text, " ");
    }
}

void emit_block_comment(Text *out, const char *text) {
    Text safe = text_new(out->arena);
    emit_comment(&safe, text);
    text_str(out, "/* ");
    text_put_wrapped(out, 3, " * ", text_get(&safe), 97);
    text_str(out, " */\n");
}

void emit_signature(Text *out, const char *head, const char *params) {
    Text prefix = text_new(out->arena), line = text_new(out->arena);
    for (size_t i = 0; i < strlen(head); i++) text_char(&prefix, ' ');
    text_str(out, head);
    for (const char *p = params; *p;) { /* a parameter and its comma are one unit */
        const char *comma = strstr(p, ", ");
        size_t size = comma ? (size_t)(comma - p) + 1 : strlen(p);
        if (line.size && strlen(head) + line.size + 1 + size > 97) {
            text_printf(out, "%s\n%s", text_get(&line), text_get(&prefix));
            line = text_new(out->arena);
        }
        if (line.size) text_char(&line, ' ');
        text_bytes(&line, p, size);
        p += size;
        p += strspn(p, " ");
    }
    text_printf(out, "%s)", text_get(&line));
}

void emit_tensor_comment(const Names *names, const Buffer *b, int width, Text *out) {
    const Graph *g = names->plan->g;
    const bool in = b->kind == B_INPUT;
    const NodeId node = in ? g->inputs.at[b->number].node : g->outputs.at[b->number].node;
    text_printf(out, " *   %-*s  %s  %s\n", width, b->name, in ? "in " : "out",
                names_shape(names, &g->node[node]));
}

const char *op_list(const Kernel *k, const Body *bodies, int count, Arena *arena) {
    Text out = text_new(arena);
    bool seen[OP_COUNT] = {false};
    for (const Body *b = bodies; b < bodies + count; b++)
        for (int i = 1; i < b->values.count; i++) {
            const Value *v = &b->values.at[i];
            const bool is_work = v->kind == V_OP || v->kind == V_ACC || v->kind == V_SCAN;
            const char *name = value_op_name(k, v);
            if (!is_work) continue;
            if (op_is_call(v->op) ? strstr(text_get(&out), name) != NULL : seen[v->op]) continue;
            seen[v->op] = true;
            text_printf(&out, "%s%s", out.size ? ", " : "", name);
        }
    return out.size ? text_get(&out) : "copy";
}
