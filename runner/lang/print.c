/* SPDX-License-Identifier: MIT */
/* From a tree to its text, with as few parentheses as there can be. */
#include "functions.h"

#include <inttypes.h>
#include <string.h>

/* From here on numbers are addresses and masks, and hexadecimal. */
#define HEX_FROM 0x10000

/* As in the check: the structure whose members are printed without it. */
struct lang_print_scope {
    int on, reply;
    bool message;
    const struct lang_print_scope *outer;
};

struct lang_expr_printer {
    const struct wcts_lang_exprs *exprs;
    const struct wcts_spec *spec;
    struct wcts_text *out;
};

static void print_node(const struct lang_expr_printer *print, int node,
                       enum wcts_lang_binding least, const struct lang_print_scope *on);

/* NULL: the structure is always printed, as behind a slash. */
static void print_reference(const struct lang_expr_printer *print, struct wcts_lang_ref ref,
                            const struct lang_print_scope *on)
{
    const struct wcts_structure *structure = &print->spec->structures[ref.structure];
    const struct wcts_member *member = &structure->members[ref.member];
    const struct lang_print_scope *of = on;
    bool call = false, own;
    for (int out = ref.scope; of && out > 0 && of->outer; out--) {
        call = call || of->message;
        of = of->outer;
    }
    /* What is of a message outside an instance has its structure in front. */
    own = of && (of == on || call) &&
          (ref.structure == of->on || (ref.reply && ref.structure == of->reply)) &&
          (!ref.reply || ref.structure == of->reply ||
           wcts_model_spec_member(print->spec, of->reply, member->name) < 0) &&
          !wcts_is_keyword(member->name, strlen(member->name));
    wcts_text_add(print->out, "%s%s%s%s%s", call ? "call." : "", ref.reply ? "reply." : "",
                  own ? "" : structure->name, own ? "" : ".", member->name);
    if (ref.flag >= 0)
        wcts_text_add(print->out, ".%s", print->spec->words[member->word].flags[ref.flag].name);
}

static void print_list(const struct lang_expr_printer *print, int first, const char *between,
                       enum wcts_lang_binding least, const struct lang_print_scope *on)
{
    for (int node = first; node; node = print->exprs->nodes[node].next) {
        wcts_text_add(print->out, "%s", node == first ? "" : between);
        print_node(print, node, least, on);
    }
}

/* What comes behind a structure is about its instances. */
static void print_function(const struct lang_expr_printer *print, const struct wcts_lang_node *call,
                           const struct lang_print_scope *on)
{
    const struct wcts_lang_function *function = &wcts_functions[call->b];
    int argument = call->a, before = 0;
    wcts_text_add(print->out, "%s(", function->name);
    for (int i = 0; argument; i++, argument = print->exprs->nodes[argument].next) {
        const struct wcts_lang_node *instances = &print->exprs->nodes[before];
        bool each = i > 0 && i < WCTS_PARAMS_MAX && function->params[i] == WCTS_EXPR_EACH &&
                    instances->op == WCTS_OP_STRUCTURE && on;
        const struct lang_print_scope inner = {instances->a, instances->a, false, on};
        wcts_text_add(print->out, "%s", i > 0 ? ", " : "");
        print_node(print, argument, WCTS_BINDS_OR, each ? &inner : on);
        before = argument;
    }
    wcts_text_add(print->out, ")");
}

static void print_instances(const struct lang_expr_printer *print,
                            const struct wcts_lang_node *node, const struct lang_print_scope *on)
{
    wcts_text_add(print->out, "%s", print->spec->structures[node->a].name);
    if (node->b) {
        wcts_text_add(print->out, " in ");
        print_node(print, node->b, WCTS_BINDS_SUM, on);
    }
}

static void print_operand(const struct lang_expr_printer *print, const struct wcts_lang_node *node,
                          const struct lang_print_scope *on)
{
    switch ((enum wcts_lang_op)node->op) {
    case WCTS_OP_NUMBER:
        wcts_text_add(print->out, node->number >= HEX_FROM ? "0x%" PRIX64 : "%" PRIu64,
                      node->number);
        return;
    case WCTS_OP_PAGE:
        wcts_text_add(print->out, "page");
        return;
    case WCTS_OP_ANSWER:
        wcts_text_add(print->out, node->a ? "refused" : "accepted");
        return;
    case WCTS_OP_MEMBER:
        print_reference(print, node->ref, on);
        return;
    case WCTS_OP_FOLLOW:
        print_node(print, node->a, WCTS_BINDS_VALUE, on);
        wcts_text_add(print->out, "/");
        print_node(print, node->b, WCTS_BINDS_VALUE, NULL);
        return;
    case WCTS_OP_STRUCTURE:
        print_instances(print, node, on);
        return;
    case WCTS_OP_SET:
        wcts_text_add(print->out, "{");
        print_list(print, node->a, ", ", WCTS_BINDS_OR, on);
        wcts_text_add(print->out, "}");
        return;
    case WCTS_OP_CALL:
        print_function(print, node, on);
        return;
    default: /* a name or a word */
        wcts_text_add(print->out, "%s", wcts_lang_name(print->exprs, node->a));
        return;
    }
}

