/* wgmma_text.c: the wgmma instruction as a function: the number of its registers is part of its
 * text.
 * In: shape and types. Out: text. */
#include "emit/cuda/cuda.h"

enum { NUMBERS_LINE = 14, SUMS_LINE = 5, LEFT = 4 }; /* in a line of text; registers of a */

/* "%0, %1, %2, ": of all accumulators, in strings of one line each. */
static void put_numbers(int count, Text *out) {
    for (int i = 0; i < count; i++) {
        if (i % NUMBERS_LINE == 0) text_printf(out, "%s        \"", i ? "\"\n" : "");
        text_printf(out, "%%%d%s", i, i + 1 < count ? ", " : "");
    }
    text_str(out, "\"\n");
}

static void put_sums(int count, Text *out) {
    for (int i = 0; i < count; i++) {
        const char *between = i % SUMS_LINE ? ", " : i ? ",\n          " : "";
        text_printf(out, "%s\"+f\"(sum[%d])", between, i);
    }
}

static const char *parameters(const WgmmaText *w) {
    return w->in_registers
               ? "unsigned a0, unsigned a1, unsigned a2, unsigned a3,\n    unsigned long long b"
               : "unsigned long long a, unsigned long long b";
}

void cuda_wgmma_text(const WgmmaText *w, Text *out) {
    const int sums = w->columns / 2;
    const char *type = w->type == T_BF16 ? "bf16" : "f16";
    text_printf(out,
                "/* sum += a b of a warpgroup: 64 x %d elements, 16 along k, %s. */\n%sDEVICE void "
                "%s(float (&sum)[%d], %s) {\n    asm volatile(\n"
                "        \"wgmma.mma_async.sync.aligned.m64n%dk16.f32.%s.%s {\"\n",
                w->columns, w->comment, w->adds ? "template <int ADDS>\n" : "", w->name, sums,
                parameters(w), w->columns, type, type);
    put_numbers(sums, out);
    int next = sums;
    if (w->in_registers)
        text_printf(out, "        \"}, {%%%d, %%%d, %%%d, %%%d}, %%%d, ", sums, sums + 1, sums + 2,
                    sums + 3, sums + LEFT);
    else
        text_printf(out, "        \"}, %%%d, %%%d, ", sums, sums + 1);
    next += w->in_registers ? LEFT + 1 : 2;
    if (w->adds)
        text_printf(out, "%%%d", next);
    else
        text_str(out, "1");
    text_str(out, ", 1, 1");
    if (!w->in_registers) text_printf(out, ", %d", w->a_across);
    text_printf(out, ", %d;\"\n        : ", w->b_across);
    put_sums(sums, out);
    text_printf(out, "\n        : %s\"l\"(b)%s);\n}\n\n",
                w->in_registers ? "\"r\"(a0), \"r\"(a1), \"r\"(a2), \"r\"(a3), " : "\"l\"(a), ",
                w->adds ? ", \"n\"(ADDS)" : "");
}
