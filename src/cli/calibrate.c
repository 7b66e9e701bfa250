/* calibrate.c: fusec bench --calibrate: the figures of this CPU.
 * In: a device. Out: a file for --machine. A copy and multiply-adds are measured by a probe
 * (peaks.c); special functions and products of narrow types by kernels of fusec's own. */
#include "cli/command.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A model of one kernel, and how many operations it has. */
typedef struct Probe {
    Unit unit;
    const char *model;
    double operations;
} Probe;

#define SIDE "768"
enum { PRODUCT = 768 * 768, ELEMENTS = 1 << 16, EXPS = 16 };

static const Probe probes[] = {
    {UNIT_INT,
     "fn chain(x: i32[65536]) -> (y: i32[65536]) {\n"
     "    y = max(x * 3 + 1, x * 5 + 7) + max(x * 9 + 2, x * 7 + 5) + max(x * 11 + 4, x * 13 + "
     "6);\n"
     "}\n",
     17.0 * ELEMENTS},
    {UNIT_SPECIAL,
     "fn exps(x: f32[65536]) -> (y: f32[65536]) {\n"
     "    a = exp(x) + exp(x + 1) + exp(x + 2) + exp(x + 3);\n"
     "    b = exp(x + 4) + exp(x + 5) + exp(x + 6) + exp(x + 7);\n"
     "    c = exp(x + 8) + exp(x + 9) + exp(x + 10) + exp(x + 11);\n"
     "    d = exp(x + 12) + exp(x + 13) + exp(x + 14) + exp(x + 15);\n"
     "    y = a + b + c + d;\n"
     "}\n",
     (double)EXPS *ELEMENTS},
    {UNIT_BF16,
     "fn product(a: bf16[" SIDE ", " SIDE "], b: bf16[" SIDE ", " SIDE "]) -> (c: bf16[" SIDE
     ", " SIDE "]) {\n    c = a @ b;\n}\n",
     2.0 * PRODUCT * 768},
    {UNIT_I8,
     "fn product(a: i8[" SIDE ", " SIDE "], b: i8[" SIDE ", " SIDE "]) -> (c: i32[" SIDE ", " SIDE
     "]) {\n    c = a @ b;\n}\n",
     2.0 * PRODUCT * 768},
};

static bool time_model(Session *s, FusecContext *context, const char *text, double *seconds) {
    CompileOptions o = s->options->compile;
    o.bindings = NULL, o.binding_count = 0;
    context_target(context, &o);
    const int first = s->diag->messages.count;
    const uint32_t file = diag_source(s->diag, "<calibrate>", text, strlen(text));
    Compilation *c = compile(s->arena, s->diag, file, &o);
    RunTensors tensors = {0};
    Ready ready = {0};
    int sets = 0;
    if (diag_status(s->diag) != STATUS_OK) return false;
    Timing timings[2];
    const bool ok = run_tensors_make(s, c->functions.at[0].lowered, &tensors) &&
                    ready_make(s, context, c, 0, &tensors, &ready) &&
                    measure(s, &ready, timings, &sets);
    *seconds = timings[0].least;
    if (ok) s->diag->messages.count = first; /* that its inputs are random */
    ready_release(&ready);
    run_tensors_free(&tensors);
    return ok;
}

static bool write_chip(Session *s, const Chip *chip) {
    json_t *all = chip_json(chip);
    char *text = all ? json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(4)) : NULL;
    json_decref(all);
    if (!text) {
        diag_refuse(s->diag, "out of memory for the JSON");
        return false;
    }
    const char *line = arena_printf(s->arena, "%s\n", text);
    free(text);
    return write_output(s, s->options->output ? s->options->output : "-", line, strlen(line));
}

/* Beside a long copy, which a busy machine disturbs more. */
static bool time_memory(Session *s, FusecContext *context, Chip *chip) {
    static const char model[] = "fn moved(x: f32[1048576]) -> (y: f32[1048576]) { y = x + 1; }\n";
    const double bytes = 2.0 * 1048576 * sizeof(float);
    double seconds = 0;
    if (!time_model(s, context, model, &seconds)) return false;
    if (seconds > 0 && bytes / seconds > chip->bandwidth) chip->bandwidth = bytes / seconds;
    return true;
}

bool calibrate(Session *s, FusecContext *context) {
    Device *d = context_device(context);
    Peaks peaks = {0};
    Chip chip = {.name = d->name};
    if (d->kind != DEVICE_CPU) {
        diag_error(s->diag, NOWHERE, "--calibrate measures the CPU: add --device=cpu");
        return is_misuse(s);
    }
    if (!peaks_measure(s, d, &peaks)) return false;
    chip.processors = peaks.threads ? peaks.threads : 1;
    chip.bandwidth = peaks.bytes;
    chip.rate[UNIT_F32] = peaks.flops, chip.rate[UNIT_F64] = peaks.double_flops;
    if (!time_memory(s, context, &chip)) return false;
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        double seconds = 0;
        if (!time_model(s, context, probes[i].model, &seconds)) return false;
        if (seconds > 0) chip.rate[probes[i].unit] = probes[i].operations / seconds;
    }
    chip.source = arena_printf(s->arena, "measured by fusec bench --calibrate, %d thread%s",
                               chip.processors, chip.processors == 1 ? "" : "s");
    return write_chip(s, &chip);
}