/* A number by the name that it has in the member, or nothing. */
static bool print_number_name(const struct lang_expr_printer *print,
                              const struct wcts_member *member, const struct wcts_lang_node *node)
{
    for (int i = 0; member && node->op == WCTS_OP_NUMBER && i < member->number_count; i++)
        if (member->numbers[i].number == node->number) {
            wcts_text_add(print->out, "%s", member->numbers[i].name);
            return true;
        }
    return false;
}

/* What a member is compared with, or the set that it is in. */
static void print_right(const struct lang_expr_printer *print, const struct wcts_lang_node *node,
                        enum wcts_lang_binding least, const struct lang_print_scope *on)
{
    const struct wcts_lang_node *nodes = print->exprs->nodes, *right = &nodes[node->b];
    const struct wcts_member *member =
        node->op == WCTS_OP_EQ || node->op == WCTS_OP_NE || node->op == WCTS_OP_IN
            ? wcts_lang_named_numbers(print->exprs, print->spec, node->a)
            : NULL;
    if (!member || right->op != WCTS_OP_SET) {
        if (!print_number_name(print, member, right))
            print_node(print, node->b, least, on);
        return;
    }
    wcts_text_add(print->out, "{");
    for (int i = right->a; i; i = nodes[i].next) {
        wcts_text_add(print->out, "%s", i == right->a ? "" : ", ");
        if (!print_number_name(print, member, &nodes[i]))
            print_node(print, i, WCTS_BINDS_OR, on);
    }
    wcts_text_add(print->out, "}");
}

static void print_operator(const struct lang_expr_printer *print, const struct wcts_lang_node *node,
                           const struct lang_print_scope *on)
{
    const struct wcts_lang_operator *row = &wcts_operators[node->op];
    char between[8];
    snprintf(between, sizeof between, " %s ", row->text);
    if (node->op == WCTS_OP_NOT) {
        wcts_text_add(print->out, "not ");
        print_node(print, node->a, WCTS_BINDS_NOT, on);
    } else if (node->op <= WCTS_OP_AND) {
        print_list(print, node->a, between, row->binding + 1, on);
    } else {
        /* Of comparisons there is one; sums and products are read from the left. */
        print_node(print, node->a, row->binding + (row->binding == WCTS_BINDS_COMPARISON), on);
        wcts_text_add(print->out, "%s", between);
        print_right(print, node, row->binding + 1, on);
    }
}

static void print_node(const struct lang_expr_printer *print, int index,
                       enum wcts_lang_binding least, const struct lang_print_scope *on)
{
    const struct wcts_lang_node *node = &print->exprs->nodes[index];
    const struct wcts_lang_operator *row = &wcts_operators[node->op];
    bool loose = row->text && row->binding < least;
    wcts_text_add(print->out, "%s", loose ? "(" : "");
    if (row->text)
        print_operator(print, node, on);
    else
        print_operand(print, node, on);
    wcts_text_add(print->out, "%s", loose ? ")" : "");
}

void wcts_lang_print_about(const struct wcts_lang_exprs *exprs, const struct wcts_spec *spec,
                           const struct wcts_lang_about *about, int root, struct wcts_text *out)
{
    const struct lang_expr_printer print = {exprs, spec, out};
    const struct wcts_lang_about *call = about->call ? about->call : about;
    const struct lang_print_scope outer = {call->on, call->reply < 0 ? call->on : call->reply, true,
                                           NULL};
    const struct lang_print_scope scope = {about->on, about->reply < 0 ? about->on : about->reply,
                                           true, about->call ? &outer : NULL};
    print_node(&print, root, WCTS_BINDS_OR, &scope);
}

void wcts_lang_print(const struct wcts_lang_exprs *exprs, const struct wcts_spec *spec, int on,
                     int root, struct wcts_text *out)
{
    const struct wcts_lang_about about = {on, -1, NULL};
    wcts_lang_print_about(exprs, spec, &about, root, out);
}
