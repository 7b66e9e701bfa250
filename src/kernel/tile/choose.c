/* choose.c: the tile of every kernel, before emission: the first candidate, or the one that the
 * command line pins.
 * In: Kernels, a Machine, TilePins. Out: Tiles, or errors. */
#include "kernel/tile/tile.h"

#include <string.h>

typedef struct Choice {
    const Kernel *k;
    const Machine *machine;
    TilePins pins; /* of this kernel, or of the body in question */
    Diag *diag;
    Arena *arena; /* of the candidates: some hundreds of each body, and one is taken */
} Choice;

static bool matches_all(const Tile *t, const TilePins *pins) {
    for (int i = 0; i < pins->count; i++)
        if (!tile_matches(t, &pins->at[i])) return false;
    return true;
}

static bool set_all(Tile *t, const TilePins *pins) {
    for (int i = 0; i < pins->count; i++)
        if (!tile_set(t, &pins->at[i])) return false;
    return true;
}

/* The choice for one body: pins of other parts of the kernel do not concern it. */
static Choice of_body(const Choice *c, int body) {
    Choice own = *c;
    own.pins = (TilePins){0};
    for (int i = 0; i < c->pins.count; i++)
        if (!c->pins.at[i].part || c->pins.at[i].part == body + 1)
            vec_push(c->arena, &own.pins, c->pins.at[i]);
    return own;
}

/* The first candidate with the pinned values; else the first that is legal with them. */
static bool find(const Choice *c, int body, const TileVec *all, Tile *found) {
    for (int i = 0; i < all->count; i++)
        if (matches_all(&all->at[i], &c->pins)) return *found = all->at[i], true;
    for (int i = 0; i < all->count; i++) {
        *found = all->at[i];
        if (!set_all(found, &c->pins)) continue;
        if (!tile_refusal(c->k, body, c->machine, found, c->arena)) return true;
    }
    return false;
}

bool tile_find(const Kernel *k, int body, const Machine *machine, const TilePins *pins,
               Arena *arena, Tile *found) {
    const Choice c = {.k = k, .machine = machine, .pins = *pins, .arena = arena};
    const TileVec all = tile_candidates(k, body, machine, arena);
    return find(&c, body, &all, found);
}

/* Why the first candidate of the requested kind cannot have the pinned values. */
static const char *reason(const Choice *c, int body, const TileVec *all) {
    for (int i = 0; i < all->count; i++) {
        Tile t = all->at[i];
        if (set_all(&t, &c->pins)) return tile_refusal(c->k, body, c->machine, &t, c->arena);
    }
    for (int i = 0; i < c->pins.count; i++)
        if (tile_pins_kind(&c->pins.at[i]))
            return tile_kind_refusal(c->k, body, c->machine, (TileKind)c->pins.at[i].value,
                                     c->arena);
    return "no tile of this kernel has all of these";
}

static void refuse(const Choice *c, int body, const TileVec *all) {
    Text pinned = text_new(c->arena);
    for (int i = 0; i < c->pins.count; i++) {
        TilePin pin = c->pins.at[i];
        pin.kernel = NULL;
        if (i) text_char(&pinned, ',');
        tile_pin_print(&pin, &pinned);
    }
    const Span at = c->pins.at[0].at;
    diag_error(c->diag, at, "kernel '%s' cannot have the tile %s: %s", c->k->name,
               text_get(&pinned), reason(c, body, all));
    Text first = text_new(c->arena);
    tile_print(&all->at[0], &first);
    diag_note(c->diag, NOWHERE, "without %s it has %s", at.file == NO_FILE ? "--tile" : "that line",
              text_get(&first));
}

/* Bodies of one kernel share its blocks: all have as many threads as the first. */
static void keep_threads(TileVec *all, int threads) {
    int kept = 0;
    for (int i = 0; i < all->count; i++)
        if (all->at[i].threads == threads) all->at[kept++] = all->at[i];
    all->count = kept;
}

static bool any_has_threads(const TileVec *all, int threads) {
    for (int i = 0; i < all->count; i++)
        if (all->at[i].threads == threads) return true;
    return false;
}

/* Of the first body, those with as many threads as a tile of each other body has. */
static void keep_common(TileVec *all, int bodies) {
    int kept = 0;
    for (int i = 0; i < all->count; i++) {
        bool is_common = true;
        for (int body = 1; body < bodies; body++)
            is_common = is_common && any_has_threads(&all[body], all->at[i].threads);
        if (is_common) all->at[kept++] = all->at[i];
    }
    all->count = kept;
}

/* One for each body; NULL: none has the pinned values. */
static const Tile *choose(const Choice *c, Arena *arena) {
    const int count = c->k->bodies.count;
    Tile *tiles = arena_array(arena, Tile, count);
    TileVec *all = arena_array(c->arena, TileVec, count);
    for (int i = 0; i < count; i++) all[i] = tile_candidates(c->k, i, c->machine, c->arena);
    keep_common(all, count);
    for (int i = 0; i < count; i++) {
        if (i) keep_threads(&all[i], tiles[0].threads);
        const Choice own = of_body(c, i);
        if (find(&own, i, &all[i], &tiles[i])) continue;
        refuse(&own, i, &all[i]);
        return NULL;
    }
    return tiles;
}

static bool any_has_key(const TileVec *all, int key) {
    for (int i = 0; i < all->count; i++)
        if (tile_has_key(&all->at[i], key)) return true;
    return false;
}

/* The pins of a kernel: by its name, or for all kernels with the key. */
static void add_pins(Choice *c, const TilePins *pins, bool *applied) {
    const TileVec all = tile_candidates(c->k, 0, c->machine, c->arena);
    for (int i = 0; i < pins->count; i++) {
        const TilePin *pin = &pins->at[i];
        const bool named = pin->kernel && !strcmp(pin->kernel, c->k->name);
        if (pin->kernel ? !named : !any_has_key(&all, pin->key)) continue;
        if (pin->part > c->k->bodies.count) continue;
        vec_push(c->arena, &c->pins, *pin);
        applied[i] = true;
    }
}

typedef struct Choosing {
    const Kernel *const *kernels;
    int count;
    const Machine *machine;
    const TilePins *pins;
    bool *applied;
    Diag *diag;
    const Tile **tiles;
    Arena candidates; /* of one kernel at a time */
    bool ok;
} Choosing;

static void choose_all(void *of) {
    Choosing *a = of;
    for (int i = 0; i < a->count; i++) {
        Choice c = {
            .k = a->kernels[i], .machine = a->machine, .diag = a->diag, .arena = &a->candidates};
        if (a->pins->count) add_pins(&c, a->pins, a->applied);
        a->tiles[i] = choose(&c, a->diag->arena);
        a->ok = a->ok && a->tiles[i];
        arena_clear(&a->candidates);
    }
}

static void clear(void *of) { arena_clear(&((Choosing *)of)->candidates); }

const Tile *const *tiles_choose(const Kernel *const *kernels, int count, const Machine *machine,
                                const TilePins *pins, bool *applied, Diag *diag) {
    Arena *arena = diag->arena;
    Choosing all = {kernels,
                    count,
                    machine,
                    pins,
                    applied,
                    diag,
                    arena_array(arena, const Tile *, count + 1),
                    {.allocator = arena->allocator, .limit = arena->limit},
                    true};
    ensure(choose_all, clear, &all);
    return all.ok ? all.tiles : NULL;
}
