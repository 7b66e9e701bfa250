/* measure.c: times the kernels of a function.
 * In: a function that is ready to launch, and its tensors. Out: for each kernel, and for all
 * together, the median and the least time of a launch. Launches rotate through several sets of
 * buffers, so that no data is left in a cache. Short launches are timed several at a time. Kernels
 * take turns, so that a disturbance of the machine affects all of them. */
#include "cli/command.h"

#include <stdlib.h>

enum {
    SETS_MOST = 1024,
    CACHES = 2,      /* times the largest cache: the size of all sets */
    BATCH_MOST = 64, /* launches between two readings of the clock */
    ROUNDS_LEAST = 7,
    ROUNDS_MOST = 200,
    ALIGN = 256
};
static const double batch_seconds = 200e-6, warm_seconds = 0.2, all_seconds = 1.0;
/* On a GPU the host takes up to 20 us for the first launch of a batch, and is ahead for the others.
 */
static const double gpu_batch_seconds = 2e-3;

/* The buffers of every set, in one piece of memory. */
typedef struct Sets {
    int count, tensors;
    char *bytes;
    Memory *memory; /* one for each set */
} Sets;

typedef struct Bench {
    Session *s;
    Device *d;
    const FusecExecutable *executable;
    const Call *call; /* its */
    Sets sets;
    int next; /* next set */
} Bench;

/* ---- buffers ------------------------------------------------------------------------------ */

static size_t aligned(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN; }

static const Tensor *tensor_at(const RunTensors *t, int i) {
    return i < t->input_count ? t->input[i] : t->output[i - t->input_count];
}

static size_t set_bytes(const Bench *b, const RunTensors *t) {
    size_t bytes =
        aligned((size_t)b->call->workspace_bytes) + aligned((size_t)b->call->prepared_bytes);
    for (int i = 0; i < t->input_count + t->output_count; i++)
        bytes += aligned(tensor_at(t, i)->bytes);
    return bytes ? bytes : ALIGN;
}

static bool fill_set(Bench *b, const RunTensors *t, int set, char *bytes) {
    void **at = arena_array(b->s->arena, void *, b->sets.tensors + 1);
    for (int i = 0; i < b->sets.tensors; i++) {
        const Tensor *from = tensor_at(t, i);
        at[i] = bytes;
        if (!b->d->put(b->d, b->s->diag, bytes, from->data, from->bytes)) return false;
        bytes += aligned(from->bytes);
    }
    Memory *m = &b->sets.memory[set];
    *m = (Memory){.tensors = at, .workspace = bytes};
    if (!b->call->prepared_bytes) return true;
    m->prepared = bytes + aligned((size_t)b->call->workspace_bytes);
    return b->d->prepare_constants(b->d, b->s->diag, b->call, m);
}

static bool make_sets(Bench *b, const RunTensors *t) {
    size_t bytes = set_bytes(b, t), read = bytes - aligned((size_t)b->call->prepared_bytes);
    size_t wanted = CACHES * b->d->cache / read + 1; /* prepared bytes replace constants */
    Sets *sets = &b->sets;
    sets->count = wanted < SETS_MOST ? (int)wanted : SETS_MOST;
    sets->tensors = t->input_count + t->output_count;
    sets->memory = arena_array(b->s->arena, Memory, sets->count);
    sets->bytes = b->d->allocate(b->d, b->s->diag, (size_t)sets->count * bytes);
    for (int i = 0; sets->bytes && i < sets->count; i++)
        if (!fill_set(b, t, i, sets->bytes + (size_t)i * bytes)) return false;
    return sets->bytes;
}

/* ---- time --------------------------------------------------------------------------------- */

