/* buffers.c: the tensors of a function in the device's memory, with guards around them.
 * In: tensors of this process. Out: sets of copies; outputs fetched, and whether a guard or an
 * input was overwritten. */
#include "tune/serve_private.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 256, ALIGN = 256, CACHES = 2, SETS_MOST = 1024, GUARD_BYTE = 0xa5, POISON = 0xff };
enum {
    PIECE = 1 << 20,
    WHOLE = 1 << 23, /* bytes of an input that is compared as a whole; of a larger one, */
    SAMPLES = 64,    /* so many pieces */
    SAMPLE = 1 << 12 /* of so many bytes, the first and the last among them */
};

static size_t aligned(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN; }

static Tensor *tensor_at(const Buffers *b, int i) {
    const TuneTensors *t = b->of;
    return i < t->input_count ? t->input[i] : t->output[i - t->input_count];
}

void *const *buffers_set(const Buffers *b, int set) { return b->tensor + set * b->tensors; }

/* ---- guards ------------------------------------------------------------------------------- */

/* A piece from this process; the device copies the rest. */
static bool fill(Device *d, Diag *diag, char *at, size_t bytes, int value) {
    if (!bytes) return true;
    size_t done = bytes < PIECE ? bytes : PIECE;
    char *piece = malloc(done);
    if (!piece) {
        diag_refuse_memory(diag, "malloc of %zu bytes", done);
        return false;
    }
    memset(piece, value, done);
    bool filled = d->put(d, diag, at, piece, done);
    for (; filled && done < bytes; done *= 2)
        filled = d->copy(d, diag, at + done, at, bytes - done < done ? bytes - done : done);
    filled = d->wait(d, diag) && filled;
    free(piece);
    return filled;
}

/* Are they as `fill` has left them? */
static bool verify(Device *d, Diag *diag, const char *at, size_t bytes, bool *is_whole) {
    unsigned char block[2 * GUARD];
    if (!d->get(d, diag, block, at, bytes)) return false;
    for (size_t i = 0; i < bytes; i++)
        if (block[i] != GUARD_BYTE) *is_whole = false;
    return true;
}

/* Guard number i of set 0 lies before tensor i; the last lies behind all. Less than 2 * GUARD. */
static char *guard_at(const Buffers *b, int i, size_t *bytes) {
    const size_t from = i ? b->at[i - 1] + tensor_at(b, i - 1)->bytes : 0;
    const size_t to = i < b->tensors ? b->at[i] : b->set_bytes;
    *bytes = to - from;
    return b->bytes + from;
}

/* ---- sets --------------------------------------------------------------------------------- */

static void lay_out(Buffers *b, Arena *arena) {
    size_t at = GUARD;
    b->tensors = b->of->input_count + b->of->output_count;
    b->at = arena_array(arena, size_t, b->tensors + 1);
    for (int i = 0; i < b->tensors; i++) {
        b->at[i] = at;
        at = aligned(at + tensor_at(b, i)->bytes + 1); /* the guard is never empty */
        if (at - b->at[i] - tensor_at(b, i)->bytes < GUARD) at += ALIGN;
    }
    b->set_bytes = at;
}

static void place_set(Buffers *b, int set) {
    for (int i = 0; i < b->tensors; i++)
        b->tensor[set * b->tensors + i] = b->bytes + (size_t)set * b->set_bytes + b->at[i];
}

/* The first from this process; the device copies the others. */
static bool fill_sets(Buffers *b, Diag *diag) {
    Device *d = b->device;
    bool filled = buffers_poison(b, diag);
    for (int i = 0; filled && i < b->of->input_count; i++)
        filled =
            d->put(d, diag, b->bytes + b->at[i], b->of->input[i]->data, b->of->input[i]->bytes);
    for (int set = 1; filled && set < b->sets; set++)
        filled = d->copy(d, diag, b->bytes + (size_t)set * b->set_bytes, b->bytes, b->set_bytes);
    return filled && d->wait(d, diag);
}

