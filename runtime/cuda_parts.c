/* cuda_parts.c: the kernels of a program in several parts, which NVRTC compiles at a time.
 * In: a source, and where its kernels start. Out: a source for each part, with all that is shared,
 * and empty lines in place of the kernels of other parts, so that lines keep their numbers; the
 * machine code of all parts in one block of bytes, as caches keep it. */
#include "runtime/cuda.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- sources ------------------------------------------------------------------------------ */

static size_t end_of(const NvrtcInput *whole, int place) {
    return place + 1 < whole->place_count ? whole->places[place + 1].source_at
                                          : strlen(whole->source);
}

static size_t length_of(const NvrtcInput *whole, int place) {
    return end_of(whole, place) - whole->places[place].source_at;
}

/* The longest first, each to the part that has the least. */
static void deal(const NvrtcInput *whole, int count, int *part) {
    size_t sum[NVRTC_PARTS_MOST] = {0};
    for (int i = 0; i < whole->place_count; i++) part[i] = -1;
    for (int dealt = 0; dealt < whole->place_count; dealt++) {
        int longest = -1, least = 0;
        for (int i = 0; i < whole->place_count; i++)
            if (part[i] < 0 && (longest < 0 || length_of(whole, i) > length_of(whole, longest)))
                longest = i;
        for (int p = 1; p < count; p++)
            if (sum[p] < sum[least]) least = p;
        part[longest] = least;
        sum[least] += length_of(whole, longest);
    }
}

static void put_lines(Text *out, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n') text_char(out, '\n');
}

/* The text before the first kernel is that of other functions, from `shared` on. */
static NvrtcInput input_of(Arena *arena, const NvrtcInput *whole, size_t shared, const int *part,
                           int number) {
    NvrtcInput input = *whole;
    NvrtcPlace *places = arena_array(arena, NvrtcPlace, whole->place_count);
    Text text = text_new(arena);
    input.place_count = 0;
    text_bytes(&text, whole->source, shared);
    put_lines(&text, whole->source + shared, whole->places[0].source_at - shared);
    for (int i = 0; i < whole->place_count; i++) {
        const char *own = whole->source + whole->places[i].source_at;
        if (part[i] != number) {
            put_lines(&text, own, length_of(whole, i));
            continue;
        }
        places[input.place_count] = whole->places[i];
        places[input.place_count++].source_at = text.size;
        text_bytes(&text, own, length_of(whole, i));
    }
    input.source = text_get(&text);
    input.places = places;
    return input;
}

int cuda_parts_split(Arena *arena, const NvrtcInput *whole, size_t shared, int most,
                     NvrtcInput *parts) {
    const int kernels = whole->place_count;
    int count = most < NVRTC_PARTS_MOST ? most : NVRTC_PARTS_MOST;
    if (count > kernels) count = kernels;
    if (count < 2) {
        parts[0] = *whole;
        return 1;
    }
    int *part = arena_array(arena, int, kernels);
    deal(whole, count, part);
    for (int p = 0; p < count; p++) parts[p] = input_of(arena, whole, shared, part, p);
    return count;
}

/* ---- code --------------------------------------------------------------------------------- */

/* The code of one part is kept as it is; of several, this is before them. */
typedef struct Head {
    char magic[8];
    uint64_t count;
    uint64_t size[NVRTC_PARTS_MOST]; /* of each, which begins at a multiple of PART_ALIGN */
} Head;

enum { PART_ALIGN = 64 };

static const char magic[8] = "fxparts";

static size_t aligned(size_t bytes) { return (bytes + PART_ALIGN - 1) / PART_ALIGN * PART_ALIGN; }

void *cuda_parts_join(Diag *diag, const NvrtcCode *codes, int count, size_t *size) {
    Head head = {.count = (uint64_t)count};
    memcpy(head.magic, magic, sizeof magic);
    *size = aligned(sizeof head);
    for (int i = 0; i < count; i++) {
        head.size[i] = codes[i].size;
        *size += aligned(codes[i].size);
    }
    char *all = calloc(1, *size);
    if (!all) {
        diag_refuse_memory(diag, "calloc: %s", strerror(ENOMEM));
        return NULL;
    }
    memcpy(all, &head, sizeof head);
    size_t at = aligned(sizeof head);
    for (int i = 0; i < count; i++) {
        memcpy(all + at, codes[i].bytes, codes[i].size);
        at += aligned(codes[i].size);
    }
    return all;
}

int cuda_parts_find(const void *code, size_t size, const void **parts) {
    Head head;
    parts[0] = code;
    if (size < sizeof head) return 1;
    memcpy(&head, code, sizeof head);
    if (memcmp(head.magic, magic, sizeof magic) != 0) return 1;
    size_t at = aligned(sizeof head);
    if (head.count > NVRTC_PARTS_MOST) return 0;
    for (uint64_t i = 0; i < head.count; i++) {
        if (at > size || head.size[i] > size - at) return 0;
        parts[i] = (const char *)code + at;
        at += aligned(head.size[i]);
    }
    return (int)head.count;
}
