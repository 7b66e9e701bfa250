/* names.c: a hash table from name to number, and "did you mean". Open addressing, linear probing,
 * at most half full; names are compared as text. */
#include "graph/lower/lower_private.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

static int slot_of(const Names *names, const char *name) {
    int i = (int)(hash_bytes(name, strlen(name), 0) & (uint64_t)(names->cap - 1));
    while (names->slot[i].name && strcmp(names->slot[i].name, name)) i = (i + 1) & (names->cap - 1);
    return i;
}

int names_find(const Names *names, const char *name) {
    if (!names->cap) return -1;
    const struct NameSlot *slot = &names->slot[slot_of(names, name)];
    return slot->name ? slot->value : -1;
}

static void names_double(Arena *arena, Names *names) {
    Names old = *names;
    names->cap = old.cap ? 2 * old.cap : 16;
    names->slot = arena_array(arena, struct NameSlot, names->cap);
    for (int i = 0; i < old.cap; i++)
        if (old.slot[i].name) names->slot[slot_of(names, old.slot[i].name)] = old.slot[i];
}

void names_add(Arena *arena, Names *names, const char *name, int value) {
    if (2 * (names->count + 1) > names->cap) names_double(arena, names);
    names->slot[slot_of(names, name)] = (struct NameSlot){name, value};
    names->count++;
}

/* ---- did you mean ------------------------------------------------------------------------- */

Suggestion suggestion_for(const char *wanted) {
    size_t length = strlen(wanted);
    /* names of one or two letters: only case may differ */
    int most = length < 3 ? 0 : length < 6 ? 1 : 2;
    return (Suggestion){wanted, NULL, most + 1};
}

/* People type the first letter correctly, or swap it with the second: 'rand' does not suggest
 * 'and'. */
static bool starts_alike(const char *a, const char *b) {
    if (tolower((unsigned char)a[0]) == tolower((unsigned char)b[0])) return true;
    return a[0] && a[0] == b[1] && a[1] == b[0];
}

void suggestion_add(Suggestion *s, const char *candidate) {
    if (!starts_alike(s->wanted, candidate)) return;
    int distance =
        strcasecmp(s->wanted, candidate) ? text_distance(s->wanted, candidate, s->distance) : 0;
    if (distance >= s->distance) return;
    s->best = candidate;
    s->distance = distance;
}

void suggestion_add_names(Suggestion *s, const Names *names) {
    for (int i = 0; i < names->cap && s->distance; i++)
        if (names->slot[i].name) suggestion_add(s, names->slot[i].name);
}

const char *suggestion_text(const Suggestion *s, Arena *arena) {
    return s->best ? arena_printf(arena, "; did you mean '%s'?", s->best) : "";
}
