/* parentheses.c: drops the parentheses around sums and products of names and numbers that the
 * operators beside them make redundant. A size becomes text before its neighbours are known; the
 * line means the same without them. In and out: a line. */
#include "emit/text/template.h"
#include "emit/text/text_private.h"

/* How tightly the loosest operator of an expression binds. NONE: it is not one of those read here,
 * such as the type of a cast. */
typedef enum Binding { BINDS_NONE, BINDS_SUM, BINDS_PRODUCT } Binding;

static const char *skip_blanks(const char *at) { return at + strspn(at, " "); }

enum { DEPTH_MAX = 8 }; /* of groups in each other; deeper ones stay as they are */

static const char *pass_group(const char *at, Binding *binding, int depth);

/* Behind a name, a number or a group; NULL: there is none. */
static const char *pass_operand(const char *at, int depth) {
    Binding ignored;
    if (*at == '(') return depth < DEPTH_MAX ? pass_group(at, &ignored, depth + 1) : NULL;
    const char *const first = at;
    while (is_word(*at)) at++;
    return at > first ? at : NULL;
}

/* Behind the parenthesis that closes the group at `at`; NULL: it has no operator, or others. */
static const char *pass_group(const char *at, Binding *binding, int depth) {
    *binding = BINDS_NONE;
    for (at++;;) {
        at = pass_operand(at, depth);
        if (!at) return NULL;
        if (*at == ')') return *binding ? at + 1 : NULL;
        at = skip_blanks(at);
        if (!*at || !strchr("+-*/%", *at)) return NULL;
        if (strchr("+-", *at)) *binding = BINDS_SUM;
        if (!*binding) *binding = BINDS_PRODUCT;
        at = skip_blanks(at + 1);
    }
}

/* Does what ends before `at` bind more loosely than the group that starts there? */
static bool is_loose_before(const char *line, const char *at, Binding binding) {
    const char *last = at;
    while (last > line && last[-1] == ' ') last--;
    if (last == line) return false;
    const char c = last[-1], before = last - line > 1 ? last[-2] : ' ';
    if (strchr("&|", c)) return before == c;
    if (strchr("<>", c)) return before == ' ' && last < at; /* else a template's */
    if (strchr("+-", c)) return binding == BINDS_PRODUCT && before == ' ' && last < at;
    return strchr("([{,;=?:", c);
}

static bool is_loose_behind(const char *end, Binding binding) {
    const char *at = skip_blanks(end);
    if (!*at) return false;
    if (strchr("&|", *at)) return at[1] == *at;
    if (strchr("<>", *at)) return at > end && at[1] != *at;
    if (strchr("+-", *at)) return binding == BINDS_PRODUCT && at[1] == ' ';
    return strchr(")]},;=!?:", *at);
}

void drop_parentheses(char *line) {
    const char *closing[DEPTH_MAX + 1]; /* dropped parentheses that close groups, innermost last */
    int open = 0;
    char *to = line;
    for (const char *at = line; *at;) {
        for (const char *end = skip_text(at); at < end;) *to++ = *at++;
        if (!*at) break;
        Binding binding;
        const char *end = *at == '(' ? pass_group(at, &binding, 0) : NULL;
        if (open && at == closing[open - 1])
            open--;
        else if (end && open <= DEPTH_MAX && is_loose_before(line, to, binding) &&
                 is_loose_behind(end, binding))
            closing[open++] = end - 1;
        else
            *to++ = *at;
        at++;
    }
    *to = '\0';
}
