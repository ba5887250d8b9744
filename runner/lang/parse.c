/* SPDX-License-Identifier: MIT */
/*
 * From text to a tree, in one pass: precedence climbing over tokens. Behind the first error, which
 * alone is reported, there are no more tokens, so that everything ends by itself.
 */
#include "functions.h"

#include <stdlib.h>
#include <string.h>

/* ---- tokens ---- */

enum lang_token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN };

/* A piece of the text; a sign is an operator, a keyword or a bracket. */
struct lang_token {
    enum lang_token_kind kind;
    const char *text;
    size_t length;
    uint64_t number;
    int column;
};

struct lang_parser {
    struct wcts_lang_exprs *exprs;
    struct wcts_lang_text *source;
    struct lang_token token;
    int depth;
};

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define DIGITS "0123456789"

static const struct {
    const char *sign, *meant; /* meant: what another language's sign is here */
} signs[] = {{"!=", NULL}, {"<=", NULL}, {">=", NULL}, {"==", "="},  {"<>", "!="}, {"&&", "and"},
             {"||", "or"}, {"=", NULL},  {"<", NULL},  {">", NULL},  {"+", NULL},  {"-", NULL},
             {"*", NULL},  {"(", NULL},  {")", NULL},  {"{", NULL},  {"}", NULL},  {",", NULL},
             {"/", NULL},  {"!", "not"}, {"~", "not"}, {"%", "mod"}, {"&", "and"}, {"|", "or"}};

/* Reports what is not what was expected, at the token. */
static int report_expected(const struct lang_parser *parser, const char *what)
{
    const struct lang_token *token = &parser->token;
    if (token->kind == TOKEN_END)
        return wcts_lang_error(parser->source, token->column, "expected %s, found the end", what);
    return wcts_lang_error(parser->source, token->column, "expected %s, found \"%.*s\"", what,
                           (int)token->length, token->text);
}

static bool token_is(const struct lang_parser *parser, const char *sign)
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
static bool scan_number(struct lang_token *token)
{
    bool hex = token->length > 2 && memcmp(token->text, "0x", 2) == 0;
    size_t digits = hex ? token->length - 2 : token->length;
    char copy[24], *end;
    if (digits > (hex ? 16 : 19) || (!hex && digits > 1 && token->text[0] == '0'))
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)token->length, token->text);
    token->number = strtoull(copy, &end, hex ? 16 : 10);
    return *end == '\0';
}

/* A name has dots in it: Flags.Shared. */
static size_t name_length(const char *text, size_t length)
{
    size_t at = span(text, length, LETTERS DIGITS);
    while (at + 1 < length && text[at] == '.' && span(text + at + 1, 1, LETTERS))
        at += 1 + span(text + at + 1, length - at - 1, LETTERS DIGITS);
    return at;
}

static void lex_sign(struct lang_parser *parser, size_t left)
{
    struct lang_token *token = &parser->token;
    bool printable = token->text[0] > ' ' && token->text[0] <= '~';
    token->kind = TOKEN_SIGN;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        token->length = strlen(signs[i].sign);
        if (token->length > left || memcmp(token->text, signs[i].sign, token->length) != 0)
            continue;
        if (signs[i].meant)
            wcts_lang_error(parser->source, token->column,
                            "\"%s\" is no operator, did you mean \"%s\"?", signs[i].sign,
                            signs[i].meant);
        return;
    }
    wcts_lang_error(parser->source, token->column,
                    printable ? "\"%c\" means nothing here" : "character 0x%02x means nothing here",
                    (unsigned)(unsigned char)token->text[0]);
}

static void next_token(struct lang_parser *parser)
{
    struct wcts_lang_text *source = parser->source;
    struct lang_token *token = &parser->token;
    const char *end = source->text + source->length;
    const char *text = token->text ? token->text + token->length : source->text;
    size_t left;
    text += span(text, (size_t)(end - text), " \t\r\n");
    left = (size_t)(end - text);
    *token = (struct lang_token){
        .kind = TOKEN_END, .text = text, .column = (int)(text - source->text) + 1};
    if (left == 0)
        return;
    if (span(text, 1, DIGITS)) {
        token->kind = TOKEN_NUMBER;
        token->length = span(text, left, LETTERS DIGITS);
        if (!scan_number(token))
            wcts_lang_error(source, token->column,
                            "\"%.*s\" is no number, expected at most 19 digits without a 0 in "
                            "front, or 0x and at most 16",
                            (int)token->length, text);
    } else if (span(text, 1, LETTERS)) {
        token->length = name_length(text, left);
        token->kind = wcts_is_keyword(text, token->length) ? TOKEN_SIGN : TOKEN_NAME;
    } else {
        lex_sign(parser, left);
    }
    if (source->failed)
        token->kind = TOKEN_END;
}

