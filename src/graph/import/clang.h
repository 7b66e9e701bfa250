/* clang.h: as much of libclang's C interface (clang-c/Index.h, stable since 2010) as clang.c uses:
 * types and numbers as its header has them, and functions to be found by name. */
#ifndef FUSEC_CLANG_H
#define FUSEC_CLANG_H

typedef struct ClangString {
    const void *data;
    unsigned flags;
} ClangString;
typedef struct ClangCursor {
    int kind, data;
    const void *more[3];
} ClangCursor;
typedef struct ClangType {
    int kind;
    void *data[2];
} ClangType;
typedef struct ClangLocation {
    const void *data[2];
    unsigned offset;
} ClangLocation;
typedef struct ClangRange {
    const void *data[2];
    unsigned begin, end;
} ClangRange;
typedef struct ClangUnsaved {
    const char *name, *text;
    unsigned long size;
} ClangUnsaved;
typedef int ClangVisitor(ClangCursor cursor, ClangCursor parent, void *context);

/* Numbers of enums. */
enum { SEVERITY_ERROR = 3, SKIP_FUNCTION_BODIES = 0x40, DETAILED_PREPROCESSING = 0x01 };
enum { VISIT_BREAK, VISIT_CONTINUE, VISIT_RECURSE };
enum {
    CURSOR_UNEXPOSED = 1,
    CURSOR_STRUCT = 2,
    CURSOR_UNION = 3,
    CURSOR_CLASS = 4,
    CURSOR_ENUM = 5,
    CURSOR_ENUM_CONSTANT = 7,
    CURSOR_FUNCTION = 8,
    CURSOR_VARIABLE = 9,
    CURSOR_TYPEDEF = 20,
    CURSOR_NAMESPACE = 22,
    CURSOR_LINKAGE = 23,
    CURSOR_FUNCTION_TEMPLATE = 30,
    CURSOR_ALIAS = 36,
    CURSOR_MACRO = 501
};
enum {
    TYPE_VOID = 2,
    TYPE_BOOL = 3,
    TYPE_UCHAR = 5,
    TYPE_SCHAR = 14,
    TYPE_INT = 17,
    TYPE_LONG = 18,
    TYPE_LONG_LONG = 19,
    TYPE_FLOAT = 21,
    TYPE_DOUBLE = 22,
    TYPE_POINTER = 101
};

#define CLANG_FUNCTIONS                                                                            \
    FUNCTION(getClangVersion, ClangString, (void))                                                 \
    FUNCTION(createIndex, void *, (int, int))                                                      \
    FUNCTION(disposeIndex, void, (void *))                                                         \
    FUNCTION(parseTranslationUnit, void *,                                                         \
             (void *, const char *, const char *const *, int, ClangUnsaved *, unsigned, unsigned)) \
    FUNCTION(disposeTranslationUnit, void, (void *))                                               \
    FUNCTION(getTranslationUnitCursor, ClangCursor, (void *))                                      \
    FUNCTION(visitChildren, unsigned, (ClangCursor, ClangVisitor *, void *))                       \
    FUNCTION(getNumDiagnostics, unsigned, (void *))                                                \
    FUNCTION(getDiagnostic, void *, (void *, unsigned))                                            \
    FUNCTION(disposeDiagnostic, void, (void *))                                                    \
    FUNCTION(getDiagnosticSeverity, int, (void *))                                                 \
    FUNCTION(getDiagnosticSpelling, ClangString, (void *))                                         \
    FUNCTION(getDiagnosticLocation, ClangLocation, (void *))                                       \
    FUNCTION(getExpansionLocation, void,                                                           \
             (ClangLocation, void **, unsigned *, unsigned *, unsigned *))                         \
    FUNCTION(getCString, const char *, (ClangString))                                              \
    FUNCTION(disposeString, void, (ClangString))                                                   \
    FUNCTION(getCursorSpelling, ClangString, (ClangCursor))                                        \
    FUNCTION(getCursorLocation, ClangLocation, (ClangCursor))                                      \
    FUNCTION(getCursorExtent, ClangRange, (ClangCursor))                                           \
    FUNCTION(getRangeStart, ClangLocation, (ClangRange))                                           \
    FUNCTION(getRangeEnd, ClangLocation, (ClangRange))                                             \
    FUNCTION(getCursorType, ClangType, (ClangCursor))                                              \
    FUNCTION(getCanonicalType, ClangType, (ClangType))                                             \
    FUNCTION(getTypeSpelling, ClangString, (ClangType))                                            \
    FUNCTION(getResultType, ClangType, (ClangType))                                                \
    FUNCTION(getArrayElementType, ClangType, (ClangType))                                          \
    FUNCTION(isConstQualifiedType, unsigned, (ClangType))                                          \
    FUNCTION(isFunctionTypeVariadic, unsigned, (ClangType))                                        \
    FUNCTION(Type_getSizeOf, long long, (ClangType))                                               \
    FUNCTION(Cursor_getNumArguments, int, (ClangCursor))                                           \
    FUNCTION(Cursor_getArgument, ClangCursor, (ClangCursor, unsigned))                             \
    FUNCTION(Cursor_getBriefCommentText, ClangString, (ClangCursor))

#endif
