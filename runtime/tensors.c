/* tensors.c: tensors with names, and their files.
 * In: a path, whose suffix gives the format. Out: tensors, checked against the file's size before
 * memory is allocated. */
#include "runtime/runtime.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool tensors_add(NamedTensors *tensors, const char *name, Tensor *tensor) {
    if (tensors->count == tensors->cap) {
        int cap = tensors->cap ? 2 * tensors->cap : 8;
        NamedTensor *grown = realloc(tensors->at, (size_t)cap * sizeof *grown);
        if (!grown) return false;
        tensors->at = grown;
        tensors->cap = cap;
    }
    char *copy = strdup(name);
    if (copy) tensors->at[tensors->count++] = (NamedTensor){copy, tensor};
    return copy != NULL;
}

Tensor *tensors_find(const NamedTensors *tensors, const char *name) {
    for (int i = 0; i < tensors->count; i++)
        if (!strcmp(tensors->at[i].name, name)) return tensors->at[i].tensor;
    return NULL;
}

void tensors_cut(NamedTensors *tensors, int count) {
    while (tensors->count > count) {
        NamedTensor last = tensors->at[--tensors->count];
        free(last.name);
        tensor_free(last.tensor);
    }
}

void tensors_free(NamedTensors *tensors) {
    tensors_cut(tensors, 0);
    free(tensors->at);
    *tensors = (NamedTensors){0};
}

/* ---- for the readers -------------------------------------------------------------------- */

/* How a message about a tensor of a file begins. */
static const char *whose(Diag *diag, const char *path, const char *name) {
    return name ? arena_printf(diag->arena, "%s: tensor '%s'", path, name) : path;
}

bool tensor_fits(Diag *diag, const char *path, const char *name, Dtype type, int rank,
                 const int64_t *shape, uint64_t bytes) {
    int64_t count = shape_count(rank, shape);
    uint64_t size = dtype_size(type);
    if (count >= 0 && bytes % size == 0 && (uint64_t)count == bytes / size) return true;
    Text text = text_new(diag->arena);
    tensor_shape_print(type, rank, shape, &text);
    if (count < 0 || (uint64_t)count > UINT64_MAX / size)
        diag_error(diag, NOWHERE, "%s: %s has too many elements", whose(diag, path, name),
                   text_get(&text));
    else
        diag_error(diag, NOWHERE, "%s: %s needs %" PRIu64 " bytes, the file has %" PRIu64 " for it",
                   whose(diag, path, name), text_get(&text), (uint64_t)count * size, bytes);
    return false;
}

/* In C a bool that is neither 0 nor 1 is undefined behaviour: none comes in. */
static bool bools_are_valid(Diag *diag, const char *prefix, const Tensor *tensor) {
    const unsigned char *bytes = tensor->data;
    if (tensor->type != T_BOOL) return true;
    for (size_t i = 0; i < tensor->bytes; i++)
        if (bytes[i] > 1) {
            diag_error(diag, NOWHERE, "%s: element %zu is %d, but a bool is 0 or 1", prefix, i,
                       bytes[i]);
            return false;
        }
    return true;
}

Tensor *tensor_from_file(FileReader *file, const char *name, Dtype type, int rank,
                         const int64_t *shape, uint64_t offset) {
    Tensor *tensor = tensor_new(type, rank, shape);
    if (!tensor) {
        diag_refuse_memory(file->diag, "malloc for %s: %s", whose(file->diag, file->path, name),
                           strerror(ENOMEM));
        return NULL;
    }
    if (file_fetch(file, offset, tensor->data, tensor->bytes) &&
        bools_are_valid(file->diag, whose(file->diag, file->path, name), tensor))
        return tensor;
    tensor_free(tensor);
    return NULL;
}

/* ---- by suffix -------------------------------------------------------------------------- */

typedef enum FileKind { FILE_NPY, FILE_SAFETENSORS, FILE_UNKNOWN } FileKind;

static bool ends_with(const char *text, const char *end) {
    size_t size = strlen(text), end_size = strlen(end);
    return size >= end_size && !strcmp(text + size - end_size, end);
}

static FileKind file_kind(Diag *diag, const char *path) {
    if (ends_with(path, ".npy")) return FILE_NPY;
    if (ends_with(path, ".safetensors")) return FILE_SAFETENSORS;
    diag_error(diag, NOWHERE, "%s: the name ends in neither .npy nor .safetensors", path);
    return FILE_UNKNOWN;
}

static bool read_npy(Diag *diag, const char *path, Dtype expected, NamedTensors *out) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const char *stem = arena_strndup(diag->arena, file, strlen(file) - strlen(".npy"));
    Tensor *tensor = npy_read(diag, path, expected);
    if (tensor && tensors_add(out, stem, tensor)) return true;
    if (tensor) diag_refuse_memory(diag, "malloc for %s: %s", path, strerror(ENOMEM));
    tensor_free(tensor);
    return false;
}

bool tensors_read(Diag *diag, const char *path, Dtype expected, NamedTensors *out) {
    switch (file_kind(diag, path)) {
    case FILE_NPY: return read_npy(diag, path, expected, out);
    case FILE_SAFETENSORS: return safetensors_read(diag, path, NULL, out);
    default: return false;
    }
}

bool is_tensor_file(Diag *diag, const char *path) { return file_kind(diag, path) != FILE_UNKNOWN; }

bool tensors_may_write(Diag *diag, const char *path, int count) {
    FileKind kind = file_kind(diag, path);
    if (kind != FILE_NPY || count == 1) return kind != FILE_UNKNOWN;
    diag_error(diag, NOWHERE, "%s: a .npy file holds one tensor, not %d; use .safetensors", path,
               count);
    return false;
}

bool tensors_write(Diag *diag, const char *path, const NamedTensors *tensors) {
    if (!tensors_may_write(diag, path, tensors->count)) return false;
    if (ends_with(path, ".npy")) return npy_write(diag, path, tensors->at[0].tensor);
    return safetensors_write(diag, path, tensors);
}
