/* clang.c: declarations of the headers, as libclang reads them. In: Imports.text. Out:
 * declarations, and for each function its signature. Bodies are skipped: they may use what only
 * nvcc has. libclang is loaded by name. */
#include "graph/import/clang.h"
#include "graph/import/import.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct Clang {
    Imports *m;
    uint32_t shim; /* bytes of text before that of the headers */
    void *index, *unit;
    ClangCursor *cursor; /* all that was visited */
    size_t cursor_count, cursor_room;
    int declaration; /* of the enum at hand */
    bool ok;
#define FUNCTION(name, result, parameters) result(*name) parameters;
    CLANG_FUNCTIONS
#undef FUNCTION
} Clang;

/* ---- loading -------------------------------------------------------------------------------- */

/* What packages call it, the newest first. It stays loaded: its own state outlives a use of it. */
static void *find_library(Arena *arena) {
    enum { NEWEST = 24, OLDEST = 11 };
    static const char *const plain[] = {"libclang.so", "libclang.so.1"};
    void *library = NULL;
    for (int version = NEWEST; !library && version >= OLDEST; version--) {
        const char *formats[] = {"libclang-%d.so.1", "libclang-%d.so", "libclang.so.%d",
                                 "/usr/lib/llvm-%d/lib/libclang.so.1"};
        for (int i = 0; !library && i < 4; i++) {
            Text name = text_new(arena);
            const char *hole = strstr(formats[i], "%d");
            text_bytes(&name, formats[i], (size_t)(hole - formats[i]));
            text_printf(&name, "%d%s", version, hole + 2);
            library = dlopen(text_get(&name), RTLD_NOW | RTLD_LOCAL);
        }
    }
    for (int i = 0; !library && i < 2; i++) library = dlopen(plain[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static bool find_function(Diag *diag, void *library, const char *name, void *function) {
    void *address = dlsym(library, name); /* as in runtime/library.c */
    memcpy(function, &address, sizeof address);
    if (!address) diag_refuse(diag, "libclang has no %s: it is too old", name);
    return address;
}

static bool clang_load(Clang *c) {
    void *library = find_library(c->m->arena);
    if (!library) {
        diag_refuse(c->m->diag,
                    "'import' needs libclang, which is not on this machine: install the "
                    "package libclang1 (Debian, Ubuntu) or clang-libs (Fedora)");
        return false;
    }
    bool ok = true;
#define FUNCTION(name, result, parameters)                                                         \
    ok = ok && find_function(c->m->diag, library, "clang_" #name, &c->name);
    CLANG_FUNCTIONS
#undef FUNCTION
    return ok;
}

/* ---- places and texts ----------------------------------------------------------------------- */

/* An offset in Imports.text; false: in the shim, or nowhere. */
static bool offset_of(const Clang *c, ClangLocation at, uint32_t *offset) {
    void *file = NULL;
    unsigned in_file = 0;
    c->getExpansionLocation(at, &file, NULL, NULL, &in_file);
    if (!file || in_file < c->shim || in_file - c->shim > c->m->text.size) return false;
    *offset = in_file - c->shim;
    return true;
}

/* NULL where there is none. */
static const char *text_of(const Clang *c, ClangString string) {
    const char *text = c->getCString(string);
    const char *copy = text ? arena_strdup(c->m->arena, text) : NULL;
    c->disposeString(string);
    return copy;
}

/* ---- declarations ---------------------------------------------------------------------------- */

static int add_declaration(Imports *m, Declaration declaration) {
    vec_push(m->arena, &m->declarations, declaration);
    return m->declarations.count - 1;
}

/* To the semicolon that ends a declaration. */
static uint32_t statement_end(const Imports *m, uint32_t from) {
    const char *text = text_get(&m->text), *at = text + from, *end = text + m->text.size;
    for (CToken token; token = c_token(at, end), token.kind != C_END;) {
        if (c_token_is(&token, ";")) return (uint32_t)(at + 1 - text);
        const bool opens = token.kind == C_OTHER && strchr("([{", *at);
        const char *behind = opens ? c_behind_bracket(at, end) : at + token.size;
        if (!behind) break;
        at = behind;
    }
    return (uint32_t)m->text.size;
}

/* Several names may have one declaration: int a, b; or typedef struct s {..} s; */
static void add_statement(Clang *c, ClangCursor cursor, DeclarationKind kind, uint32_t begin,
                          const char *name) {
    Imports *m = c->m;
    const int last = m->declarations.count - 1;
    int declaration = last;
    if (last < 0 || m->declarations.at[last].kind == DECLARATION_FUNCTION ||
        begin >= m->declarations.at[last].end || begin < m->declarations.at[last].begin)
        declaration = add_declaration(m, (Declaration){.kind = kind,
                                                       .name = name,
                                                       .begin = begin,
                                                       .end = statement_end(m, begin),
                                                       .is_const = true,
                                                       .is_scalar = true});
    if (kind == DECLARATION_VARIABLE) {
        Declaration *d = &m->declarations.at[declaration];
        ClangType type = c->getCanonicalType(c->getCursorType(cursor));
        bool is_const = c->isConstQualifiedType(type);
        for (ClangType of; of = c->getArrayElementType(type), of.kind; type = of) {
            is_const |= c->isConstQualifiedType(of) != 0; /* of an array, its elements are */
            d->is_scalar = false;
        }
        d->kind = DECLARATION_VARIABLE;
        d->is_const &= is_const;
    }
    declaration_name(m, name, declaration);
}

static void add_macro(Clang *c, ClangCursor cursor, uint32_t begin, const char *name) {
    uint32_t end;
    if (!offset_of(c, c->getRangeEnd(c->getCursorExtent(cursor)), &end)) return;
    const Declaration macro = {
        .kind = DECLARATION_MACRO, .name = name, .begin = begin, .end = end, .name_at = begin};
    declaration_name(c->m, name, add_declaration(c->m, macro));
}

/* ---- functions ------------------------------------------------------------------------------ */

static Dtype element_type(const Clang *c, ClangType type) {
    const ClangType plain = c->getCanonicalType(type);
    switch (plain.kind) {
    case TYPE_BOOL: return T_BOOL;
    case TYPE_UCHAR: return T_U8;
    case TYPE_SCHAR: return T_I8;
    case TYPE_INT: return T_I32;
    case TYPE_LONG: return c->Type_getSizeOf(plain) == 8 ? T_I64 : T_I32;
    case TYPE_LONG_LONG: return T_I64;
    case TYPE_FLOAT: return T_F32;
    case TYPE_DOUBLE: return T_F64;
    default: return T_NONE;
    }
}

/* Why an argument or a result cannot be an element. */
static const char *type_flaw(Clang *c, ClangType type, const char *what) {
    const ClangType plain = c->getCanonicalType(type);
    if (plain.kind == TYPE_VOID) return arena_printf(c->m->arena, "%s is void", what);
    if (plain.kind == TYPE_POINTER) return arena_printf(c->m->arena, "%s is a pointer", what);
    return arena_printf(c->m->arena,
                        "%s is '%s', which is no element type: take float, double, "
                        "int, int64_t or bool",
                        what, text_of(c, c->getTypeSpelling(type)));
}

static const char *read_parameters(Clang *c, ClangCursor cursor, ImportFunction *f) {
    const int count = c->Cursor_getNumArguments(cursor);
    if (!count) return "it has no argument: a const of the model does the same";
    if (count > SRC_MAX)
        return arena_printf(c->m->arena, "it has %d arguments, and %d are the most", count,
                            SRC_MAX);
    f->count = count;
    for (int i = 0; i < count; i++) {
        const ClangCursor argument = c->Cursor_getArgument(cursor, (unsigned)i);
        const ClangType type = c->getCursorType(argument);
        const char *name = text_of(c, c->getCursorSpelling(argument));
        f->parameter[i] = name && *name ? name : arena_printf(c->m->arena, "argument %d", i + 1);
        f->type_of[i] = element_type(c, type);
        if (f->type_of[i] == T_NONE)
            return type_flaw(c, type,
                             arena_printf(c->m->arena, "its argument '%s'", f->parameter[i]));
    }
    return NULL;
}

static const char *read_signature(Clang *c, ClangCursor cursor, ImportFunction *f) {
    const ClangType type = c->getCursorType(cursor), result = c->getResultType(type);
    if (c->isFunctionTypeVariadic(type)) return "it takes any number of arguments (..)";
    f->type = element_type(c, result);
    if (f->type == T_NONE) return type_flaw(c, result, "its result");
    return read_parameters(c, cursor, f);
}

/* Where a body starts, behind the declarator: not in what is only declared. */
static uint32_t find_body(const Imports *m, uint32_t from) {
    const char *text = text_get(&m->text), *at = text + from, *end = text + m->text.size;
    for (CToken token; token = c_word(&at, end), token.kind != C_END;) {
        if (c_token_is(&token, "{")) return (uint32_t)(token.at - text);
        if (c_token_is(&token, ";") || c_token_is(&token, "=")) return 0;
        if (c_token_is(&token, "(")) at = c_behind_bracket(token.at, end);
        if (!at) return 0;
    }
    return 0;
}

static void add_function(Clang *c, ClangCursor cursor, uint32_t begin, uint32_t name_at,
                         const char *name) {
    Imports *m = c->m;
    const char *text = text_get(&m->text), *end = text + m->text.size;
    Declaration p = {
        .kind = DECLARATION_FUNCTION, .name = name, .begin = begin, .name_at = name_at};
    const char *at = text + name_at;
    const CToken written = c_word(&at, end), bracket = c_word(&at, end);
    const bool is_written = c_token_is(&written, name) && c_token_is(&bracket, "(");
    const char *behind = is_written ? c_behind_bracket(bracket.at, end) : NULL;
    if (!behind) {
        p.flaw = arena_printf(m->arena, "a macro writes '%s'", name);
        p.end = begin;
        declaration_name(m, name, add_declaration(m, p));
        return;
    }
    p.parameters = (uint32_t)(bracket.at - text);
    p.body = find_body(m, (uint32_t)(behind - text));
    p.end = (uint32_t)(behind - text);
    behind = p.body ? c_behind_bracket(text + p.body, end) : NULL;
    if (behind) p.end = (uint32_t)(behind - text);
    const bool has_end = behind || !p.body;
    ImportFunction f = {.name = name};
    p.result = text_of(c, c->getTypeSpelling(c->getResultType(c->getCursorType(cursor))));
    p.doc = text_of(c, c->Cursor_getBriefCommentText(cursor));
    p.flaw = has_end ? read_signature(c, cursor, &f) : "its body does not end";
    f.span = imports_span(m, name_at, name_at + (uint32_t)strlen(name));
    f.declaration = add_declaration(m, p);
    declaration_name(m, name, f.declaration);
    if (!p.flaw) vec_push(m->arena, &m->functions, f);
}

/* ---- the walk ------------------------------------------------------------------------------- */

/* Only collects: what is made of cursors may leave by a jump, which must not pass through libclang.
 */
static int visit(ClangCursor cursor, ClangCursor parent, void *context) {
    Clang *c = context;
    (void)parent;
    if (cursor.kind == CURSOR_LINKAGE || cursor.kind == CURSOR_UNEXPOSED)
        return VISIT_RECURSE; /* extern "C" */
    if (c->cursor_count == c->cursor_room) {
        const size_t room = c->cursor_room ? 2 * c->cursor_room : 256;
        ClangCursor *grown = realloc(c->cursor, room * sizeof *grown);
        if (!grown) return VISIT_BREAK;
        c->cursor = grown;
        c->cursor_room = room;
    }
    c->cursor[c->cursor_count++] = cursor;
    return cursor.kind == CURSOR_ENUM ? VISIT_RECURSE : VISIT_CONTINUE;
}

static void add_cursor(Clang *c, ClangCursor cursor) {
    uint32_t begin, name_at;
    if (!offset_of(c, c->getRangeStart(c->getCursorExtent(cursor)), &begin)) return;
    if (!offset_of(c, c->getCursorLocation(cursor), &name_at)) return;
    const char *name = text_of(c, c->getCursorSpelling(cursor));
    if (!name) name = "";
    switch (cursor.kind) {
    case CURSOR_FUNCTION: add_function(c, cursor, begin, name_at, name); break;
    case CURSOR_MACRO: add_macro(c, cursor, begin, name); break;
    case CURSOR_VARIABLE: add_statement(c, cursor, DECLARATION_VARIABLE, begin, name); break;
    case CURSOR_STRUCT:
    case CURSOR_UNION:
    case CURSOR_CLASS:
    case CURSOR_TYPEDEF:
    case CURSOR_ALIAS: add_statement(c, cursor, DECLARATION_TYPE, begin, name); break;
    case CURSOR_ENUM:
        add_statement(c, cursor, DECLARATION_TYPE, begin, name);
        c->declaration = c->m->declarations.count - 1;
        break;
    case CURSOR_ENUM_CONSTANT: declaration_name(c->m, name, c->declaration); break;
    default: break; /* namespaces, templates: C has none */
    }
}

/* What libclang found wrong, in its words. */
static bool report_diagnostics(Clang *c) {
    bool ok = true;
    for (unsigned i = 0; i < c->getNumDiagnostics(c->unit); i++) {
        void *d = c->getDiagnostic(c->unit, i);
        if (c->getDiagnosticSeverity(d) >= SEVERITY_ERROR) {
            uint32_t at;
            const bool known = offset_of(c, c->getDiagnosticLocation(d), &at);
            diag_error(c->m->diag, known ? imports_span(c->m, at, at + 1) : NOWHERE, "libclang: %s",
                       text_of(c, c->getDiagnosticSpelling(d)));
            ok = false;
        }
        c->disposeDiagnostic(d);
    }
    return ok;
}

static void parse(void *of) {
    Clang *c = of;
    Imports *m = c->m;
    const char *args[] = {"-x",
                          m->is_cpp ? "c++" : "c",
                          m->is_cpp ? "-std=gnu++17" : "-std=gnu11",
                          "-nostdinc",
                          "-w",
                          "-fparse-all-comments",
                          "-ferror-limit=8",
                          "-D__CUDACC__=1",
                          "-D__CUDA_ARCH__=800"};
    const int count = (int)(sizeof args / sizeof *args) - (m->options->is_cuda ? 0 : 2);
    Text text = text_new(m->arena);
    text_str(&text, import_shim);
    text_str(&text, import_numbers);
    c->shim = (uint32_t)text.size;
    text_bytes(&text, text_get(&m->text), m->text.size);
    ClangUnsaved file = {"imports of the model", text_get(&text), text.size};
    c->index = c->createIndex(0, 0);
    c->unit = c->parseTranslationUnit(c->index, file.name, args, count, &file, 1,
                                      SKIP_FUNCTION_BODIES | DETAILED_PREPROCESSING);
    if (!c->unit) {
        diag_refuse(m->diag, "libclang: clang_parseTranslationUnit failed");
        return;
    }
    if (!report_diagnostics(c)) return;
    if (c->visitChildren(c->getTranslationUnitCursor(c->unit), visit, c))
        diag_refuse(m->diag, "out of memory: reading headers");
    for (size_t i = 0; i < c->cursor_count && !m->diag->refusal; i++) add_cursor(c, c->cursor[i]);
    c->ok = !m->diag->refusal;
}

static void clang_close(void *of) {
    Clang *c = of;
    if (c->unit) c->disposeTranslationUnit(c->unit);
    if (c->index) c->disposeIndex(c->index);
    free(c->cursor);
}

bool imports_version(Diag *diag, const char **version) {
    Imports m = {.arena = diag->arena, .diag = diag};
    Clang c = {.m = &m};
    if (!clang_load(&c)) return false;
    *version = text_of(&c, c.getClangVersion());
    return *version;
}

bool imports_parse(Imports *m) {
    Clang c = {.m = m};
    if (clang_load(&c)) ensure(parse, clang_close, &c);
    return c.ok;
}
