/* conditions.c: neighbouring statements with one condition become a block: "if (valid) x[i] = a;"
 * and "if (valid) y[i] = b;". Conditions are of constants, so a statement does not change the next
 * one's. In and out: text. */
#include "emit/text/template.h"
#include "emit/text/text_private.h"

/* Behind "if (valid && lane == 0) ", where a statement of one line follows; 0: it is another line,
 * or its condition may be of what the statements change. */
static size_t condition_size(const char *line, const char *end) {
    static const char *const words[] = {"valid", "active", "lane", "thread", "part", "rank"};
    const char *at = line + strspn(line, " ");
    if (end[-1] != ';' || strncmp(at, "if (", 4) != 0) return 0;
    for (at += 4; at < end && *at != ')';) {
        const size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
        bool is_known = !size;
        for (size_t i = 0; size && i < sizeof words / sizeof *words; i++)
            is_known |= size == strlen(words[i]) && !strncmp(at, words[i], size);
        if (!is_known || (!size && !strchr(" &=0", *at))) return 0;
        at += size ? size : 1;
    }
    return at + 2 < end && at[1] == ' ' ? (size_t)(at + 2 - line) : 0;
}

/* How many lines from here on start with the same condition. */
static int lines_alike(const char *line, size_t size) {
    int count = 0;
    for (const char *at = line; *at; count++) {
        const char *end = end_of(at);
        if (end == at || condition_size(at, end) != size || strncmp(at, line, size) != 0) break;
        at = *end ? end + 1 : end;
    }
    return count;
}

/* Writes the statements of `count` lines as a block; returns what is behind them. */
static const char *put_block(Text *out, const char *line, size_t size, int count) {
    const int indent = (int)strspn(line, " ");
    text_printf(out, "%.*s{\n", (int)size, line);
    for (; count; count--) {
        const char *end = end_of(line);
        text_printf(out, "%*s%.*s\n", indent + 4, "", (int)(end - line - (long)size), line + size);
        line = *end ? end + 1 : end;
    }
    text_printf(out, "%*s}\n", indent, "");
    return line;
}

void text_conditions(Text *out, const char *text) {
    while (*text) {
        const char *end = end_of(text);
        const size_t size = end > text ? condition_size(text, end) : 0;
        const int count = size ? lines_alike(text, size) : 0;
        if (count > 1) {
            text = put_block(out, text, size, count);
            continue;
        }
        text_bytes(out, text, (size_t)(end - text));
        if (*end) text_char(out, '\n');
        text = *end ? end + 1 : end;
    }
}
