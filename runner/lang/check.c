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

static const char *const type_names[] = {
    [WCTS_EXPR_FLAG] = "true or false",
    [WCTS_EXPR_EACH] = "true or false",
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
    [WCTS_EXPR_BIT] = "a flag",
    [WCTS_EXPR_WORD] = "a member that holds flags",
    [WCTS_EXPR_MEMBER] = "a member",
    [WCTS_EXPR_TABLE] = "a pointer to an array",
};

static bool check_as(const struct checking *check, const struct check_scope *scope, int index,
                     enum wcts_expr_type wanted);
static enum wcts_expr_type check_node(const struct checking *check, const struct check_scope *scope,
                                      int index);

static struct wcts_expr_node *node_at(const struct checking *check, int index)
{
    return &check->exprs->nodes[index];
}

/* ---- names ---- */

/* A name in parts: STRUCTURE.member.flag, of which most may be left out. */
struct name_parts {
    const struct wcts_expr_node *node;
    const char *part[3];
    int count;
};

static struct wcts_names structures_of(const struct checking *check)
{
    return WCTS_NAMES("structure", NULL, check->spec->structures, check->spec->structures_count);
}

static struct wcts_names members_of(const struct checking *check, int structure)
{
    const struct wcts_structure *of = &check->spec->structures[structure];
    return WCTS_NAMES("member", of->name, of->members, of->member_count);
}

static int report_unknown_name(const struct checking *check, const struct name_parts *name,
                               struct wcts_near *near, const char *what, const char *of)
{
    wcts_expr_report_unknown(check->text, name->node->column, near, what, of);
    return -1;
}

/* Behind a slash: the one structure that has the member. */
static int only_structure_with(const struct checking *check, const struct name_parts *name)
{
    const struct wcts_spec *spec = check->spec;
    struct wcts_near near = wcts_near_start(name->part[0], strlen(name->part[0]));
    int found = -1;
    for (int i = 0; i < spec->structures_count; i++) {
        const struct wcts_names members = members_of(check, i);
        wcts_names_try(&members, &near);
        if (wcts_spec_member(spec, i, name->part[0]) < 0)
            continue;
        if (found >= 0) {
            wcts_expr_error(check->text, name->node->column,
                            "\"%s\" is a member of %s, of %s and maybe of others, expected one of "
                            "them in front",
                            name->part[0], spec->structures[found].name, spec->structures[i].name);
            return -1;
        }
        found = i;
    }
    return found >= 0 ? found : report_unknown_name(check, name, &near, "member", NULL);
}

/* The structure of a name; *used is how many parts name it. */
static int front_structure(const struct checking *check, const struct check_scope *scope,
                           const struct name_parts *name, int *used)
{
    const struct wcts_names structures = structures_of(check);
    struct wcts_near near = wcts_near_start(name->part[0], strlen(name->part[0]));
    struct wcts_names members;
    int structure = name->count > 1 ? wcts_spec_structure(check->spec, name->part[0]) : -1;
    *used = 0;
    if (scope && (name->count == 1 || (name->count == 2 && wcts_spec_member(check->spec, scope->on,
                                                                            name->part[0]) >= 0)))
        return scope->on;
    *used = structure >= 0;
    if (structure >= 0 || (!scope && name->count < 3))
        return structure >= 0 ? structure : only_structure_with(check, name);
    wcts_names_try(&structures, &near);
    if (name->count == 3)
        return report_unknown_name(check, name, &near, "structure", NULL);
    members = members_of(check, scope->on);
    wcts_names_try(&members, &near);
    return report_unknown_name(check, name, &near, "member or structure", members.of);
}

static bool find_flag_of(const struct checking *check, const struct name_parts *name, int part,
                         struct wcts_expr_ref *ref)
{
    const struct wcts_member *member =
        &check->spec->structures[ref->structure].members[ref->member];
    const struct wcts_word *word = &check->spec->words[member->word];
    if (member->word < 0) {
        wcts_expr_error(check->text, name->node->column,
                        "member \"%s\" has no word, so no flag \"%s\"", member->name,
                        name->part[part]);
        return false;
    }
    ref->flag =
        (int16_t)wcts_names_find(&WCTS_NAMES("flag", word->name, word->flags, word->flag_count),
                                 check->text, name->node->column, name->part[part]);
    return ref->flag >= 0;
}

