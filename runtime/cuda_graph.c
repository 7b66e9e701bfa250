/* cuda_graph.c: all kernels of a call as one graph: one call of the driver launches them.
 * In: a Call. Out: a graph of kernels in sequence. Before a launch, the arguments of kernels whose
 * memory has changed are updated. One launch at a time. */
#include "runtime/cuda.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct GraphKernel {
    CudaGraphNode node;
    CudaSlots slots; /* as the driver has them */
} GraphKernel;

struct DeviceGraph {
    CudaGraph graph;
    CudaGraphExec exec;
    int count;
    GraphKernel kernel[];
};

static CudaKernelNode node_of(const CudaDevice *c, const Call *call, int number, CudaSlots *slots) {
    const CudaProgram *loaded = call->program->loaded;
    const CudaLaunch *l = &call->launches[number];
    return (CudaKernelNode){.function = loaded->kernel[number].function,
                            .grid_x = l->grid,
                            .grid_y = 1,
                            .grid_z = 1,
                            .block_x = l->block_x,
                            .block_y = l->block_y,
                            .block_z = 1,
                            .shared = l->shared,
                            .arguments = slots->argument,
                            .context = c->context};
}

/* ---- making it ---------------------------------------------------------------------------- */

static bool add_kernel(const CudaDevice *c, Diag *diag, const Call *call, DeviceGraph *g, int i) {
    const Memory none = {NULL, NULL, NULL, NULL};
    CudaSlots *slots = &g->kernel[i].slots;
    if (!cuda_fill_slots(c, diag, &call->program->kernels[i], &call->launches[i], &none, slots))
        return false;
    const CudaKernelNode node = node_of(c, call, i, slots);
    return cuda_ok(diag, c, "cuGraphAddKernelNode",
                   c->driver.graph_kernel(&g->kernel[i].node, g->graph,
                                          i ? &g->kernel[i - 1].node : NULL, i > 0, &node));
}

/* A graph's memory changes with each call, and that of a node that sets memory may not. */
static bool has_zeroed(const Program *program) {
    for (int i = 0; i < program->kernel_count; i++)
        if (program->kernels[i].zeroed) return true;
    return false;
}

bool cuda_graph_make(Device *device, Diag *diag, const Call *call, DeviceGraph **graph) {
    const CudaDevice *c = cuda_of(device);
    const int count = call->program->kernel_count;
    if (has_zeroed(call->program)) return true; /* its kernels are launched one by one */
    DeviceGraph *g = *graph = calloc(1, sizeof *g + (size_t)count * sizeof g->kernel[0]);
    if (!g) {
        diag_refuse_memory(diag, "calloc: %s", strerror(ENOMEM));
        return false;
    }
    g->count = count;
    if (!cuda_ok(diag, c, "cuGraphCreate", c->driver.graph_new(&g->graph, 0))) return false;
    for (int i = 0; i < count; i++)
        if (!add_kernel(c, diag, call, g, i)) return false;
    return cuda_ok(diag, c, "cuGraphInstantiate", c->driver.graph_ready(&g->exec, g->graph, 0));
}

void cuda_graph_free(Device *device, DeviceGraph *g) {
    const CudaDevice *c = cuda_of(device);
    if (!g) return;
    if (g->exec) c->driver.exec_free(g->exec);
    if (g->graph) c->driver.graph_free(g->graph);
    free(g);
}

/* ---- launching it ------------------------------------------------------------------------- */

static bool is_same(const ProgramKernel *kernel, const CudaSlots *a, const CudaSlots *b) {
    size_t maps = 0;
    for (int i = 0; i < kernel->argument_count; i++) maps += kernel->arguments[i].map != NULL;
    return !memcmp(a->value, b->value, sizeof *a->value * (size_t)kernel->argument_count) &&
           !memcmp(a->map, b->map, sizeof *a->map * maps);
}

static bool change_kernel(const CudaDevice *c, Diag *diag, const Call *call, DeviceGraph *g, int i,
                          const Memory *m) {
    const ProgramKernel *kernel = &call->program->kernels[i];
    CudaSlots slots, *before = &g->kernel[i].slots;
    if (!cuda_fill_slots(c, diag, kernel, &call->launches[i], m, &slots)) return false;
    if (is_same(kernel, before, &slots)) return true;
    const CudaKernelNode node = node_of(c, call, i, &slots);
    if (!cuda_ok(diag, c, "cuGraphExecKernelNodeSetParams",
                 c->driver.graph_change(g->exec, g->kernel[i].node, &node)))
        return false;
    memcpy(before->value, slots.value, sizeof slots.value);
    memcpy(before->map, slots.map, sizeof slots.map);
    return true;
}

bool cuda_graph_launch(Device *device, Diag *diag, const Call *call, DeviceGraph *g,
                       const Memory *m) {
    const CudaDevice *c = cuda_of(device);
    for (int i = 0; i < g->count; i++)
        if (!change_kernel(c, diag, call, g, i, m)) return false;
    return cuda_ok(diag, c, "cuGraphLaunch",
                   c->driver.graph_launch(g->exec, m->stream ? *m->stream : c->stream));
}
