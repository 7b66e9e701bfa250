/* safetensors.c: files of named tensors in the format of Hugging Face.
 *     length of the header (8 bytes, little endian), header (JSON), data
 *     {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {...}}
 * In: files of any content. Out: tensors or a message. The data has neither gaps nor overlaps. */
#include "runtime/runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

enum { LENGTH_SIZE = 8, HEADER_MOST = 8 << 20 };

static const char *const dtypes[T_COUNT] = {
    [T_BOOL] = "BOOL",      [T_U8] = "U8",          [T_I8] = "I8",     [T_I32] = "I32",
    [T_I64] = "I64",        [T_F8E4M3] = "F8_E4M3", [T_BF16] = "BF16", [T_F16] = "F16",
    [T_F8E5M2] = "F8_E5M2", [T_F32] = "F32",        [T_F64] = "F64"};

/* One tensor of the header; lo and hi count from the start of the data. */
typedef struct Entry {
    const char *name; /* the JSON's */
    Dtype type;
    int rank;
    int64_t shape[TENSOR_RANK_MAX];
    uint64_t lo, hi;
} Entry;

/* A file while it is read. */
typedef struct Archive {
    FileReader file;
    json_t *json;
    Entry *entry; /* by offset, once checked */
    int count;
    uint64_t data, data_size; /* where the data starts, its bytes */
} Archive;

/* ---- the header ------------------------------------------------------------------------- */

static bool fail(Archive *a, const char *name, const char *problem) {
    if (name)
        diag_error(a->file.diag, NOWHERE, "%s: tensor '%s': %s", a->file.path, name, problem);
    else
        diag_error(a->file.diag, NOWHERE, "%s: %s", a->file.path, problem);
    return false;
}

static bool fail_memory(Diag *diag, const char *path) {
    diag_refuse_memory(diag, "malloc for %s: %s", path, strerror(ENOMEM));
    return false;
}

static bool read_json(Archive *a, size_t size) {
    json_error_t error;
    char *text = malloc(size + 1);
    if (!text) return fail_memory(a->file.diag, a->file.path);
    if (file_fetch(&a->file, LENGTH_SIZE, text, size)) {
        a->json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
        if (!a->json && !*error.text)
            fail_memory(a->file.diag, a->file.path); /* all it tells */
        else if (!a->json)
            diag_error(a->file.diag, NOWHERE, "%s: header: %s (at byte %d)", a->file.path,
                       error.text, LENGTH_SIZE + error.position);
    }
    free(text);
    return a->json != NULL;
}

static bool read_header(Archive *a) {
    unsigned char length[LENGTH_SIZE];
    uint64_t size = 0;
    if (a->file.size < LENGTH_SIZE) return fail(a, NULL, "is not a safetensors file");
    if (!file_fetch(&a->file, 0, length, LENGTH_SIZE)) return false;
    for (int i = LENGTH_SIZE - 1; i >= 0; i--) size = size << 8 | length[i];
    if (size > a->file.size - LENGTH_SIZE)
        return fail(a, NULL, "is not a safetensors file, or cut off: its header is longer than it");
    if (size > HEADER_MOST) return fail(a, NULL, "the header is longer than 8 MiB");
    a->data = LENGTH_SIZE + size;
    a->data_size = a->file.size - a->data;
    if (!read_json(a, (size_t)size)) return false;
    return json_is_object(a->json) || fail(a, NULL, "header: not a JSON object");
}

/* ---- its entries ------------------------------------------------------------------------ */

static bool read_dtype(Archive *a, Entry *e, const json_t *json) {
    const char *name = json_string_value(json);
    if (!name) return fail(a, e->name, "'dtype' is not a string");
    for (Dtype type = T_NONE + 1; type < T_COUNT; type++)
        if (!strcmp(name, dtypes[type])) e->type = type;
    if (e->type) return true;
    diag_error(a->file.diag, NOWHERE,
               "%s: tensor '%s': element type '%s' is not supported (BOOL U8 I8 I32 I64 F8_E4M3 "
               "F8_E5M2 BF16 F16 F32 F64)",
               a->file.path, e->name, name);
    return false;
}

