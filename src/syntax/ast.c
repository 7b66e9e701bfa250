/* ast.c: the tree as text, and the comparison of two trees.
 * In: trees from parse(), no deeper than PARSER_STACK, so that both may recurse. */
#include "syntax/syntax.h"

#include <string.h>

static const char *const kind_names[] = {
    [A_NAME] = "name",     [A_NUMBER] = "number", [A_STRING] = "string", [A_CALL] = "call",
    [A_NAMED] = "named",   [A_INDEX] = "index",   [A_SLICE] = "slice",   [A_NONE] = "None",
    [A_ELLIPSIS] = "...",  [A_CAST] = "cast",     [A_LIST] = "list",     [A_LET] = "let",
    [A_ASSERT] = "assert", [A_TYPE] = "type",     [A_PARAM] = "param",   [A_ATTR] = "attribute",
    [A_FN] = "fn",         [A_CONST] = "const",   [A_IMPORT] = "import", [A_DERIVED] = "derived",
    [A_FILE] = "file"};

static const char *const section_names[FN_BODY] = {[FN_DIMS] = "dims",
                                                   [FN_INPUTS] = "inputs",
                                                   [FN_OUTPUTS] = "outputs",
                                                   [FN_ATTRS] = "attributes"};

static void put_indent(Text *out, int indent) {
    for (int i = 0; i < indent; i++) text_str(out, "  ");
}

static void put_node(const Ast *ast, Text *out, int indent);

/* The lists at the head of a function under their own names; empty ones are omitted. */
static void put_section(const Ast *list, const char *name, Text *out, int indent) {
    if (!list->kid_count) return;
    put_indent(out, indent);
    text_printf(out, "%s\n", name);
    for (int i = 0; i < list->kid_count; i++) put_node(list->kid[i], out, indent + 1);
}

static void put_node(const Ast *ast, Text *out, int indent) {
    put_indent(out, indent);
    if (!ast) { /* a missing end of a slice */
        text_str(out, "open\n");
        return;
    }
    text_str(out, kind_names[ast->kind]);
    bool quoted = ast->kind == A_IMPORT || ast->kind == A_STRING;
    if (ast->text) text_printf(out, quoted ? " \"%s\"" : " %s", ast->text);
    text_char(out, '\n');
    for (int i = 0; i < ast->kid_count; i++) {
        if (ast->kind == A_FN && i < FN_BODY)
            put_section(ast->kid[i], section_names[i], out, indent + 1);
        else
            put_node(ast->kid[i], out, indent + 1);
    }
}

void ast_print(const Ast *ast, Text *out) { put_node(ast, out, 0); }

static bool text_equal(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

/* Compares numbers by their text, not by their values. */
bool ast_equal(const Ast *a, const Ast *b) {
    if (!a || !b) return a == b;
    if (a->kind != b->kind || a->kid_count != b->kid_count || !text_equal(a->text, b->text))
        return false;
    for (int i = 0; i < a->kid_count; i++)
        if (!ast_equal(a->kid[i], b->kid[i])) return false;
    return true;
}