/* A name becomes a member; without a scope it is behind a slash. */
static bool check_name(const struct checking *check, const struct check_scope *scope,
                       struct wcts_expr_node *node)
{
    char text[WCTS_EXPR_NAME_LONGEST + 1], *rest = NULL;
    struct name_parts name = {.node = node};
    struct wcts_expr_ref ref = {.flag = -1};
    struct wcts_names members;
    int structure, member, used;
    snprintf(text, sizeof text, "%s", check->exprs->names[node->a]);
    ref.reply = strncmp(text, "reply.", 6) == 0;
    for (char *part = strtok_r(text + (ref.reply ? 6 : 0), ".", &rest); part;
         part = strtok_r(NULL, ".", &rest)) {
        if (name.count == 3) {
            wcts_expr_error(check->text, node->column,
                            "\"%s\" has too many parts, expected STRUCTURE.member.flag at most",
                            check->exprs->names[node->a]);
            return false;
        }
        name.part[name.count++] = part;
    }
    structure = front_structure(check, scope, &name, &used);
    if (structure < 0)
        return false;
    members = members_of(check, structure);
    member = wcts_names_find(&members, check->text, node->column, name.part[used]);
    ref.structure = (int16_t)structure;
    ref.member = (int16_t)member;
    if (member < 0 || (used + 1 < name.count && !find_flag_of(check, &name, used + 1, &ref)))
        return false;
    for (; scope && scope->on != structure && scope->outer; scope = scope->outer)
        ref.scope++;
    node->op = WCTS_OP_MEMBER;
    node->ref = ref;
    return true;
}

/* A name becomes the word of a list, in which names of the cases may have - for its _. */
static bool check_word(const struct checking *check, struct wcts_expr_node *node,
                       const char *const *words, const char *what)
{
    const char *written = check->exprs->names[node->a];
    struct wcts_names names = WCTS_NAMES(what, NULL, words, 0);
    while (words[names.count])
        names.count++;
    for (int i = 0; i < names.count; i++) {
        size_t same = 0, length = strlen(words[i]);
        while (same < length &&
               (written[same] == words[i][same] || (written[same] == '_' && words[i][same] == '-')))
            same++;
        if (same < length || written[same] != '\0')
            continue;
        node->op = WCTS_OP_WORD;
        node->b = i;
        return true;
    }
    return wcts_names_find(&names, check->text, node->column, written) >= 0;
}

#define KINDS_MAX 64

/* The kinds of objects are those that steps of the cases make. */
static bool check_kind_word(const struct checking *check, struct wcts_expr_node *node)
{
    const struct wcts_cases *cases = check->spec->cases;
    const char *kinds[KINDS_MAX + 1] = {0};
    int count = 0;
    for (int i = 0; i < cases->symbols_count && count < KINDS_MAX; i++)
        if (cases->symbols[i].kind == WCTS_SYMBOL_HANDLE &&
            wcts_word_index(kinds, cases->symbols[i].kind_name,
                            strlen(cases->symbols[i].kind_name)) < 0)
            kinds[count++] = cases->symbols[i].kind_name;
    if (!check_word(check, node, kinds, "kind of objects"))
        return false;
    node->b = wcts_exprs_atom(check->exprs, kinds[node->b], strlen(kinds[node->b]));
    return true;
}

/* STRUCTURE, or STRUCTURE in set. */
static bool check_instances(const struct checking *check, const struct check_scope *scope,
                            struct wcts_expr_node *node)
{
    int set = node->op == WCTS_OP_IN ? node->b : 0;
    const struct wcts_expr_node *name = set ? node_at(check, node->a) : node;
    const struct wcts_names structures = structures_of(check);
    int structure;
    if (name->op != WCTS_OP_NAME) {
        wcts_expr_error(check->text, name->column, "expected a structure");
        return false;
    }
    structure =
        wcts_names_find(&structures, check->text, name->column, check->exprs->names[name->a]);
    if (structure < 0 || (set && !check_as(check, scope, set, WCTS_EXPR_SEGMENTS)))
        return false;
    node->op = WCTS_OP_STRUCTURE;
    node->a = structure;
    node->b = set;
    return true;
}

/* ---- operators ---- */

#define SHOWN 60 /* characters of what is wrong */

/* Reports that a part is not what is wanted. */
static enum wcts_expr_type report_type(const struct checking *check,
                                       const struct check_scope *scope, int index,
                                       enum wcts_expr_type type, const char *wanted)
{
    WCTS_TEXT(part);
    WCTS_TEXT(hint);
    wcts_expr_print(check->exprs, check->spec, scope->on, index, &part);
    if (part.length > SHOWN + 3)
        memcpy(part.bytes + SHOWN, "...", 4);
    if (type >= WCTS_EXPR_NUMBER && type <= WCTS_EXPR_SEGMENTS &&
        strcmp(wanted, type_names[WCTS_EXPR_FLAG]) == 0)
        wcts_text_add(&hint, ", such as \"%s != 0\"", wcts_text_get(&part));
    wcts_expr_error(check->text, node_at(check, index)->column, "\"%s\" is %s, expected %s%s",
                    wcts_text_get(&part), type_names[type], wanted, wcts_text_get(&hint));
    return WCTS_EXPR_NOTHING;
}

