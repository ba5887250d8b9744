/* SPDX-License-Identifier: MIT */
/* Why an expression of an effect is not true, in words. They enter signatures of failures. */
#include <inttypes.h>
#include <string.h>

#include "../lang/functions.h"
#include "select.h"

struct wcts_lang_result wcts_judge_value_at(const struct wcts_judge_selection *selection, int root)
{
    const struct wcts_judge_effect_eval *eval = &selection->eval;
    return wcts_lang_value_about(selection->exprs, root, &selection->env,
                                 wcts_exchange_instance(eval->found),
                                 wcts_exchange_instance(eval->on));
}

enum wcts_truth wcts_judge_truth_at(const struct wcts_judge_selection *selection, int root)
{
    struct wcts_lang_result value = wcts_judge_value_at(selection, root);
    return !value.known ? WCTS_UNKNOWN : value.number ? WCTS_TRUE : WCTS_FALSE;
}

static const struct wcts_lang_node *node_of(const struct wcts_judge_selection *selection, int index)
{
    return &selection->exprs->nodes[index];
}

static bool calls_function(const struct wcts_judge_selection *selection, int index,
                           const char *function)
{
    const struct wcts_lang_node *node = node_of(selection, index);
    return node->op == WCTS_OP_CALL && strcmp(wcts_functions[node->b].name, function) == 0;
}

static bool is_number_node(const struct wcts_judge_selection *selection, int index, uint64_t number)
{
    const struct wcts_lang_node *node = node_of(selection, index);
    return node->op == WCTS_OP_NUMBER && node->number == number;
}

static bool value_at(const struct wcts_judge_selection *selection, int node, uint64_t *value)
{
    struct wcts_lang_result result = wcts_judge_value_at(selection, node);
    *value = (uint64_t)result.number;
    return result.known;
}

/* ---- the member that a comparison is about ---- */

/* What is compared of it does not matter: without(Flags, Flags.A), Bits mod 2, first_of(...). */
static int whole_of(const struct wcts_judge_selection *selection, int index)
{
    const struct wcts_lang_node *node = node_of(selection, index);
    if (node->op == WCTS_OP_MOD)
        return node->a;
    return calls_function(selection, index, "without") ||
                   calls_function(selection, index, "first_of")
               ? node->a
               : index;
}

/* The last member of a path; -1: it is none. */
static const struct wcts_lang_node *member_node(const struct wcts_judge_selection *selection,
                                                int index, bool *path)
{
    const struct wcts_lang_node *node = node_of(selection, index);
    *path = node->op == WCTS_OP_FOLLOW;
    if (*path)
        node = node_of(selection, node->b);
    return node->op == WCTS_OP_MEMBER ? node : NULL;
}

static void member_text(const struct wcts_judge_selection *selection,
                        const struct wcts_lang_node *member, char *text, size_t room)
{
    const struct wcts_spec *spec = selection->eval.trace.spec;
    const struct wcts_ref ref = {member->ref.structure, member->ref.member, member->ref.flag};
    char name[96];
    snprintf(text, room, "%s.%s", spec->structures[ref.structure].name,
             wcts_model_ref_text(spec, ref, name, sizeof name));
}

/* True if the request has the member, too. A reply with a structure of its own has that name. */
static bool needs_reply_in_front(const struct wcts_judge_selection *selection,
                                 const struct wcts_lang_node *member, bool path)
{
    const struct wcts_effect *effect = selection->effect;
    const struct wcts_message *message =
        effect->message < 0 ? NULL : &selection->eval.trace.spec->messages[effect->message];
    if (!member->ref.reply || path || effect->selector == WCTS_SELECT_CALL)
        return member->ref.reply;
    return !message || member->ref.structure != message->reply ||
           message->reply == message->request;
}

static void say_unknown(struct wcts_judge_selection *selection, const struct wcts_lang_node *member)
{
    char name[128];
    member_text(selection, member, name, sizeof name);
    snprintf(selection->eval.text, sizeof selection->eval.text,
             "%s cannot be told from what was recorded", name);
}

/* A native call has no lengths, but two pointers, from which they follow (runner/import/names.c):
 * true, with the text, if the second one is the greater. */
