/* bins.c: how many results of a scatter fit in the shared memory of a block, or in L2 of a core.
 * In: a machine, bytes of the results. Out: numbers. */
#include "sched/cost/cost.h"

int64_t cost_bin_bytes(const Graph *g, NodeId binned) {
    const Node *n = &g->node[binned];
    int64_t bytes = (int64_t)dtype_size(n->type), extent;
    for (int i = 1; i < n->rank; i++) {
        if (!dim_is_const(g->dims, n->shape[i], &extent)) BUG("bins: their number is open");
        bytes *= extent;
    }
    return bytes;
}

int cost_bin_tables(const Machine *machine, int64_t bytes) {
    enum { CORE = 1 << 20 }; /* stays in its caches */
    return (int)((machine_is_gpu(machine) ? machine->shared_block : CORE) / bytes);
}
