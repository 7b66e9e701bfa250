/* copies.c: constants that the next line copies, and nothing else reads: "const float y_1 = a + b;"
 * and "y[i] = y_1;" become "y[i] = a + b;". In and out: text whose lines are not broken yet. */
#include "emit/text/template.h"
#include "emit/text/text_private.h"

/* The parts of "const float y_1 = a + b;". */
typedef struct Constant {
    const char *name, *value, *end;
    size_t size; /* of the name */
} Constant;

/* Has it a comma outside of all brackets, as between variables? */
static bool is_list(const char *at, const char *end) {
    int depth = 0;
    for (; at < end && (depth || !starts_with(at, ", ")); at++)
        depth += !!strchr("([{", *at) - !!strchr(")]}", *at);
    return at < end;
}

static bool parse_constant(const char *line, Constant *c) {
    c->end = end_of(line) - 1;
    c->value = strstr(line, " = ");
    if (!starts_with(line + strspn(line, " "), "const ") || *c->end != ';') return false;
    if (!c->value || c->value > c->end || is_list(c->value, c->end)) return false;
    for (c->name = c->value; is_word(c->name[-1]);) c->name--;
    c->size = (size_t)(c->value - c->name);
    c->value += strlen(" = ");
    return !memchr(line, '&', (size_t)(c->name - line)); /* it is no reference */
}

/* Does the next line declare a constant of another type, to which the value would be converted? */
static bool converts(const char *line, const char *next, const Constant *c) {
    const size_t before = (size_t)(c->name - line);
    if (!starts_with(next + strspn(next, " "), "const ")) return false;
    if (strncmp(next, line, before) != 0) return true;
    for (next += before; is_word(*next);) next++;
    return !starts_with(next, " = ");
}

/* Behind "y[i] = ", where all of the next line is that and the constant; NULL: it is not, or it
 * computes under a condition, or in a loop. */
static const char *copied_at(const char *line, const char *next, const Constant *c) {
    const char *const end = end_of(next), *to = strstr(next, " = ");
    const size_t indent = strspn(line, " ");
    if (!to || to > end || strspn(next, " ") != indent || converts(line, next, c)) return NULL;
    if (starts_with(next + indent, "if (") || starts_with(next + indent, "for (")) return NULL;
    to += strlen(" = ");
    return to + c->size + 1 == end && !strncmp(to, c->name, c->size) && end[-1] == ';' ? to : NULL;
}

void text_copies(Text *out, const char *text) {
    for (const char *end; *text; text = *end ? end + 1 : end) {
        Constant c;
        const char *next = end_of(text);
        const char *const at =
            *next && parse_constant(text, &c) ? copied_at(text, ++next, &c) : NULL;
        if (at && !text_reads(end_of(next), c.name, c.size)) {
            text_bytes(out, next, (size_t)(at - next));
            text_bytes(out, c.value, (size_t)(c.end + 1 - c.value));
            end = end_of(next);
        } else {
            end = end_of(text);
            text_bytes(out, text, (size_t)(end - text));
        }
        if (*end) text_char(out, '\n');
    }
}
