/* SPDX-License-Identifier: MIT */
/*
 * What the names of an expression mean, and of which type each part of it is. Only the first error
 * is reported, so what is wrong has type NOTHING and may be looked at further.
 */
#include "functions.h"

#include <string.h>

#include "../model/cases.h"

struct lang_checking {
    struct wcts_lang_exprs *exprs;
    const struct wcts_spec *spec;
    struct wcts_lang_text *text;
};

/* Whose members need no structure in front: those of the rule's structure, of a message's, or of a
 * quantifier's. */
struct lang_check_scope {
    int on;
    int reply;    /* of the reply, if that has another one; else on */
    bool message; /* names are looked for no further out, unless they begin with "call." */
    const struct lang_check_scope *outer;
};

static const char *const type_names[] = {
    [WCTS_EXPR_NOTHING] = "nothing",
    [WCTS_EXPR_FLAG] = "true or false",
    [WCTS_EXPR_NUMBER] = "a number",
    [WCTS_EXPR_HANDLE] = "a handle",
    [WCTS_EXPR_SEGMENTS] = "a set of segments",
    [WCTS_EXPR_STATES] = "a set of page states",
    [WCTS_EXPR_NUMBERS] = "a list of numbers",
    [WCTS_EXPR_RANGE] = "a range",
    [WCTS_EXPR_STATE] = "a page state",
    [WCTS_EXPR_KIND] = "a kind of objects",
    [WCTS_EXPR_RESERVED] = "a kind of reservations",
    [WCTS_EXPR_OPERATION] = "an operation",
    [WCTS_EXPR_COLUMN] = "a power state",
    [WCTS_EXPR_ASPECT] = "an aspect of a buffer",
    [WCTS_EXPR_INSTANCES] = "a structure",
    [WCTS_EXPR_EACH] = "true or false",
    [WCTS_EXPR_BIT] = "a flag",
    [WCTS_EXPR_WORD] = "a member that holds flags",
    [WCTS_EXPR_MEMBER] = "a member",
    [WCTS_EXPR_OWN] = "a member of what this is about",
    [WCTS_EXPR_TABLE] = "a pointer to an array",
    [WCTS_EXPR_PREFERENCE] = "preferred segments",
};

static void check_as(const struct lang_checking *check, const struct lang_check_scope *scope,
                     int index, enum wcts_lang_type wanted);
static enum wcts_lang_type check_node(const struct lang_checking *check,
                                      const struct lang_check_scope *scope, int index);

static struct wcts_lang_node *node_at(const struct lang_checking *check, int index)
{
    return &check->exprs->nodes[index];
}

/* ---- names ---- */

/* The structure of a name in parts; *used is how many of them name it. */
static int front_structure(const struct lang_checking *check, const struct lang_check_scope *scope,
                           int column, char *const *part, int count, int *used)
{
    const struct wcts_spec *spec = check->spec;
    const struct wcts_structure *on = scope && scope->on >= 0 ? &spec->structures[scope->on] : NULL;
    const struct wcts_lang_names structures =
        WCTS_NAMES("structure", NULL, spec->structures, spec->structures_count);
    struct wcts_near near = wcts_model_near_start(part[0], strlen(part[0]));
    int structure = count > 1 ? wcts_model_spec_structure(spec, part[0]) : -1;
    *used = 0;
    if (on && (count == 1 || (count == 2 && wcts_model_spec_member(spec, scope->on, part[0]) >= 0)))
        return scope->on;
    *used = 1;
    if (count == 1)
        wcts_lang_error(check->text, column, "\"%s\" is %s, expected STRUCTURE.member", part[0],
                        scope ? "in a message without members" : "behind a slash");
    else if (structure < 0 && on && count == 2) {
        wcts_names_try(&structures, &near);
        wcts_names_try(&WCTS_NAMES("member", NULL, on->members, on->member_count), &near);
        wcts_lang_report_unknown(check->text, column, &near, "member or structure", on->name);
    } else if (structure < 0)
        wcts_names_find(&structures, check->text, column, part[0]);
    return structure;
}

