/* wgmma_text.c: wgmma instructions as a function: the number of their registers is part of their
 * text. All steps of a product are one asm statement: compilers take long for hundreds of operands
 * of each.
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

enum {
    NUMBERS_LINE = 14, /* in a line of text */
    OPERANDS_LINE = 5,
    DESCRIPTORS_LINE = 3,
    LEFT = 4,   /* registers of a */
    STEP = 32,  /* bytes along k */
    PANEL = 4,  /* steps of a panel */
    ACROSS = 16 /* elements of a step across panels */
};

/* "%0, %1, %2, ": of all accumulators, in strings of one line each. */
static void put_numbers(int count, const char *end, Text *out) {
    for (int i = 0; i < count; i++) {
        if (i % NUMBERS_LINE == 0) text_printf(out, "%s%s        \"", i ? "\"" : "", i ? end : "");
        text_printf(out, "%%%d%s", i, i + 1 < count ? ", " : "");
    }
    text_printf(out, "\"%s", end);
}

/* The operands of an asm, OPERANDS_LINE in a line, or DESCRIPTORS_LINE. */
typedef struct Operands {
    Text *out;
    int count, descriptors;
} Operands;

static void put_operand(Operands *o, const char *constraint, const char *name, int number) {
    const char *between = o->count % OPERANDS_LINE ? ", " : o->count ? ",\n          " : "";
    text_printf(o->out, "%s\"%s\"(%s[%d])", between, constraint, name, number);
    o->count++;
}

/* A descriptor, some units of 16 bytes behind that of the first step. */
static void put_descriptor(Operands *o, const char *name, int behind) {
    const bool is_first = o->descriptors % DESCRIPTORS_LINE == 0;
    const char *between = !is_first ? ", " : o->count ? ",\n          " : "";
    text_printf(o->out, behind ? "%s\"l\"(wgmma_further(%s, %d))" : "%s\"l\"(%s)", between, name,
                behind);
    o->count++, o->descriptors++;
}

/* Of a tile of so many rows: K-major ones are in panels. */
static int behind(bool across, int rows, int step) {
    const int bytes = across ? step * ACROSS * STEP * PANEL
                             : step / PANEL * rows * STEP * PANEL + step % PANEL * STEP;
    return bytes / 16;
}

static void put_inputs(const WgmmaText *w, Text *out) {
    Operands o = {.out = out};
    for (int i = 0; w->in_registers && i < LEFT * w->steps; i++) put_operand(&o, "r", "a", i);
    for (int i = 0; !w->in_registers && i < w->steps; i++)
        put_descriptor(&o, "a", behind(w->a_across, w->a_rows, i));
    for (int i = 0; i < w->steps; i++) put_descriptor(&o, "b", behind(w->b_across, w->b_rows, i));
    if (w->adds) text_str(out, ", \"n\"(ADDS)");
}

/* The numbers of the operands of a step: of a, of b, and whether it adds to the sums. */
static void put_step(const WgmmaText *w, int step, const char *between, Text *out) {
    const int left = w->columns / 2, right = left + (w->in_registers ? LEFT : 1) * w->steps;
    const int a = left + LEFT * step;
    if (w->in_registers)
        text_printf(out, "{%%%d, %%%d, %%%d, %%%d}", a, a + 1, a + 2, a + 3);
    else
        text_printf(out, "%%%d", left + step);
    text_printf(out, "%s%%%d%s", between, right + step, between);
    if (w->adds)
        text_printf(out, "%%%d", right + w->steps);
    else
        text_str(out, w->sets && step == 0 ? "0" : "1");
}

/* One instruction; of several steps, as a macro of what differs between them. */
static void put_instruction(const WgmmaText *w, const TypeText *text, Text *out) {
    const int size = (int)dtype_size(w->type);
    const bool one = w->steps == 1;
    const char *end = one ? "\n" : " \\\n";
    if (!one) text_str(out, "#define STEP(a, b, adds) \\\n");
    text_printf(out, "        \"wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s {\"%s", w->columns,
                STEP / size, text->sum, text->type, text->type, end);
    put_numbers(w->columns / 2, end, out);
    text_str(out, "        \"}, ");
    if (one)
        put_step(w, 0, ", ", out);
    else
        text_str(out, "\" a \", \" b \", \" adds \"");
    text_str(out, text->last);
    if (size == 2 && !w->in_registers) text_printf(out, ", %d", w->a_across);
    if (size == 2) text_printf(out, ", %d", w->b_across);
    text_str(out, ";\"\n");
}

static const char *left_parameter(const WgmmaText *w, Arena *arena) {
    if (!w->in_registers) return "unsigned long long a";
    return arena_printf(arena, "const unsigned (&a)[%d]", LEFT * w->steps);
}

void cuda_wgmma_text(const WgmmaText *w, Text *out) {
    const int sums = w->columns / 2, depth = STEP / (int)dtype_size(w->type);
    const TypeText *text = text_of(w->type);
    const char *steps = w->steps == 1 ? "" : arena_printf(out->arena, "%d steps of ", w->steps);
    const char *head = arena_printf(out->arena, "DEVICE void %s(", w->name);
    text_printf(out, "/* sum %s a b of a warpgroup: 64 x %d, %s%d along k; %s. */\n%s",
                w->sets ? "=" : "+=", w->columns, steps, depth, w->comment,
                w->adds ? "template <int ADDS>\n" : "");
    text_printf(out, "%s%s (&sum)[%d], %s, unsigned long long b) {\n", head, text->c, sums,
                left_parameter(w, out->arena));
    if (w->steps == 1) text_str(out, "    asm volatile(\n");
    put_instruction(w, text, out);
    if (w->steps > 1) text_str(out, "    asm volatile(\n");
    for (int i = 0; w->steps > 1 && i < w->steps; i++) {
        text_str(out, "        STEP(\"");
        put_step(w, i, "\", \"", out);
        text_str(out, "\")\n");
    }
    Operands o = {.out = out};
    text_str(out, "        : ");
    for (int i = 0; i < sums; i++) put_operand(&o, text->constraint, "sum", i);
    text_str(out, "\n        : ");
    put_inputs(w, out);
    text_printf(out, ");\n%s}\n\n", w->steps == 1 ? "" : "#undef STEP\n");
}
