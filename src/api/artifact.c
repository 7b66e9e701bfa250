/* artifact.c: a model in one file, with its options and the machine code of its variants.
 * In: a model, or a file of any content. Out: the file (docs/embedding.md has its format), or what
 * it holds, or a message. Nothing in it is used before the checksum over all of it is right. */
#include "api/artifact.h"
#include "build_id.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

enum {
    MAGIC_SIZE = 8,
    CHECKSUM_AT = 8, /* 16 bytes: XXH3 of all that follows them */
    VERSION_AT = 24, /* 4 bytes, little endian, as the next */
    HEADER_SIZE_AT = 28,
    HEADER_AT = 32, /* JSON; what it counts bytes from is its end */
    VERSION = 2,
    KEY_DIGITS = 32
};

static const unsigned char magic[MAGIC_SIZE] = {0x89, 'F', 'U', 'S', 'E', 'C', '\r', '\n'};

const char *artifact_build(void) { return FUSEC_VERSION " " FUSEC_BUILD; }

/* ---- writing ------------------------------------------------------------------------------ */

struct ArtifactWriting {
    const FusecModel *model;
    const char *path;
    Arena *arena;
    Diag *diag;
    Vec(FilePart) parts; /* that follow the header */
    size_t size;         /* of all */
    json_t *header;
    char *json; /* the same as text */
    size_t json_size;
};

json_t *artifact_put(ArtifactWriting *w, const void *data, size_t size) {
    const FilePart part = {data, size};
    vec_push(w->arena, &w->parts, part);
    w->size += size;
    return json_pack("{s:I, s:I}", "at", (json_int_t)(w->size - size), "size", (json_int_t)size);
}

/* Is it the newest with its key, of those from `newest` on? */
static bool is_current(const Code *newest, const Code *code) {
    while (newest != code &&
           (newest->key.low != code->key.low || newest->key.high != code->key.high))
        newest = newest->next;
    return newest == code;
}