/* Takes a word off the front of a name. */
static bool take_word(char **name, const char *word)
{
    size_t length = strlen(word);
    bool is = strncmp(*name, word, length) == 0;
    *name += is ? length : 0;
    return is;
}

/* Where a name is looked for that begins with "call."; *out is how far out that is. */
static const struct lang_check_scope *scope_of_call(const struct lang_check_scope *scope,
                                                    uint8_t *out)
{
    for (; scope->outer; scope = scope->outer)
        ++*out;
    return scope;
}

/* A name becomes a member. Without a scope it is behind a slash. */
static void check_name(const struct lang_checking *check, const struct lang_check_scope *scope,
                       struct wcts_lang_node *node)
{
    struct wcts_lang_ref ref = {.flag = -1};
    char text[WCTS_EXPR_NAME_LONGEST + 1], *next = text, *part[4], *rest = NULL;
    const struct wcts_structure *of;
    const struct wcts_member *member;
    struct lang_check_scope reply;
    int structure, found, count = 0, used;
    snprintf(text, sizeof text, "%s", wcts_lang_name(check->exprs, node->a));
    if (scope && take_word(&next, "call."))
        scope = scope_of_call(scope, &ref.scope);
    ref.reply = take_word(&next, "reply.");
    for (; count < 4 && (part[count] = strtok_r(next, ".", &rest)); next = NULL)
        count++;
    if (count == 0 || count == 4) {
        wcts_lang_error(check->text, node->column,
                        "\"%s\" has too many parts, expected STRUCTURE.member.flag at most",
                        wcts_lang_name(check->exprs, node->a));
        return;
    }
    if (scope && ref.reply && scope->reply >= 0 &&
        wcts_model_spec_member(check->spec, scope->reply, part[0]) >= 0) {
        reply = *scope;
        reply.on = scope->reply;
        scope = &reply;
    }
    structure = front_structure(check, scope, node->column, part, count, &used);
    if (structure < 0)
        return;
    of = &check->spec->structures[structure];
    found = wcts_names_find(&WCTS_NAMES("member", of->name, of->members, of->member_count),
                            check->text, node->column, part[used]);
    member = found < 0 ? NULL : &of->members[found];
    ref.structure = (int16_t)structure;
    ref.member = (int16_t)found;
    if (member && used + 1 < count && member->word < 0) {
        wcts_lang_error(check->text, node->column, "member \"%s\" has no word, so no flag \"%s\"",
                        member->name, part[used + 1]);
    } else if (member && used + 1 < count) {
        const struct wcts_word *word = &check->spec->words[member->word];
        ref.flag =
            (int16_t)wcts_names_find(&WCTS_NAMES("flag", word->name, word->flags, word->flag_count),
                                     check->text, node->column, part[used + 1]);
    }
    for (; scope && !scope->message && scope->on != structure; scope = scope->outer)
        ref.scope++;
    if (check->text->failed)
        return;
    node->op = WCTS_OP_MEMBER;
    node->ref = ref;
}

/* A name becomes a word of a list, in which names of the cases may have - for its _. */
static void check_word(const struct lang_checking *check, struct wcts_lang_node *node,
                       const char *const *words, enum wcts_lang_type type)
{
    const char *name = wcts_lang_name(check->exprs, node->op == WCTS_OP_NAME ? node->a : 0);
    struct wcts_lang_names names =
        WCTS_NAMES(type_names[type] + 2, NULL, words, 0); /* without "a " */
    char written[WCTS_EXPR_NAME_LONGEST + 1];
    if (node->op != WCTS_OP_NAME) {
        wcts_lang_error(check->text, node->column, "expected %s", type_names[type]);
        return;
    }
    for (names.count = 0; words[names.count]; names.count++) {
        snprintf(written, sizeof written, "%s", words[names.count]);
        for (char *dash = written; (dash = strchr(dash, '-'));)
            *dash = '_';
        if (strcmp(written, name) != 0)
            continue;
        node->op = WCTS_OP_WORD;
        node->b = names.count;
        return;
    }
    wcts_names_find(&names, check->text, node->column, name);
}

