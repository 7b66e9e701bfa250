/* unused.c: drops the constants of a kernel that nothing reads. Templates declare what their holes
 * may need, and a kernel need not have all of it.
 * In and out: text whose statements begin on lines of their own. */
#include "emit/text/template.h"
#include "emit/text/text_private.h"

enum { DROPPED = '\r' }; /* in place of each character of what is dropped */

bool text_reads(const char *at, const char *name, size_t size) {
    for (int depth = 0; *at && depth >= 0;) {
        const char *const word = at, *const text = skip_text(at);
        while (is_word(*at)) at++;
        const bool is_member = word[-1] == '.' || (word[-1] == '>' && word[-2] == '-');
        if ((size_t)(at - word) == size && !strncmp(word, name, size) && !is_member) return true;
        if (at > word) continue;
        depth += (*at == '{') - (*at == '}');
        at = text > at ? text : at + 1;
    }
    return false;
}

/* Is this character of an initialiser, after `last`, that of a call or of a change of something? */
static bool has_effect(const char *at, char last) {
    if (*at == '(') return is_word(last) || last == '>';
    if (*at == '=') return at[1] != '=' && !strchr("=!<>", at[-1]);
    return *at == '{' || !strncmp(at, "++", 2) || !strncmp(at, "--", 2);
}

typedef struct Declared {
    char *name, *end; /* from the name to behind its initialiser */
    size_t size;      /* of the name */
    bool computes, is_kept;
} Declared;

/* To the end of an initialiser, a comma or a semicolon; false: there is none. */
static bool pass_initialiser(char *at, Declared *d) {
    int depth = 0;
    d->computes = true;
    for (char last = '='; *at && depth >= 0; at++) {
        const char *const text = skip_text(at);
        at += text - at;
        if (!*at) return false;
        if (has_effect(at, last)) d->computes = false;
        if (!depth && strchr(",;", *at)) {
            d->end = at;
            return true;
        }
        depth += !!strchr("([{", *at) - !!strchr(")]}", *at);
        if (*at != ' ' && *at != '\n') last = *at;
    }
    return false;
}

/* "x = 1", up to a comma or a semicolon. */
static bool parse_declared(char *at, Declared *d) {
    d->name = at;
    while (is_word(*at)) at++;
    d->size = (size_t)(at - d->name);
    return d->size && !strncmp(at, " = ", 3) && pass_initialiser(at + 3, d);
}

/* Is what follows a statement on its line nothing, or a comment that ends there? */
static bool ends_line(const char *end) {
    const char *const at = end + 1 + strspn(end + 1, " ");
    return skip_text(at) == at + strcspn(at, "\n");
}

/* "const int x = 1, y = 2;". Returns how many names it declares: 0 if it is no such statement, is
 * followed by another one, or declares more than `most`. */
static int parse_statement(char *at, Declared *d, int most) {
    if (strncmp(at, "const ", 6) != 0 && strncmp(at, "constexpr ", 10) != 0) return 0;
    char *first = at + strcspn(at, "=;({[\n");
    if (*first != '=' || first[-1] != ' ') return 0;
    for (first--; is_word(first[-1]);) first--;
    for (int count = 0; count < most; first = d[count].end + 2, count++) {
        if (!parse_declared(first, &d[count])) return 0;
        if (*d[count].end == ';') return ends_line(d[count].end) ? count + 1 : 0;
    }
    return 0;
}

static void drop(char *from, const char *to) { memset(from, DROPPED, (size_t)(to - from)); }

/* Drops the declarations that are not kept, with the commas between them. */
static void drop_some(const Declared *d, int count) {
    for (int i = 0, kept = 0; i < count; i++) {
        if (i && !(kept && d[i].is_kept)) drop(d[i - 1].end, d[i].name);
        if (!d[i].is_kept) drop(d[i].name, d[i].end);
        kept += d[i].is_kept;
    }
}

/* Of the statement on a line, if it is a declaration, drops what nothing reads; the attribute that
 * allows this, too, unless something may be unused that does more than compute. */
static void drop_from(char *line) {
    enum { MOST = 8 };
    static const char attribute[] = "[[maybe_unused]] ";
    Declared d[MOST];
    char *const first = line + strspn(line, " ");
    char *const at =
        first + (strncmp(first, attribute, sizeof attribute - 1) ? 0 : sizeof attribute - 1);
    const int count = parse_statement(at, d, MOST);
    int kept = 0, unread = 0;
    for (int i = count - 1; i >= 0; i--) {
        const bool reads = text_reads(d[i].end, d[i].name, d[i].size);
        d[i].is_kept = reads || !d[i].computes;
        if (!d[i].is_kept) drop(d[i].name, d[i].end);
        kept += d[i].is_kept;
        unread += d[i].is_kept && !reads;
    }
    if (!count) return;
    char *const end = d[count - 1].end;
    kept ? drop_some(d, count) : drop(line, end + strcspn(end, "\n") + 1);
    if (!unread) drop(first, at);
}

/* Is this line a comment, and that below it dropped? */
static bool is_comment_of_dropped(const char *line) {
    const char *const end = line + strcspn(line, "\n"), *const at = line + strspn(line, " ");
    return *at == '/' && skip_text(at) == end && *end && end[1] == DROPPED;
}

void drop_unused(Text *text) {
    char *const start = text->data, *to = start;
    /* From the last line on: what only dropped constants read is not read. */
    for (char *line = start + text->size; line > start;) {
        for (line--; line > start && line[-1] != '\n';) line--;
        if (*line != ' ') continue;
        drop_from(line);
        if (is_comment_of_dropped(line)) drop(line, line + strcspn(line, "\n") + 1);
    }
    for (const char *at = start; at < start + text->size; at++)
        if (*at != DROPPED) *to++ = *at;
    text->size = (size_t)(to - start);
    if (start) *to = '\0';
}