/* A JSON integer that is not negative; -1 for anything else. */
static int64_t natural(const json_t *json) {
    return json_is_integer(json) && json_integer_value(json) >= 0 ? json_integer_value(json) : -1;
}

static bool read_shape(Archive *a, Entry *e, const json_t *json) {
    if (!json_is_array(json)) return fail(a, e->name, "'shape' is not a list");
    if (json_array_size(json) > TENSOR_RANK_MAX) return fail(a, e->name, "has more than 8 dims");
    for (e->rank = 0; (size_t)e->rank < json_array_size(json); e->rank++) {
        e->shape[e->rank] = natural(json_array_get(json, (size_t)e->rank));
        if (e->shape[e->rank] < 0) return fail(a, e->name, "'shape' is not a list of sizes");
    }
    return true;
}

static bool read_offsets(Archive *a, Entry *e, const json_t *json) {
    int64_t lo = natural(json_array_get(json, 0)), hi = natural(json_array_get(json, 1));
    if (json_array_size(json) != 2 || lo < 0 || hi < lo)
        return fail(a, e->name, "'data_offsets' is not [start, end]");
    e->lo = (uint64_t)lo;
    e->hi = (uint64_t)hi;
    return e->hi <= a->data_size || fail(a, e->name, "its data is beyond the end of the file");
}

static bool read_entry(Archive *a, Entry *e, const char *name, const json_t *json) {
    *e = (Entry){.name = name};
    return (json_is_object(json) || fail(a, name, "is not a JSON object")) &&
           read_dtype(a, e, json_object_get(json, "dtype")) &&
           read_shape(a, e, json_object_get(json, "shape")) &&
           read_offsets(a, e, json_object_get(json, "data_offsets")) &&
           tensor_fits(a->file.diag, a->file.path, name, e->type, e->rank, e->shape, e->hi - e->lo);
}

static int entry_order(const void *left, const void *right) {
    const Entry *a = left, *b = right;
    if (a->lo != b->lo) return a->lo < b->lo ? -1 : 1;
    return (a->hi > b->hi) - (a->hi < b->hi);
}

static bool check_layout(Archive *a) {
    uint64_t end = 0;
    for (int i = 0; i < a->count; i++) {
        const Entry *e = &a->entry[i];
        if (e->lo < end) return fail(a, e->name, "its data overlaps another tensor's");
        if (e->lo > end) return fail(a, e->name, "there is a gap before its data");
        end = e->hi;
    }
    return end == a->data_size || fail(a, NULL, "there are bytes behind the last tensor");
}

static bool read_entries(Archive *a) {
    const char *name;
    json_t *json;
    a->entry = calloc(json_object_size(a->json) + 1, sizeof *a->entry);
    if (!a->entry) return fail_memory(a->file.diag, a->file.path);
    json_object_foreach(a->json, name, json) {
        if (!strcmp(name, "__metadata__")) continue;
        if (!read_entry(a, &a->entry[a->count++], name, json)) return false;
    }
    qsort(a->entry, (size_t)a->count, sizeof *a->entry, entry_order);
    return check_layout(a);
}

/* ---- reading ---------------------------------------------------------------------------- */

static bool read_tensor(Archive *a, const Entry *e, NamedTensors *out) {
    Tensor *tensor =
        tensor_from_file(&a->file, e->name, e->type, e->rank, e->shape, a->data + e->lo);
    if (tensor && tensors_add(out, e->name, tensor)) return true;
    if (tensor) fail_memory(a->file.diag, a->file.path);
    tensor_free(tensor);
    return false;
}