#define KINDS_MAX 64

/* The kinds of objects are those that steps of the cases make. */
static void check_kind_word(const struct lang_checking *check, struct wcts_lang_node *node)
{
    const struct wcts_cases *cases = check->spec->cases;
    const char *kinds[KINDS_MAX + 1] = {0};
    int count = 0;
    for (int i = 0; i < cases->symbols_count && count < KINDS_MAX; i++)
        if (cases->symbols[i].kind == WCTS_SYMBOL_HANDLE &&
            wcts_model_word_index(kinds, cases->symbols[i].kind_name,
                                  strlen(cases->symbols[i].kind_name)) < 0)
            kinds[count++] = cases->symbols[i].kind_name;
    check_word(check, node, kinds, WCTS_EXPR_KIND);
    if (node->op == WCTS_OP_WORD)
        node->b = wcts_lang_exprs_name(check->exprs, kinds[node->b], strlen(kinds[node->b]));
}

static void check_operation(const struct lang_checking *check, struct wcts_lang_node *node)
{
    const struct wcts_spec *spec = check->spec;
    if (node->op != WCTS_OP_NAME) {
        wcts_lang_error(check->text, node->column, "expected an operation");
        return;
    }
    node->b = wcts_names_find(&WCTS_NAMES("operation", NULL, spec->messages, spec->messages_count),
                              check->text, node->column, wcts_lang_name(check->exprs, node->a));
    node->op = WCTS_OP_WORD;
}

/* STRUCTURE, or STRUCTURE in set. */
static void check_quantified(const struct lang_checking *check,
                             const struct lang_check_scope *scope, struct wcts_lang_node *node)
{
    const struct wcts_spec *spec = check->spec;
    int set = node->op == WCTS_OP_IN ? node->b : 0, structure;
    const struct wcts_lang_node *name = set ? node_at(check, node->a) : node;
    if (name->op != WCTS_OP_NAME) {
        wcts_lang_error(check->text, name->column, "expected a structure");
        return;
    }
    structure =
        wcts_names_find(&WCTS_NAMES("structure", NULL, spec->structures, spec->structures_count),
                        check->text, name->column, wcts_lang_name(check->exprs, name->a));
    if (set)
        check_as(check, scope, set, WCTS_EXPR_SEGMENTS);
    node->op = WCTS_OP_STRUCTURE;
    node->a = structure;
    node->b = set;
}

/* ---- what is wrong ---- */

#define SHOWN 60 /* characters of it */

/* Leaves as much as shows what it is. */
static void shorten(struct wcts_text *part)
{
    if (part->length > SHOWN + 3)
        memcpy(part->bytes + SHOWN, "...", 4);
}

/* Reports that a part is not what is wanted. */
static enum wcts_lang_type report_type(const struct lang_checking *check,
                                       const struct lang_check_scope *scope, int index,
                                       const char *wanted)
{
    enum wcts_lang_type type = (enum wcts_lang_type)node_at(check, index)->type;
    WCTS_TEXT(part);
    WCTS_TEXT(hint);
    if (check->text->failed)
        return WCTS_EXPR_NOTHING;
    wcts_lang_print(check->exprs, check->spec, scope->on, index, &part);
    shorten(&part);
    if (type >= WCTS_EXPR_NUMBER && type <= WCTS_EXPR_SEGMENTS &&
        node_at(check, index)->op != WCTS_OP_NUMBER &&
        strcmp(wanted, type_names[WCTS_EXPR_FLAG]) == 0)
        wcts_text_add(&hint, ", such as \"%s != 0\"", wcts_text_get(&part));
    wcts_lang_error(check->text, node_at(check, index)->column, "\"%s\" is %s, expected %s%s",
                    wcts_text_get(&part), type_names[type], wanted, wcts_text_get(&hint));
    return WCTS_EXPR_NOTHING;
}

