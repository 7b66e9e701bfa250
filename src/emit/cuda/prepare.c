/* prepare.c: the CUDA function that an application calls once to run the kernels that read constant
 * inputs only, and the memory that they leave for calls: buffer after buffer, each aligned as slots
 * of the workspace are. Constants that calls read themselves stay where they are.
 * In: Plan and launches. Out: text. */
#include "emit/cuda/launch.h"

#include <string.h>

static const char *prepared_offset(const Launcher *l, const Names *names, int buffer) {
    const char *const scratch = buffer > l->plan->buffers.count ? cuda_scratch(l, true) : "";
    Text out = text_new(l->arena);
    for (int i = 0; i < buffer && i < l->plan->buffers.count; i++) {
        if (!l->plan->buffers.at[i].prepared) continue;
        text_printf(&out, "%s%s", out.size ? " + " : "",
                    l->host->aligned(names, buffer_bytes(l->plan, i)));
    }
    if (*scratch) text_printf(&out, "%s%s", out.size ? " + " : "", scratch);
    return out.size ? text_get(&out) : "0";
}

const char *cuda_prepared_offset(const Launcher *l, int buffer) {
    return prepared_offset(l, l->names, buffer);
}

static bool is_given(const Parameters *given, int count, const char *name) {
    for (int k = 0; k < count; k++)
        if (parameters_have(&given[k], name)) return true;
    return false;
}

/* Those that kernels, or the maps that they get, are given. */
static bool is_used(const Launcher *l, bool once, const Buffer *b) {
    if (is_given(cuda_given(l, once), l->plan->groups.count, b->name)) return true;
    for (int k = 0; k < l->plan->groups.count; k++) {
        const Launch *made = &cuda_launcher(l)->made[k];
        for (int i = 0; l->plan->groups.at[k].once == once && i < made->map_count; i++)
            if (!strcmp(made->maps[i].buffer, b->name)) return true;
    }
    return false;
}

static void declare_places(const Launcher *l, bool once, Text *out) {
    const char *constant = once ? "" : "const ";
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (!b->prepared || !is_used(l, once, b)) continue;
        const char *type = cuda_storage(b->type), *offset = cuda_prepared_offset(l, i);
        const char *at =
            strcmp(offset, "0") == 0
                ? "prepared"
                : arena_printf(l->arena, "((%schar *)prepared + %s)", constant, offset);
        text_printf(out, "    %s%s *const %s = (%s%s *)%s;\n", constant, type, b->name, constant,
                    type, at);
    }
}

void cuda_declare_prepared(const Launcher *l, Text *out) {
    if (l->plan->constancy) declare_places(l, false, out);
}

static void call_kernels(const Launcher *l, Text *out) {
    for (int k = 0, number = 0; k < l->plan->groups.count; k++)
        if (l->plan->groups.at[k].once) cuda_call_kernel(l, k, number++, out);
}

void cuda_prepare_function(const Launcher *l, Text *out) {
    const Names recording = names_recording(l->names);
    host_prepare_document(l->host, l->names, out);
    host_query(l->host, &recording, true, "",
               prepared_offset(l, &recording, l->plan->buffers.count + 1), out);
    host_signature(l->host, l->names, true, out);
    host_guards(l, true, out);
    declare_places(l, true, out);
    declare_uniforms(l->host->dialect, l->names, l->kernels->at, cuda_given(l, true),
                     l->plan->groups.count, out);
    cuda_declare_status(l, true, out);
    call_kernels(l, out);
    text_str(out, "}\n\n");
}
