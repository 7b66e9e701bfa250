/* text.c: strings that grow, UTF-8, and the distance between two words.
 * In: bytes and printf formats. Out: NUL-terminated text in an arena. */
#include "base/base.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

Text text_new(Arena *arena) { return (Text){.arena = arena}; }

const char *text_get(const Text *text) { return text->data ? text->data : ""; }

/* Makes room for `more` bytes and the final NUL. */
static void text_reserve(Text *text, size_t more) {
    if (more < text->cap - text->size) return;
    size_t need = text->size + more + 1, cap = text->cap ? 2 * text->cap : 64;
    if (cap < need) cap = need;
    text->data = arena_grow(text->arena, text->data, text->cap, cap);
    text->cap = cap;
}

void text_bytes(Text *text, const char *bytes, size_t size) {
    text_reserve(text, size);
    if (size) memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void text_char(Text *text, char c) { text_bytes(text, &c, 1); }

void text_str(Text *text, const char *str) { text_bytes(text, str, strlen(str)); }

void text_vprintf(Text *text, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    text_reserve(text, 0);
    size_t room = text->cap - text->size;
    int size = vsnprintf(text->data + text->size, room, format, args);
    if (size < 0) BUG("a format that cannot be printed: %s", format);
    if ((size_t)size >= room) {
        text_reserve(text, (size_t)size);
        vsnprintf(text->data + text->size, (size_t)size + 1, format, again);
    }
    text->size += (size_t)size;
    va_end(again);
}

void text_printf(Text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_vprintf(text, format, args);
    va_end(args);
}

void text_pad(Text *text, size_t line_start, int column) {
    while ((long long)(text->size - line_start) < column) text_char(text, ' ');
}

/* `least_of` refuses overlong forms. */
size_t utf8_decode(const char *text, size_t size, uint32_t *code) {
    static const uint32_t least_of[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    if (!size || s[0] > 0xf4) return 0;
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (!length || length > size) return 0;
    *code = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        *code = *code << 6 | (s[i] & 0x3fu);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code < least_of[length] || *code > 0x10ffff || surrogate ? 0 : length;
}

bool text_is_utf8(const char *text) {
    uint32_t code;
    size_t left = strlen(text), length;
    while (left && (length = utf8_decode(text, left, &code))) text += length, left -= length;
    return !left;
}

void utf8_copy(char *to, size_t room, const char *text) {
    for (size_t left = strlen(text), length; left; text += length, left -= length) {
        uint32_t code;
        char invalid[8];
        const bool is_valid = (length = utf8_decode(text, left, &code)) > 0;
        if (!is_valid) length = 1;
        const size_t size =
            is_valid ? length
                     : (size_t)snprintf(invalid, sizeof invalid, "<%02x>", (unsigned char)*text);
        if (size >= room) break;
        memcpy(to, is_valid ? text : invalid, size);
        to += size;
        room -= size;
    }
    *to = '\0';
}

const char *utf8_text(Arena *arena, const char *text) {
    const size_t room = 4 * strlen(text) + 1;
    char *copy = arena_alloc(arena, room);
    utf8_copy(copy, room, text);
    return copy;
}

static int least(int a, int b) { return a < b ? a : b; }

enum { LONGEST_WORD = 63 };

/* Edits are: insert, delete, replace a letter, swap two neighbours. Words of more than LONGEST_WORD
 * letters are not compared. */
int text_distance(const char *a, const char *b, int most) {
    size_t a_size = strlen(a), b_size = strlen(b);
    if (a_size > LONGEST_WORD || b_size > LONGEST_WORD) return INT_MAX;
    int row[3][LONGEST_WORD + 1]; /* of the last three letters of a; row[i % 3]: letter i */
    for (size_t j = 0; j <= b_size; j++) row[0][j] = (int)j;
    for (size_t i = 1; i <= a_size; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= b_size; j++) {
            now[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    int distance = row[a_size % 3][b_size];
    return distance <= most ? distance : INT_MAX;
}