static bool is_zero(const struct wcts_lang_node *node)
{
    return node->op == WCTS_OP_NUMBER && node->number == 0;
}

/* Flags.X = 0 is "not Flags.X". */
static enum wcts_lang_type report_flag_as_number(const struct lang_checking *check,
                                                 const struct lang_check_scope *scope,
                                                 const struct wcts_lang_node *node)
{
    const struct wcts_lang_node *number = node_at(check, node->b);
    WCTS_TEXT(flag);
    if (check->text->failed)
        return WCTS_EXPR_NOTHING;
    wcts_lang_print(check->exprs, check->spec, scope->on, node->a, &flag);
    shorten(&flag);
    wcts_lang_error(check->text, number->column,
                    "\"%llu\" is a number, expected true or false, such as \"%s%s\"",
                    (unsigned long long)number->number,
                    is_zero(number) == (node->op == WCTS_OP_EQ) ? "not " : "",
                    wcts_text_get(&flag));
    return WCTS_EXPR_NOTHING;
}

/* ---- numbers with names ---- */

/* Operation = MapAperture: a name behind a member whose numbers have names is one of these, unless
 * it is that of a member. */
static void check_number_name(const struct lang_checking *check,
                              const struct lang_check_scope *scope, int left, int index)
{
    const struct wcts_member *member = wcts_lang_named_numbers(check->exprs, check->spec, left);
    struct wcts_lang_node *node = node_at(check, index);
    const char *name = wcts_lang_name(check->exprs, node->op == WCTS_OP_NAME ? node->a : 0);
    int found = 0;
    if (!member || node->op != WCTS_OP_NAME || strchr(name, '.'))
        return;
    while (found < member->number_count && strcmp(member->numbers[found].name, name) != 0)
        found++;
    if (found == member->number_count) {
        if (wcts_model_spec_member(check->spec, scope->on, name) < 0)
            wcts_names_find(&WCTS_NAMES("number", member->name, member->numbers, found),
                            check->text, node->column, name);
        return;
    }
    node->op = WCTS_OP_NUMBER;
    node->number = member->numbers[found].number;
}

/* ---- operators ---- */

/* Values are compared with their like; handles and sets of segments with 0, too. */
static enum wcts_lang_type check_equality(const struct lang_checking *check,
                                          const struct lang_check_scope *scope,
                                          const struct wcts_lang_node *node)
{
    enum wcts_lang_type a = check_node(check, scope, node->a), b;
    check_number_name(check, scope, node->a, node->b);
    b = check_node(check, scope, node->b);
    if (a > WCTS_EXPR_STATES)
        return report_type(check, scope, node->a, "a value");
    if (a == WCTS_EXPR_FLAG && node_at(check, node->b)->op == WCTS_OP_NUMBER &&
        node_at(check, node->b)->number <= 1)
        return report_flag_as_number(check, scope, node);
    if (a != b &&
        !(is_zero(node_at(check, node->b)) && (a == WCTS_EXPR_HANDLE || a == WCTS_EXPR_SEGMENTS)))
        return report_type(check, scope, node->b, type_names[a]);
    return WCTS_EXPR_FLAG;
}

