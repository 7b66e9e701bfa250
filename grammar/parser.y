/* parser.y: the grammar. It reads as the language reference: one rule per form, one constructor
 * call per rule (src/syntax/build.c). All meaning is given later, in src/graph.
 *
 *   operators            bind, loosest first
 *   -----------------------------------------------------------------------------------------
 *   ||                   left
 *   &&                   left
 *   == != < <= > >=      not at all: a < b < c is an error
 *   + -                  left
 *   * / % @              left           @ is matmul
 *   as T                 left           a * b as T is a * (b as T), -a as T is (-a) as T
 *   unary - !            prefix
 *   **                   right          -a ** b is -(a ** b), and a ** -b needs no brackets
 *   .T  [..]             postfix
 *   name(..)             a call; only a name can be called
 */
%code requires {
#include "syntax/build.h"
}

%code {
#include "parser.h"

/* Of fixed size, see build.h: an arena that jumps away while parsing leaves nothing behind. */
#define YYINITDEPTH PARSER_STACK
#define YYMAXDEPTH PARSER_STACK

#define YYLLOC_DEFAULT(at, rhs, count)                                                             \
    ((at) = (count) ? span_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, count))                            \
                    : (Span){YYRHSLOC(rhs, 0).hi, YYRHSLOC(rhs, 0).hi, YYRHSLOC(rhs, 0).file})

static int parser_lex(PARSER_STYPE *value, Span *at, Build *build);
static void parser_error(const Span *at, Build *build, const char *message);
}

%define api.prefix {parser_}
%define api.token.prefix {TOK_}
%define api.pure full
%define api.location.type {Span}
%define api.value.type union
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param {Build *build}
%initial-action { @$ = (Span){0, 0, build->file}; }

%token ';' ',' ')' ']' '}' '=' ':' '.' '{'
%token END 0        "the end of the file"
%token NAME         "a name"
%token NUMBER       "a number"
%token STRING       "a string"
%token FN           "fn"
%token CONST        "const"
%token IMPORT       "import"
%token ASSERT       "assert"
%token AS           "as"
%token NONE         "None"
%token ARROW        "->"
%token ELLIPSIS     "..."
%token OR           "||"
%token AND          "&&"
%token EQ           "=="
%token NE           "!="
%token LE           "<="
%token GE           ">="
%token POWER        "**"
%token COMMENT      "a comment" /* only the formatter asks for these */

%left "||"
%left "&&"
%nonassoc "==" "!=" '<' "<=" '>' ">="
%left '+' '-'
%left '*' '/' '%' '@'
%precedence "as"
%precedence UNARY
%right "**"

%nterm <Ast *> item plain_item function attribute type param statement
%nterm <Ast *> expr postfix atom call argument index bound
%nterm <AstList *> items attributes dims body params param_list some_params
%nterm <AstList *> statements names name_list arguments argument_list
%nterm <AstList *> exprs expr_list indices index_list

%%

file:
  items                      { build->result = build_file(build, @$, $1); }
| items error                { build->result = NULL; }
;

/* ---- Items ------------------------------------------------------------------------------- */

items:
  %empty                     { $$ = list_new(build); }
| items item                 { $$ = list_add(build, $1, $2); }
| items error { yyerrok; } plain_item
                             { $$ = list_add(build, $1, $4); }
;

item:
  plain_item
| attributes function        { $$ = build_attributed(build, @$, $1, $2); }
;

/* Where parsing goes on after an error between items: never at '@', which is matmul in a body. */
plain_item:
  function
| "const" NAME '=' expr ';'  { $$ = build_const(build, @$, @NAME, $expr); }
| "import" STRING ';'        { $$ = build_import(build, @$, @STRING); }
;

attributes:
  attribute                  { $$ = list_add(build, list_new(build), $1); }
| attributes attribute       { $$ = list_add(build, $1, $2); }
;

attribute:
  '@' NAME                   { $$ = build_attr(build, @$, @NAME, list_new(build)); }
| '@' NAME '(' arguments ')' { $$ = build_attr(build, @$, @NAME, $arguments); }
;

function:
  "fn" NAME dims '(' params[in] ')' "->" '(' some_params[out] ')' body
                             { $$ = build_fn(build, @$, @NAME, $dims, $in, $out, $body); }
| "fn" NAME '=' call ';'     { $$ = build_derived(build, @$, @NAME, NOWHERE, $call); }
| "fn" NAME[first] ',' NAME[second] '=' call ';'
                             { $$ = build_derived(build, @$, @first, @second, $call); }
| "fn" error body            { $$ = NULL; yyerrok; }
| "fn" error ';'             { $$ = NULL; yyerrok; }
;

dims:
  %empty                     { $$ = list_new(build); }
| '[' ']'                    { $$ = list_new(build); }
| '[' names ']'              { $$ = $names; }
;

params:
  %empty                     { $$ = list_new(build); }
| some_params
;

some_params:
  param_list
| param_list ','
;

param_list:
  param                      { $$ = list_add(build, list_new(build), $1); }
| param_list ',' param       { $$ = list_add(build, $1, $3); }
;

param:
  NAME ':' type              { $$ = build_param(build, @$, @NAME, $type); }
;

type:
  NAME                       { $$ = build_type(build, @$, @NAME, NULL); }
| NAME '[' exprs ']'         { $$ = build_type(build, @$, @NAME, $exprs); }
;

body:
  '{' statements '}'         { $$ = $statements; }
| '{' statements error '}'   { $$ = $statements; yyerrok; }
;

