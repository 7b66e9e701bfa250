/* device.c: a function on a device: the device, its program, its tensors in the device's memory.
 * In: the options, a function, tensors. Out: a call that is ready to launch. */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the device --------------------------------------------------------------------------- */

/* OpenMP reads it when the library is loaded. */
static void set_threads(int threads) {
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    if (threads) setenv("OMP_NUM_THREADS", text, 1);
}

/* The GPU, if there is a usable one. A driver without a device, or a device without its compiler,
 * is a remark; a machine without a driver is not. */
static Device *choose(Session *s) {
    const char *text;
    if (!cuda_devices(s->arena, &text)) return device_open(s->diag, DEVICE_CPU);
    if (nvrtc_version(s->arena, &text)) return device_open(s->diag, DEVICE_CUDA);
    diag_remark(s->diag, NOWHERE, "there is a GPU, but the CPU is used: %s", text);
    return device_open(s->diag, DEVICE_CPU);
}

Device *device_choose(Session *s) {
    const Options *o = s->options;
    set_threads(o->threads);
    Device *device =
        o->device == WHERE_AUTO
            ? choose(s)
            : device_open(s->diag, o->device == WHERE_CUDA ? DEVICE_CUDA : DEVICE_CPU);
    DeviceEntry entry = {false, 0};
    if (!device || !device->enter || device->enter(device, s->diag, &entry)) return device;
    device_close(device);
    return NULL;
}

void device_target(const Device *device, CompileOptions *options) {
    options->target = target_of_device(device->kind);
    options->emit.entry = options->emit.bare = true;
    options->emit.arch = device->arch;
}

bool device_load(Session *s, Device *device, Program *program) {
    progress_begin(device->kind == DEVICE_CUDA ? "NVRTC compiles" : "compiling C");
    interrupt_hold();
    bool ok = device->load(device, s->diag, program, s->options->keep);
    interrupt_release();
    progress_end();
    return ok;
}

/* ---- tensors ------------------------------------------------------------------------------ */

/* The CPU uses the tensors in place. */
static bool is_here(const Device *device) { return device->kind == DEVICE_CPU; }

static void *place(Session *s, Device *device, const Tensor *tensor) {
    if (is_here(device)) return tensor->data;
    void *at = device->allocate(device, s->diag, tensor->bytes);
    if (at && device->put(device, s->diag, at, tensor->data, tensor->bytes)) return at;
    device->release(device, at);
    return NULL;
}

static bool place_constants(Session *s, Device *device, const Call *call, Memory *m) {
    if (!call->prepared_bytes) return true;
    m->prepared = device->allocate(device, s->diag, (size_t)call->prepared_bytes);
    return m->prepared && device->prepare_constants(device, s->diag, call, m);
}

bool tensors_upload(Session *s, Device *device, const RunTensors *t, const Call *call,
                    DeviceTensors *placed) {
    int count = t->input_count + t->output_count;
    *placed = (DeviceTensors){.count = count, .at = arena_array(s->arena, void *, count + 1)};
    Memory *m = &placed->memory;
    m->tensors = placed->at;
    for (int i = 0; i < count; i++) {
        const Tensor *from = i < t->input_count ? t->input[i] : t->output[i - t->input_count];
        if (!(placed->at[i] = place(s, device, from))) return false;
    }
    m->workspace = device->allocate(device, s->diag, (size_t)call->workspace_bytes);
    return m->workspace && place_constants(s, device, call, m);
}

bool tensors_download(Session *s, Device *device, const DeviceTensors *placed,
                      const RunTensors *t) {
    for (int i = 0; !is_here(device) && i < t->output_count; i++)
        if (!device->get(device, s->diag, t->output[i]->data, placed->at[t->input_count + i],
                         t->output[i]->bytes))
            return false;
    return true;
}

void tensors_release(Device *device, DeviceTensors *placed) {
    for (int i = 0; !is_here(device) && i < placed->count; i++)
        device->release(device, placed->at[i]);
    device->release(device, placed->memory.prepared);
    device->release(device, placed->memory.workspace);
    *placed = (DeviceTensors){0};
}
