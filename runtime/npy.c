/* npy.c: NumPy's .npy files.
 *     "\x93NUMPY" major minor, length of the header (v1: 2 bytes, v2 and v3: 4), header, data
 * The header is the text of a Python dict: {'descr': '<f4', 'fortran_order': False, 'shape': (3,)}.
 * In: files of any content. Out: a tensor or a message; bytes of a tensor. */
#include "runtime/runtime.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_SIZE = 6, HEADER_MOST = 65535, HEADER_ALIGN = 64 };

static const char magic[] = "\x93NUMPY";

/* NumPy's codes without the byte order. "V" is bytes without a meaning: see runtime.h. */
static const struct {
    const char *code;
    Dtype type;
    char order; /* as written */
} codes[] = {{"b1", T_BOOL, '|'},   {"u1", T_U8, '|'},   {"i1", T_I8, '|'},    {"i4", T_I32, '<'},
             {"i8", T_I64, '<'},    {"f2", T_F16, '<'},  {"f4", T_F32, '<'},   {"f8", T_F64, '<'},
             {"f1", T_F8E5M2, '<'}, {"V2", T_BF16, '<'}, {"V1", T_F8E4M3, '<'}};
enum { CODES = sizeof codes / sizeof codes[0] };

/* ---- the header's text ------------------------------------------------------------------ */

/* Parsers move `at` on and return NULL, or say what is wrong. */
typedef struct Cursor {
    const char *at, *end;
} Cursor;

typedef struct Header {
    char descr[16];
    bool fortran;
    int rank;
    int64_t shape[TENSOR_RANK_MAX];
} Header;

static void skip_space(Cursor *c) {
    while (c->at < c->end && strchr(" \t\r\n", *c->at) && *c->at) c->at++;
}

static bool take(Cursor *c, const char *word) {
    size_t size = strlen(word);
    skip_space(c);
    if ((size_t)(c->end - c->at) < size || memcmp(c->at, word, size)) return false;
    c->at += size;
    return true;
}

static const char *parse_string(Cursor *c, char *out, size_t room) {
    char quote = take(c, "'") ? '\'' : take(c, "\"") ? '"' : 0;
    size_t size = 0;
    if (!quote) return "a string is missing";
    while (c->at < c->end && *c->at != quote) {
        if (!isprint((unsigned char)*c->at) || *c->at == '\\') return "a string has escapes";
        if (size + 1 == room) return "a string is too long";
        out[size++] = *c->at++;
    }
    out[size] = '\0';
    return take(c, quote == '"' ? "\"" : "'") ? NULL : "a string does not end";
}

static const char *parse_dim(Cursor *c, int64_t *dim) {
    skip_space(c);
    if (c->at == c->end || !isdigit((unsigned char)*c->at))
        return "'shape' is not a tuple of sizes";
    for (*dim = 0; c->at < c->end && isdigit((unsigned char)*c->at); c->at++) {
        int digit = *c->at - '0';
        if (*dim > (INT64_MAX - digit) / 10) return "a size is too large";
        *dim = 10 * *dim + digit;
    }
    if (c->at < c->end && *c->at == 'L') c->at++; /* as Python 2 wrote it */
    return NULL;
}

static const char *parse_shape(Cursor *c, Header *header) {
    if (!take(c, "(")) return "'shape' is not a tuple of sizes";
    for (header->rank = 0; !take(c, ")");) {
        if (header->rank == TENSOR_RANK_MAX) return "it has more than 8 dims";
        const char *problem = parse_dim(c, &header->shape[header->rank++]);
        if (problem) return problem;
        if (take(c, ",")) continue;
        if (header->rank > 1 && take(c, ")")) return NULL;
        return "'shape' is not a tuple of sizes"; /* (3) is a number in Python */
    }
    return NULL;
}

static const char *parse_descr(Cursor *c, Header *header) {
    skip_space(c);
    if (c->at < c->end && *c->at == '[') return "structured element types are not supported";
    return parse_string(c, header->descr, sizeof header->descr);
}

static const char *parse_order(Cursor *c, Header *header) {
    header->fortran = take(c, "True");
    return header->fortran || take(c, "False") ? NULL : "'fortran_order' is not True or False";
}

enum { SEEN_DESCR = 1, SEEN_ORDER = 2, SEEN_SHAPE = 4, SEEN_ALL = 7 };

static const char *parse_entry(Cursor *c, Header *header, int *seen) {
    char key[16];
    const char *problem = parse_string(c, key, sizeof key);
    if (problem) return problem;
    int which = !strcmp(key, "descr")           ? SEEN_DESCR
                : !strcmp(key, "fortran_order") ? SEEN_ORDER
                : !strcmp(key, "shape")         ? SEEN_SHAPE
                                                : 0;
    if (!which || *seen & which) return "a key is unknown or comes twice";
    *seen |= which;
    if (!take(c, ":")) return "a ':' is missing";
    return which == SEEN_DESCR   ? parse_descr(c, header)
           : which == SEEN_ORDER ? parse_order(c, header)
                                 : parse_shape(c, header);
}

static const char *parse_header(Cursor *c, Header *header) {
    int seen = 0;
    if (!take(c, "{")) return "it is not a Python dict";
    while (!take(c, "}")) {
        const char *problem = parse_entry(c, header, &seen);
        if (problem) return problem;
        if (take(c, ",")) continue;
        if (take(c, "}")) break;
        return "a ',' or '}' is missing";
    }
    skip_space(c);
    if (c->at != c->end) return "something follows the dict";
    return seen == SEEN_ALL ? NULL : "'descr', 'fortran_order' or 'shape' is missing";
}

