/* key.c: keys as text, which is what the database stores and compares.
 * In: fields, or a text. Out: the other. */
#include "cache/cache_private.h"

#include <string.h>

static void put_value(Text *out, const char *value) {
    for (size_t part; *value; value += part) {
        part = strcspn(value, "\n\\");
        text_bytes(out, value, part);
        if (!value[part]) break;
        text_str(out, value[part] == '\n' ? "\\n" : "\\\\");
        part++;
    }
}

const char *key_print(Arena *arena, const KeyFields *key) {
    Text out = text_new(arena);
    for (int i = 0; i < key->count; i++) {
        text_str(&out, key->at[i].name);
        text_char(&out, '=');
        put_value(&out, key->at[i].value);
        text_char(&out, '\n');
    }
    return text_get(&out);
}

/* In place. */
static void unescape(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++) {
        const bool escape = *from == '\\' && from[1];
        *to++ = escape && from[1] == 'n' ? '\n' : escape ? from[1] : *from;
        from += escape;
    }
    *to = '\0';
}

KeyFields key_parse(Arena *arena, const char *text) {
    Vec(KeyField) fields = {0};
    for (const char *line = text; *line;) {
        const size_t size = strcspn(line, "\n"), name = strcspn(line, "=");
        if (name < size) {
            char *value = arena_strndup(arena, line + name + 1, size - name - 1);
            unescape(value);
            vec_push(arena, &fields, ((KeyField){arena_strndup(arena, line, name), value}));
        }
        line += size + (line[size] == '\n');
    }
    return (KeyFields)list_of(fields);
}

const char *key_value(const KeyFields *key, const char *name) {
    for (int i = 0; i < key->count; i++)
        if (!strcmp(key->at[i].name, name)) return key->at[i].value;
    return NULL;
}

int64_t key_hash(const char *text) { return (int64_t)hash_bytes(text, strlen(text), 0); }

Checksum checksum_of(const FilePart *parts, size_t count) {
    const CodeKey key = code_key(parts, count);
    Checksum checksum;
    memcpy(checksum.bytes, &key.low, 8);
    memcpy(checksum.bytes + 8, &key.high, 8);
    return checksum;
}

bool checksum_is(const Checksum *checksum, sqlite3_stmt *query, int column) {
    const void *bytes = sqlite3_column_blob(query, column);
    return bytes && sqlite3_column_bytes(query, column) == CHECKSUM_SIZE &&
           !memcmp(bytes, checksum->bytes, CHECKSUM_SIZE);
}
