/* cut.c: Dinic's algorithm: levels by breadth-first search, then flow along rising levels, until
 * the sink has no level. Paths are found with a stack of their own: a graph may be deep. */
#include "graph/grad/cut.h"

#include <string.h>

Network network_new(Arena *arena, int places) {
    Network n = {.arena = arena, .places = places};
    n.first = arena_array(arena, int, places);
    n.level = arena_array(arena, int, places);
    n.turn = arena_array(arena, int, places);
    memset(n.first, -1, sizeof *n.first * (size_t)places);
    return n;
}

static void add_half(Network *n, int from, int to, int64_t capacity) {
    const CutEdge edge = {to, n->first[from], capacity};
    n->first[from] = n->edges.count;
    vec_push(n->arena, &n->edges, edge);
}

void network_edge(Network *n, int from, int to, int64_t capacity) {
    add_half(n, from, to, capacity);
    add_half(n, to, from, 0);
}

/* Levels of what the source reaches; -1 elsewhere. */
static void find_levels(Network *n, int source, int *queue) {
    int head = 0, count = 0;
    memset(n->level, -1, sizeof *n->level * (size_t)n->places);
    n->level[source] = 0;
    queue[count++] = source;
    while (head < count) {
        const int at = queue[head++];
        for (int e = n->first[at]; e >= 0; e = n->edges.at[e].next) {
            const CutEdge *edge = &n->edges.at[e];
            if (edge->left <= 0 || n->level[edge->to] >= 0) continue;
            n->level[edge->to] = n->level[at] + 1;
            queue[count++] = edge->to;
        }
    }
}

/* The next edge of a place that leads to the level above; -1: none is left. */
static int usable_edge(const Network *n, int at) {
    int e = n->turn[at];
    while (e >= 0 && (n->edges.at[e].left <= 0 || n->level[n->edges.at[e].to] != n->level[at] + 1))
        e = n->edges.at[e].next;
    return e;
}

static void use_path(Network *n, const int *path, int length) {
    int64_t flow = CUT_NEVER;
    for (int i = 0; i < length; i++)
        if (n->edges.at[path[i]].left < flow) flow = n->edges.at[path[i]].left;
    for (int i = 0; i < length; i++) {
        n->edges.at[path[i]].left -= flow;
        n->edges.at[path[i] ^ 1].left += flow;
    }
}

/* Fills all shortest paths. */
static void fill_levels(Network *n, int source, int sink, int *path) {
    int length = 0, at = source;
    memcpy(n->turn, n->first, sizeof *n->turn * (size_t)n->places);
    for (;;) {
        const int e = n->turn[at] = usable_edge(n, at);
        if (at == sink) {
            use_path(n, path, length);
            length = 0;
            at = source;
        } else if (e >= 0) {
            path[length++] = e;
            at = n->edges.at[e].to;
        } else if (length) { /* a dead end: its edge is passed over */
            const int back = path[--length];
            at = n->edges.at[back ^ 1].to;
            n->turn[at] = n->edges.at[back].next;
        } else {
            return;
        }
    }
}

const bool *network_cut(Network *n, int source, int sink) {
    int *work = arena_array(n->arena, int, n->places);
    bool *reached = arena_array(n->arena, bool, n->places);
    for (;;) {
        find_levels(n, source, work);
        if (n->level[sink] < 0) break;
        fill_levels(n, source, sink, work);
    }
    for (int i = 0; i < n->places; i++) reached[i] = n->level[i] >= 0;
    return reached;
}