static bool does_end_before(const struct wcts_judge_selection *selection,
                            const struct wcts_lang_node *member, uint64_t value, char *text,
                            size_t room)
{
    const struct wcts_judge_effect_eval *eval = &selection->eval;
    const struct wcts_spec *spec = eval->trace.spec;
    const char *native = spec->structures[member->ref.structure].members[member->ref.member].native;
    const char *minus = native ? strchr(native, '-') : NULL;
    if (!minus || value != UINT32_MAX || !eval->trace.exchange->partial ||
        !wcts_judge_eval_record(eval, eval->found.record)->native)
        return false;
    snprintf(text, room, "%.*s of \"out\" minus %s of \"in\"", (int)(minus - native), native,
             strncmp(minus + 1, "in.", 3) == 0 ? minus + 4 : minus + 1);
    return true;
}

static void say_breach(struct wcts_judge_selection *selection, const struct wcts_lang_node *member,
                       bool path, uint64_t value, const char *expected, const char *with)
{
    char name[128], pointers[128];
    member_text(selection, member, name, sizeof name);
    if (does_end_before(selection, member, value, pointers, sizeof pointers)) {
        snprintf(selection->eval.text, sizeof selection->eval.text,
                 "%s, %s, is below 0, expected %s%s", name, pointers, expected, with);
        return;
    }
    snprintf(selection->eval.text, sizeof selection->eval.text,
             "%s%s is 0x%" PRIx64 ", expected %s%s",
             needs_reply_in_front(selection, member, path) ? "the reply's " : "", name, value,
             expected, with);
}

/* A flag, or a number that is 0 or is not. */
static void say_fact(struct wcts_judge_selection *selection, int index, const char *expected)
{
    bool path;
    const struct wcts_lang_node *member = member_node(selection, index, &path);
    uint64_t value;
    if (!member)
        return;
    if (!value_at(selection, index, &value))
        say_unknown(selection, member);
    else
        say_breach(selection, member, path, value, expected, "");
}

/* ---- comparisons ---- */

static const char *const expected_words[WCTS_OP_COUNT] = {
    [WCTS_OP_EQ] = "",
    [WCTS_OP_NE] = "anything but ",
    [WCTS_OP_IN] = "a segment of the set ",
    [WCTS_OP_GE] = "at least ",
    [WCTS_OP_LE] = "at most ",
    [WCTS_OP_LT] = "less than ",
    [WCTS_OP_GT] = "more than ",
};

/* The first path in a sum, or in the arguments of a function, that leads nowhere. */
static int unknown_in(const struct wcts_judge_selection *selection, int index)
{
    const struct wcts_lang_node *node = node_of(selection, index);
    uint64_t value;
    if (node->op == WCTS_OP_ADD || node->op == WCTS_OP_CALL) {
        int inside = unknown_in(selection, node->a);
        if (node->op == WCTS_OP_ADD && !inside)
            inside = unknown_in(selection, node->b);
        return inside;
    }
    return value_at(selection, index, &value) ? 0 : index;
}

static void say_not_comparable(struct wcts_judge_selection *selection, int index)
{
    struct wcts_lang_effect_about about;
    int unknown = unknown_in(selection, index);
    WCTS_TEXT(text);
    wcts_lang_effect_about(selection->eval.trace.spec, selection->effect, &about);
    wcts_lang_print_about(selection->exprs, selection->eval.trace.spec, &about.message,
                          unknown ? unknown : index, &text);
    snprintf(selection->eval.text, sizeof selection->eval.text,
             "%s, with which it is compared, cannot be told from what was recorded",
             wcts_text_get(&text));
    wcts_text_release(&text);
}

/* A multiple: member mod other = 0, where the other is default(..., 1) if it may be 0. */
static int divisor_of(const struct wcts_judge_selection *selection,
                      const struct wcts_lang_node *node)
{
    const struct wcts_lang_node *left = node_of(selection, node->a);
    if (node->op != WCTS_OP_EQ || left->op != WCTS_OP_MOD || !is_number_node(selection, node->b, 0))
        return 0;
    return calls_function(selection, left->b, "default") ? node_of(selection, left->b)->a : left->b;
}

/* True if a question about another object is no reason why this one was not seen. */
static bool is_about_another(const struct wcts_judge_selection *selection,
                             const struct wcts_lang_node *left)
{
    return selection->effect->span == WCTS_SPAN_RESTING && !selection->holding &&
           left->op == WCTS_OP_MEMBER && left->type == WCTS_EXPR_HANDLE;
}

