/* SPDX-License-Identifier: MIT */
/* From text to a tree, in one pass: precedence climbing over tokens. */
#include "functions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"

/* ---- the nodes of a suite ---- */

void wcts_exprs_init(struct wcts_exprs *exprs)
{
    *exprs = (struct wcts_exprs){.arena = wcts_arena_new()};
    wcts_exprs_add(exprs, (struct wcts_expr_node){.op = WCTS_OP_NONE});
}

void wcts_exprs_release(struct wcts_exprs *exprs)
{
    free(exprs->nodes);
    free(exprs->names);
    wcts_map_release(&exprs->atoms);
    wcts_arena_free(exprs->arena);
    *exprs = (struct wcts_exprs){0};
}

int wcts_exprs_add(struct wcts_exprs *exprs, struct wcts_expr_node node)
{
    struct wcts_expr_node *added = WCTS_ARRAY_ADD(exprs->nodes, exprs->node_count);
    if (!added)
        return 0;
    *added = node;
    return exprs->node_count - 1;
}

int wcts_exprs_atom(struct wcts_exprs *exprs, const char *name, size_t length)
{
    char *copy = wcts_arena_string(exprs->arena, name, length);
    int atom = wcts_map_get(&exprs->atoms, copy, -1);
    const char **added;
    if (atom >= 0)
        return atom;
    added = WCTS_ARRAY_ADD(exprs->names, exprs->name_count);
    if (!added)
        return -1;
    *added = copy;
    return wcts_map_add(&exprs->atoms, copy, exprs->name_count - 1) ? exprs->name_count - 1 : -1;
}

/* ---- tokens ---- */

enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN, TOKEN_WRONG };

/* A piece of the text; a sign is an operator, a keyword or a bracket. */
struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    uint64_t number;
};

struct parser {
    struct wcts_exprs *exprs;
    const struct wcts_expr_text *source;
    size_t at; /* behind the token */
    struct token token;
    int depth;
    bool failed; /* and reported */
};

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define DIGITS "0123456789"

static const char *const signs[] = {"!=", "<=", ">=", "=", "<", ">", "+", "-",
                                    "*",  "(",  ")",  "{", "}", ",", "/", NULL};

/* What other languages call it. */
static const struct {
    const char *wrong, *right;
} foreign_signs[] = {{"==", "="},  {"&&", "and"}, {"||", "or"}, {"<>", "!="}, {"!", "not"},
                     {"%", "mod"}, {"&", "and"},  {"|", "or"},  {"~", "not"}};

static int column_of(const struct parser *parser)
{
    return (int)(parser->token.text - parser->source->text) + 1;
}

static int parse_fails(struct parser *parser)
{
    parser->failed = true;
    return 0;
}

/* Reports what is not what was expected, at the token. */
static int expected(struct parser *parser, const char *what)
{
    const struct token *token = &parser->token;
    if (parser->failed)
        return 0;
    if (token->kind == TOKEN_END)
        wcts_expr_error(parser->source, column_of(parser), "expected %s, found the end", what);
    else
        wcts_expr_error(parser->source, column_of(parser), "expected %s, found \"%.*s\"", what,
                        (int)token->length, token->text);
    return parse_fails(parser);
}

static bool token_is(const struct parser *parser, const char *sign)
{
    return parser->token.kind == TOKEN_SIGN && strlen(sign) == parser->token.length &&
           memcmp(sign, parser->token.text, parser->token.length) == 0;
}

static size_t span(const char *text, size_t length, const char *of)
{
    size_t count = 0;
    while (count < length && text[count] != '\0' && strchr(of, text[count]))
        count++;
    return count;
}

/* Decimal without a 0 in front and with at most 19 digits, or 0x and at most 16. */
static bool read_number(const struct token *token, uint64_t *number)
{
    bool hex = token->length > 2 && memcmp(token->text, "0x", 2) == 0;
    size_t digits = hex ? token->length - 2 : token->length;
    char copy[24];
    char *end;
    if (digits > (hex ? 16 : 19) || (!hex && digits > 1 && token->text[0] == '0'))
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)token->length, token->text);
    *number = strtoull(copy, &end, hex ? 16 : 10);
    return *end == '\0';
}

static void lex_number(struct parser *parser)
{
    struct token *token = &parser->token;
    token->kind = read_number(token, &token->number) ? TOKEN_NUMBER : TOKEN_WRONG;
    if (token->kind == TOKEN_NUMBER || parser->failed)
        return;
    wcts_expr_error(parser->source, column_of(parser),
                    "\"%.*s\" is no number, expected at most 19 digits without a 0 in front, or 0x "
                    "and at most 16",
                    (int)token->length, token->text);
    parse_fails(parser);
}

/* A name has dots in it: Flags.Shared. */
static size_t name_length(const char *text, size_t length)
{
    size_t at = span(text, length, LETTERS DIGITS);
    while (at + 1 < length && text[at] == '.' && span(text + at + 1, length - at - 1, LETTERS) > 0)
        at += 1 + span(text + at + 1, length - at - 1, LETTERS DIGITS);
    return at;
}

