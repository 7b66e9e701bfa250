/* fuzz_tensor_files.c: libFuzzer target for .npy and .safetensors. The first byte chooses the kind
 * and the expected type; whatever is read must come back the same after being written. */
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/fusec-fuzz-XXXXXX", path[64];

static void round_trip(Diag *diag, Dtype expected, const NamedTensors *first) {
    NamedTensors again = {0};
    if (!tensors_write(diag, path, first) || !tensors_read(diag, path, expected, &again) ||
        again.count != first->count)
        abort();
    for (int i = 0; i < first->count; i++) {
        const NamedTensor *named = &first->at[i];
        const Tensor *same =
            first->count == 1 ? again.at[0].tensor : tensors_find(&again, named->name);
        if (!same || tensor_hash(same) != tensor_hash(named->tensor)) abort();
    }
    tensors_free(&again);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return mkdtemp(folder) ? 0 : 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    Arena *arena = arena_new(0);
    Diag *diag = diag_new(arena, 20);
    NamedTensors read = {0};
    Dtype expected = (Dtype)(data[0] / 2 % T_COUNT);
    snprintf(path, sizeof path, "%s/f.%s", folder, data[0] & 1 ? "npy" : "safetensors");
    if (!file_write_atomic(diag, path, data + 1, size - 1)) abort();
    if (tensors_read(diag, path, expected, &read))
        round_trip(diag, expected, &read);
    else if (!diag->errors && !diag->refusal)
        abort();
    tensors_free(&read);
    unlink(path);
    arena_free(arena);
    return 0;
}