static void say_comparison(struct wcts_judge_selection *selection,
                           const struct wcts_lang_node *node)
{
    int divisor = divisor_of(selection, node), with = divisor ? divisor : node->b, left, compared;
    bool zero = !divisor && is_number_node(selection, node->b, 0), path;
    const struct wcts_lang_node *member;
    uint64_t value, other;
    char number[24];
    left = whole_of(selection, node->a);
    member = member_node(selection, left, &path);
    if (zero && (node->op == WCTS_OP_EQ || node->op == WCTS_OP_NE)) {
        say_fact(selection, left, node->op == WCTS_OP_EQ ? "zero" : "nonzero");
        return;
    }
    if (!member || !expected_words[node->op] ||
        is_about_another(selection, node_of(selection, left)))
        return;
    if (node_of(selection, with)->op == WCTS_OP_SET)
        with = node_of(selection, with)->a;
    compared = left == node->a ? with : whole_of(selection, with);
    if (!value_at(selection, left, &value)) {
        say_unknown(selection, member);
    } else if (!value_at(selection, compared, &other)) {
        say_not_comparable(selection, with);
    } else {
        snprintf(number, sizeof number, "0x%" PRIx64, other);
        say_breach(selection, member, path, value,
                   divisor                                          ? "a multiple of "
                   : node_of(selection, node->b)->op == WCTS_OP_SET ? ""
                                                                    : expected_words[node->op],
                   number);
    }
}

/* ---- answers and functions ---- */

/* refused: the answer should have been a refusal. */
static void say_answer(struct wcts_judge_selection *selection, bool refused)
{
    const struct wcts_exchange_record *record =
        wcts_judge_eval_record(&selection->eval, selection->eval.found.record);
    char status[64];
    wcts_exchange_status_text(record->status, status, sizeof status);
    snprintf(selection->eval.text, sizeof selection->eval.text, "%s answered %s, expected %s",
             wcts_operation_name(record->operation), status,
             refused ? "a refusal" : "it to be accepted");
}

/* some(STRUCTURE in set, ...): there is something to say only if the set is unknown. */
static void say_instances(struct wcts_judge_selection *selection, int index)
{
    const struct wcts_lang_node *call = node_of(selection, index);
    const struct wcts_lang_node *instances =
        call->op == WCTS_OP_CALL ? node_of(selection, call->a) : call;
    int set = instances->op == WCTS_OP_STRUCTURE ? instances->b : 0;
    bool path;
    const struct wcts_lang_node *member = set ? member_node(selection, set, &path) : NULL;
    uint64_t value;
    if (member && !value_at(selection, set, &value))
        say_unknown(selection, member);
}

/* A path as texts of failures have it: "reply:" where the language has "reply.". */
static void path_text(const struct wcts_judge_selection *selection, int index,
                      struct wcts_text *text)
{
    const struct wcts_lang_node *node = node_of(selection, index);
    bool first = node->op != WCTS_OP_FOLLOW;
    char name[128];
    if (!first) {
        path_text(selection, node->a, text);
        wcts_text_add(text, "/");
        node = node_of(selection, node->b);
    }
    member_text(selection, node, name, sizeof name);
    wcts_text_add(text, "%s%s", node->ref.reply ? "reply:" : "",
                  first && node->ref.structure == selection->effect->on ? strchr(name, '.') + 1
                                                                        : name);
}

/* A flag that marks what was read: flag = zeroed(data), or not flag or zeroed(data). */
static bool say_mark(struct wcts_judge_selection *selection, const struct wcts_lang_node *node)
{
    int flag = node->a, zeroed = node->op == WCTS_OP_EQ ? node->b : node_of(selection, flag)->next;
    uint64_t set, zero;
    WCTS_TEXT(name);
    if (node->op == WCTS_OP_OR && node_of(selection, flag)->op == WCTS_OP_NOT)
        flag = node_of(selection, flag)->a;
    if ((node->op != WCTS_OP_EQ && node->op != WCTS_OP_OR) ||
        !calls_function(selection, zeroed, "zeroed"))
        return false;
    if (node_of(selection, flag)->op == WCTS_OP_NE)
        flag = node_of(selection, flag)->a;
    if (!value_at(selection, flag, &set) || !value_at(selection, zeroed, &zero))
        return true;
    path_text(selection, flag, &name);
    snprintf(selection->eval.text, sizeof selection->eval.text,
             "%s is %s, expected %s: what was read is %szero", wcts_text_get(&name),
             set ? "set" : "clear", zero ? "set" : "clear", zero ? "" : "not ");
    wcts_text_release(&name);
    return true;
}