/* A name in front of a set of page states is one: zero in pages(...). */
static enum wcts_lang_type check_in(const struct lang_checking *check,
                                    const struct lang_check_scope *scope,
                                    const struct wcts_lang_node *node)
{
    struct wcts_lang_node *right = node_at(check, node->b);
    bool state = node_at(check, node->a)->op == WCTS_OP_NAME;
    enum wcts_lang_type a, b;
    if (right->op == WCTS_OP_SET) {
        a = check_node(check, scope, node->a);
        if (a != WCTS_EXPR_STATES && a != WCTS_EXPR_NUMBER)
            return report_type(check, scope, node->a, "a number, or pages(...)");
        right->type = a == WCTS_EXPR_STATES ? WCTS_EXPR_STATES : WCTS_EXPR_NUMBERS;
        for (int i = right->a; i; i = node_at(check, i)->next) {
            check_number_name(check, scope, node->a, i);
            check_as(check, scope, i, a == WCTS_EXPR_STATES ? WCTS_EXPR_STATE : WCTS_EXPR_NUMBER);
        }
        return WCTS_EXPR_FLAG;
    }
    b = check_node(check, scope, node->b);
    if (b != WCTS_EXPR_STATES && b != WCTS_EXPR_SEGMENTS)
        return report_type(check, scope, node->b, "a set");
    if (b == WCTS_EXPR_STATES && state)
        check_as(check, scope, node->a, WCTS_EXPR_STATE);
    else if ((a = check_node(check, scope, node->a)) != b &&
             (a != WCTS_EXPR_NUMBER || b != WCTS_EXPR_SEGMENTS))
        return report_type(check, scope, node->a, type_names[b]);
    return WCTS_EXPR_FLAG;
}

static enum wcts_lang_type check_operator(const struct lang_checking *check,
                                          const struct lang_check_scope *scope,
                                          const struct wcts_lang_node *node)
{
    if (node->op <= WCTS_OP_NOT) {
        for (int i = node->a; i; i = node_at(check, i)->next)
            check_as(check, scope, i, WCTS_EXPR_FLAG);
        return WCTS_EXPR_FLAG;
    }
    if (node->op == WCTS_OP_EQ || node->op == WCTS_OP_NE)
        return check_equality(check, scope, node);
    if (node->op == WCTS_OP_IN)
        return check_in(check, scope, node);
    check_as(check, scope, node->a, WCTS_EXPR_NUMBER);
    check_as(check, scope, node->b, WCTS_EXPR_NUMBER);
    if (node->op == WCTS_OP_MOD && is_zero(node_at(check, node->b)))
        wcts_lang_error(check->text, node_at(check, node->b)->column, "nothing is a multiple of 0");
    return node->op < WCTS_OP_IN ? WCTS_EXPR_FLAG : WCTS_EXPR_NUMBER;
}

/* ---- values ---- */

static const struct wcts_member *member_named_at(const struct lang_checking *check,
                                                 const struct wcts_lang_node *node)
{
    return &check->spec->structures[node->ref.structure].members[node->ref.member];
}

/* How many functions that go over instances a name is in. */
static int quantifiers_around(const struct lang_check_scope *scope)
{
    int count = 0;
    for (; !scope->message; scope = scope->outer)
        count++;
    return count;
}

/* Each goes over all instances for each one of those around it. */
static void check_quantifiers(const struct lang_checking *check,
                              const struct lang_check_scope *scope,
                              const struct wcts_lang_node *call)
{
    if (quantifiers_around(scope) == WCTS_EXPR_QUANTIFIERS)
        wcts_lang_error(check->text, call->column,
                        "\"%s\" is one too many, expected at most %d that go over instances in "
                        "each other",
                        wcts_functions[call->b].name, WCTS_EXPR_QUANTIFIERS);
}

/* Flags behind a word, the first argument, have to be flags of it. */
static void check_flags_of_word(const struct lang_checking *check, int first)
{
    const struct wcts_lang_node *word = node_at(check, first), *flag = word;
    while (!check->text->failed && flag->next) {
        const struct wcts_word *words = check->spec->words;
        int own = member_named_at(check, word)->word, other;
        flag = node_at(check, flag->next);
        other = member_named_at(check, flag)->word;
        if (other != own)
            wcts_lang_error(check->text, flag->column, "\"%s\" is a flag of %s, expected one of %s",
                            words[other].flags[flag->ref.flag].name, words[other].name,
                            words[own].name);
    }
}

