/* wgmma_text.c: the wgmma instruction as a function: the number of its registers is part of its
 * text.
 * In: shape and types. Out: text. */
#include "emit/cuda/cuda.h"

/* By the type of the operands; both are a row of 32 bytes along k (PTX ISA, "Asynchronous Warpgroup
 * Level Matrix Instructions"). 16-bit operands alone may be MN-major. */
typedef struct TypeText {
    const char *products, *type, *sum; /* name in comments; of operands and sums in PTX */
    const char *c, *constraint;        /* of sums in CUDA */
    const char *last;                  /* arguments after the one that counts sums: signs */
} TypeText;

static const TypeText types[] = {[T_BF16] = {"bf16", "bf16", "f32", "float", "+f", ", 1, 1"},
                                 [T_F16] = {"f16", "f16", "f32", "float", "+f", ", 1, 1"},
                                 [T_F8E4M3] = {"f8e4m3", "e4m3", "f32", "float", "+f", ", 1, 1"},
                                 [T_F8E5M2] = {"f8e5m2", "e5m2", "f32", "float", "+f", ", 1, 1"},
                                 [T_F32] = {"tf32", "tf32", "f32", "float", "+f", ", 1, 1"},
                                 [T_I8] = {"i8", "s8", "s32", "int", "+r", ""}};

static const TypeText *text_of(Dtype type) {
    if ((size_t)type >= sizeof types / sizeof *types || !types[type].type)
        BUG("wgmma: products of %s", dtype_name(type));
    return &types[type];
}

const char *cuda_wgmma_type(Dtype type) { return text_of(type)->products; }

enum { NUMBERS_LINE = 14, SUMS_LINE = 5, LEFT = 4 }; /* in a line of text; registers of a */

/* "%0, %1, %2, ": of all accumulators, in strings of one line each. */
static void put_numbers(int count, Text *out) {
    for (int i = 0; i < count; i++) {
        if (i % NUMBERS_LINE == 0) text_printf(out, "%s        \"", i ? "\"\n" : "");
        text_printf(out, "%%%d%s", i, i + 1 < count ? ", " : "");
    }
    text_str(out, "\"\n");
}

static void put_sums(int count, const char *constraint, Text *out) {
    for (int i = 0; i < count; i++) {
        const char *between = i % SUMS_LINE ? ", " : i ? ",\n          " : "";
        text_printf(out, "%s\"%s\"(sum[%d])", between, constraint, i);
    }
}

static const char *parameters(const WgmmaText *w) {
    return w->in_registers
               ? "unsigned a0, unsigned a1, unsigned a2, unsigned a3,\n    unsigned long long b"
               : "unsigned long long a, unsigned long long b";
}

void cuda_wgmma_text(const WgmmaText *w, Text *out) {
    enum { STEP = 32 }; /* bytes along k */
    const int sums = w->columns / 2, size = (int)dtype_size(w->type), depth = STEP / size;
    const TypeText *text = text_of(w->type);
    text_printf(out,
                "/* sum += a b of a warpgroup: 64 x %d, %d along k; %s. */\n%sDEVICE void "
                "%s(%s (&sum)[%d], %s) {\n    asm volatile(\n"
                "        \"wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s {\"\n",
                w->columns, depth, w->comment, w->adds ? "template <int ADDS>\n" : "", w->name,
                text->c, sums, parameters(w), w->columns, depth, text->sum, text->type, text->type);
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
    text_str(out, text->last);
    if (size == 2 && !w->in_registers) text_printf(out, ", %d", w->a_across);
    if (size == 2) text_printf(out, ", %d", w->b_across);
    text_str(out, ";\"\n        : ");
    put_sums(sums, text->constraint, out);
    text_printf(out, "\n        : %s\"l\"(b)%s);\n}\n\n",
                w->in_registers ? "\"r\"(a0), \"r\"(a1), \"r\"(a2), \"r\"(a3), " : "\"l\"(a), ",
                w->adds ? ", \"n\"(ADDS)" : "");
}