static bool take_sign(struct lang_parser *parser, const char *sign)
{
    bool is = token_is(parser, sign);
    if (is)
        next_token(parser);
    return is;
}

/* ---- values ---- */

static int parse_binding(struct lang_parser *parser, enum wcts_lang_binding least);

static int add_parsed(struct lang_parser *parser, enum wcts_lang_op op, int column,
                      struct wcts_lang_node content)
{
    int node;
    content.op = (uint8_t)op;
    content.column = (uint16_t)column;
    node = wcts_lang_exprs_add(parser->exprs, content);
    return node ? node : wcts_lang_error(parser->source, column, "there is no memory left");
}

/* Expressions that bind so tightly, with signs between them; the first of them, or the one that has
 * been read. */
static int parse_list(struct lang_parser *parser, const char *between, enum wcts_lang_binding least,
                      int first)
{
    int last = first = first ? first : parse_binding(parser, least);
    while (take_sign(parser, between)) {
        int next = parse_binding(parser, least);
        parser->exprs->nodes[last].next = next;
        last = next;
    }
    return first;
}

static int parse_bracketed(struct lang_parser *parser, const char *bracket)
{
    int first = parse_list(parser, ",", WCTS_BINDS_OR, 0);
    char wanted[16];
    snprintf(wanted, sizeof wanted, "\",\" or \"%s\"", bracket);
    return take_sign(parser, bracket) ? first : report_expected(parser, wanted);
}

/* A member, or a call. */
static int parse_name(struct lang_parser *parser)
{
    static const struct wcts_lang_names functions = {"function", NULL, wcts_functions,
                                                     WCTS_FUNCTION_COUNT, sizeof *wcts_functions};
    const struct lang_token name = parser->token;
    int text = wcts_lang_exprs_name(parser->exprs, name.text, name.length), function;
    if (name.length > WCTS_EXPR_NAME_LONGEST)
        return wcts_lang_error(parser->source, name.column,
                               "the name has %zu characters, expected at most %d", name.length,
                               WCTS_EXPR_NAME_LONGEST);
    next_token(parser);
    if (!take_sign(parser, "("))
        return add_parsed(parser, WCTS_OP_NAME, name.column, (struct wcts_lang_node){.a = text});
    function = wcts_names_find(&functions, parser->source, name.column,
                               wcts_lang_name(parser->exprs, text));
    return add_parsed(parser, WCTS_OP_CALL, name.column,
                      (struct wcts_lang_node){.a = parse_bracketed(parser, ")"), .b = function});
}

/* A name, and members of what it leads to. */
static int parse_path(struct lang_parser *parser)
{
    int path = parse_name(parser);
    for (int steps = 1; token_is(parser, "/"); steps++) {
        int column = parser->token.column, member;
        if (steps == WCTS_EXPR_STEPS)
            return wcts_lang_error(parser->source, column, "the path has more than %d members",
                                   steps);
        if (parser->exprs->nodes[path].op == WCTS_OP_CALL)
            return report_expected(parser, "an operator or the end");
        next_token(parser);
        member = parser->token.kind == TOKEN_NAME ? parse_name(parser) : 0;
        if (parser->exprs->nodes[member].op != WCTS_OP_NAME)
            return report_expected(parser, "a member behind \"/\"");
        path = add_parsed(parser, WCTS_OP_FOLLOW, column,
                          (struct wcts_lang_node){.a = path, .b = member});
    }
    return path;
}

