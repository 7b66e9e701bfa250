/* alike.c: functions of the text that differ in the names of their parameters only, and in names
 * that start with these, as x_pack does. In: two texts and their parameters. Out: yes or no. */
#include "emit/text/template.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static size_t word_size(const char *at) {
    size_t size = 0;
    while (is_word(at[size])) size++;
    return size;
}

/* The part of a name that a word has: all, or what is made of it starts with that part and a '_':
 * "x" of x_pack, "do" of do_pack for the name do_. 0: it is neither. */
static size_t stem_size(const char *name, const char *word, size_t size) {
    const size_t n = strlen(name), stem = n > 1 && name[n - 1] == '_' ? n - 1 : n;
    if (n == size && !strncmp(name, word, n)) return n;
    return stem < size && word[stem] == '_' && !strncmp(name, word, stem) ? stem : 0;
}

/* The longest of the names that the word is or is made of; -1: none. */
static int longest(const char *const *names, int count, const char *word, size_t size) {
    int best = -1;
    for (int i = 0; i < count; i++) {
        const size_t n = stem_size(names[i], word, size);
        if (n && (best < 0 || n > stem_size(names[best], word, size))) best = i;
    }
    return best;
}

/* Is word y what x becomes, and no other word? Functions, templates and members (`before` is '.')
 * keep their names. */
static bool is_renamed(char before, const char *x, const char *y, const char *const *from,
                       const char *const *to, int count) {
    const size_t m = word_size(x), n = word_size(y);
    const bool is_kept = before == '.' || (x[m] && strchr("(<", x[m]));
    const int i = is_kept ? -1 : longest(from, count, x, m);
    const int j = is_kept ? -1 : longest(to, count, y, n);
    const size_t a = i < 0 ? 0 : stem_size(from[i], x, m), b = j < 0 ? 0 : stem_size(to[j], y, n);
    return i == j && m - a == n - b && !strncmp(x + a, y + b, m - a);
}

bool text_is_renamed(const char *x, const char *y, const char *const *from, const char *const *to,
                     int count) {
    for (char before = ' ';;) {
        x += strspn(x, " \n");
        y += strspn(y, " \n");
        if (!*x || !*y) return *x == *y;
        if (is_word(*x) != is_word(*y)) return false;
        if (!is_word(*x)) {
            before = *x++;
            if (before != *y++) return false;
            continue;
        }
        if (!is_renamed(before, x, y, from, to, count)) return false;
        before = ' ';
        x += word_size(x), y += word_size(y);
    }
}