static enum wcts_lang_type check_call(const struct lang_checking *check,
                                      const struct lang_check_scope *scope,
                                      const struct wcts_lang_node *call)
{
    const struct wcts_lang_function *function = &wcts_functions[call->b];
    int count = 0, most = 0;
    while (most < WCTS_PARAMS_MAX && function->params[most] != WCTS_EXPR_NOTHING)
        most++;
    for (int i = call->a; i; i = node_at(check, i)->next)
        count++;
    if (count < function->least || (count > most && !function->repeat))
        wcts_lang_error(check->text, call->column, "\"%s\" with %d value%s, expected %s",
                        function->name, count, count == 1 ? "" : "s", function->usage);
    if (function->params[0] == WCTS_EXPR_INSTANCES)
        check_quantifiers(check, scope, call);
    count = 0;
    for (int i = call->a, before = i; i && !check->text->failed;
         before = i, i = node_at(check, i)->next, count++) {
        enum wcts_lang_type wanted = function->params[count < most ? count : most - 1];
        const int instance = node_at(check, before)->a;
        const struct lang_check_scope each = {instance, instance, false, scope};
        check_as(check, wanted == WCTS_EXPR_EACH ? &each : scope, i, wanted);
    }
    if (function->params[0] == WCTS_EXPR_WORD)
        check_flags_of_word(check, call->a);
    return function->result;
}

/* The type of a member, or of the last one of a path. */
static enum wcts_lang_type type_of_member(const struct lang_checking *check,
                                          const struct wcts_lang_node *node)
{
    static const enum wcts_lang_type types[] = {
        [WCTS_TYPE_NUMBER] = WCTS_EXPR_NUMBER,
        [WCTS_TYPE_POINTER] = WCTS_EXPR_NUMBER,
        [WCTS_TYPE_HANDLE] = WCTS_EXPR_HANDLE,
        [WCTS_TYPE_ADDRESS] = WCTS_EXPR_NUMBER,
        [WCTS_TYPE_SEGMENT_SET] = WCTS_EXPR_SEGMENTS,
        [WCTS_TYPE_SEGMENT_PREFERENCE] = WCTS_EXPR_SEGMENTS,
        [WCTS_TYPE_SEGMENT] = WCTS_EXPR_NUMBER,
    };
    if (node->op != WCTS_OP_MEMBER)
        return WCTS_EXPR_NOTHING;
    return node->ref.flag >= 0 ? WCTS_EXPR_FLAG : types[member_named_at(check, node)->type];
}

/* Only a handle, an address and a segment lead to another message. */
static enum wcts_lang_type check_follow(const struct lang_checking *check,
                                        const struct lang_check_scope *scope,
                                        const struct wcts_lang_node *node)
{
    const struct wcts_lang_node *last = node_at(check, node->a);
    check_node(check, scope, node->a);
    if (last->op == WCTS_OP_FOLLOW)
        last = node_at(check, last->b);
    if (last->op != WCTS_OP_MEMBER)
        return WCTS_EXPR_NOTHING;
    if (last->ref.flag >= 0 || (member_named_at(check, last)->type != WCTS_TYPE_HANDLE &&
                                member_named_at(check, last)->type != WCTS_TYPE_ADDRESS &&
                                member_named_at(check, last)->type != WCTS_TYPE_SEGMENT))
        wcts_lang_error(check->text, last->column,
                        "\"%s\" leads nowhere, expected a member of type handle, address or "
                        "segment before a slash",
                        member_named_at(check, last)->name);
    check_name(check, NULL, node_at(check, node->b));
    return type_of_member(check, node_at(check, node->b));
}

/* It is that of the message, not of an instance. */
static enum wcts_lang_type check_answer_name(const struct lang_check_scope *scope,
                                             struct wcts_lang_node *node)
{
    node->b = quantifiers_around(scope);
    return WCTS_EXPR_FLAG;
}