static bool is_zero(const struct wcts_expr_node *node)
{
    return node->op == WCTS_OP_NUMBER && node->number == 0;
}

/* Values are compared with their like; handles and sets of segments with 0, too. */
static enum wcts_expr_type check_equality(const struct checking *check,
                                          const struct check_scope *scope,
                                          const struct wcts_expr_node *node)
{
    enum wcts_expr_type a = check_node(check, scope, node->a), b;
    if (a > WCTS_EXPR_STATES)
        return report_type(check, scope, node->a, a, "a value");
    if ((a == WCTS_EXPR_HANDLE || a == WCTS_EXPR_SEGMENTS) && is_zero(node_at(check, node->b)))
        return WCTS_EXPR_FLAG;
    b = a == WCTS_EXPR_NOTHING ? a : check_node(check, scope, node->b);
    if (a != b && b != WCTS_EXPR_NOTHING)
        return report_type(check, scope, node->b, b, type_names[a]);
    return b == WCTS_EXPR_NOTHING ? b : WCTS_EXPR_FLAG;
}

/* A name in front of a set of page states is one: zero in pages(...). */
static enum wcts_expr_type check_in(const struct checking *check, const struct check_scope *scope,
                                    const struct wcts_expr_node *node)
{
    struct wcts_expr_node *right = node_at(check, node->b);
    enum wcts_expr_type a = WCTS_EXPR_NOTHING, b;
    if (right->op == WCTS_OP_SET) {
        a = check_node(check, scope, node->a);
        right->type = a == WCTS_EXPR_STATES ? WCTS_EXPR_STATES : WCTS_EXPR_NUMBERS;
        if (a > WCTS_EXPR_NOTHING && a != WCTS_EXPR_STATES && a != WCTS_EXPR_NUMBER)
            return report_type(check, scope, node->a, a, "a number, or pages(...)");
        for (int i = right->a; i && a; i = node_at(check, i)->next)
            if (!check_as(check, scope, i,
                          a == WCTS_EXPR_STATES ? WCTS_EXPR_STATE : WCTS_EXPR_NUMBER))
                a = WCTS_EXPR_NOTHING;
        return a ? WCTS_EXPR_FLAG : a;
    }
    b = check_node(check, scope, node->b);
    if (b == WCTS_EXPR_STATES && node_at(check, node->a)->op == WCTS_OP_NAME)
        return check_as(check, scope, node->a, WCTS_EXPR_STATE) ? WCTS_EXPR_FLAG
                                                                : WCTS_EXPR_NOTHING;
    if (b != WCTS_EXPR_NOTHING && b != WCTS_EXPR_STATES && b != WCTS_EXPR_SEGMENTS)
        return report_type(check, scope, node->b, b, "a set");
    if (b != WCTS_EXPR_NOTHING)
        a = check_node(check, scope, node->a);
    if (a != WCTS_EXPR_NOTHING && a != b && (a != WCTS_EXPR_NUMBER || b != WCTS_EXPR_SEGMENTS))
        return report_type(check, scope, node->a, a, type_names[b]);
    return a ? WCTS_EXPR_FLAG : a;
}

static enum wcts_expr_type check_operator(const struct checking *check,
                                          const struct check_scope *scope,
                                          const struct wcts_expr_node *node)
{
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
    return wcts_operators[node->op].binding == WCTS_BINDS_COMPARISON ? WCTS_EXPR_FLAG
                                                                     : WCTS_EXPR_NUMBER;
}

/* ---- values ---- */

static enum wcts_expr_type check_call(const struct checking *check, const struct check_scope *scope,
                                      const struct wcts_expr_node *call)
{
    const struct wcts_function *function = &wcts_functions[call->b];
    int count = 0, most = 0;
    while (most < WCTS_PARAMS_MAX && function->params[most] != WCTS_EXPR_NOTHING)
        most++;
    for (int i = call->a; i; i = node_at(check, i)->next)
        count++;
    if (count < function->least || (count > most && !function->repeat)) {
        wcts_expr_error(check->text, call->column, "\"%s\" with %d value%s, expected %s",
                        function->name, count, count == 1 ? "" : "s", function->usage);
        return WCTS_EXPR_NOTHING;
    }
    count = 0;
    for (int i = call->a; i; i = node_at(check, i)->next, count++) {
        enum wcts_expr_type wanted = function->params[count < most ? count : most - 1];
        const struct check_scope inner = {node_at(check, call->a)->a, scope};
        if (!check_as(check, wanted == WCTS_EXPR_EACH ? &inner : scope, i, wanted))
            return WCTS_EXPR_NOTHING;
    }
    return function->result;
}

