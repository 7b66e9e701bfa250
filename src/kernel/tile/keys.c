/* keys.c: tiles as text, "kind=mma,m=128,n=256", for reading and for --tile.
 * In: a Tile or text. Out: text, or pins: values that a tile must have. */
#include "kernel/tile/tile.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[TILE_KINDS] = {[TILE_POINTWISE] = "pointwise",
                                                   [TILE_TRANSPOSE] = "transpose",
                                                   [TILE_PERMUTE] = "permute",
                                                   [TILE_ROW] = "row",
                                                   [TILE_COLUMN] = "column",
                                                   [TILE_FMA] = "fma",
                                                   [TILE_FMA_ROWS] = "fma",
                                                   [TILE_MMA] = "mma",
                                                   [TILE_MMA_ROWS] = "mma",
                                                   [TILE_GEMV] = "gemv",
                                                   [TILE_GEMV_FMA] = "gemv",
                                                   [TILE_WGMMA] = "wgmma",
                                                   [TILE_WGMMA_ROWS] = "wgmma",
                                                   [TILE_ATTENTION_FMA] = "fma",
                                                   [TILE_ATTENTION_MMA] = "mma",
                                                   [TILE_ATTENTION_WGMMA] = "wgmma",
                                                   [TILE_CHAIN_MMA] = "mma",
                                                   [TILE_CHAIN_WGMMA] = "wgmma",
                                                   [TILE_SEGMENTS] = "segments",
                                                   [TILE_BINNED] = "binned",
                                                   [TILE_C_LOOPS] = "loops",
                                                   [TILE_C_TRANSPOSE] = "transpose",
                                                   [TILE_C_DOT] = "blocks",
                                                   [TILE_C_GEMV] = "gemv",
                                                   [TILE_C_COLUMN] = "column",
                                                   [TILE_C_ATTENTION] = "blocks"};

static const char *const keep_names[] = {[KEEP_REGISTERS] = "registers",
                                         [KEEP_SHARED] = "shared",
                                         [KEEP_NOTHING] = "nothing",
                                         [KEEP_MEMORY] = "memory"};

enum {
    DOT_WGMMA = 1 << TILE_WGMMA | 1 << TILE_WGMMA_ROWS,
    CONTRACTION =
        1 << TILE_FMA | 1 << TILE_FMA_ROWS | 1 << TILE_MMA | 1 << TILE_MMA_ROWS | DOT_WGMMA,
    BY_FMA = 1 << TILE_FMA | 1 << TILE_FMA_ROWS | 1 << TILE_ATTENTION_FMA,
    BY_MMA = 1 << TILE_MMA | 1 << TILE_MMA_ROWS | 1 << TILE_ATTENTION_MMA,
    CHAIN_MMA = 1 << TILE_CHAIN_MMA,
    CHAIN = 1 << TILE_CHAIN_MMA | 1 << TILE_CHAIN_WGMMA,
    BY_WGMMA = DOT_WGMMA | 1 << TILE_ATTENTION_WGMMA | 1 << TILE_CHAIN_WGMMA,
    ATTENTION = 1 << TILE_ATTENTION_FMA | 1 << TILE_ATTENTION_MMA | 1 << TILE_ATTENTION_WGMMA,
    OF_ROWS = 1 << TILE_ROW | 1 << TILE_FMA_ROWS | 1 << TILE_MMA_ROWS | 1 << TILE_WGMMA_ROWS,
    FEW_ROWS = 1 << TILE_GEMV | 1 << TILE_GEMV_FMA,
    OF_RESULTS = 1 << TILE_MMA | 1 << TILE_WGMMA | FEW_ROWS,
    C_LOOPS = 1 << TILE_C_LOOPS | 1 << TILE_C_TRANSPOSE,
    GEMV = 1 << TILE_C_GEMV,
    COLUMN = 1 << TILE_C_COLUMN,
    BY_CPU = C_LOOPS | COLUMN | 1 << TILE_C_DOT | 1 << TILE_C_ATTENTION | GEMV,
    TURNED = 1 << TILE_TRANSPOSE | 1 << TILE_PERMUTE,
    TRANSPOSE = TURNED | 1 << TILE_C_TRANSPOSE,
    BLOCKS = 1 << TILE_C_DOT | 1 << TILE_C_ATTENTION,
    LOOPS = 1 << TILE_POINTWISE | 1 << TILE_ROW | 1 << TILE_COLUMN,
    SCATTER = 1 << TILE_SEGMENTS | 1 << TILE_BINNED
};

