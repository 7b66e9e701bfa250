/* device.c: a function on a device, through libfusec.
 * In: the options, a compilation, tensors. Out: a context of the device; a function that is
 * compiled for it, with its tensors in the device's memory. */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what libfusec says ------------------------------------------------------------------- */

/* Its remarks are ours. Errors come back as a status, too; here they are whole. */
static void hear(void *user, const FusecMessage *message) {
    Session *s = user;
    if (message->severity == FUSEC_ERROR)
        s->failure = arena_strdup(s->arena, message->text);
    else if (message->severity == FUSEC_WARNING)
        diag_warning(s->diag, NOWHERE, "%s", message->text);
    else if (message->severity == FUSEC_REMARK)
        diag_remark(s->diag, NOWHERE, "%s", message->text);
    else
        diag_note(s->diag, NOWHERE, "%s", message->text);
}

/* Its text has the place, too: main.c says that again. */
static NORETURN void leave_for_bug(const FusecError *e) {
    Recovery why = {LEFT_FOR_BUG, e->bug_file, e->bug_line, ""};
    const char *place = strstr(e->text, e->bug_file), *text = place ? strstr(place, ": ") : NULL;
    snprintf(why.text, sizeof why.text, "%s", text ? text + 2 : e->text);
    leave(&why);
}

bool succeeded(Session *s, FusecStatus status) {
    const FusecError *e = fusec_last_error();
    const char *text =
        s->failure && !strncmp(s->failure, e->text, strlen(e->text)) ? s->failure : e->text;
    s->failure = NULL;
    if (status == FUSEC_BUG) leave_for_bug(e);
    if (status == FUSEC_NO_MEMORY)
        diag_refuse_memory(s->diag, "%s", text);
    else if (status == FUSEC_REFUSED)
        diag_refuse(s->diag, "%s", text);
    else if (status)
        diag_error(s->diag, NOWHERE, "%s", text);
    return !status;
}

/* ---- the context -------------------------------------------------------------------------- */

/* OpenMP reads it when the library is loaded. */
static void set_threads(int threads) {
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    if (threads) setenv("OMP_NUM_THREADS", text, 1);
}

FusecContext *context_open(Session *s) {
    static const FusecDevice devices[] = {[WHERE_AUTO] = FUSEC_DEVICE_AUTO,
                                          [WHERE_CPU] = FUSEC_DEVICE_CPU,
                                          [WHERE_CUDA] = FUSEC_DEVICE_CUDA};
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    DeviceEntry entry = {false, 0};
    set_threads(s->options->threads);
    o.device = devices[s->options->device];
    o.cache = s->options->cache;
    o.log = hear;
    o.log_user = s;
    if (!succeeded(s, fusec_context_create(&o, &context))) return NULL;
    Device *device = context_device(context);
    if (!device->enter || device->enter(device, s->diag, &entry)) return context;
    fusec_context_release(context);
    return NULL;
}

void context_close(FusecContext *context) { fusec_context_release(context); }

void context_target(const FusecContext *context, CompileOptions *options) {
    const Device *device = context_device(context);
    compile_for_device(options, device);
    options->emit.aligned = true; /* as memory of all devices */
}

/* ---- tensors ------------------------------------------------------------------------------ */

/* The CPU uses the tensors in place. */
static bool is_here(const Device *device) { return device->kind == DEVICE_CPU; }

static const Tensor *tensor_at(const RunTensors *t, int i) {
    return i < t->input_count ? t->input[i] : t->output[i - t->input_count];
}

/* What a call overwrites is a copy: the check reads the inputs, too. */
static void *place(Session *s, Device *device, const Tensor *tensor, bool is_consumed) {
    if (is_here(device) && !is_consumed) return tensor->data;
    void *at = device->allocate(device, s->diag, tensor->bytes);
    if (at && device->put(device, s->diag, at, tensor->data, tensor->bytes)) return at;
    device->release(device, at);
    return NULL;
}

static bool upload(Session *s, Ready *r) {
    r->count = r->tensors->input_count + r->tensors->output_count;
    r->at = arena_array(s->arena, void *, r->count + 1);
    for (int i = 0; i < r->count; i++) {
        FusecArgument a = FUSEC_OPTIONS(FusecArgument);
        if (!succeeded(s, fusec_function_argument(r->function, (size_t)i, &a))) return false;
        r->at[i] = place(s, r->device, tensor_at(r->tensors, i), a.is_consumed);
        if (!r->at[i]) return false;
    }
    return true;
}