static const struct wcts_member *member_at(const struct checking *check,
                                           const struct wcts_expr_node *node)
{
    return &check->spec->structures[node->ref.structure].members[node->ref.member];
}

/* Only a handle, an address and a segment lead to another message. */
static bool check_follow(const struct checking *check, const struct check_scope *scope,
                         const struct wcts_expr_node *node)
{
    const struct wcts_expr_node *last = node_at(check, node->a);
    enum wcts_member_type type;
    if (check_node(check, scope, node->a) == WCTS_EXPR_NOTHING)
        return false;
    if (last->op == WCTS_OP_FOLLOW)
        last = node_at(check, last->b);
    type = member_at(check, last)->type;
    if (last->ref.flag < 0 &&
        (type == WCTS_TYPE_HANDLE || type == WCTS_TYPE_ADDRESS || type == WCTS_TYPE_SEGMENT))
        return check_name(check, NULL, node_at(check, node->b));
    wcts_expr_error(check->text, last->column,
                    "\"%s\" leads nowhere, expected a member of type handle, address or segment "
                    "before a slash",
                    member_at(check, last)->name);
    return false;
}

static enum wcts_expr_type type_of_member(const struct checking *check,
                                          const struct wcts_expr_node *node)
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
    return node->ref.flag >= 0 ? WCTS_EXPR_FLAG : types[member_at(check, node)->type];
}

static enum wcts_expr_type check_node(const struct checking *check, const struct check_scope *scope,
                                      int index)
{
    struct wcts_expr_node *node = node_at(check, index);
    enum wcts_expr_type type = WCTS_EXPR_NOTHING;
    if (wcts_operators[node->op].text)
        type = check_operator(check, scope, node);
    else if (node->op == WCTS_OP_NAME && check_name(check, scope, node))
        type = type_of_member(check, node);
    else if (node->op == WCTS_OP_FOLLOW && check_follow(check, scope, node))
        type = type_of_member(check, node_at(check, node->b));
    else if (node->op == WCTS_OP_CALL)
        type = check_call(check, scope, node);
    else if (node->op == WCTS_OP_NUMBER || node->op == WCTS_OP_PAGE)
        type = WCTS_EXPR_NUMBER;
    else if (node->op == WCTS_OP_SET)
        wcts_expr_error(check->text, node->column, "a set, expected only behind \"in\"");
    node->type = (uint8_t)type;
    return type;
}

/* True if a member is what a function wants of it. */
static bool suits(const struct checking *check, const struct wcts_expr_node *node,
                  enum wcts_expr_type wanted)
{
    bool whole = node->op == WCTS_OP_MEMBER && node->ref.flag < 0;
    if (wanted == WCTS_EXPR_BIT)
        return node->op == WCTS_OP_MEMBER && node->ref.flag >= 0;
    return whole && (wanted != WCTS_EXPR_WORD || member_at(check, node)->word >= 0) &&
           (wanted != WCTS_EXPR_TABLE || member_at(check, node)->elements);
}

/* Checks a part that has to be of a type. */
static bool check_as(const struct checking *check, const struct check_scope *scope, int index,
                     enum wcts_expr_type wanted)
{
    struct wcts_expr_node *node = node_at(check, index);
    enum wcts_expr_type type;
    bool good, word = wanted >= WCTS_EXPR_STATE && wanted <= WCTS_EXPR_RESERVED;
    if (word && node->op != WCTS_OP_NAME) {
        wcts_expr_error(check->text, node->column, "expected %s", type_names[wanted]);
        return false;
    }
    if (word || wanted == WCTS_EXPR_INSTANCES) {
        node->type = (uint8_t)wanted;
        return wanted == WCTS_EXPR_STATE
                   ? check_word(check, node, wcts_page_state_words, "page state")
               : wanted == WCTS_EXPR_RESERVED
                   ? check_word(check, node, wcts_reservation_words, "kind of reservations")
               : wanted == WCTS_EXPR_KIND ? check_kind_word(check, node)
                                          : check_instances(check, scope, node);
    }
    type = check_node(check, scope, index);
    good = wanted >= WCTS_EXPR_BIT ? suits(check, node, wanted)
                                   : type == (wanted == WCTS_EXPR_EACH ? WCTS_EXPR_FLAG : wanted);
    if (type != WCTS_EXPR_NOTHING && !good)
        report_type(check, scope, index, type, type_names[wanted]);
    return good && type != WCTS_EXPR_NOTHING;
}

bool wcts_expr_check(struct wcts_exprs *exprs, const struct wcts_spec *spec,
                     const struct wcts_expr_text *text, int on, int root,
                     enum wcts_expr_type wanted)
{
    const struct checking check = {exprs, spec, text};
    const struct check_scope scope = {on, NULL};
    return check_as(&check, &scope, root, wanted);
}