/* A field of Tile that some kinds have. */
typedef struct TileKey {
    const char *name;
    size_t at;
    uint32_t kinds;            /* bit set */
    const char *const *values; /* names of the values; NULL: numbers */
    int count;                 /* of those */
} TileKey;

#define NUMBER(FIELD, KINDS)                                                                       \
    { #FIELD, offsetof(Tile, FIELD), KINDS, NULL, 0 }
#define CHOICE(FIELD, KINDS, NAMES)                                                                \
    { #FIELD, offsetof(Tile, FIELD), KINDS, NAMES, (int)(sizeof NAMES / sizeof *NAMES) }

static const TileKey keys[] = {
    CHOICE(kind, (1 << TILE_KINDS) - 1, kind_names),
    NUMBER(m, CONTRACTION | ATTENTION | CHAIN | BLOCKS | TRANSPOSE | SCATTER),
    NUMBER(n, CONTRACTION | ATTENTION | CHAIN | BLOCKS | GEMV | FEW_ROWS | COLUMN | TRANSPOSE),
    NUMBER(columns, 1 << TILE_ATTENTION_FMA),
    NUMBER(k, BY_FMA | 1 << TILE_MMA | 1 << TILE_MMA_ROWS | 1 << TILE_C_DOT | GEMV | FEW_ROWS),
    NUMBER(threads_m, BY_FMA),
    NUMBER(threads_n, BY_FMA),
    NUMBER(warps_m, BY_MMA | CHAIN_MMA),
    NUMBER(warps_n, BY_MMA),
    NUMBER(stages, CONTRACTION | BY_WGMMA),
    NUMBER(group, 1 << TILE_MMA | 1 << TILE_MMA_ROWS | DOT_WGMMA | 1 << TILE_C_DOT),
    NUMBER(cluster, 1 << TILE_WGMMA | 1 << TILE_ROW),
    NUMBER(ping_pong, DOT_WGMMA),
    NUMBER(stream_k, 1 << TILE_WGMMA),
    NUMBER(split_k, 1 << TILE_WGMMA),
    NUMBER(l2, 1 << TILE_ATTENTION_WGMMA),
    NUMBER(persistent, DOT_WGMMA | 1 << TILE_ATTENTION_WGMMA),
    NUMBER(block, 1 << TILE_C_DOT | GEMV),
    NUMBER(rows, 1 << TILE_C_DOT | 1 << TILE_C_COLUMN | 1 << TILE_C_LOOPS | GEMV),
    NUMBER(vectors, 1 << TILE_C_DOT | 1 << TILE_C_LOOPS),
    NUMBER(blocks, BY_FMA | BY_MMA | CHAIN_MMA),
    NUMBER(threads, LOOPS | TURNED | SCATTER | FEW_ROWS),
    NUMBER(row_threads, OF_ROWS),
    NUMBER(warp_columns, 1 << TILE_ROW),
    NUMBER(split, 1 << TILE_COLUMN),
    NUMBER(vector, OF_ROWS | OF_RESULTS | LOOPS | TURNED),
    CHOICE(keep, OF_ROWS | 1 << TILE_COLUMN | 1 << TILE_C_LOOPS, keep_names),
    NUMBER(unroll, OF_ROWS | OF_RESULTS | LOOPS | 1 << TILE_PERMUTE | 1 << TILE_C_LOOPS),
    NUMBER(operand_unroll, BY_MMA | CHAIN_MMA | FEW_ROWS),
    NUMBER(prefetch, 1 << TILE_C_LOOPS),
    NUMBER(parallel, BY_CPU),
    NUMBER(stream, C_LOOPS),
    NUMBER(prefetch_from, C_LOOPS),
    NUMBER(stack, 1 << TILE_C_LOOPS),
    NUMBER(partial, 1 << TILE_C_LOOPS),
    NUMBER(partial_sums, 1 << TILE_C_LOOPS),
    NUMBER(across, 1 << TILE_C_LOOPS),
    NUMBER(sums, 1 << TILE_C_DOT),
};
enum { KEYS = sizeof keys / sizeof *keys };

/* The fields are ints, and enums of the same size. */
static int get(const Tile *t, const TileKey *key) {
    int value;
    memcpy(&value, (const char *)t + key->at, sizeof value);
    return value;
}

static bool has_key(const Tile *t, const TileKey *key) { return key->kinds >> t->kind & 1; }

/* ---- as text --------------------------------------------------------------------------------- */

static void put_value(const TileKey *key, int value, Text *out) {
    if (key->values)
        text_printf(out, "%s=%s", key->name, key->values[value]);
    else
        text_printf(out, "%s=%d", key->name, value);
}

void tile_print(const Tile *t, Text *out) {
    for (int i = 0; i < KEYS; i++) {
        if (!has_key(t, &keys[i])) continue;
        if (i) text_char(out, ',');
        put_value(&keys[i], get(t, &keys[i]), out);
    }
}

/* ---- pins ------------------------------------------------------------------------------------ */

void tile_pin_print(const TilePin *pin, Text *out) {
    if (pin->kernel) text_printf(out, "%s:", pin->kernel);
    put_value(&keys[pin->key], pin->value, out);
}

bool tile_has_key(const Tile *t, int key) { return has_key(t, &keys[key]); }

bool tile_pins_kind(const TilePin *pin) { return keys[pin->key].at == offsetof(Tile, kind); }

/* The kernel decides between kinds with the same name. */
bool tile_matches(const Tile *t, const TilePin *pin) {
    const TileKey *key = &keys[pin->key];
    const int value = get(t, key);
    if (!has_key(t, key)) return false;
    if (!key->values) return value == pin->value;
    return !strcmp(key->values[value], key->values[pin->value]);
}

bool tile_set(Tile *t, const TilePin *pin) {
    const TileKey *key = &keys[pin->key];
    if (tile_matches(t, pin)) return true;
    if (!has_key(t, key) || tile_pins_kind(pin)) return false;
    memcpy((char *)t + key->at, &pin->value, sizeof pin->value);
    return true;
}

static bool parse_value(const TileKey *key, const char *text, int *value) {
    enum { LARGEST = 1 << 30 };
    for (*value = 0; *value < key->count; ++*value)
        if (!strcmp(text, key->values[*value])) return true;
    if (key->values) return false;
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    *value = (int)number;
    return end != text && !*end && !errno && number >= 0 && number <= LARGEST;
}

static bool is_repeated(const TileKey *key, int value) {
    for (int i = 0; i < value; i++)
        if (!strcmp(key->values[i], key->values[value])) return true;
    return false;
}

/* "a number", or the names of the values, each once. */
static const char *wanted(Arena *arena, const TileKey *key) {
    Text out = text_new(arena);
    if (!key->values) return "a number";
    for (int i = 0; i < key->count; i++)
        if (!is_repeated(key, i)) text_printf(&out, "%s%s", i ? ", " : "one of ", key->values[i]);
    return text_get(&out);
}

/* "key=value"; `source`: see tile_parse, or "": pin->at is the place. */
static bool parse_pin(Diag *diag, const char *source, const char *text, TilePin *pin) {
    const char *equals = strchr(text, '=');
    const size_t size = equals ? (size_t)(equals - text) : strlen(text);
    for (int i = 0; i < KEYS; i++) {
        if (strlen(keys[i].name) != size || memcmp(keys[i].name, text, size) != 0) continue;
        pin->key = i;
        if (equals && parse_value(&keys[i], equals + 1, &pin->value)) return true;
        diag_error(diag, pin->at, "%s%s%s wants %s, not '%s'", source, *source ? ": " : "",
                   keys[i].name, wanted(diag->arena, &keys[i]), equals ? equals + 1 : "");
        return false;
    }
    Text all = text_new(diag->arena);
    for (int i = 0; i < KEYS; i++) text_printf(&all, "%s%s", i ? " " : "", keys[i].name);
    diag_error(diag, pin->at, "%s%sno tile has the key '%s'", source, *source ? ": " : "",
               arena_strndup(diag->arena, text, size));
    diag_note(diag, NOWHERE, "tiles have, by the kind of kernel: %s", text_get(&all));
    return false;
}

static bool parse_pins(Diag *diag, const char *source, const char *text, const TilePin *like,
                       TilePins *pins) {
    for (const char *p = text;; p++) {
        const size_t size = strcspn(p, ",");
        TilePin pin = *like;
        if (!parse_pin(diag, source, arena_strndup(diag->arena, p, size), &pin)) return false;
        vec_push(diag->arena, pins, pin);
        p += size;
        if (!*p) return true;
    }
}

bool tile_parse_values(Diag *diag, const char *text, const TilePin *like, TilePins *pins) {
    return parse_pins(diag, "", text, like, pins);
}

/* Whether both are of all kernels, or of one. */
static bool is_same_kernel(const TilePin *a, const TilePin *b) {
    return a->kernel && b->kernel ? !strcmp(a->kernel, b->kernel) : a->kernel == b->kernel;
}

/* A source gives a key of a kernel one value: pin `i` says the same as those before it. */
static bool has_one_value(Diag *diag, const char *source, const TilePins *pins, int i) {
    const TilePin *pin = &pins->at[i];
    for (const TilePin *before = pins->at; before < pin; before++) {
        if (before->key != pin->key || before->value == pin->value || !is_same_kernel(before, pin))
            continue;
        Text both = text_new(diag->arena);
        tile_pin_print(before, &both);
        text_str(&both, " and ");
        tile_pin_print(pin, &both);
        diag_error(diag, NOWHERE, "%s gives two values: %s", source, text_get(&both));
        return false;
    }
    return true;
}

bool tile_parse(Diag *diag, const char *source, const char *text, TilePins *pins) {
    const char *colon = strchr(text, ':');
    TilePin like = {.at = NOWHERE};
    if (colon) like.kernel = arena_strndup(diag->arena, text, (size_t)(colon - text));
    if (!parse_pins(diag, source, colon ? colon + 1 : text, &like, pins)) return false;
    for (int i = 0; i < pins->count; i++)
        if (!has_one_value(diag, source, pins, i)) return false;
    return true;
}

bool tile_equal(const Tile *a, const Tile *b) {
    for (int i = 0; i < KEYS; i++)
        if (has_key(a, &keys[i]) && get(a, &keys[i]) != get(b, &keys[i])) return false;
    return true;
}

/* ---- how far apart --------------------------------------------------------------------------- */

/* Halvings and doublings from a to b, about. */
static int steps_between(int a, int b) {
    int steps = 0;
    for (; a < b; a = a ? 2 * a : 1) steps++;
    for (; b < a; b = b ? 2 * b : 1) steps++;
    return steps;
}

int tile_distance(const Tile *a, const Tile *b) {
    int distance = 0;
    for (int i = 0; i < KEYS; i++) {
        if (!has_key(a, &keys[i])) continue;
        const int x = get(a, &keys[i]), y = get(b, &keys[i]);
        distance += keys[i].values ? x != y : steps_between(x, y);
    }
    return distance;
}
