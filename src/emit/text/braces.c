/* braces.c: drops the braces around one statement of one line, which emitters write before they
 * know what is between them. In and out: text whose lines are not broken yet. */
#include "emit/text/template.h"
#include "emit/text/text_private.h"

enum { STEP = 4 }; /* of indentation */

/* "for (..) {" */
static bool is_head(const char *line) {
    const char *const first = line + strspn(line, " ");
    return (starts_with(first, "for (") || starts_with(first, "if (")) &&
           starts_with(end_of(line) - 3, ") {\n");
}

/* Not an `if`, which an `else` behind the block would belong to. */
static bool is_statement(const char *line, size_t indent) {
    const char *const first = line + indent;
    return strspn(line, " ") == indent && !strchr("#/", *first) && !starts_with(first, "if (") &&
           starts_with(end_of(line) - 1, ";\n");
}

static bool is_end(const char *line, size_t indent) {
    return strspn(line, " ") == indent && starts_with(line + indent, "}\n");
}

/* The statement that is alone in the block of a line; NULL: there is none. */
static const char *lone_statement(const char *line) {
    const size_t indent = strspn(line, " ");
    if (!is_head(line)) return NULL;
    const char *const body = end_of(line) + 1;
    return is_statement(body, indent + STEP) && is_end(end_of(body) + 1, indent) ? body : NULL;
}

void text_braces(Text *out, const char *text) {
    for (const char *end; *text; text = *end ? end + 1 : end) {
        const char *const body = lone_statement(text);
        end = end_of(body ? body : text);
        if (body) {
            text_bytes(out, text, (size_t)(body - text) - strlen(" {\n"));
            text_char(out, '\n');
            text = body;
        }
        text_bytes(out, text, (size_t)(end - text));
        if (*end) text_char(out, '\n');
        if (body) end = end_of(end + 1);
    }
}
