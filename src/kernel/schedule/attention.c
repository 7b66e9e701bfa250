/* attention.c: how the scores of an attention are computed: a factor that can be folded into
 * log2(e), and masks that can be applied after all else; the mask of a chain's weights.
 * In: a Body. Out: the factor; the value that is masked. */
#include "kernel/schedule/schedule.h"

static bool reads(const Body *b, int value, int what) {
    const Value *v = &b->values.at[value];
    for (int i = 0; i < value_sources(v); i++)
        if (v->src[i] == what || reads(b, v->src[i], what)) return true;
    return false;
}

/* Does x differ from the value only by masks, whose conditions do not read the scores? */
static bool is_but_masked(const Body *b, int x, int value, int scores) {
    const int side = value_mask_side(b, x);
    if (x == value || !side) return x == value;
    return !reads(b, b->values.at[x].src[0], scores) &&
           is_but_masked(b, b->values.at[x].src[side], value, scores);
}

/* Positive, so that the largest score stays the largest, and far from overflow and underflow. */
static bool is_scale(const Value *v) {
    return v->kind == V_CONST && v->type == T_F32 && const_float(v) > 0x1p-30 &&
           const_float(v) < 0x1p30;
}

/* Folding the factor of the score into log2(e) saves an instruction for each score. */
double attention_scale(const Body *b, int *scaled) {
    const AttentionValues *p = &b->attention;
    const Value *v = &b->values.at[p->unmasked];
    const int scores = b->accs.at[p->scores].result;
    const Value *difference = &b->values.at[b->values.at[p->e].src[0]];
    const Value *product = &b->values.at[difference->src[0]];
    *scaled = 0;
    if (v->kind != V_OP || v->op != OP_MUL || v->attr || product->kind != V_OP || product->op != OP_MUL)
        return 1;
    const Value *factor = &b->values.at[v->src[v->src[0] == scores]];
    const Value *log2e = &b->values.at[product->src[product->src[0] == p->x]];
    if ((v->src[0] != scores && v->src[1] != scores) || !is_scale(factor)) return 1;
    if (log2e->kind != V_CONST || !is_but_masked(b, p->x, p->unmasked, scores)) return 1;
    *scaled = p->unmasked;
    return const_float(factor);
}

static bool loads(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    if (v->kind == V_LOAD) return true;
    for (int i = 0; i < value_sources(v); i++)
        if (loads(b, v->src[i])) return true;
    return false;
}

/* Computing it once, for tiles with and without masked scores, halves the text of a long score
 * function. Loads would need addresses inside of their tensors. */
int attention_masked(const Body *b) {
    const AttentionValues *p = &b->attention;
    const int scores = b->accs.at[p->scores].result;
    if (p->x == p->unmasked || p->unmasked == scores) return 0;
    const bool is_late = is_but_masked(b, p->x, p->unmasked, scores) && !loads(b, p->unmasked);
    return is_late ? p->unmasked : 0;
}

/* Sets the outermost mask of a value; false: it has several. */
static bool one_mask(const Body *b, int value, int *mask) {
    const Value *v = &b->values.at[value];
    if (value_mask_side(b, value)) {
        const bool is_first = !*mask || *mask == value;
        *mask = value;
        return is_first;
    }
    for (int i = 0; i < value_sources(v); i++)
        if (!one_mask(b, v->src[i], mask)) return false;
    return true;
}

int chain_mask(const Body *b, int *unmasked) {
    int mask = 0;
    if (b->chain.across.is_there && !body_is_32bit(b)) return 0; /* registers are few */
    for (int i = 0; i < b->chain.out_count; i++)
        if (!one_mask(b, b->accs.at[b->chain.outs[i]].value, &mask)) return 0;
    *unmasked = mask;
    for (int side = value_mask_side(b, mask); side; side = value_mask_side(b, *unmasked))
        *unmasked = b->values.at[*unmasked].src[side];
    return mask;
}
