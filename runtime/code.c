/* code.c: a table of machine code that is already compiled, by the key of its source.
 * In: keys and code. Out: code for a key. A list: a model has tens of variants. */
#include "runtime/runtime.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

CodeKey code_key(const FilePart *parts, size_t count) {
    CodeKey key = {0, count};
    for (size_t i = 0; i < count; i++) {
        const XXH128_hash_t part = XXH3_128bits(parts[i].data, parts[i].size);
        const uint64_t both[] = {key.low, key.high, part.low64, part.high64};
        const XXH128_hash_t next = XXH3_128bits(both, sizeof both);
        key = (CodeKey){next.low64, next.high64};
    }
    return key;
}

const Code *code_find(const CodeTable *table, CodeKey key) {
    const Code *code = atomic_load(&table->newest);
    while (code && (code->key.low != key.low || code->key.high != key.high)) code = code->next;
    return code;
}

bool code_add(CodeTable *table, CodeKey key, const void *bytes, size_t size) {
    Code *code = malloc(sizeof *code + size);
    if (!code) return false;
    *code = (Code){.key = key, .size = size, .next = atomic_load(&table->newest)};
    memcpy(code->bytes, bytes, size);
    while (!atomic_compare_exchange_weak(&table->newest, &code->next, code)) {}
    return true;
}

void code_table_free(CodeTable *table) {
    for (Code *code = atomic_load(&table->newest), *next; code; code = next) {
        next = code->next;
        free(code);
    }
    atomic_store(&table->newest, NULL);
}
