/* outputs.c: outputs that another program made, for comparison with the reference evaluator.
 * In: the --against file. Out: its tensors, in place of the outputs of a run. */
#include "cli/command.h"

#include <string.h>

static bool no_output(Session *s, const char *path, const char *name) {
    diag_error(s->diag, NOWHERE, "%s has no output %s", path, name);
    if (is_npy(path))
        diag_note(s->diag, NOWHERE, "a .npy file is of the output that it is named after: %s.npy",
                  name);
    return false;
}

static bool has_shape_of(const Tensor *a, const Tensor *b) {
    return a->type == b->type && a->rank == b->rank &&
           !memcmp(a->shape, b->shape, sizeof *a->shape * (size_t)a->rank);
}

static bool wrong_shape(Session *s, const char *path, const GraphOutput *output, const Tensor *is,
                        const Tensor *want) {
    Text is_text = text_new(s->arena), want_text = text_new(s->arena);
    tensor_shape_print(is->type, is->rank, is->shape, &is_text);
    tensor_shape_print(want->type, want->rank, want->shape, &want_text);
    diag_error(s->diag, output->span, "output %s is %s in %s, not %s", output->name,
               text_get(&is_text), path, text_get(&want_text));
    return false;
}

static bool place(Session *s, const Graph *g, const char *path, NamedTensors *from, RunTensors *t) {
    for (int i = 0; i < g->outputs.count; i++) {
        const GraphOutput *output = &g->outputs.at[i];
        int j = 0;
        while (j < from->count && strcmp(from->at[j].name, output->name) != 0) j++;
        if (j == from->count) return no_output(s, path, output->name);
        Tensor *given = from->at[j].tensor;
        if (!has_shape_of(given, t->output[i]))
            return wrong_shape(s, path, output, given, t->output[i]);
        from->at[j].tensor = t->output[i];
        t->output[i] = given;
    }
    return true;
}

bool run_outputs_read(Session *s, const Graph *g, RunTensors *t) {
    NamedTensors read = {0};
    const char *path = s->options->against;
    Dtype expected = g->outputs.count == 1 ? t->output[0]->type : T_NONE;
    bool ok = tensors_read(s->diag, path, expected, &read) && place(s, g, path, &read, t);
    tensors_free(&read);
    return ok;
}