static json_t *put_codes(ArtifactWriting *w, const Code *newest) {
    json_t *list = json_array();
    for (const Code *code = newest; code; code = code->next) {
        char key[KEY_DIGITS + 1];
        if (!is_current(newest, code)) continue;
        snprintf(key, sizeof key, "%016" PRIx64 "%016" PRIx64, code->key.high, code->key.low);
        json_t *part = artifact_put(w, code->bytes, code->size);
        bool ok = !json_object_set_new(part, "key", json_string(key));
        if (json_array_append_new(list, part) || !ok) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *put_dims(const FusecModel *m) {
    json_t *dims = json_object();
    for (int i = 0; i < m->dims.count; i++)
        if (json_object_set_new(dims, m->dims.at[i].name, json_integer(m->dims.at[i].value))) {
            json_decref(dims);
            return NULL;
        }
    return dims;
}

/* Names of folders are bytes, and need not be UTF-8. */
static json_t *put_import_dirs(ArtifactWriting *w) {
    json_t *list = json_array();
    for (const char *const *dir = w->model->options.import_dirs; dir && *dir; dir++)
        if (json_array_append_new(list, artifact_put(w, *dir, strlen(*dir)))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static bool put_size(const ArtifactWriting *w, json_t *sizes, const char *arch,
                     const MachineSize *size) {
    const Machine *m = machine_of_size(w->arena, machine_gpu(arch), size);
    return !json_object_set_new(sizes, arch, json_string(machine_size_print(w->arena, m)));
}

/* By architecture: those of before, and that of the device. */
static json_t *put_sizes(const ArtifactWriting *w) {
    const FusecModel *m = w->model;
    const CompileOptions o = model_options(m);
    json_t *sizes = json_object();
    bool ok = sizes;
    for (int i = 0; ok && i < m->sizes.count; i++)
        ok = put_size(w, sizes, m->sizes.at[i].arch, &m->sizes.at[i].size);
    if (ok && o.emit.arch) ok = put_size(w, sizes, o.emit.arch, &o.size);
    if (ok) return sizes;
    json_decref(sizes);
    return NULL;
}

static bool put(json_t *object, const char *name, json_t *value) {
    return !json_object_set_new(object, name, value);
}

static bool make_header(ArtifactWriting *w, const Code *newest) {
    const FusecModel *m = w->model;
    const FusecModelOptions *o = &m->options;
    json_t *h = w->header = json_object();
    bool ok = put(h, "fusec", json_string(artifact_build())) &&
              put(h, "name", artifact_put(w, m->name, strlen(m->name))) &&
              put(h, "text", artifact_put(w, m->text, m->size)) &&
              put(h, "is_file", json_boolean(m->is_file)) &&
              put(h, "optimise", json_integer((int)o->optimise)) && put(h, "dims", put_dims(m)) &&
              put(h, "warnings_are_errors", json_boolean(o->warnings_are_errors)) &&
              put(h, "perf_remarks", json_boolean(o->perf_remarks)) &&
              put(h, "sizes", put_sizes(w)) && put(h, "import_dirs", put_import_dirs(w)) &&
              artifact_put_imports(w, m->c->model->imports, h) &&
              put(h, "code", put_codes(w, newest));
    w->json_size = ok ? json_dumpb(h, NULL, 0, JSON_COMPACT) : 0;
    w->json = arena_alloc(w->arena, w->json_size + 1);
    return w->json_size && json_dumpb(h, w->json, w->json_size, JSON_COMPACT) == w->json_size;
}

static void put_number(unsigned char *at, uint32_t value) {
    for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> 8 * i);
}

/* All of it, at once: what a checksum is over has to lie in one piece. */
static FilePart make_file(ArtifactWriting *w) {
    const size_t header = w->json_size, size = HEADER_AT + header + w->size;
    unsigned char *file = arena_alloc(w->arena, size), *at = file + HEADER_AT;
    XXH128_canonical_t checksum;
    memcpy(file, magic, MAGIC_SIZE);
    put_number(file + VERSION_AT, VERSION);
    put_number(file + HEADER_SIZE_AT, (uint32_t)header);
    memcpy(at, w->json, header);
    at += header;
    for (int i = 0; i < w->parts.count; i++) {
        memcpy(at, w->parts.at[i].data, w->parts.at[i].size);
        at += w->parts.at[i].size;
    }
    XXH128_canonicalFromHash(&checksum, XXH3_128bits(file + VERSION_AT, size - VERSION_AT));
    memcpy(file + CHECKSUM_AT, checksum.digest, sizeof checksum.digest);
    return (FilePart){file, size};
}

static void write_all(ArtifactWriting *w) {
    const Code *newest = atomic_load(&w->model->codes.newest);
    if (!make_header(w, newest)) {
        diag_refuse_memory(w->diag, "malloc for %s: %s", w->path, strerror(ENOMEM));
        return;
    }
    FilePart file = make_file(w);
    file_write_durable(w->diag, w->path, &file, 1);
}

static void end_writing(ArtifactWriting *w) {
    json_decref(w->header);
    arena_free(w->arena);
}

static FusecStatus save(void *of) {
    ArtifactWriting *w = of;
    w->arena = arena_new_in(w->model->context->host_allocator, 0);
    if (!w->arena) return api_fail_memory();
    w->diag = diag_new(w->arena, 1);
    write_all(w);
    return api_fail_diag_as(w->diag, FUSEC_REFUSED);
}

FusecStatus fusec_model_save(const FusecModel *model, const char *path) {
    ArtifactWriting w = {.model = model, .path = path};
    if (!handle_is(model, HANDLE_MODEL, "model")) return FUSEC_WRONG_ARGUMENT;
    if (!path) return api_fail_argument("path", "path is NULL");
    FusecStatus status = api_run(save, &w);
    end_writing(&w);
    return status;
}

/* ---- reading ------------------------------------------------------------------------------ */

struct ArtifactReading {
    Diag *diag;
    const char *path;
    size_t most;
    Artifact *artifact;
    unsigned char *bytes;
    size_t size;
    const unsigned char *data; /* that the header counts from */
    size_t data_size;
    json_t *header;
    bool ok;
};

static bool refuse(ArtifactReading *r, const char *problem) {
    diag_refuse(r->diag, "%s: %s", r->path, problem);
    return false;
}

static bool refuse_memory(ArtifactReading *r) {
    diag_refuse_memory(r->diag, "malloc for %s: %s", r->path, strerror(ENOMEM));
    return false;
}

static uint32_t get_number(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

bool artifact_is(const void *bytes, size_t size) {
    return size >= MAGIC_SIZE && !memcmp(bytes, magic, MAGIC_SIZE);
}

static bool check_bytes(ArtifactReading *r) {
    XXH128_canonical_t checksum;
    if (!artifact_is(r->bytes, r->size)) return refuse(r, "is no artifact of fusec");
    if (r->size < HEADER_AT) return refuse(r, "is cut off");
    XXH128_canonicalFromHash(&checksum, XXH3_128bits(r->bytes + VERSION_AT, r->size - VERSION_AT));
    if (memcmp(r->bytes + CHECKSUM_AT, checksum.digest, sizeof checksum.digest))
        return refuse(r, "is damaged, or cut off: its checksum is wrong");
    if (get_number(r->bytes + VERSION_AT) == VERSION) return true;
    diag_refuse(r->diag,
                "%s: has version %" PRIu32 " of the format; this is fusec %s, which reads %d",
                r->path, get_number(r->bytes + VERSION_AT), FUSEC_VERSION, VERSION);
    return false;
}

static bool read_header(ArtifactReading *r) {
    const size_t size = get_number(r->bytes + HEADER_SIZE_AT);
    json_error_t error;
    if (size > r->size - HEADER_AT) return refuse(r, "its header is longer than it");
    r->data = r->bytes + HEADER_AT + size;
    r->data_size = r->size - HEADER_AT - size;
    r->header =
        json_loadb((const char *)r->bytes + HEADER_AT, size, JSON_REJECT_DUPLICATES, &error);
    if (!r->header && !*error.text) return refuse_memory(r); /* all it tells */
    return json_is_object(r->header) || refuse(r, "its header is no JSON object");
}

bool artifact_is_wrong(ArtifactReading *r) { return refuse(r, "its header is wrong"); }

Arena *artifact_arena(const ArtifactReading *r) { return r->diag->arena; }

bool artifact_part(ArtifactReading *r, const json_t *json, FilePart *part) {
    const json_int_t at = json_integer_value(json_object_get(json, "at")),
                     size = json_integer_value(json_object_get(json, "size"));
    if (!json_is_object(json) || at < 0 || size < 0 || (uint64_t)at > r->data_size ||
        (uint64_t)size > r->data_size - (uint64_t)at)
        return artifact_is_wrong(r);
    *part = (FilePart){r->data + at, (size_t)size};
    return true;
}

static bool read_model(ArtifactReading *r) {
    Artifact *a = r->artifact;
    FilePart name, text;
    if (!artifact_part(r, json_object_get(r->header, "name"), &name) ||
        !artifact_part(r, json_object_get(r->header, "text"), &text))
        return false;
    a->name = arena_strndup(r->diag->arena, name.data, name.size);
    a->text = arena_strndup(r->diag->arena, text.data, text.size);
    a->size = text.size;
    a->is_file = json_is_true(json_object_get(r->header, "is_file"));
    return true;
}

static bool read_import_dirs(ArtifactReading *r) {
    json_t *list = json_object_get(r->header, "import_dirs");
    const size_t count = json_array_size(list);
    const char **dirs = arena_array(r->diag->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        FilePart dir;
        if (!artifact_part(r, json_array_get(list, i), &dir)) return false;
        dirs[i] = arena_strndup(r->diag->arena, dir.data, dir.size);
    }
    r->artifact->options.import_dirs = dirs;
    return true;
}

static bool read_options(ArtifactReading *r) {
    FusecModelOptions *o = &r->artifact->options;
    const json_int_t optimise = json_integer_value(json_object_get(r->header, "optimise"));
    json_t *dims = json_object_get(r->header, "dims"), *value;
    const char *name;
    if (optimise < 0 || optimise > FUSEC_O3 || !json_is_object(dims)) return artifact_is_wrong(r);
    FusecDim *list = arena_array(r->diag->arena, FusecDim, json_object_size(dims) + 1);
    *o = (FusecModelOptions){.struct_size = sizeof *o, .optimise = (FusecOptimise)optimise};
    o->warnings_are_errors = json_is_true(json_object_get(r->header, "warnings_are_errors"));
    o->perf_remarks = json_is_true(json_object_get(r->header, "perf_remarks"));
    o->dims = list;
    json_object_foreach(dims, name, value) list[o->dim_count++] =
        (FusecDim){arena_strdup(r->diag->arena, name), json_integer_value(value)};
    return read_import_dirs(r);
}

/* One of an older build has none. */
static bool read_sizes(ArtifactReading *r) {
    json_t *sizes = json_object_get(r->header, "sizes"), *value;
    GpuSize *list = arena_array(r->diag->arena, GpuSize, json_object_size(sizes) + 1);
    int count = 0;
    const char *arch;
    json_object_foreach(sizes, arch, value) {
        GpuSize *size = &list[count++];
        size->arch = arena_strdup(r->diag->arena, arch);
        if (!json_is_string(value) || !machine_size_parse(json_string_value(value), &size->size))
            return artifact_is_wrong(r);
    }
    r->artifact->sizes.at = list;
    r->artifact->sizes.count = count;
    return true;
}

static bool read_key(const json_t *json, CodeKey *key) {
    const char *digits = json_string_value(json_object_get(json, "key"));
    return digits && strlen(digits) == KEY_DIGITS &&
           strspn(digits, "0123456789abcdef") == KEY_DIGITS &&
           sscanf(digits, "%16" SCNx64 "%16" SCNx64, &key->high, &key->low) == 2;
}

static bool read_codes(ArtifactReading *r) {
    json_t *list = json_object_get(r->header, "code"), *json;
    size_t i;
    json_array_foreach(list, i, json) {
        FilePart code;
        CodeKey key;
        if (!artifact_part(r, json, &code)) return false;
        if (!read_key(json, &key)) return artifact_is_wrong(r);
        if (!code_add(&r->artifact->codes, key, code.data, code.size)) return refuse_memory(r);
    }
    return true;
}

static void read_all(void *of) {
    ArtifactReading *r = of;
    r->bytes = (unsigned char *)file_read(r->diag, r->path, r->most, &r->size);
    r->ok = r->bytes && check_bytes(r) && read_header(r) && read_model(r) && read_options(r) &&
            read_sizes(r) && artifact_take_imports(r, r->header, &r->artifact->imports) &&
            read_codes(r);
}

static void end_reading(void *of) {
    ArtifactReading *r = of;
    json_decref(r->header);
    free(r->bytes);
}

bool artifact_read(Diag *diag, const char *path, size_t most, Artifact *artifact) {
    ArtifactReading r = {.diag = diag, .path = path, .most = most, .artifact = artifact};
    ensure(read_all, end_reading, &r);
    return r.ok;
}
