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

/* A word, and the spaces of a shape in it: "f32[64, 64];". */
static size_t word_size(const char *text) {
    enum { MOST = 48 }; /* longer ones are broken */
    const size_t size = strcspn(text, " ");
    const char *const open = memchr(text, '[', size), *const close =
                                                          open ? strchr(open, ']') : NULL;
    const size_t whole = close ? (size_t)(close - text) + strcspn(close, " ") : size;
    return whole > size && whole <= MOST ? whole : size;
}

/* Words of text, wrapped at 100 columns; each line after the first starts with `prefix`. */
void text_put_wrapped(Text *out, size_t column, const char *prefix, const char *text, size_t most) {
    while (*text) {
        size_t word = word_size(text);
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

/* Behind a parameter and its comma, which may be a `Values<float, 2>`. */
static const char *parameter_end(const char *at) {
    for (int depth = 0; *at; at++) {
        depth += (*at == '<') - (*at == '>');
        if (!depth && !strncmp(at, ", ", 2)) return at + 1;
    }
    return at;
}

void emit_signature(Text *out, const char *head, const char *params) {
    Text prefix = text_new(out->arena), line = text_new(out->arena);
    for (size_t i = 0; i < strlen(head); i++) text_char(&prefix, ' ');
    text_str(out, head);
    for (const char *p = params; *p;) {
        size_t size = (size_t)(parameter_end(p) - p);
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
    text_printf(out, " *   %-*s  %s  %s%s\n", width, b->name, in ? "in " : "out",
                names_shape(names, &g->node[node]), g->node[node].rank ? "" : ", a pointer to one");
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
    if (k->family == F_SEGMENTS) text_str(&out, out.size ? ", sort" : "sort");
    return out.size ? text_get(&out) : "copy";
}

/* ---- what a kernel computes ------------------------------------------------------------------ */

static const char *products_text(const Names *names, const Body *b, Arena *arena) {
    const Dim *n = b->indices->extent;
    const char *m = names_size(names, n[DOT_M]), *k = names_size(names, n[DOT_K]);
    const char *times = "", *products = "a product";
    if (!dim_is(b->indices->dims, n[DOT_BATCH], 1))
        times = arena_printf(arena, "%s times ", names_size(names, n[DOT_BATCH]));
    if (b->accs.count > 1) products = arena_printf(arena, "%d products", b->accs.count);
    if (b->dots > 1 && b->added.count)
        products = arena_printf(arena, "%d sums of %d products, the first", b->dots,
                                body_summand_count(b));
    return arena_printf(arena, "%s%s of %s x %s and %s x %s", times, products, m, k, k,
                        names_size(names, n[DOT_N]));
}

static const char *chain_text(const Names *names, const Body *b, Arena *arena) {
    const Dim *n = b->indices->extent;
    return arena_printf(arena, "%s times %s rows with %s columns of scores, %s of results",
                        names_size(names, n[ATTENTION_BATCH]),
                        names_size(names, n[ATTENTION_QUERY]), names_size(names, n[ATTENTION_KEY]),
                        names_size(names, n[ATTENTION_COLUMN]));
}

static const char *attention_text(const Names *names, const Body *b, Arena *arena) {
    const Dim *n = b->indices->extent;
    return arena_printf(arena, "%s times %s queries of %s keys, depth %s, %s columns",
                        names_size(names, n[ATTENTION_BATCH]),
                        names_size(names, n[ATTENTION_QUERY]), names_size(names, n[ATTENTION_KEY]),
                        names_size(names, n[ATTENTION_DEPTH]),
                        names_size(names, n[ATTENTION_COLUMN]));
}

const char *work_text(const Names *names, const Kernel *k, const Body *b, Arena *arena) {
    if (k->family == F_DOT) return products_text(names, b, arena);
    if (k->family == F_CHAIN) return chain_text(names, b, arena);
    if (k->family == F_ATTENTION) return attention_text(names, b, arena);
    if (k->family == F_SEGMENTS)
        return arena_printf(arena, "%s indices of %s rows",
                            names_size(names, b->indices->extent[SEGMENTS_COUNT]),
                            names_size(names, b->indices->extent[SEGMENTS_ROWS]));
    Dims *d = b->indices->dims;
    const Dim all = dim_mul(d, b->rows, b->cols);
    if (k->family == F_POINTWISE)
        return arena_printf(arena, "%s elements", all ? names_size(names, all) : "many");
    if (dim_is(d, b->rows, 1))
        return arena_printf(arena, "one row of %s", names_size(names, b->cols));
    return arena_printf(arena, "%s rows of %s", names_size(names, b->rows),
                        names_size(names, b->cols));
}
