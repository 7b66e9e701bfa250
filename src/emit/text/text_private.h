/* text_private.h: reading emitted text: its lines, words, comments and strings. */
#ifndef FUSEC_TEXT_PRIVATE_H
#define FUSEC_TEXT_PRIVATE_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static inline const char *end_of(const char *line) { return line + strcspn(line, "\n"); }

static inline bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static inline bool starts_with(const char *at, const char *word) {
    return !strncmp(at, word, strlen(word));
}

/* The end of a comment, a string or a character that starts here; `at`: none does. */
static inline const char *skip_text(const char *at) {
    const char *end = at;
    if (starts_with(at, "//")) return end_of(at);
    if (starts_with(at, "/*")) return (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (*at != '"' && *at != '\'') return at;
    for (end++; *end && *end != *at; end++) end += *end == '\\' && end[1];
    return *end ? end + 1 : end;
}

#endif
