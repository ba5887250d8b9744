/* SPDX-License-Identifier: MIT */
/* What the names of an expression mean, and of which type each part of it is. */
#include "functions.h"

#include <string.h>

#include "../model/cases.h"
#include "../model/names.h"

struct checking {
    struct wcts_exprs *exprs;
    const struct wcts_spec *spec;
    const struct wcts_expr_text *text;
};

/* Whose members need no structure in front: those of the rule's structure, or of a quantifier's. */
struct check_scope {
    int on;
    const struct check_scope *outer;
};

static enum wcts_expr_type check_node(const struct checking *check, const struct check_scope *scope,
                                      int index);

static struct wcts_expr_node *node_at(const struct checking *check, int index)
{
    return &check->exprs->nodes[index];
}

/* ---- names ---- */

#define PARTS 4

/* reply.STRUCTURE.member.flag, most of it left out. */
struct name_parts {
    const char *text[PARTS];
    size_t length[PARTS];
    int count;
    bool reply;
    int column;
};

static bool split_name(const struct checking *check, const struct wcts_expr_node *node,
                       struct name_parts *parts)
{
    const char *text = check->exprs->names[node->a];
    *parts = (struct name_parts){.reply = strncmp(text, "reply.", 6) == 0, .column = node->column};
    text += parts->reply ? 6 : 0;
    for (;;) {
        size_t length = strcspn(text, ".");
        if (parts->count == PARTS - 1) {
            wcts_expr_error(check->text, node->column,
                            "\"%s\" has too many parts, expected STRUCTURE.member.flag at most",
                            check->exprs->names[node->a]);
            return false;
        }
        parts->text[parts->count] = text;
        parts->length[parts->count++] = length;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
}

static bool part_is(const struct name_parts *parts, int part, const char *name)
{
    return strncmp(name, parts->text[part], parts->length[part]) == 0 &&
           name[parts->length[part]] == '\0';
}

/* Reports a name that nothing has; of: what should have it, or NULL. */
static void report_unknown_part(const struct checking *check, const struct name_parts *parts,
                                const char *what, const struct wcts_near *near, const char *of)
{
    char hint[128];
    wcts_expr_error(check->text, parts->column, "unknown %s \"%.*s\"%s%s%s", what,
                    (int)near->length, near->name, of ? " of " : "", of ? of : "",
                    wcts_near_text(near, hint, sizeof hint));
}

static struct wcts_near near_part(const struct name_parts *parts, int part)
{
    return wcts_near_start(parts->text[part], parts->length[part]);
}

static int member_of_part(const struct checking *check, int structure,
                          const struct name_parts *parts, int part)
{
    const struct wcts_structure *owner = &check->spec->structures[structure];
    for (int i = 0; i < owner->member_count; i++)
        if (part_is(parts, part, owner->members[i].name))
            return i;
    return -1;
}

static void try_members(const struct checking *check, int structure, struct wcts_near *near)
{
    const struct wcts_structure *owner = &check->spec->structures[structure];
    for (int i = 0; i < owner->member_count; i++)
        wcts_near_try(near, owner->members[i].name);
}

static int structure_of_part(const struct checking *check, const struct name_parts *parts, int part)
{
    for (int i = 0; i < check->spec->structures_count; i++)
        if (part_is(parts, part, check->spec->structures[i].name))
            return i;
    return -1;
}

static void try_structures(const struct checking *check, struct wcts_near *near)
{
    for (int i = 0; i < check->spec->structures_count; i++)
        wcts_near_try(near, check->spec->structures[i].name);
}

/* Behind a slash: the one structure that has a member of that name. */
static int only_structure_with(const struct checking *check, const struct name_parts *parts)
{
    const struct wcts_spec *spec = check->spec;
    struct wcts_near near = near_part(parts, 0);
    int found = -1;
    for (int i = 0; i < spec->structures_count; i++) {
        if (member_of_part(check, i, parts, 0) < 0)
            continue;
        if (found >= 0) {
            wcts_expr_error(check->text, parts->column,
                            "\"%.*s\" is a member of %s, of %s and maybe of others, expected one "
                            "of them in front",
                            (int)parts->length[0], parts->text[0], spec->structures[found].name,
                            spec->structures[i].name);
            return -1;
        }
        found = i;
    }
    for (int i = 0; found < 0 && i < spec->structures_count; i++)
        try_members(check, i, &near);
    if (found < 0)
        report_unknown_part(check, parts, "member", &near, NULL);
    return found;
}

/* The structure of a name; *used is how many of its parts name it. */
static int front_structure(const struct checking *check, const struct check_scope *scope,
                           const struct name_parts *parts, int *used)
{
    struct wcts_near near = near_part(parts, 0);
    int structure;
    *used = 0;
    if (scope && parts->count < 3 &&
        (parts->count == 1 || member_of_part(check, scope->on, parts, 0) >= 0))
        return scope->on;
    structure = parts->count > 1 ? structure_of_part(check, parts, 0) : -1;
    *used = structure >= 0;
    if (structure >= 0 || (!scope && parts->count < 3))
        return structure >= 0 ? structure : only_structure_with(check, parts);
    try_structures(check, &near);
    if (scope && parts->count == 2) {
        try_members(check, scope->on, &near);
        report_unknown_part(check, parts, "member or structure", &near,
                            check->spec->structures[scope->on].name);
    } else {
        report_unknown_part(check, parts, "structure", &near, NULL);
    }
    return -1;
}

static int flag_of_part(const struct checking *check, const struct wcts_member *member,
                        const struct name_parts *parts, int part)
{
    struct wcts_near near = near_part(parts, part);
    const struct wcts_word *word;
    if (member->word < 0) {
        wcts_expr_error(check->text, parts->column,
                        "member \"%s\" has no word, so no flag \"%.*s\"", member->name,
                        (int)parts->length[part], parts->text[part]);
        return -1;
    }
    word = &check->spec->words[member->word];
    for (int i = 0; i < word->flag_count; i++)
        if (part_is(parts, part, word->flags[i].name))
            return i;
    for (int i = 0; i < word->flag_count; i++)
        wcts_near_try(&near, word->flags[i].name);
    report_unknown_part(check, parts, "flag", &near, word->name);
    return -1;
}

static bool find_reference(const struct checking *check, const struct check_scope *scope,
                           const struct name_parts *parts, struct wcts_expr_ref *ref)
{
    int used, flag = -1, member;
    int structure = front_structure(check, scope, parts, &used);
    struct wcts_near near;
    if (structure < 0)
        return false;
    member = member_of_part(check, structure, parts, used);
    if (member < 0) {
        near = near_part(parts, used);
        try_members(check, structure, &near);
        report_unknown_part(check, parts, "member", &near, check->spec->structures[structure].name);
        return false;
    }
    if (used + 1 < parts->count) {
        flag = flag_of_part(check, &check->spec->structures[structure].members[member], parts,
                            used + 1);
        if (flag < 0)
            return false;
    }
    *ref =
        (struct wcts_expr_ref){(int16_t)structure, (int16_t)member, (int16_t)flag, parts->reply, 0};
    for (; scope && scope->on != structure && scope->outer; scope = scope->outer)
        ref->scope++;
    return true;
}

static enum wcts_expr_type type_of_ref(const struct checking *check, struct wcts_expr_ref ref)
{
    static const enum wcts_expr_type types[] = {
        [WCTS_TYPE_NUMBER] = WCTS_EXPR_NUMBER,
        [WCTS_TYPE_POINTER] = WCTS_EXPR_NUMBER,
        [WCTS_TYPE_HANDLE] = WCTS_EXPR_HANDLE,
        [WCTS_TYPE_ADDRESS] = WCTS_EXPR_NUMBER,
        [WCTS_TYPE_SEGMENT_SET] = WCTS_EXPR_SEGMENTS,
        [WCTS_TYPE_SEGMENT_PREFERENCE] = WCTS_EXPR_SEGMENTS,
        [WCTS_TYPE_SEGMENT] = WCTS_EXPR_NUMBER,
    };
    if (ref.flag >= 0)
        return WCTS_EXPR_FLAG;
    return types[check->spec->structures[ref.structure].members[ref.member].type];
}

/* A name becomes a member; behind a slash there is no scope. */
static enum wcts_expr_type check_name(const struct checking *check, const struct check_scope *scope,
                                      struct wcts_expr_node *node)
{
    struct name_parts parts;
    struct wcts_expr_ref ref;
    if (!split_name(check, node, &parts) || !find_reference(check, scope, &parts, &ref))
        return WCTS_EXPR_NOTHING;
    node->op = WCTS_OP_MEMBER;
    node->ref = ref;
    node->type = (uint8_t)type_of_ref(check, ref);
    return (enum wcts_expr_type)node->type;
}

static const struct wcts_member *member_at(const struct checking *check, int index)
{
    struct wcts_expr_ref ref = node_at(check, index)->ref;
    return &check->spec->structures[ref.structure].members[ref.member];
}

/* ---- types ---- */

static const char *const type_names[] = {
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
    [WCTS_EXPR_INSTANCES] = "a structure",
};

/* Reports that a part is of one type and should be of another, or be something else. */
static enum wcts_expr_type report_type(const struct checking *check, int on, int index,
                                       enum wcts_expr_type type, const char *wanted)
{
    WCTS_TEXT(part);
    bool value = type == WCTS_EXPR_NUMBER || type == WCTS_EXPR_HANDLE || type == WCTS_EXPR_SEGMENTS;
    wcts_expr_print(check->exprs, check->spec, on, index, &part);
    wcts_expr_error(check->text, node_at(check, index)->column, "\"%s\" is %s, expected %s%s%s%s",
                    wcts_text_get(&part), type_names[type], wanted,
                    value && wanted == type_names[WCTS_EXPR_FLAG] ? ", such as \"" : "",
                    value && wanted == type_names[WCTS_EXPR_FLAG] ? wcts_text_get(&part) : "",
                    value && wanted == type_names[WCTS_EXPR_FLAG] ? " != 0\"" : "");
    return WCTS_EXPR_NOTHING;
}

/* Checks a part that has to be of a type. */
static bool check_as(const struct checking *check, const struct check_scope *scope, int index,
                     enum wcts_expr_type wanted)
{
    enum wcts_expr_type type = check_node(check, scope, index);
    if (type != WCTS_EXPR_NOTHING && type != wanted)
        report_type(check, scope->on, index, type, type_names[wanted]);
    return type == wanted;
}

static bool is_zero(const struct wcts_expr_node *node)
{
    return node->op == WCTS_OP_NUMBER && node->number == 0;
}

/* ---- operators ---- */

/* Handles and sets of segments are compared with their like, and with 0. */
static enum wcts_expr_type check_equality(const struct checking *check,
                                          const struct check_scope *scope,
                                          const struct wcts_expr_node *node)
{
    enum wcts_expr_type a = check_node(check, scope, node->a), b;
    if (a == WCTS_EXPR_NOTHING)
        return a;
    if (a > WCTS_EXPR_STATES)
        return report_type(check, scope->on, node->a, a, "a value");
    b = check_node(check, scope, node->b);
    if (b == WCTS_EXPR_NOTHING || a == b)
        return b == a ? WCTS_EXPR_FLAG : b;
    if (is_zero(node_at(check, node->b)) && (a == WCTS_EXPR_HANDLE || a == WCTS_EXPR_SEGMENTS))
        return WCTS_EXPR_FLAG;
    return report_type(check, scope->on, node->b, b, type_names[a]);
}

static bool check_state(const struct checking *check, struct wcts_expr_node *node);

/* "zero in pages(...)": a name is a state, as it is in a set that states are compared with. */
static enum wcts_expr_type check_in(const struct checking *check, const struct check_scope *scope,
                                    const struct wcts_expr_node *node)
{
    struct wcts_expr_node *left = node_at(check, node->a), *right = node_at(check, node->b);
    enum wcts_expr_type a, b;
    if (right->op == WCTS_OP_SET) {
        a = check_node(check, scope, node->a);
        right->type = a == WCTS_EXPR_STATES ? WCTS_EXPR_STATES : WCTS_EXPR_NUMBERS;
        if (a != WCTS_EXPR_NOTHING && a != WCTS_EXPR_STATES && a != WCTS_EXPR_NUMBER)
            return report_type(check, scope->on, node->a, a, "a number, or pages(...)");
        for (int i = right->a; i && a != WCTS_EXPR_NOTHING; i = node_at(check, i)->next)
            if (a == WCTS_EXPR_STATES ? !check_state(check, node_at(check, i))
                                      : !check_as(check, scope, i, WCTS_EXPR_NUMBER))
                return WCTS_EXPR_NOTHING;
        return a == WCTS_EXPR_NOTHING ? a : WCTS_EXPR_FLAG;
    }
    b = check_node(check, scope, node->b);
    if (b == WCTS_EXPR_STATES && left->op == WCTS_OP_NAME)
        return check_state(check, left) ? WCTS_EXPR_FLAG : WCTS_EXPR_NOTHING;
    if (b != WCTS_EXPR_NOTHING && b != WCTS_EXPR_STATES && b != WCTS_EXPR_SEGMENTS)
        return report_type(check, scope->on, node->b, b, "a set");
    a = b == WCTS_EXPR_NOTHING ? b : check_node(check, scope, node->a);
    if (a == WCTS_EXPR_NOTHING)
        return a;
    if (a != b && !(a == WCTS_EXPR_NUMBER && b == WCTS_EXPR_SEGMENTS))
        return report_type(check, scope->on, node->a, a, type_names[b]);
    return WCTS_EXPR_FLAG;
}

static enum wcts_expr_type check_operator(const struct checking *check,
                                          const struct check_scope *scope,
                                          const struct wcts_expr_node *node)
{
    enum wcts_binding binding = wcts_operators[node->op].binding;
    if (node->op <= WCTS_OP_NOT) {
        for (int i = node->a; i; i = node_at(check, i)->next)
            if (!check_as(check, scope, i, WCTS_EXPR_FLAG))
                return WCTS_EXPR_NOTHING;
        return WCTS_EXPR_FLAG;
    }
    if (node->op == WCTS_OP_EQ || node->op == WCTS_OP_NE)
        return check_equality(check, scope, node);
    if (node->op == WCTS_OP_IN)
        return check_in(check, scope, node);
    if (!check_as(check, scope, node->a, WCTS_EXPR_NUMBER) ||
        !check_as(check, scope, node->b, WCTS_EXPR_NUMBER))
        return WCTS_EXPR_NOTHING;
    if (node->op == WCTS_OP_MOD && is_zero(node_at(check, node->b))) {
        wcts_expr_error(check->text, node_at(check, node->b)->column, "nothing is a multiple of 0");
        return WCTS_EXPR_NOTHING;
    }
    return binding == WCTS_BINDS_COMPARISON ? WCTS_EXPR_FLAG : WCTS_EXPR_NUMBER;
}

/* ---- words ---- */

/* In expressions a word has _ where names of the cases may have -. */
static bool word_is(const char *written, const char *word)
{
    for (; *written && (*written == *word || (*written == '_' && *word == '-')); written++)
        word++;
    return *written == *word;
}

/* A name becomes the word of a list. */
static bool check_word(const struct checking *check, struct wcts_expr_node *node,
                       const char *const *words, enum wcts_expr_type type, const char *what)
{
    const char *name;
    struct wcts_near near;
    char hint[128];
    if (node->op != WCTS_OP_NAME) {
        wcts_expr_error(check->text, node->column, "expected %s", type_names[type]);
        return false;
    }
    name = check->exprs->names[node->a];
    near = wcts_near_start(name, strlen(name));
    for (int i = 0; words[i]; i++) {
        wcts_near_try(&near, words[i]);
        if (!word_is(name, words[i]))
            continue;
        node->op = WCTS_OP_WORD;
        node->type = (uint8_t)type;
        node->b = i;
        return true;
    }
    wcts_expr_error(check->text, node->column, "unknown %s \"%s\"%s", what, name,
                    wcts_near_text(&near, hint, sizeof hint));
    return false;
}

static bool check_state(const struct checking *check, struct wcts_expr_node *node)
{
    return check_word(check, node, wcts_page_state_words, WCTS_EXPR_STATE, "page state");
}

/* The kinds of objects are those that steps of the cases make. */
static bool check_kind_of_object(const struct checking *check, struct wcts_expr_node *node)
{
    const struct wcts_cases *cases = check->spec->cases;
    const char *kinds[65] = {0};
    int count = 0;
    for (int i = 0; cases && i < cases->symbols_count && count < 64; i++) {
        const char *kind = cases->symbols[i].kind_name;
        if (cases->symbols[i].kind == WCTS_SYMBOL_HANDLE &&
            wcts_word_index(kinds, kind, strlen(kind)) < 0)
            kinds[count++] = kind;
    }
    if (!check_word(check, node, kinds, WCTS_EXPR_KIND, "kind of objects"))
        return false;
    node->b = wcts_exprs_atom(check->exprs, kinds[node->b], strlen(kinds[node->b]));
    return node->b >= 0;
}

/* ---- calls ---- */

/* STRUCTURE, or STRUCTURE in set. */
static bool check_instances(const struct checking *check, const struct check_scope *scope,
                            struct wcts_expr_node *node)
{
    bool chosen = node->op == WCTS_OP_IN;
    struct wcts_expr_node *name = chosen ? node_at(check, node->a) : node;
    int set = chosen ? node->b : 0, structure;
    struct name_parts parts;
    struct wcts_near near;
    if (name->op != WCTS_OP_NAME) {
        wcts_expr_error(check->text, name->column, "expected a structure");
        return false;
    }
    if (!split_name(check, name, &parts))
        return false;
    structure = parts.count == 1 && !parts.reply ? structure_of_part(check, &parts, 0) : -1;
    if (structure < 0) {
        near = wcts_near_start(check->exprs->names[name->a], strlen(check->exprs->names[name->a]));
        try_structures(check, &near);
        report_unknown_part(check, &parts, "structure", &near, NULL);
        return false;
    }
    if (set && !check_as(check, scope, set, WCTS_EXPR_SEGMENTS))
        return false;
    node->op = WCTS_OP_STRUCTURE;
    node->type = WCTS_EXPR_INSTANCES;
    node->a = structure;
    node->b = set;
    return true;
}

/* A member, and what is special about it. */
static bool check_member_param(const struct checking *check, const struct check_scope *scope,
                               int index, enum wcts_param param)
{
    static const char *const wanted[] = {[WCTS_PARAM_BIT] = "a flag",
                                         [WCTS_PARAM_WORD] = "a member that holds flags",
                                         [WCTS_PARAM_MEMBER] = "a member",
                                         [WCTS_PARAM_TABLE] = "a pointer to an array"};
    enum wcts_expr_type type = check_node(check, scope, index);
    const struct wcts_expr_node *node = node_at(check, index);
    bool member = node->op == WCTS_OP_MEMBER, whole = member && node->ref.flag < 0;
    if (type == WCTS_EXPR_NOTHING)
        return false;
    if ((param == WCTS_PARAM_BIT && member && !whole) || (param == WCTS_PARAM_MEMBER && whole) ||
        (param == WCTS_PARAM_WORD && whole && member_at(check, index)->word >= 0) ||
        (param == WCTS_PARAM_TABLE && whole && member_at(check, index)->elements))
        return true;
    report_type(check, scope->on, index, type, wanted[param]);
    return false;
}

static bool check_argument(const struct checking *check, const struct check_scope *scope,
                           const struct wcts_expr_node *call, int index, enum wcts_param param)
{
    static const enum wcts_expr_type types[] = {[WCTS_PARAM_FLAG] = WCTS_EXPR_FLAG,
                                                [WCTS_PARAM_NUMBER] = WCTS_EXPR_NUMBER,
                                                [WCTS_PARAM_HANDLE] = WCTS_EXPR_HANDLE,
                                                [WCTS_PARAM_RANGE] = WCTS_EXPR_RANGE};
    struct check_scope inner;
    switch (param) {
    case WCTS_PARAM_KIND:
        return check_kind_of_object(check, node_at(check, index));
    case WCTS_PARAM_RESERVED:
        return check_word(check, node_at(check, index), wcts_reservation_words, WCTS_EXPR_RESERVED,
                          "kind of reservations");
    case WCTS_PARAM_INSTANCES:
        return check_instances(check, scope, node_at(check, index));
    case WCTS_PARAM_EACH:
        inner = (struct check_scope){node_at(check, call->a)->a, scope};
        return check_as(check, &inner, index, WCTS_EXPR_FLAG);
    case WCTS_PARAM_BIT:
    case WCTS_PARAM_WORD:
    case WCTS_PARAM_MEMBER:
    case WCTS_PARAM_TABLE:
        return check_member_param(check, scope, index, param);
    default:
        return check_as(check, scope, index, types[param]);
    }
}

static enum wcts_expr_type check_call(const struct checking *check, const struct check_scope *scope,
                                      const struct wcts_expr_node *call)
{
    const struct wcts_function *function = &wcts_functions[call->b];
    int count = 0, most = 0;
    while (most < WCTS_PARAMS_MAX && function->params[most] != WCTS_PARAM_NONE)
        most++;
    for (int i = call->a; i; i = node_at(check, i)->next)
        count++;
    if (count < function->least || (count > most && !function->repeat)) {
        wcts_expr_error(check->text, call->column, "\"%s\" with %d value%s, expected %s",
                        function->name, count, count == 1 ? "" : "s", function->usage);
        return WCTS_EXPR_NOTHING;
    }
    count = 0;
    for (int i = call->a; i; i = node_at(check, i)->next, count++)
        if (!check_argument(check, scope, call, i,
                            function->params[count < most ? count : most - 1]))
            return WCTS_EXPR_NOTHING;
    return function->result;
}

/* ---- all of it ---- */

/* What a member leads to another message: a handle, an address or a segment. */
static enum wcts_expr_type check_follow(const struct checking *check,
                                        const struct check_scope *scope,
                                        const struct wcts_expr_node *node)
{
    const struct wcts_expr_node *last;
    const struct wcts_member *member;
    int at = node->a;
    if (check_node(check, scope, at) == WCTS_EXPR_NOTHING)
        return WCTS_EXPR_NOTHING;
    if (node_at(check, at)->op == WCTS_OP_FOLLOW)
        at = node_at(check, at)->b;
    last = node_at(check, at);
    member = member_at(check, at);
    if (last->ref.flag < 0 &&
        (member->type == WCTS_TYPE_HANDLE || member->type == WCTS_TYPE_ADDRESS ||
         member->type == WCTS_TYPE_SEGMENT))
        return check_name(check, NULL, node_at(check, node->b));
    wcts_expr_error(check->text, last->column,
                    "\"%s\" leads nowhere, expected a member of type handle, address or segment "
                    "before a slash",
                    member->name);
    return WCTS_EXPR_NOTHING;
}

static enum wcts_expr_type check_node(const struct checking *check, const struct check_scope *scope,
                                      int index)
{
    struct wcts_expr_node *node = node_at(check, index);
    enum wcts_expr_type type = WCTS_EXPR_NUMBER;
    if (wcts_operators[node->op].text)
        type = check_operator(check, scope, node);
    else if (node->op == WCTS_OP_NAME)
        type = check_name(check, scope, node);
    else if (node->op == WCTS_OP_FOLLOW)
        type = check_follow(check, scope, node);
    else if (node->op == WCTS_OP_CALL)
        type = check_call(check, scope, node);
    else if (node->op == WCTS_OP_SET) {
        wcts_expr_error(check->text, node->column, "a set, expected only behind \"in\"");
        type = WCTS_EXPR_NOTHING;
    }
    node->type = (uint8_t)type;
    return type;
}

bool wcts_expr_check(struct wcts_exprs *exprs, const struct wcts_spec *spec,
                     const struct wcts_expr_text *text, int on, int root,
                     enum wcts_expr_type wanted)
{
    const struct checking check = {exprs, spec, text};
    const struct check_scope scope = {on, NULL};
    return check_as(&check, &scope, root, wanted);
}
