/* places.c: in how many places does a fused kernel compute a value? One that readers take through
 * views that move elements is computed for each of these views, and again for each of its readers'
 * places: butterflies of butterflies would double and redouble.
 * In: nodes of the fused kernel. Out: a reason. */
#include "sched/fuse/fuse_private.h"

enum {
    PLACES = 16, /* of one value, at most: three levels of a butterfly, two of a stencil */
    MOVES = 7    /* so many reads through views make at most 3 * 2 * 2 places */
};

/* The places of a node: hashes of the views between it and what the kernel stores or reduces. */
typedef struct Places {
    int count; /* PLACES + 1: more */
    uint64_t at[PLACES];
} Places;

static uint64_t mixed(uint64_t hash, NodeId id) {
    hash = (hash ^ (uint64_t)id) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static void places_add(Places *p, uint64_t place) {
    for (int i = 0; i < p->count && i < PLACES; i++)
        if (p->at[i] == place) return;
    if (p->count < PLACES) p->at[p->count] = place;
    if (p->count <= PLACES) p->count++;
}

/* From a place of the reader to that of its source, below views. */
static uint64_t place_of_source(const Graph *g, NodeId reader, int s, NodeId source, uint64_t at) {
    NodeId id = is_transparent(g, reader) ? reader : g->node[reader].src[s];
    if (join_axis(&g->node[reader]) >= 0) return at; /* each part is stored in its own place */
    for (; id != source; id = g->node[id].src[0])
        if (op_info[g->node[id].op].class == VIEW) at = mixed(at, id);
    return at;
}

/* What reduces, and what reads by indices, is in one place. */
static bool is_one_place(OpClass class) { return class != MAP && class != VIEW; }

static void pass_on(const Graph *g, NodeId reader, int s, NodeId source, const Places *from,
                    Places *to) {
    const OpClass class = op_info[g->node[reader].op].class;
    if (class == DOT || class == COMBINE || class == GATHER) {
        places_add(to, mixed((uint64_t)s + 1, reader));
    } else if (is_one_place(class)) {
        places_add(to, place_of_source(g, reader, s, source, 0));
    } else {
        for (int i = 0; i < from->count && i < PLACES; i++)
            places_add(to, place_of_source(g, reader, s, source, from->at[i]));
        if (from->count > PLACES) to->count = PLACES + 1;
    }
}

Reason join_places(Clusters *c, int a, int b) {
    if (c->at[a].moves + c->at[b].moves <= MOVES) return FUSED;
    if (!c->at[b].moves) return FUSED; /* a is where b is */
    int count;
    const NodeId *node = clusters_nodes(c, a, b, &count);
    if (!c->places) c->places = arena_array(c->arena, Places, c->g->count);
    Places *const places = c->places;
    for (int i = 0; i < count; i++) places[i].count = 0;
    for (int i = count - 1; i >= 0; i--) {
        const Node *n = &c->g->node[node[i]];
        if (is_stored(c, node[i], a, b)) places_add(&places[i], 0);
        if (places[i].count > PLACES && op_info[n->op].class == MAP) return NO_RECOMPUTE;
        for (int s = 0; s < source_count(c->g, node[i]); s++) {
            const NodeId w = source_of(c->plan, n->src[s]);
            const int at = node_find(node, i, w);
            if (at >= 0) pass_on(c->g, node[i], s, w, &places[i], &places[at]);
        }
    }
    return FUSED;
}