static bool bind_constants(Session *s, Ready *r) {
    const DLDevice where = {is_here(r->device) ? kDLCPU : kDLCUDA, 0};
    for (int i = 0; i < r->tensors->input_count; i++) {
        FusecArgument a = FUSEC_OPTIONS(FusecArgument);
        Tensor *t = r->tensors->input[i];
        if (!succeeded(s, fusec_function_argument(r->function, (size_t)i, &a))) return false;
        if (!a.is_constant) continue;
        const DLTensor bound = {r->at[i], where, t->rank, a.type, t->shape, NULL, 0};
        if (!succeeded(s, fusec_function_bind(r->function, a.name, &bound))) return false;
    }
    return true;
}

bool ready_download(Session *s, const Ready *r, void *const *at) {
    const RunTensors *t = r->tensors;
    for (int i = 0; i < t->output_count; i++) {
        const Tensor *output = t->output[i];
        const void *from = at[t->input_count + i];
        if (from != output->data &&
            !r->device->get(r->device, s->diag, output->data, from, output->bytes))
            return false;
    }
    return true;
}

/* ---- once more, in place ------------------------------------------------------------------- */

void **ready_in_place(Session *s, const Ready *r) {
    void **at = arena_array(s->arena, void *, r->count + 1);
    bool any = false;
    for (int i = 0; i < r->count; i++) {
        const int input = executable_may_be(r->executable, i);
        at[i] = r->at[input < 0 ? i : input];
        any |= input >= 0;
    }
    return any ? at : NULL;
}

static bool poison(Session *s, Device *device, char *at, size_t bytes) {
    enum { PIECE = 1 << 16 };
    char *const piece = arena_array(s->arena, char, PIECE);
    memset(piece, 0xff, PIECE);
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t size = bytes - done < PIECE ? bytes - done : PIECE;
        if (!device->put(device, s->diag, at + done, piece, size)) return false;
    }
    return true;
}

bool ready_again(Session *s, const Ready *r, void *const *at) {
    const RunTensors *t = r->tensors;
    bool ok = poison(s, r->device, r->options.workspace, r->options.workspace_bytes);
    for (int i = 0; ok && i < r->count; i++) {
        Tensor *tensor = i < t->input_count ? t->input[i] : t->output[i - t->input_count];
        if (i >= t->input_count) tensor_poison(tensor);
        if (at[i] != r->at[i])
            ok = poison(s, r->device, r->at[i], tensor->bytes);
        else if (at[i] != tensor->data)
            ok = r->device->put(r->device, s->diag, at[i], tensor->data, tensor->bytes);
    }
    return ok;
}

/* ---- the function ------------------------------------------------------------------------- */

static bool prepare(Session *s, Ready *r) {
    FusecPrepareOptions o = FUSEC_OPTIONS(FusecPrepareOptions);
    o.keep = s->options->keep;
    progress_begin(is_here(r->device) ? "compiling C" : "NVRTC compiles");
    interrupt_hold();
    FusecStatus status = fusec_prepare(r->function, r->tensors->dims, &o, &r->executable);
    interrupt_release();
    progress_end();
    return succeeded(s, status);
}

/* What --time-passes tells of the device's compiler. */
static void book_compiler(const Ready *r, Compilation *c) {
    FusecPass pass = FUSEC_OPTIONS(FusecPass);
    if (!fusec_executable_pass(r->executable, PASS_COMPILER, &pass))
        c->seconds[PASS_COMPILER] += pass.seconds;
}

static bool take_workspace(Session *s, Ready *r) {
    r->options = FUSEC_OPTIONS(FusecCallOptions);
    if (!succeeded(s, fusec_executable_workspace(r->executable, &r->options.workspace_bytes)))
        return false;
    r->options.workspace = r->device->allocate(r->device, s->diag, r->options.workspace_bytes);
    return r->options.workspace;
}

bool ready_make(Session *s, FusecContext *context, Compilation *c, int number, const RunTensors *t,
                Ready *r) {
    r->tensors = t;
    r->device = context_device(context);
    if (!succeeded(s, function_adopt(context, c, number, &r->function)) || !upload(s, r) ||
        !bind_constants(s, r) || !prepare(s, r))
        return false;
    book_compiler(r, c);
    return take_workspace(s, r);
}

void ready_release(Ready *r) {
    if (!r->device) return;
    fusec_executable_release(r->executable);
    fusec_function_release(r->function);
    for (int i = 0; r->at && i < r->count; i++)
        if (r->at[i] != tensor_at(r->tensors, i)->data) r->device->release(r->device, r->at[i]);
    r->device->release(r->device, r->options.workspace);
    *r = (Ready){0};
}