static int parse_value(struct lang_parser *parser)
{
    const struct lang_token token = parser->token;
    int value;
    if (token.kind == TOKEN_NAME)
        return parse_path(parser);
    if (token.kind == TOKEN_NUMBER) {
        next_token(parser);
        return add_parsed(parser, WCTS_OP_NUMBER, token.column,
                          (struct wcts_lang_node){.number = token.number});
    }
    if (take_sign(parser, "page"))
        return add_parsed(parser, WCTS_OP_PAGE, token.column, (struct wcts_lang_node){0});
    if (take_sign(parser, "accepted"))
        return add_parsed(parser, WCTS_OP_ANSWER, token.column, (struct wcts_lang_node){.a = 0});
    if (take_sign(parser, "refused"))
        return add_parsed(parser, WCTS_OP_ANSWER, token.column, (struct wcts_lang_node){.a = 1});
    if (take_sign(parser, "{"))
        return add_parsed(parser, WCTS_OP_SET, token.column,
                          (struct wcts_lang_node){.a = parse_bracketed(parser, "}")});
    if (!take_sign(parser, "("))
        return report_expected(parser, "a value");
    value = parse_binding(parser, WCTS_BINDS_OR);
    return take_sign(parser, ")") ? value : report_expected(parser, "\")\"");
}

/* ---- operators ---- */

/* "not" binds less than what least asks for: 1 + not x. */
static int parse_not(struct lang_parser *parser, enum wcts_lang_binding least)
{
    int column = parser->token.column;
    if (least > WCTS_BINDS_NOT)
        return report_expected(parser, "a value, or \"(not ...)\"");
    next_token(parser);
    return add_parsed(parser, WCTS_OP_NOT, column,
                      (struct wcts_lang_node){.a = parse_binding(parser, WCTS_BINDS_NOT)});
}

/* The operator between two values at the token; NONE, which binds nothing, if there is none. */
static enum wcts_lang_op operator_at(const struct lang_parser *parser)
{
    for (int op = WCTS_OP_OR; op <= WCTS_OP_MOD; op++)
        if (op != WCTS_OP_NOT && token_is(parser, wcts_operators[op].text))
            return (enum wcts_lang_op)op;
    return WCTS_OP_NONE;
}

/* All operands of and, or of or, are one node. */
static int parse_operator(struct lang_parser *parser, enum wcts_lang_op op, int left)
{
    const struct wcts_lang_operator *row = &wcts_operators[op];
    int column = parser->token.column, right;
    if (op <= WCTS_OP_AND)
        return add_parsed(
            parser, op, column,
            (struct wcts_lang_node){.a = parse_list(parser, row->text, row->binding + 1, left)});
    next_token(parser);
    right = parse_binding(parser, row->binding + 1);
    if (row->binding == WCTS_BINDS_COMPARISON &&
        wcts_operators[operator_at(parser)].binding == WCTS_BINDS_COMPARISON)
        return report_expected(parser, "\"and\", \"or\" or the end of the comparison");
    return add_parsed(parser, op, column, (struct wcts_lang_node){.a = left, .b = right});
}

/* As much as operators bind together that bind at least so tightly. */
static int parse_binding(struct lang_parser *parser, enum wcts_lang_binding least)
{
    enum wcts_lang_op op;
    int left;
    if (++parser->depth > WCTS_EXPR_DEEPEST)
        return wcts_lang_error(parser->source, parser->token.column, "nested more than %d deep",
                               WCTS_EXPR_DEEPEST);
    left = token_is(parser, "not") ? parse_not(parser, least) : parse_value(parser);
    while (!parser->source->failed && (op = operator_at(parser)) != WCTS_OP_NONE &&
           wcts_operators[op].binding >= least)
        left = parse_operator(parser, op, left);
    parser->depth--;
    return left;
}

int wcts_lang_parse(struct wcts_lang_exprs *exprs, struct wcts_lang_text *text)
{
    struct lang_parser parser = {.exprs = exprs, .source = text};
    int root;
    text->failed = false;
    if (text->length > WCTS_EXPR_LONGEST)
        return wcts_lang_error(text, WCTS_EXPR_LONGEST + 1,
                               "the text has %zu characters, expected at most %d", text->length,
                               WCTS_EXPR_LONGEST);
    next_token(&parser);
    root = parse_binding(&parser, WCTS_BINDS_OR);
    if (parser.token.kind != TOKEN_END)
        report_expected(&parser, "an operator or the end");
    return text->failed ? 0 : root;
}