static enum wcts_lang_type check_node(const struct lang_checking *check,
                                      const struct lang_check_scope *scope, int index)
{
    struct wcts_lang_node *node = node_at(check, index);
    enum wcts_lang_type type = WCTS_EXPR_NOTHING;
    if (wcts_operators[node->op].text)
        type = check_operator(check, scope, node);
    else if (node->op == WCTS_OP_FOLLOW)
        type = check_follow(check, scope, node);
    else if (node->op == WCTS_OP_CALL)
        type = check_call(check, scope, node);
    else if (node->op == WCTS_OP_NUMBER || node->op == WCTS_OP_PAGE)
        type = WCTS_EXPR_NUMBER;
    else if (node->op == WCTS_OP_ANSWER)
        type = check_answer_name(scope, node);
    else if (node->op == WCTS_OP_SET)
        wcts_lang_error(check->text, node->column, "a set, expected only behind \"in\"");
    else if (node->op == WCTS_OP_NAME) {
        check_name(check, scope, node);
        type = type_of_member(check, node);
    }
    node->type = (uint8_t)(check->text->failed ? WCTS_EXPR_NOTHING : type);
    return (enum wcts_lang_type)node->type;
}

/* True if a member is what a function wants of it. */
static bool suits(const struct lang_checking *check, const struct lang_check_scope *scope,
                  const struct wcts_lang_node *node, enum wcts_lang_type wanted)
{
    if (wanted == WCTS_EXPR_PREFERENCE) {
        if (node->op == WCTS_OP_FOLLOW)
            node = node_at(check, node->b);
        return node->op == WCTS_OP_MEMBER &&
               member_named_at(check, node)->type == WCTS_TYPE_SEGMENT_PREFERENCE;
    }
    if (node->op != WCTS_OP_MEMBER || (node->ref.flag >= 0) != (wanted == WCTS_EXPR_BIT))
        return false;
    return (wanted != WCTS_EXPR_OWN || node->ref.structure == scope->on) &&
           (wanted != WCTS_EXPR_WORD || member_named_at(check, node)->word >= 0) &&
           (wanted != WCTS_EXPR_TABLE || member_named_at(check, node)->elements);
}

/* Checks a part that has to be of a type. */
static void check_as(const struct lang_checking *check, const struct lang_check_scope *scope,
                     int index, enum wcts_lang_type wanted)
{
    struct wcts_lang_node *node = node_at(check, index);
    bool good;
    switch (wanted) {
    case WCTS_EXPR_STATE:
        check_word(check, node, wcts_page_state_words, wanted);
        break;
    case WCTS_EXPR_RESERVED:
        check_word(check, node, wcts_reservation_words, wanted);
        break;
    case WCTS_EXPR_COLUMN:
        check_word(check, node, wcts_column_words, wanted);
        break;
    case WCTS_EXPR_ASPECT:
        check_word(check, node, wcts_buffer_words, wanted);
        break;
    case WCTS_EXPR_OPERATION:
        check_operation(check, node);
        break;
    case WCTS_EXPR_KIND:
        check_kind_word(check, node);
        break;
    case WCTS_EXPR_INSTANCES:
        check_quantified(check, scope, node);
        break;
    default:
        check_node(check, scope, index);
        good = wanted >= WCTS_EXPR_BIT
                   ? suits(check, scope, node, wanted)
                   : node->type == (wanted == WCTS_EXPR_EACH ? WCTS_EXPR_FLAG : wanted);
        if (!good)
            report_type(check, scope, index, type_names[wanted]);
        else if (wanted == WCTS_EXPR_PREFERENCE)
            node->type = WCTS_EXPR_NUMBER; /* as it is, not the set of those that it prefers */
        return;
    }
    node->type = (uint8_t)wanted;
}

