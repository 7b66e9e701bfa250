/* bench_advice.c: fusec bench --advice: sizes that might be faster, measured beside those that are.
 * In: a model with dims by -D. Out: a table. The advice is that of advice.c; on the CPU, for which
 * expected times do not tell such sizes apart, the next multiple of a vector of each dim. */
#include "cli/command.h"

enum { VECTOR = 16, TURNS = 3 };

/* Seconds of all kernels of all functions; 0 after a diagnostic. */
static double time_all(Session *s, FusecContext *context, Compilation *c) {
    double sum = 0;
    for (int i = 0; i < c->functions.count; i++) {
        RunTensors tensors = {0};
        Ready ready = {0};
        int sets = 0;
        const int first = s->diag->messages.count;
        bool ok = run_tensors_make(s, c->functions.at[i].lowered, &tensors) &&
                  ready_make(s, context, c, i, &tensors, &ready);
        if (ok) {
            const int kernels = (int)fusec_executable_kernel_count(ready.executable);
            Timing *timings = arena_array(s->arena, Timing, kernels + 1);
            ok = measure(s, &ready, timings, &sets);
            sum += timings[kernels].median;
        }
        if (ok) s->diag->messages.count = first; /* that its inputs are random */
        ready_release(&ready);
        run_tensors_free(&tensors);
        if (!ok) return 0;
    }
    return sum;
}

static void round_up(Session *s, const CompileOptions *o, Advices *all) {
    for (int i = 0; i < o->binding_count; i++) {
        const int64_t from = o->bindings[i].value, to = (from + VECTOR - 1) / VECTOR * VECTOR;
        if (from > 1 && to != from)
            vec_push(s->arena, all,
                     ((Advice){.dim = o->bindings[i].name, .from = from, .to = to, .binding = i}));
    }
}

/* In turns, the least of each: a disturbance affects both. */
static bool compare(Session *s, FusecContext *context, Compilation *now, Compilation *then,
                    double *is, double *would) {
    for (int turn = 0; turn < TURNS; turn++) {
        const double a = time_all(s, context, now), b = time_all(s, context, then);
        if (!(a > 0) || !(b > 0)) return false;
        if (!turn || a < *is) *is = a;
        if (!turn || b < *would) *would = b;
    }
    return true;
}

static void put_line(const Advice *a, double is, double would, Text *out) {
    const size_t start = out->size;
    text_printf(out, "%s = %lld -> %lld", a->dim, (long long)a->from, (long long)a->to);
    text_pad(out, start, 28);
    if (a->share > 0)
        text_printf(out, " %8.0f %%", 100 * a->share);
    else
        text_printf(out, " %10s", "-");
    text_printf(out, " %12.2f %12.2f %8.0f %%\n", 1e6 * is, 1e6 * would, 100 * (1 - would / is));
}

bool bench_advice(Session *s, FusecContext *context, Text *out) {
    CompileOptions o = s->options->compile;
    context_target(context, &o);
    Compilation *now = compile_file(s, &o);
    if (!now || diag_status(s->diag) != STATUS_OK) return false;
    Advices all = advice_make(s, now, &o);
    if (!machine_is_gpu(o.target->machine(o.emit.arch))) round_up(s, &o, &all);
    if (!all.count) text_str(out, "no size that -D gives is expected to gain by another one\n");
    for (int i = 0; i < all.count; i++) {
        double is = 0, would = 0;
        Compilation *then = compile_with_size(s, &o, all.at[i].binding, all.at[i].to);
        if (!then) continue;
        if (!compare(s, context, now, then, &is, &would)) return false;
        if (!i)
            text_printf(out, "%-28s %10s %12s %12s %10s\n", "size", "expected", "us now", "us then",
                        "saved");
        put_line(&all.at[i], is, would, out);
    }
    return true;
}