/* ---- Statements -------------------------------------------------------------------------- */

statements:
  %empty                     { $$ = list_new(build); }
| statements statement       { $$ = list_add(build, $1, $2); }
| statements error ';'       { $$ = $1; yyerrok; }
;

statement:
  names '=' expr ';'         { $$ = build_let(build, @$, $names, $expr); }
| "assert" expr ';'          { $$ = build_assert(build, @$, $expr); }
;

names:
  name_list
| name_list ','
;

name_list:
  NAME                       { $$ = list_add(build, list_new(build), build_name(build, @1)); }
| name_list ',' NAME         { $$ = list_add(build, $1, build_name(build, @3)); }
;

/* ---- Expressions ------------------------------------------------------------------------- */

expr:
  postfix
| expr "||" expr             { $$ = build_binary(build, @$, @2, "or", $1, $3); }
| expr "&&" expr             { $$ = build_binary(build, @$, @2, "and", $1, $3); }
| expr "==" expr             { $$ = build_binary(build, @$, @2, "eq", $1, $3); }
| expr "!=" expr             { $$ = build_binary(build, @$, @2, "ne", $1, $3); }
| expr '<' expr              { $$ = build_binary(build, @$, @2, "lt", $1, $3); }
| expr "<=" expr             { $$ = build_binary(build, @$, @2, "le", $1, $3); }
| expr '>' expr              { $$ = build_binary(build, @$, @2, "gt", $1, $3); }
| expr ">=" expr             { $$ = build_binary(build, @$, @2, "ge", $1, $3); }
| expr '+' expr              { $$ = build_binary(build, @$, @2, "add", $1, $3); }
| expr '-' expr              { $$ = build_binary(build, @$, @2, "sub", $1, $3); }
| expr '*' expr              { $$ = build_binary(build, @$, @2, "mul", $1, $3); }
| expr '/' expr              { $$ = build_binary(build, @$, @2, "div", $1, $3); }
| expr '%' expr              { $$ = build_binary(build, @$, @2, "mod", $1, $3); }
| expr '@' expr              { $$ = build_binary(build, @$, @2, "matmul", $1, $3); }
| expr "**" expr             { $$ = build_binary(build, @$, @2, "pow", $1, $3); }
| '-' expr  %prec UNARY      { $$ = build_unary(build, @$, @1, "neg", $2); }
| '!' expr  %prec UNARY      { $$ = build_unary(build, @$, @1, "not", $2); }
| expr "as" NAME             { $$ = build_cast(build, @$, $1, @NAME); }
;

postfix:
  atom
| postfix '.' NAME           { $$ = build_property(build, @$, $1, @NAME); if (!$$) YYERROR; }
| postfix '[' indices ']'    { $$ = build_index(build, @$, $1, $indices); }
;

atom:
  NAME                       { $$ = build_name(build, @$); }
| NUMBER                     { $$ = build_number(build, @$); }
| call
| '[' exprs ']'              { $$ = build_list(build, @$, $exprs); }
| '(' expr ')'               { $$ = $expr; }
;

call:
  NAME '(' arguments ')'     { $$ = build_call(build, @$, @NAME, $arguments); }
;

arguments:
  %empty                     { $$ = list_new(build); }
| argument_list
| argument_list ','
;

argument_list:
  argument                   { $$ = list_add(build, list_new(build), $1); }
| argument_list ',' argument { $$ = list_add(build, $1, $3); }
;

argument:
  expr
| STRING                     { $$ = build_string(build, @$); }
| NAME '=' expr              { $$ = build_named(build, @$, @NAME, $expr); }
;

exprs:
  %empty                     { $$ = list_new(build); }
| expr_list
| expr_list ','
;

expr_list:
  expr                       { $$ = list_add(build, list_new(build), $1); }
| expr_list ',' expr         { $$ = list_add(build, $1, $3); }
;

indices:
  index_list
| index_list ','
;

index_list:
  index                      { $$ = list_add(build, list_new(build), $1); }
| index_list ',' index       { $$ = list_add(build, $1, $3); }
;

index:
  expr
| bound ':' bound            { $$ = build_slice(build, @$, $1, $3); }
| "None"                     { $$ = build_word(build, @$, A_NONE); }
| "..."                      { $$ = build_word(build, @$, A_ELLIPSIS); }
;

bound:
  %empty                     { $$ = NULL; }
| expr
;

%%

/* The tokens, with a note of what the messages in blame.c look back at. */
static int parser_lex(PARSER_STYPE *value, Span *at, Build *build) {
    (void)value;
    int token = lexer_next(build, at);
    build->last = build->now;
    build->now = *at;
    if (token == '{') build->open_brace = *at;
    if (token == '}') build->open_brace = NOWHERE;
    return token;
}

static int yyreport_syntax_error(const yypcontext_t *context, Build *build) {
    yysymbol_kind_t kinds[YYNTOKENS];
    const char *expected[YYNTOKENS];
    int count = yypcontext_expected_tokens(context, kinds, YYNTOKENS);
    for (int i = 0; i < count; i++) expected[i] = yysymbol_name(kinds[i]);
    const char *found = yysymbol_name(yypcontext_token(context));
    blame_token(build, *yypcontext_location(context), found, expected, count);
    return 0;
}

/* Called for one thing only: the stack is full. */
static void parser_error(const Span *at, Build *build, const char *message) {
    (void)message;
    diag_error(build->diag, *at, "the text is nested too deeply for the parser");
    diag_note(build->diag, *at, "%d symbols are not closed", PARSER_STACK);
}
