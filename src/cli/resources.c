/* resources.c: fusec explain --resources: what NVRTC gives the kernels of a GPU.
 * In: a compilation with its source. Out: registers, spills and shared memory of each function,
 * from the cubin; and the occupancy that they allow. */
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

/* A formula that is a number; -1: it depends on dims. */
static int whole(const char *formula) {
    return formula && *formula && !formula[strspn(formula, "0123456789")] ? atoi(formula) : -1;
}

static const char *known(Arena *arena, int number) {
    return number < 0 ? "-" : arena_printf(arena, "%d", number);
}

static void put_kernel(Arena *arena, const Machine *gpu, const ProgramKernel *kernel,
                       const KernelUse *use, Text *out) {
    const int x = whole(kernel->block_x), y = whole(kernel->block_y),
              shared = whole(kernel->shared);
    const int threads = x < 0 || y < 0 ? -1 : x * y;
    text_printf(out, "%-24s %9d %6d %7lld %7s %7s", kernel->function, use->registers, use->local,
                (long long)use->shared, known(arena, shared), known(arena, threads));
    if (threads > 0 && shared >= 0) {
        const Waves w = occupancy_of(gpu, threads, use->registers, use->shared + shared);
        text_printf(out, " %6d %8.0f %%  %s", w.blocks, 100 * w.occupancy, w.limited);
    }
    text_char(out, '\n');
}

typedef struct Listing {
    Session *s;
    const Compilation *c;
    Text *out;
    char *cubin;
    size_t size;
} Listing;

static void put_kernels(void *of) {
    const Listing *w = of;
    text_printf(w->out, "%-24s %9s %6s %7s %7s %7s %6s %10s  %s\n", "kernel", "registers", "local",
                "shared", "dynamic", "threads", "blocks", "occupancy", "limited by");
    for (int i = 0; i < w->c->functions.count; i++)
        for (int k = 0; k < w->c->programs[i].kernel_count; k++) {
            const ProgramKernel *kernel = &w->c->programs[i].kernels[k];
            KernelUse use;
            if (kernel_has_code(kernel) && cubin_use(w->cubin, w->size, kernel->function, &use))
                put_kernel(w->s->arena, w->c->plans[i]->machine, kernel, &use, w->out);
        }
}

static void free_cubin(void *of) { free(((Listing *)of)->cubin); }

bool explain_resources(Session *s, const Compilation *c, Text *out) {
    const NvrtcInput input = {.source = text_get(&c->source),
                              .file = arena_printf(s->arena, "%s.cu", c->name),
                              .arch = s->options->arch ? s->options->arch : "sm_80",
                              .keep = s->options->keep};
    Listing w = {.s = s, .c = c, .out = out};
    progress_begin("compiling CUDA");
    w.cubin = nvrtc_compile(s->diag, &input, NVRTC_CUBIN, &w.size);
    progress_end();
    if (w.cubin) ensure(put_kernels, free_cubin, &w);
    return diag_status(s->diag) == STATUS_OK;
}