static bool starts_with(const char *text, size_t length, const char *sign)
{
    return length >= strlen(sign) && memcmp(text, sign, strlen(sign)) == 0;
}

static void lex_sign(struct parser *parser, size_t left)
{
    struct token *token = &parser->token;
    token->kind = TOKEN_WRONG;
    token->length = 1;
    for (size_t i = 0; i < sizeof foreign_signs / sizeof *foreign_signs; i++) {
        if (!starts_with(token->text, left, foreign_signs[i].wrong) ||
            starts_with(token->text, left, "!="))
            continue;
        if (!parser->failed)
            wcts_expr_error(parser->source, column_of(parser),
                            "\"%s\" is no operator, did you mean \"%s\"?", foreign_signs[i].wrong,
                            foreign_signs[i].right);
        parse_fails(parser);
        return;
    }
    for (int i = 0; signs[i]; i++)
        if (starts_with(token->text, left, signs[i])) {
            token->kind = TOKEN_SIGN;
            token->length = strlen(signs[i]);
            return;
        }
    if (!parser->failed && token->text[0] > ' ' && token->text[0] <= '~')
        wcts_expr_error(parser->source, column_of(parser), "\"%c\" means nothing here",
                        token->text[0]);
    else if (!parser->failed)
        wcts_expr_error(parser->source, column_of(parser), "character 0x%02x means nothing here",
                        (unsigned)(unsigned char)token->text[0]);
    parse_fails(parser);
}

static void next_token(struct parser *parser)
{
    const struct wcts_expr_text *source = parser->source;
    struct token *token = &parser->token;
    size_t left;
    parser->at += span(source->text + parser->at, source->length - parser->at, " \t\r\n");
    left = source->length - parser->at;
    *token = (struct token){.kind = TOKEN_END, .text = source->text + parser->at};
    if (left == 0)
        return;
    if (span(token->text, 1, DIGITS)) {
        token->length = span(token->text, left, LETTERS DIGITS);
        lex_number(parser);
    } else if (span(token->text, 1, LETTERS)) {
        token->length = name_length(token->text, left);
        token->kind = wcts_is_keyword(token->text, token->length) ? TOKEN_SIGN : TOKEN_NAME;
    } else {
        lex_sign(parser, left);
    }
    parser->at += token->length;
}

static bool take_sign(struct parser *parser, const char *sign)
{
    if (!token_is(parser, sign))
        return false;
    next_token(parser);
    return true;
}

/* ---- values ---- */

static int parse_binding(struct parser *parser, enum wcts_binding least);

static int add_node(struct parser *parser, enum wcts_op op, int column,
                    struct wcts_expr_node content)
{
    int node;
    if (parser->failed)
        return 0;
    content.op = (uint8_t)op;
    content.column = (uint16_t)column;
    node = wcts_exprs_add(parser->exprs, content);
    if (node == 0) {
        wcts_expr_error(parser->source, column, "there is no memory left");
        parse_fails(parser);
    }
    return node;
}

/* Expressions with commas between them, up to a bracket; the first. */
static int parse_list(struct parser *parser, const char *bracket)
{
    int first = parse_binding(parser, WCTS_BINDS_OR), last = first;
    char wanted[24];
    while (!parser->failed && take_sign(parser, ",")) {
        int next = parse_binding(parser, WCTS_BINDS_OR);
        parser->exprs->nodes[last].next = next;
        last = next;
    }
    snprintf(wanted, sizeof wanted, "\",\" or \"%s\"", bracket);
    if (!take_sign(parser, bracket))
        expected(parser, wanted);
    return parser->failed ? 0 : first;
}

/* A member, or a call. */
static int parse_name(struct parser *parser)
{
    struct token name = parser->token;
    int column = column_of(parser), atom, function;
    if (name.length > WCTS_EXPR_NAME_LONGEST) {
        wcts_expr_error(parser->source, column, "the name has %zu characters, expected at most %d",
                        name.length, WCTS_EXPR_NAME_LONGEST);
        return parse_fails(parser);
    }
    atom = wcts_exprs_atom(parser->exprs, name.text, name.length);
    next_token(parser);
    if (parser->failed || !take_sign(parser, "("))
        return add_node(parser, WCTS_OP_NAME, column, (struct wcts_expr_node){.a = atom});
    function =
        parser->failed
            ? -1
            : wcts_names_find(&WCTS_NAMES("function", NULL, wcts_functions, wcts_function_count),
                              parser->source, column, parser->exprs->names[atom]);
    if (function < 0)
        return parse_fails(parser);
    return add_node(parser, WCTS_OP_CALL, column,
                    (struct wcts_expr_node){.a = parse_list(parser, ")"), .b = function});
}