/* ---- reading ---------------------------------------------------------------------------- */

/* The type of a "<f4"; T_NONE after a diag_error. */
static Dtype descr_type(Diag *diag, const char *path, const char *descr, Dtype expected) {
    const char *code = *descr && strchr("<>|=", *descr) ? descr + 1 : descr;
    int row = 0;
    while (row < CODES && strcmp(code, codes[row].code)) row++;
    Dtype type = row < CODES ? codes[row].type : T_NONE;
    if (!type)
        diag_error(diag, NOWHERE,
                   "%s: element type '%s' is not supported (b1 u1 i1 i4 i8 f2 f4 f8)", path, descr);
    else if (*descr == '>' && dtype_size(type) > 1)
        diag_error(diag, NOWHERE, "%s: '%s' is big-endian; save it as '<%s'", path, descr, code);
    else if (*code != 'V' || expected == type)
        return type;
    else if (expected == T_F8E5M2 && type == T_F8E4M3)
        return expected;
    else
        diag_error(diag, NOWHERE,
                   "%s: '%s' is bytes without a type, read only where %s is expected", path, descr,
                   type == T_BF16 ? "bf16" : "f8e4m3 or f8e5m2");
    return T_NONE;
}

static uint32_t little_endian(const unsigned char *at, int size) {
    uint32_t value = 0;
    for (int i = size - 1; i >= 0; i--) value = value << 8 | at[i];
    return value;
}

/* Where the header's text is. False after a diagnostic. */
static bool find_header(FileReader *file, uint64_t *start, size_t *size) {
    unsigned char fixed[12] = {0};
    const char *path = file->path;
    size_t have = file->size < sizeof fixed ? (size_t)file->size : sizeof fixed;
    if (!file_fetch(file, 0, fixed, have)) return false;
    if (have < 10 || memcmp(fixed, magic, MAGIC_SIZE)) {
        diag_error(file->diag, NOWHERE, "%s: is not a .npy file", path);
        return false;
    }
    int major = fixed[6], minor = fixed[7], length = major == 1 ? 2 : 4;
    if (major < 1 || major > 3 || minor) {
        diag_error(file->diag, NOWHERE, "%s: .npy version %d.%d is not known (1.0 to 3.0 are)",
                   path, major, minor);
        return false;
    }
    *start = MAGIC_SIZE + 2 + (uint64_t)length;
    *size = little_endian(fixed + 8, length);
    if (*start <= file->size && *size <= file->size - *start && *size <= HEADER_MOST) return true;
    diag_error(file->diag, NOWHERE,
               "%s: a header of %zu bytes does not fit (%" PRIu64
               " follow, and %d are the most that is read)",
               path, *size, file->size < *start ? 0 : file->size - *start, HEADER_MOST);
    return false;
}

static bool read_header(FileReader *file, Header *header, uint64_t *data) {
    uint64_t start;
    size_t size;
    if (!find_header(file, &start, &size)) return false;
    char *text = arena_alloc(file->diag->arena, size);
    if (!file_fetch(file, start, text, size)) return false;
    const char *problem = parse_header(&(Cursor){text, text + size}, header);
    if (!problem && header->fortran && header->rank > 1)
        problem = "the data is in Fortran order; save it with numpy.ascontiguousarray";
    *data = start + size;
    if (problem) diag_error(file->diag, NOWHERE, "%s: header: %s", file->path, problem);
    return !problem;
}

static Tensor *read_tensor(FileReader *file, Dtype expected) {
    Header header = {0};
    uint64_t data;
    if (!read_header(file, &header, &data)) return NULL;
    Dtype type = descr_type(file->diag, file->path, header.descr, expected);
    if (!type || !tensor_fits(file->diag, file->path, NULL, type, header.rank, header.shape,
                              file->size - data))
        return NULL;
    return tensor_from_file(file, NULL, type, header.rank, header.shape, data);
}

Tensor *npy_read(Diag *diag, const char *path, Dtype expected) {
    FileReader file;
    if (!file_open(&file, diag, path)) return NULL;
    Tensor *tensor = read_tensor(&file, expected);
    file_close(&file);
    return tensor;
}

/* ---- writing ---------------------------------------------------------------------------- */

bool npy_write(Diag *diag, const char *path, const Tensor *tensor) {
    int row = 0;
    while (codes[row].type != tensor->type) row++;
    Text text = text_new(diag->arena);
    text_bytes(&text, "\x93NUMPY\1\0\0\0", 10); /* the length is set below */
    text_printf(&text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (", codes[row].order,
                codes[row].code);
    for (int i = 0; i < tensor->rank; i++)
        text_printf(&text, "%" PRId64 "%s", tensor->shape[i],
                    tensor->rank == 1      ? ","
                    : i + 1 < tensor->rank ? ", "
                                           : "");
    text_str(&text, "), }");
    while ((text.size + 1) % HEADER_ALIGN) text_char(&text, ' ');
    text_char(&text, '\n');
    text.data[8] = (char)((text.size - 10) & 0xff);
    text.data[9] = (char)((text.size - 10) >> 8);
    FilePart parts[] = {{text.data, text.size}, {tensor->data, tensor->bytes}};
    return file_write_parts(diag, path, parts, 2);
}