bool buffers_make(Buffers *b, Diag *diag, Device *device, const TuneTensors *of, int sets) {
    *b = (Buffers){.device = device, .of = of};
    lay_out(b, diag->arena);
    const size_t wanted = CACHES * device->cache / b->set_bytes + 1;
    b->sets = sets ? sets : wanted < SETS_MOST ? (int)wanted : SETS_MOST;
    b->tensor = arena_array(diag->arena, void *, b->sets * b->tensors + 1);
    b->bytes = device->allocate(device, diag, (size_t)b->sets * b->set_bytes);
    for (int i = 0; b->bytes && i < b->sets; i++) place_set(b, i);
    return b->bytes && fill_sets(b, diag);
}

void buffers_free(Buffers *b) {
    if (b->bytes) b->device->release(b->device, b->bytes);
    b->bytes = NULL;
}

bool buffers_poison(const Buffers *b, Diag *diag) {
    Device *d = b->device;
    for (int i = 0; i <= b->tensors; i++) {
        size_t bytes;
        char *at = guard_at(b, i, &bytes);
        if (!fill(d, diag, at, bytes, GUARD_BYTE)) return false;
    }
    for (int i = b->of->input_count; i < b->tensors; i++)
        if (!fill(d, diag, b->bytes + b->at[i], tensor_at(b, i)->bytes, POISON)) return false;
    return true;
}

static bool verify_piece(const Buffers *b, Diag *diag, int input, size_t from, size_t bytes,
                         void *piece, bool *is_whole) {
    const Tensor *t = b->of->input[input];
    Device *d = b->device;
    if (!d->get(d, diag, piece, b->bytes + b->at[input] + from, bytes)) return false;
    if (bytes && memcmp(piece, (const char *)t->data + from, bytes) != 0) *is_whole = false;
    return true;
}

/* Is it as it was? */
static bool verify_input(const Buffers *b, Diag *diag, int input, bool *is_whole) {
    const size_t bytes = b->of->input[input]->bytes;
    const bool is_small = bytes <= WHOLE;
    const size_t size = is_small ? bytes : SAMPLE,
                 step = is_small ? 0 : (bytes - size) / (SAMPLES - 1);
    void *piece = malloc(size ? size : 1);
    if (!piece) return diag_refuse_memory(diag, "malloc of %zu bytes", size), false;
    bool done = true;
    for (int i = 0; done && i < (is_small ? 1 : SAMPLES); i++)
        done = verify_piece(b, diag, input, i == SAMPLES - 1 ? bytes - size : (size_t)i * step,
                            size, piece, is_whole);
    free(piece);
    return done;
}

bool buffers_fetch(const Buffers *b, Diag *diag, const char **wrong) {
    Device *d = b->device;
    bool is_whole = true;
    *wrong = NULL;
    for (int i = b->of->input_count; i < b->tensors; i++)
        if (!d->get(d, diag, tensor_at(b, i)->data, b->bytes + b->at[i], tensor_at(b, i)->bytes))
            return false;
    for (int i = 0; i <= b->tensors; i++) {
        size_t bytes;
        const char *at = guard_at(b, i, &bytes);
        if (!verify(d, diag, at, bytes, &is_whole)) return false;
    }
    if (!is_whole) *wrong = "it writes outside of its outputs";
    is_whole = true;
    for (int i = 0; i < b->of->input_count; i++)
        if (!verify_input(b, diag, i, &is_whole)) return false;
    if (!is_whole) *wrong = "it writes to its inputs";
    return true;
}

/* ---- one piece ---------------------------------------------------------------------------- */

bool guarded_make(Guarded *g, Diag *diag, Device *device, size_t bytes) {
    *g = (Guarded){device, device->allocate(device, diag, bytes + GUARD), bytes};
    return g->memory && guarded_poison(g, diag);
}

void guarded_free(Guarded *g) {
    if (g->memory) g->device->release(g->device, g->memory);
    g->memory = NULL;
}

bool guarded_poison(const Guarded *g, Diag *diag) {
    return fill(g->device, diag, g->memory, g->bytes, POISON) &&
           fill(g->device, diag, g->memory + g->bytes, GUARD, GUARD_BYTE);
}

bool guarded_verify(const Guarded *g, Diag *diag, bool *is_whole) {
    return verify(g->device, diag, g->memory + g->bytes, GUARD, is_whole);
}
