/* cut.h: the minimum cut of a network with capacities, by Dinic's algorithm. */
#ifndef FUSEC_CUT_H
#define FUSEC_CUT_H

#include "base/base.h"

typedef struct CutEdge {
    int to, next; /* next: of the same place, -1: none; edge e ^ 1 leads back */
    int64_t left; /* capacity that is not used */
} CutEdge;

typedef struct Network {
    Arena *arena;
    int places, *first; /* of each place */
    int *level, *turn;  /* of the search */
    Vec(CutEdge) edges;
} Network;

#define CUT_NEVER (INT64_MAX / 4) /* the capacity of what is not cut */

Network network_new(Arena *arena, int places);
void network_edge(Network *n, int from, int to, int64_t capacity);
/* By place: is it on the side of the source? Of several minimum cuts, the one nearest to the
 * source. */
const bool *network_cut(Network *n, int source, int sink);

#endif