/* ---- all of it ---- */

/* The first operand that is not true is what is said. */
static void say_operands(struct wcts_judge_selection *selection, const struct wcts_lang_node *node)
{
    for (int i = node->a; i; i = node_of(selection, i)->next)
        if (wcts_judge_truth_at(selection, i) != WCTS_TRUE) {
            wcts_judge_reason(selection, i);
            return;
        }
}

void wcts_judge_reason(struct wcts_judge_selection *selection, int root)
{
    const struct wcts_lang_node *node = node_of(selection, root);
    if (selection->quiet)
        return;
    switch ((enum wcts_lang_op)node->op) {
    case WCTS_OP_AND:
        say_operands(selection, node);
        return;
    case WCTS_OP_NOT:
        if (node_of(selection, node->a)->op == WCTS_OP_CALL)
            say_instances(selection, node->a);
        else
            say_fact(selection, node->a, "clear");
        return;
    case WCTS_OP_MEMBER:
    case WCTS_OP_FOLLOW:
        say_fact(selection, root, "set");
        return;
    case WCTS_OP_ANSWER:
        if (selection->holding && wcts_judge_truth_at(selection, root) == WCTS_FALSE)
            say_answer(selection, node->a);
        return;
    case WCTS_OP_CALL: /* those of recordings have said it themselves */
        say_instances(selection, root);
        return;
    default:
        if (!say_mark(selection, node) && node->op >= WCTS_OP_EQ && node->op <= WCTS_OP_IN)
            say_comparison(selection, node);
        return;
    }
}

/* The first operand that is false, of those of an "and". */
static int first_false(const struct wcts_judge_selection *selection, int root)
{
    const struct wcts_lang_node *node = node_of(selection, root);
    for (int i = node->op == WCTS_OP_AND ? node->a : 0; i; i = node_of(selection, i)->next)
        if (wcts_judge_truth_at(selection, i) == WCTS_FALSE)
            return first_false(selection, i);
    return root;
}

void wcts_judge_reason_of_expression(struct wcts_judge_selection *selection, int root)
{
    const int index = first_false(selection, root);
    const struct wcts_lang_node *node = node_of(selection, index);
    const bool compares =
        node->op >= WCTS_OP_EQ && node->op < WCTS_OP_COUNT && expected_words[node->op];
    struct wcts_lang_effect_about about;
    uint64_t value, other;
    WCTS_TEXT(text);
    wcts_lang_effect_about(selection->eval.trace.spec, selection->effect, &about);
    wcts_lang_print_about(selection->exprs, selection->eval.trace.spec, &about.message,
                          compares ? node->a : index, &text);
    if (compares && value_at(selection, node->a, &value) && value_at(selection, node->b, &other))
        snprintf(selection->eval.text, sizeof selection->eval.text,
                 "%s is 0x%" PRIx64 ", expected %s0x%" PRIx64, wcts_text_get(&text), value,
                 expected_words[node->op], other);
    else
        snprintf(selection->eval.text, sizeof selection->eval.text, "expected %s",
                 wcts_text_get(&text));
    wcts_text_release(&text);
}

void wcts_judge_reason_of_earlier(struct wcts_judge_selection *selection, const char *name)
{
    const struct wcts_exchange *exchange = selection->eval.trace.exchange;
    const int at = selection->eval.found.record, where = selection->effect->where;
    const struct wcts_lang_node *node = where ? node_of(selection, where) : NULL, *member = NULL;
    char what[160] = "", of[128];
    uint64_t value;
    bool path;
    if (node && node->op == WCTS_OP_EQ)
        member = member_node(selection, node->a, &path);
    if (member && value_at(selection, node->a, &value)) {
        member_text(selection, member, of, sizeof of);
        snprintf(what, sizeof what, ": %s is 0x%" PRIx64, of, value);
    }
    snprintf(selection->eval.text, sizeof selection->eval.text,
             WCTS_FINDING_EARLIER "%s" WCTS_FINDING_WHICH "%d%s), expected none", name,
             wcts_exchange_count_calls(exchange, at + 1, exchange->records[at].operation), what);
}
