/* peaks.c: the peak rates of a device, which kernel times are compared with.
 * In: a device. Out: the rate of a copy, measured; the rate of multiply-adds, measured on the CPU,
 * from the data sheet of a GPU if it is known. */
#include "cli/command.h"
#include "emit/text/template.h"

#include <string.h>

enum { ROUNDS = 15, STEADY = 5, COPY_CPU = 64 << 20, COPY_GPU = 512 << 20, STEPS = 1 << 19 };

typedef int Threads(void);
typedef void Copy(char *to, const char *from, int64_t bytes);
typedef double MultiplyAdd(int64_t steps);

/* The CPU's functions of the probe; all NULL on a GPU. */
typedef struct Probe {
    CpuModule *module;
    Threads *threads;
    Copy *copy;
    MultiplyAdd *multiply_add, *multiply_add_f64;
} Probe;

static void find(const Probe *probe, const char *name, void *function) {
    void *address = cpu_symbol(probe->module, name);
    memcpy(function, &address, sizeof address);
}

static bool probe_load(Session *s, Device *device, Probe *probe) {
    static const KeyField about[] = {{"model", "bench"}, {"function", "peaks"}};
    Program program = {.source = template_text("host/peaks.c"), .about = {about, 2}};
    probe->module = cpu_device_compile(device, s->diag, &program);
    if (!probe->module) return false;
    find(probe, "fusec_threads", &probe->threads);
    find(probe, "fusec_copy", &probe->copy);
    find(probe, "fusec_multiply_add", &probe->multiply_add);
    find(probe, "fusec_multiply_add_f64", &probe->multiply_add_f64);
    return true;
}

static bool copy_once(Session *s, Device *d, const Probe *probe, char *memory, size_t bytes,
                      double *seconds) {
    if (!d->start(d, s->diag)) return false;
    if (probe->copy)
        probe->copy(memory + bytes, memory, (int64_t)bytes);
    else if (!d->copy(d, s->diag, memory + bytes, memory, bytes))
        return false;
    return d->stop(d, s->diag, seconds);
}

/* The fastest of several copies: bytes read and written per second. Enough is measured when some
 * in a row were hardly faster. */
static bool measure_copy(Session *s, Device *d, const Probe *probe, Peaks *peaks) {
    size_t least = d->kind == DEVICE_CPU ? COPY_CPU : COPY_GPU;
    size_t bytes = 2 * d->cache > least ? 2 * d->cache : least;
    char *memory = d->allocate(d, s->diag, 2 * bytes);
    bool ok = memory;
    for (int i = 0, slower = 0; ok && i < ROUNDS && slower < STEADY; i++, slower++) {
        double seconds = 0;
        ok = copy_once(s, d, probe, memory, bytes, &seconds);
        const double rate = ok && seconds > 0 ? 2 * (double)bytes / seconds : 0;
        if (rate > 1.01 * peaks->bytes) slower = -1;
        if (rate > peaks->bytes) peaks->bytes = rate;
    }
    d->release(d, memory);
    return ok;
}

static bool measure_multiply_add(Session *s, Device *d, MultiplyAdd *multiply_add, double *most) {
    for (int i = 0; i < ROUNDS; i++) {
        double seconds = 0, flops;
        if (!d->start(d, s->diag)) return false;
        flops = multiply_add(STEPS);
        if (!d->stop(d, s->diag, &seconds)) return false;
        if (seconds > 0 && flops / seconds > *most) *most = flops / seconds;
    }
    return true;
}

static bool measure_arithmetic(Session *s, Device *d, const Probe *probe, Peaks *peaks) {
    bool ok = measure_multiply_add(s, d, probe->multiply_add, &peaks->flops) &&
              measure_multiply_add(s, d, probe->multiply_add_f64, &peaks->double_flops);
    peaks->product_flops = peaks->flops; /* narrow floats are multiplied as f32 */
    return ok;
}

/* From the highest clock and the rate of a multiprocessor of the architecture per clock. */
static Peaks peaks_of_gpu(const Device *d) {
    const Machine *gpu = machine_gpu(d->arch);
    return (Peaks){.flops = 2 * gpu->fma * d->clocks, .product_flops = 2 * gpu->tensor * d->clocks};
}

bool peaks_measure(Session *s, Device *d, Peaks *peaks) {
    Probe probe = {0};
    *peaks = d->kind == DEVICE_CUDA ? peaks_of_gpu(d) : (Peaks){0};
    if (d->kind == DEVICE_CPU && !probe_load(s, d, &probe)) return false;
    if (probe.threads) peaks->threads = probe.threads();
    bool ok = measure_copy(s, d, &probe, peaks) &&
              (!probe.module || measure_arithmetic(s, d, &probe, peaks));
    cpu_free(probe.module);
    return ok;
}

double peaks_least_seconds(const Peaks *peaks, double bytes, double flops, Dtype product) {
    double rate = !product                   ? peaks->flops
                  : product == T_F64         ? peaks->double_flops
                  : dtype_is_narrow(product) ? peaks->product_flops
                                             : peaks->flops;
    double moving = peaks->bytes > 0 ? bytes / peaks->bytes : 0;
    double computing = rate > 0 ? flops / rate : 0;
    if (product && !(rate > 0)) return 0;
    return moving > computing ? moving : computing;
}

double peaks_expected_seconds(const Peaks *peaks, const Function *f, const char *kernel) {
    Plan plan = *f->plan;
    plan.machine = machine_as_measured(plan.g->arena, plan.machine, peaks->bytes, peaks->flops);
    for (int k = 0; k < plan.groups.count; k++)
        if (!strcmp(plan.groups.at[k].name, kernel)) return launch_seconds(&plan, k, &f->kernels);
    return 0;
}