/* Mean seconds of `batch` launches, one set after the other. */
static bool time_batch(Bench *b, int kernel, int batch, double *seconds) {
    Device *d = b->d;
    const Sets *sets = &b->sets;
    if (!d->start(d, b->s->diag)) return false;
    for (int i = 0; i < batch; i++) {
        if (!succeeded(b->s, executable_launch(b->executable, &sets->memory[b->next], kernel)))
            return false;
        b->next = (b->next + 1) % sets->count;
    }
    if (!d->stop(d, b->s->diag, seconds)) return false;
    *seconds /= batch;
    return true;
}

/* Fills every set's temporaries, and runs until the clock rates are stable. */
static bool warm_up(Bench *b, double *seconds) {
    double total = 0;
    for (int i = 0; i < b->sets.count || total < warm_seconds; i++) {
        if (!time_batch(b, ALL_KERNELS, 1, seconds)) return false;
        total += *seconds > 1e-6 ? *seconds : 1e-6;
    }
    return true;
}

/* Times a kernel, then runs it once in every set: what the next one reads, such as indices, may lie
 * where later kernels store other values. */
static bool time_in_turn(Bench *b, int kernel, int batch, double *seconds) {
    if (!time_batch(b, kernel, batch, seconds)) return false;
    if (kernel == ALL_KERNELS || !b->call->workspace_bytes) return true;
    for (int i = 0; i < b->sets.count; i++)
        if (!succeeded(b->s, executable_launch(b->executable, &b->sets.memory[i], kernel)))
            return false;
    return true;
}

/* Chooses the launches of a batch from a first try. */
static bool choose_batch(Bench *b, int kernel, Timing *timing, double *total) {
    double seconds;
    if (!time_batch(b, kernel, 1, &seconds) || !time_in_turn(b, kernel, 1, &seconds)) return false;
    const double all = b->d->kind == DEVICE_CUDA ? gpu_batch_seconds : batch_seconds;
    double wanted = seconds > 0 ? all / seconds + 1 : BATCH_MOST;
    timing->batch = wanted < BATCH_MOST ? (int)wanted : BATCH_MOST;
    *total += seconds * timing->batch;
    return true;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_of(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_value);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Timing number `kernels` is that of all kernels together. */
static int target(int kernels, int i) { return i == kernels ? ALL_KERNELS : i; }

static bool time_rounds(Bench *b, int rounds, Timing *timings) {
    int kernels = b->call->program->kernel_count;
    double *seconds = arena_array(b->s->arena, double, rounds *(kernels + 1));
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i <= kernels; i++)
            if (!time_in_turn(b, target(kernels, i), timings[i].batch,
                              &seconds[i * rounds + round]))
                return false;
    for (int i = 0; i <= kernels; i++) {
        timings[i].median = median_of(seconds + i * rounds, rounds);
        timings[i].least = seconds[i * rounds];
        timings[i].rounds = rounds;
    }
    return true;
}

static bool time_all(Bench *b, Timing *timings) {
    int kernels = b->call->program->kernel_count, rounds = b->s->options->repeat;
    double seconds, total = 0;
    if (!warm_up(b, &seconds)) return false;
    for (int i = 0; i <= kernels; i++)
        if (!choose_batch(b, target(kernels, i), &timings[i], &total)) return false;
    if (!rounds) {
        double wanted = total > 0 ? all_seconds / total : ROUNDS_MOST;
        rounds = wanted > ROUNDS_MOST    ? ROUNDS_MOST
                 : wanted < ROUNDS_LEAST ? ROUNDS_LEAST
                                         : (int)wanted;
    }
    return time_rounds(b, rounds, timings);
}

bool measure(Session *s, const Ready *ready, Timing *timings, int *sets) {
    Bench b = {.s = s,
               .d = ready->device,
               .executable = ready->executable,
               .call = executable_call(ready->executable)};
    progress_begin("measuring");
    bool ok = make_sets(&b, ready->tensors) && time_all(&b, timings);
    progress_end();
    *sets = b.sets.count;
    b.d->release(b.d, b.sets.bytes);
    return ok;
}