/* A name, and members of what it leads to. */
static int parse_path(struct parser *parser)
{
    int path = parse_name(parser);
    bool leads = parser->exprs->nodes[path].op == WCTS_OP_NAME;
    for (int steps = 1; leads && !parser->failed && token_is(parser, "/"); steps++) {
        int column = column_of(parser), member;
        next_token(parser);
        if (parser->failed || parser->token.kind != TOKEN_NAME)
            return expected(parser, "a member behind \"/\"");
        if (steps == WCTS_EXPR_STEPS) {
            wcts_expr_error(parser->source, column, "the path has more than %d members", steps);
            return parse_fails(parser);
        }
        member = parse_name(parser);
        if (parser->exprs->nodes[member].op == WCTS_OP_CALL)
            return expected(parser, "a member behind \"/\", not a function");
        path = add_node(parser, WCTS_OP_FOLLOW, column,
                        (struct wcts_expr_node){.a = path, .b = member});
    }
    return path;
}

static int parse_value(struct parser *parser)
{
    struct token token = parser->token;
    int column = column_of(parser), value;
    if (token.kind == TOKEN_NAME)
        return parse_path(parser);
    if (token.kind == TOKEN_NUMBER) {
        next_token(parser);
        return add_node(parser, WCTS_OP_NUMBER, column,
                        (struct wcts_expr_node){.number = token.number});
    }
    if (take_sign(parser, "page"))
        return add_node(parser, WCTS_OP_PAGE, column, (struct wcts_expr_node){0});
    if (take_sign(parser, "{"))
        return add_node(parser, WCTS_OP_SET, column,
                        (struct wcts_expr_node){.a = parse_list(parser, "}")});
    if (!take_sign(parser, "("))
        return expected(parser, "a value");
    value = parse_binding(parser, WCTS_BINDS_OR);
    if (!take_sign(parser, ")"))
        expected(parser, "\")\"");
    return value;
}

/* ---- operators ---- */

/* "not" binds less than what least asks for: 1 + not x. */
static int parse_not(struct parser *parser, enum wcts_binding least)
{
    int column = column_of(parser);
    if (least > WCTS_BINDS_NOT)
        return expected(parser, "a value, or \"(not ...)\"");
    next_token(parser);
    return add_node(parser, WCTS_OP_NOT, column,
                    (struct wcts_expr_node){.a = parse_binding(parser, WCTS_BINDS_NOT)});
}

/* The operator between two values at the token. */
static enum wcts_op operator_at(const struct parser *parser)
{
    for (int op = WCTS_OP_OR; op <= WCTS_OP_MOD; op++)
        if (op != WCTS_OP_NOT && token_is(parser, wcts_operators[op].text))
            return (enum wcts_op)op;
    return WCTS_OP_NONE;
}

/* All operands of and, or of or; first has been read. */
static int parse_operands(struct parser *parser, enum wcts_op op, int first)
{
    const struct wcts_operator *row = &wcts_operators[op];
    int column = column_of(parser), last = first;
    while (!parser->failed && take_sign(parser, row->text)) {
        int operand = parse_binding(parser, row->binding + 1);
        parser->exprs->nodes[last].next = operand;
        last = operand;
    }
    return add_node(parser, op, column, (struct wcts_expr_node){.a = first});
}

static int parse_binary(struct parser *parser, enum wcts_op op, int left)
{
    enum wcts_binding binding = wcts_operators[op].binding;
    int column = column_of(parser), right;
    next_token(parser);
    right = parse_binding(parser, binding + 1);
    if (!parser->failed && binding == WCTS_BINDS_COMPARISON &&
        wcts_operators[operator_at(parser)].text &&
        wcts_operators[operator_at(parser)].binding == WCTS_BINDS_COMPARISON)
        return expected(parser, "\"and\", \"or\" or the end of the comparison");
    return add_node(parser, op, column, (struct wcts_expr_node){.a = left, .b = right});
}

/* As much as operators bind together that bind at least so tightly. */
static int parse_binding(struct parser *parser, enum wcts_binding least)
{
    enum wcts_op op;
    int left;
    if (parser->failed)
        return 0;
    if (++parser->depth > WCTS_EXPR_DEEPEST) {
        wcts_expr_error(parser->source, column_of(parser), "nested more than %d deep",
                        WCTS_EXPR_DEEPEST);
        return parse_fails(parser);
    }
    left = token_is(parser, "not") ? parse_not(parser, least) : parse_value(parser);
    while (!parser->failed && (op = operator_at(parser)) != WCTS_OP_NONE &&
           wcts_operators[op].binding >= least)
        left =
            op <= WCTS_OP_AND ? parse_operands(parser, op, left) : parse_binary(parser, op, left);
    parser->depth--;
    return parser->failed ? 0 : left;
}

int wcts_expr_parse(struct wcts_exprs *exprs, const struct wcts_expr_text *text)
{
    struct parser parser = {.exprs = exprs, .source = text};
    int root;
    if (text->length > WCTS_EXPR_LONGEST) {
        wcts_expr_error(text, WCTS_EXPR_LONGEST + 1,
                        "the text has %zu characters, expected at most %d", text->length,
                        WCTS_EXPR_LONGEST);
        return 0;
    }
    next_token(&parser);
    root = parse_binding(&parser, WCTS_BINDS_OR);
    if (!parser.failed && parser.token.kind != TOKEN_END)
        expected(&parser, "an operator or the end");
    return parser.failed ? 0 : root;
}
