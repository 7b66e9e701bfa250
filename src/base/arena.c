/* arena.c: memory of one phase, freed as a whole.
 * In: sizes. Out: zeroed memory, aligned to 16 bytes, from a list of blocks. Small
 * pieces are cut from the block at the head of the list; a big one gets a block of its own behind
 * the head, so that the rest of the head is not lost. `used` counts the bytes handed out. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, BLOCK_BYTES = 64 << 10, BIG_BYTES = BLOCK_BYTES / 4 };

typedef struct ArenaBlock {
    struct ArenaBlock *next;
    size_t at, size; /* bytes handed out, bytes of the block */
    _Alignas(ALIGN) unsigned char data[];
} ArenaBlock;

typedef struct ArenaOwned {
    struct ArenaOwned *next;
    void (*release)(void *);
    void *what;
} ArenaOwned;

/* Zeroed. */
static void *take(const Allocator *allocator, size_t bytes) {
    if (!allocator) return calloc(1, bytes);
    void *memory = allocator->allocate(allocator->user, bytes, ALIGN);
    return memory ? memset(memory, 0, bytes) : NULL;
}

static void give_back(const Allocator *allocator, void *memory, size_t bytes) {
    if (allocator)
        allocator->release(allocator->user, memory, bytes);
    else
        free(memory);
}

Arena *arena_new_in(const Allocator *allocator, size_t limit) {
    Arena *arena = take(allocator, sizeof *arena);
    if (arena) *arena = (Arena){.allocator = allocator, .limit = limit};
    return arena;
}

Arena *arena_new(size_t limit) { return arena_new_in(NULL, limit); }

Arena arena_over(void *room, size_t size) {
    ArenaBlock *block = memset(room, 0, size);
    block->size = size - sizeof *block;
    return (Arena){.block = block, .borrowed = block};
}

void arena_clear(Arena *arena) {
    for (const ArenaOwned *owned = arena->owned; owned; owned = owned->next)
        owned->release(owned->what);
    arena->owned = NULL;
    for (ArenaBlock *block = arena->block, *next; block; block = next) {
        next = block->next;
        if (block != arena->borrowed)
            give_back(arena->allocator, block, sizeof *block + block->size);
    }
    arena->block = arena->borrowed = NULL;
    arena->used = 0;
}

void arena_free(Arena *arena) {
    if (!arena) return;
    arena_clear(arena);
    give_back(arena->allocator, arena, sizeof *arena);
}

/* A multiple of ALIGN, at least one; sizes near the end of the address space are refused. */
static size_t padded(size_t size) {
    if (size > SIZE_MAX / 2) leave_for_memory(__FILE__, __LINE__);
    return size ? (size + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
}

/* Counts `size` more bytes against the limit. */
static void arena_charge(Arena *arena, size_t size) {
    if (arena->limit && (arena->used > arena->limit || size > arena->limit - arena->used))
        leave_for_memory(__FILE__, __LINE__);
    arena->used += size;
}

static ArenaBlock *block_new(Arena *arena, size_t size) {
    ArenaBlock *block = take(arena->allocator, sizeof *block + size);
    if (!block) leave_for_memory(__FILE__, __LINE__);
    block->size = size;
    return block;
}

/* Puts a block at the head if the next pieces shall come from it, else behind the head. */
static void block_link(Arena *arena, ArenaBlock *block, bool as_head) {
    ArenaBlock **place = as_head || !arena->block ? &arena->block : &arena->block->next;
    block->next = *place;
    *place = block;
}

void *arena_alloc(Arena *arena, size_t size) {
    size = padded(size);
    arena_charge(arena, size);
    ArenaBlock *block = arena->block;
    if (!block || size > block->size - block->at) {
        bool big = size > BIG_BYTES;
        block = block_new(arena, big ? size : BLOCK_BYTES);
        block_link(arena, block, !big);
    }
    void *piece = block->data + block->at;
    block->at += size;
    return piece;
}

/* True if `old` is the last piece of the head block and can grow by `more`. */
static bool extends_in_place(const ArenaBlock *block, const void *old, size_t old_size,
                             size_t more) {
    return block && old_size <= block->at && old == block->data + block->at - old_size &&
           more <= block->size - block->at;
}

void *arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size) {
    if (!old) return arena_alloc(arena, new_size);
    if (new_size <= old_size) return old;
    size_t had = padded(old_size), more = padded(new_size) - had;
    if (extends_in_place(arena->block, old, had, more)) {
        arena_charge(arena, more);
        arena->block->at += more;
        return old;
    }
    void *grown = arena_alloc(arena, new_size);
    memcpy(grown, old, old_size);
    return grown;
}

void arena_owns(Arena *arena, void (*release)(void *), void *what) {
    ArenaOwned *owned = arena_new_of(arena, ArenaOwned);
    *owned = (ArenaOwned){arena->owned, release, what};
    arena->owned = owned;
}

char *arena_strndup(Arena *arena, const char *text, size_t size) {
    char *copy = arena_alloc(arena, size + 1);
    if (size) memcpy(copy, text, size);
    return copy;
}

char *arena_strdup(Arena *arena, const char *text) {
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(Arena *arena, const char *format, ...) {
    Text text = text_new(arena);
    va_list args;
    va_start(args, format);
    text_vprintf(&text, format, args);
    va_end(args);
    return text.data ? text.data : arena_strdup(arena, "");
}
