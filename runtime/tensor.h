/* tensor.h: tensors of host memory, and the files that they are read from and written to.
 * Ownership, errors and threads: see runtime.h. */
#ifndef FUSEC_TENSOR_H
#define FUSEC_TENSOR_H

#include "base/base.h"

/* ---- tensor.c --------------------------------------------------------------------------- */

enum { TENSOR_RANK_MAX = 8 };

/* Row-major and contiguous; data is aligned to 64 bytes and never NULL, even for no elements. */
typedef struct Tensor {
    Dtype type;
    int rank;
    int64_t shape[TENSOR_RANK_MAX];
    void *data;
    size_t bytes; /* count * dtype_size(type) */
} Tensor;

/* The number of elements; -1 when the shape is none: rank or a dim out of range, or overflow. */
int64_t shape_count(int rank, const int64_t *shape);
/* "f32[4096, 4096]"; a scalar is "f32". */
void tensor_shape_print(Dtype type, int rank, const int64_t *shape, Text *out);

/* Contents undefined. NULL, without a diagnostic, when out of memory or when the shape is none or
 * has more bytes than an object can have. */
Tensor *tensor_new(Dtype type, int rank, const int64_t *shape);
void tensor_free(Tensor *tensor); /* NULL is fine */
int64_t tensor_count(const Tensor *tensor);
/* Element `index` in row-major order; out of range is a bug of the caller. */
Scalar tensor_get(const Tensor *tensor, int64_t index);
void tensor_set(Tensor *tensor, int64_t index, Scalar value);
/* Element i depends on the seed and i alone: floats uniform in [-1, 1), exact in their type; i8 in
 * -8..7, other integers in 0..9, bool a fair coin. */
void tensor_random(Tensor *tensor, uint64_t seed);
/* Evenly from low on and below high; of integers, all that lie there. */
void tensor_random_between(Tensor *tensor, uint64_t seed, double low, double high);
/* Bytes that no kernel writes by chance: NaN in every float type (0xff), 0xcd elsewhere. */
void tensor_poison(Tensor *tensor);
/* Of type, shape and every byte. */
uint64_t tensor_hash(const Tensor *tensor);
/* "f32[4096, 4096]  mean 0.0012  max 3.1  checksum 9f3a60c2d1e4b587"; NaNs are counted apart. */
void tensor_summary(const Tensor *tensor, Text *out);

/* ---- file.c: whole files ---------------------------------------------------------------- */

/* All of a file of at most `most` bytes, with a NUL after them; free() it. "-" is standard
 * input. */
char *file_read(Diag *diag, const char *path, size_t most, size_t *size);

/* The same of a file that a model names: below `folder` ("": here), reached by no link and no "..".
 * In the arena. NULL, with the reason as the end of a message in *why: "is not there". (below.c) */
char *file_read_below(Arena *arena, const char *folder, const char *path, size_t most, size_t *size,
                      const char **why);

typedef struct FilePart {
    const void *data;
    size_t size;
} FilePart;

/* Writes the parts one after the other. A regular file appears under its name only when it is
 * complete: the bytes go to a temporary file beside it (beside what it points to, for a symbolic
 * link), which takes over an existing file's permissions and is renamed; on failure it is removed
 * and the old file untouched. "-" and "/dev/stdout" are standard output, and devices and pipes are
 * written straight. A directory is refused. Other processes see all or nothing; whether a power
 * failure does is the file system's affair. */
bool file_write_parts(Diag *diag, const char *path, const FilePart *parts, size_t count);
/* The same; a power failure leaves the old file or the new one. */
bool file_write_durable(Diag *diag, const char *path, const FilePart *parts, size_t count);
bool file_write_atomic(Diag *diag, const char *path, const void *data, size_t size);

/* A regular file, read in pieces. */
typedef struct FileReader {
    Diag *diag;
    const char *path;
    int fd;
    uint64_t size;
} FileReader;

bool file_open(FileReader *file, Diag *diag, const char *path);
/* Exactly `size` bytes from `offset` on; the caller has checked that the file holds them. */
bool file_fetch(FileReader *file, uint64_t offset, void *at, size_t size);
void file_close(FileReader *file);

/* ---- folder.c: private temporary folders ------------------------------------------------ */

const char *folder_base(void); /* where they are: $TMPDIR, else /tmp */
/* NULL, with errno and the call that failed in *why. */
const char *folder_make(Arena *arena, const char **why);
void folder_remove(const char *folder); /* with all that is in it; NULL is fine */

/* ---- tensors.c: named tensors, and files of them by suffix ------------------------------ */

typedef struct NamedTensor {
    char *name;
    Tensor *tensor;
} NamedTensor;

/* Starts as {0}. Owns its names and tensors. */
typedef struct NamedTensors {
    NamedTensor *at;
    int count, cap;
} NamedTensors;

/* Copies the name, takes the tensor. False, without a diagnostic and with the tensor still the
 * caller's, when out of memory. */
bool tensors_add(NamedTensors *tensors, const char *name, Tensor *tensor);
Tensor *tensors_find(const NamedTensors *tensors, const char *name); /* borrowed; NULL: none */
void tensors_cut(NamedTensors *tensors, int count); /* frees all from number `count` on */
void tensors_free(NamedTensors *tensors);           /* leaves {0} */

/* Adds the tensors of a .npy file (one, named for the file without folder and suffix) or a
 * .safetensors file (in the order of their data). `expected`: see npy_read. On failure nothing is
 * added. */
bool tensors_read(Diag *diag, const char *path, Dtype expected, NamedTensors *out);
/* Writes them to a .npy file (one tensor, its name is not kept) or a .safetensors file. */
bool tensors_write(Diag *diag, const char *path, const NamedTensors *tensors);
bool is_tensor_file(Diag *diag, const char *path); /* by the end of its name */
/* Can a file of that name hold so many? */
bool tensors_may_write(Diag *diag, const char *path, int count);

/* For the readers below. `name` is what to call the tensor in messages, NULL for the file's only
 * one. tensor_fits: a diag_error unless the shape needs just the bytes that the file has for it; to
 * be asked before anything is allocated. tensor_from_file: reads such a tensor from `offset` on. */
bool tensor_fits(Diag *diag, const char *path, const char *name, Dtype type, int rank,
                 const int64_t *shape, uint64_t bytes);
Tensor *tensor_from_file(FileReader *file, const char *name, Dtype type, int rank,
                         const int64_t *shape, uint64_t offset);

/* ---- npy.c ------------------------------------------------------------------------------ */

/* NumPy has no bf16 or f8. As the ml_dtypes package does, bf16 is written as '<V2', f8e4m3 as
 * '<V1' and f8e5m2 as '<f1'. "V" means plain bytes, so it is read only when `expected` names a
 * type of that size written so; `expected` is T_NONE, or the type the reader hopes for, and
 * decides nothing else. Versions 1 to 3, C order, little endian. */
Tensor *npy_read(Diag *diag, const char *path, Dtype expected);
bool npy_write(Diag *diag, const char *path, const Tensor *tensor);

/* ---- safetensors.c ---------------------------------------------------------------------- */

/* Adds the tensor called `name`, or all when it is NULL. The whole header is checked either way. */
bool safetensors_read(Diag *diag, const char *path, const char *name, NamedTensors *out);
bool safetensors_write(Diag *diag, const char *path, const NamedTensors *tensors);

#endif