static bool read_tensors(Archive *a, const char *name, NamedTensors *out) {
    int found = 0;
    for (int i = 0; i < a->count; i++) {
        if (name && strcmp(name, a->entry[i].name)) continue;
        if (!read_tensor(a, &a->entry[i], out)) return false;
        found++;
    }
    return found || !name || fail(a, name, "the file has none of this name");
}

bool safetensors_read(Diag *diag, const char *path, const char *name, NamedTensors *out) {
    Archive a = {0};
    int before = out->count;
    if (!file_open(&a.file, diag, path)) return false;
    bool ok = read_header(&a) && read_entries(&a) && read_tensors(&a, name, out);
    file_close(&a.file);
    free(a.entry);
    json_decref(a.json);
    if (!ok) tensors_cut(out, before);
    return ok;
}

/* ---- writing ---------------------------------------------------------------------------- */

/* A file while it is written. */
typedef struct Layout {
    json_t *json;
    FilePart *parts; /* [0] is the header */
    size_t count;
    uint64_t end; /* of the data so far */
} Layout;

static bool place_tensor(Diag *diag, const char *path, Layout *l, const NamedTensor *named) {
    const Tensor *t = named->tensor;
    const char *problem = !text_is_utf8(named->name)              ? "is not UTF-8"
                          : json_object_get(l->json, named->name) ? "is there twice"
                          : !strcmp(named->name, "__metadata__")  ? "is reserved"
                                                                  : NULL;
    if (problem) {
        diag_error(diag, NOWHERE, "%s: tensor name '%s' %s", path, named->name, problem);
        return false;
    }
    json_t *shape = json_array();
    for (int i = 0; i < t->rank; i++) json_array_append_new(shape, json_integer(t->shape[i]));
    json_t *entry = json_pack("{s:s, s:o, s:[I, I]}", "dtype", dtypes[t->type], "shape", shape,
                              "data_offsets", (json_int_t)l->end, (json_int_t)(l->end + t->bytes));
    if (!entry) return fail_memory(diag, path);
    bool ok = !json_object_set_nocheck(l->json, named->name, entry);
    json_decref(entry);
    if (!ok) return fail_memory(diag, path);
    l->parts[l->count++] = (FilePart){t->data, t->bytes};
    l->end += t->bytes;
    return true;
}

/* Wide elements first: so all are aligned, as far as the header is. */
static bool place_tensors(Diag *diag, const char *path, Layout *l, const NamedTensors *tensors) {
    for (size_t size = 8; size; size /= 2)
        for (int i = 0; i < tensors->count; i++)
            if (dtype_size(tensors->at[i].tensor->type) == size &&
                !place_tensor(diag, path, l, &tensors->at[i]))
                return false;
    return true;
}

/* The length and the JSON, padded with spaces to a multiple of 8. */
static bool place_header(Diag *diag, const char *path, Layout *l, Text *text) {
    char *dump = json_dumps(l->json, JSON_COMPACT);
    if (!dump) return fail_memory(diag, path);
    text_bytes(text, "\0\0\0\0\0\0\0", LENGTH_SIZE);
    text_str(text, dump);
    free(dump);
    while (text->size % 8) text_char(text, ' ');
    for (int i = 0; i < LENGTH_SIZE; i++)
        text->data[i] = (char)((uint64_t)(text->size - LENGTH_SIZE) >> (8 * i));
    l->parts[0] = (FilePart){text->data, text->size};
    return true;
}

bool safetensors_write(Diag *diag, const char *path, const NamedTensors *tensors) {
    Layout l = {.json = json_object(), .count = 1};
    l.parts = calloc((size_t)tensors->count + 1, sizeof *l.parts);
    Text header = text_new(diag->arena);
    bool ok = l.json && l.parts
                  ? place_tensors(diag, path, &l, tensors) && place_header(diag, path, &l, &header)
                  : fail_memory(diag, path);
    ok = ok && file_write_parts(diag, path, l.parts, l.count);
    free(l.parts);
    json_decref(l.json);
    return ok;
}