bool wcts_lang_check_about(struct wcts_lang_exprs *exprs, const struct wcts_spec *spec,
                           struct wcts_lang_text *text, const struct wcts_lang_about *about,
                           int root, enum wcts_lang_type wanted)
{
    const struct lang_checking check = {exprs, spec, text};
    const struct wcts_lang_about *call = about->call ? about->call : about;
    const struct lang_check_scope outer = {call->on, call->reply < 0 ? call->on : call->reply, true,
                                           NULL};
    const struct lang_check_scope scope = {about->on, about->reply < 0 ? about->on : about->reply,
                                           true, about->call ? &outer : NULL};
    check_as(&check, &scope, root, wanted);
    return !text->failed;
}

bool wcts_lang_check(struct wcts_lang_exprs *exprs, const struct wcts_spec *spec,
                     struct wcts_lang_text *text, int on, int root, enum wcts_lang_type wanted)
{
    const struct wcts_lang_about about = {on, -1, NULL};
    return wcts_lang_check_about(exprs, spec, text, &about, root, wanted);
}

/* True if something in it can differ from call to call, or from host to host. */
static bool depends(const struct wcts_lang_node *nodes, int index)
{
    const struct wcts_lang_node *node = &nodes[index];
    bool found = node->op == WCTS_OP_STRUCTURE;
    if (node->op >= WCTS_OP_PAGE && node->op <= WCTS_OP_FOLLOW)
        return true;
    if (node->op == WCTS_OP_CALL && !wcts_functions[node->b].eval)
        return true; /* it is about what was recorded */
    if (node->op >= WCTS_OP_EQ && node->op <= WCTS_OP_MOD)
        return depends(nodes, node->a) || depends(nodes, node->b);
    if (node->op <= WCTS_OP_NOT || node->op == WCTS_OP_SET || node->op == WCTS_OP_CALL)
        for (int i = node->a; i && !found; i = nodes[i].next)
            found = depends(nodes, i);
    return found;
}

bool wcts_lang_check_depends(const struct wcts_lang_exprs *exprs, const struct wcts_spec *spec,
                             struct wcts_lang_text *text, const struct wcts_lang_about *about,
                             int first)
{
    for (int i = first; i < exprs->node_count && !text->failed; i++) {
        const struct wcts_lang_node *node = &exprs->nodes[i];
        bool compares = node->op >= WCTS_OP_EQ && node->op <= WCTS_OP_GE, same;
        WCTS_TEXT(a);
        WCTS_TEXT(b);
        WCTS_TEXT(shown);
        if (node->type != WCTS_EXPR_FLAG || node->op <= WCTS_OP_NOT)
            continue;
        if (compares) {
            wcts_lang_print_about(exprs, spec, about, node->a, &a);
            wcts_lang_print_about(exprs, spec, about, node->b, &b);
        }
        same = compares && strcmp(wcts_text_get(&a), wcts_text_get(&b)) == 0;
        if ((node->op == WCTS_OP_LT || node->op == WCTS_OP_GE) && is_zero(&exprs->nodes[node->b]))
            same = same || exprs->nodes[node->a].op == WCTS_OP_MEMBER;
        if (same || !depends(exprs->nodes, i)) {
            wcts_lang_print_about(exprs, spec, about, i, &shown);
            shorten(&shown);
            wcts_lang_error(text, node->column,
                            "\"%s\" is the same for all calls, expected a condition that depends "
                            "on them",
                            wcts_text_get(&shown));
        }
    }
    return !text->failed;
}

struct wcts_lang_about wcts_lang_about(const struct wcts_spec *spec, int on)
{
    struct wcts_lang_about about = {on, -1, NULL};
    int count = 0;
    for (int i = 0; i < spec->messages_count; i++)
        if (spec->messages[i].request == on && spec->messages[i].reply >= 0) {
            about.reply = count++ == 0 ? spec->messages[i].reply : -1;
        }
    return about;
}
