/* SPDX-License-Identifier: MIT */
/* Rules, each by itself. */
#include <string.h>

#include "../base/text.h"
#include "../lang/functions.h"
#include "kinds.h"
#include "lint.h"
#include "lint_conditions.h"

/* The longest chain of rules that rest on each other. */
#define RESTS_MAX 8

/* ---- level and outcome ---- */

/* How strongly each level binds. A meaning binds like a must: it states what the side does. */
static const int binding_of_force[] = {
    [WCTS_FORCE_MUST] = 2,
    [WCTS_FORCE_SHOULD] = 1,
    [WCTS_FORCE_MEANING] = 2,
    [WCTS_FORCE_INFO] = 0,
};

/* The outcome of a breach by the caller, by level. */
static const struct {
    enum wcts_force force;
    enum wcts_outcome outcome;
} caller_outcomes[] = {
    {WCTS_FORCE_MUST, WCTS_OUTCOME_REFUSE},
    {WCTS_FORCE_SHOULD, WCTS_OUTCOME_EITHER},
};

static void lint_level(const struct wcts_load_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_statement *statement = &lint->spec->statements[rule->statement];
    bool caller = statement->role == WCTS_ROLE_CALLER;
    bool driver = statement->role == WCTS_ROLE_DRIVER && rule->outcome != WCTS_OUTCOME_EITHER;
    if (binding_of_force[rule->force] > binding_of_force[statement->force])
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" has level %s, expected at most its statement's, %s", rule->id,
                      wcts_model_force_name(rule->force), wcts_model_force_name(statement->force));
    for (size_t i = 0; caller && i < sizeof(caller_outcomes) / sizeof(caller_outcomes[0]); i++)
        if (caller_outcomes[i].force == rule->force && caller_outcomes[i].outcome != rule->outcome)
            wcts_error_at(lint->diagnostics, &rule->place,
                          "rule \"%s\" of role caller and level %s has outcome %s, expected %s",
                          rule->id, wcts_model_force_name(rule->force),
                          wcts_model_outcome_name(rule->outcome),
                          wcts_model_outcome_name(caller_outcomes[i].outcome));
    if (driver && rule->force == WCTS_FORCE_SHOULD)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" of role driver and level should has outcome %s, expected either",
                      rule->id, wcts_model_outcome_name(rule->outcome));
    else if (driver && statement->basis != WCTS_BASIS_STATED)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" of role driver and basis %s has outcome %s, expected either",
                      rule->id, wcts_model_basis_name(statement->basis),
                      wcts_model_outcome_name(rule->outcome));
}

/* ---- versions ---- */

/* Reports a reference that does not exist at all versions of the rule. */
static void lint_ref(const struct wcts_load_lint *lint, const struct wcts_rule *rule,
                     const struct wcts_place *place, struct wcts_ref ref)
{
    const char *text;
    int since, until;
    wcts_load_lint_exists(lint->spec, ref, &since, &until);
    if (rule->since >= rule->until || (rule->since >= since && rule->until <= until))
        return;
    text = wcts_load_lint_ref(lint->spec, ref);
    if (rule->since >= until || rule->until <= since)
        wcts_error_at(lint->diagnostics, place,
                      "rule \"%s\" holds since %s until %s and never applies, expected versions at "
                      "which \"%s\" exists (since %s until %s)",
                      rule->id, wcts_load_lint_version(lint, rule->since),
                      wcts_load_lint_version(lint, rule->until), text,
                      wcts_load_lint_version(lint, since), wcts_load_lint_version(lint, until));
    else if (rule->since < since)
        wcts_error_at(lint->diagnostics, place,
                      "rule \"%s\" holds since %s, expected %s or later: \"%s\" does not exist "
                      "before",
                      rule->id, wcts_load_lint_version(lint, rule->since),
                      wcts_load_lint_version(lint, since), text);
    else
        wcts_error_at(lint->diagnostics, place,
                      "rule \"%s\" holds until %s, expected %s or earlier: \"%s\" does not exist "
                      "from then on",
                      rule->id, wcts_load_lint_version(lint, rule->until),
                      wcts_load_lint_version(lint, until), text);
}

/* What a layout or an effect names. */
static void lint_operands(const struct wcts_load_lint *lint, const struct wcts_rule *rule,
                          const struct wcts_place *place, const struct wcts_operand *arg)
{
    for (int i = 0; i < WCTS_ARG_COUNT; i++)
        for (int j = 0; j < arg[i].count; j++)
            lint_ref(lint, rule, place, arg[i].refs[j]);
}

/* The members that the expressions of a rule read, each once. */
struct load_version_check {
    const struct wcts_load_lint *lint;
    const struct wcts_rule *rule;
    struct wcts_ref seen[64];
    int count;
};

static void lint_read(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct load_version_check *check = context;
    (void)use;
    for (int i = 0; i < check->count; i++)
        if (wcts_model_same_ref(check->seen[i], ref))
            return;
    if (check->count < (int)(sizeof check->seen / sizeof *check->seen))
        check->seen[check->count++] = ref;
    lint_ref(check->lint, check->rule, &check->rule->place, ref);
}

/* A flag is clear before it exists, too. */
static bool is_clear_flag(const struct wcts_lang_exprs *exprs, int condition)
{
    const struct wcts_lang_node *node = &exprs->nodes[condition];
    return node->op == WCTS_OP_NOT && exprs->nodes[node->a].op == WCTS_OP_MEMBER;
}

static void lint_reads(const struct wcts_load_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_lang_exprs *exprs = lint->spec->exprs;
    struct load_version_check check = {.lint = lint, .rule = rule};
    wcts_lang_reads(exprs, rule->breach.refuse, lint_read, &check);
    wcts_lang_reads(exprs, rule->breach.unless, lint_read, &check);
    for (int i = wcts_lang_operand(exprs, rule->breach.when, WCTS_OP_AND); i;
         i = wcts_lang_operand_behind(exprs, rule->breach.when, i))
        if (!is_clear_flag(exprs, i))
            wcts_lang_reads(exprs, i, lint_read, &check);
}

/* A gate applies to the versions before its flag. */
static void lint_rule_versions(const struct wcts_load_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_statement *statement = &spec->statements[rule->statement];
    const struct wcts_structure *on = &spec->structures[rule->on];
    bool gate = rule->form == WCTS_FORM_GATE;
    wcts_load_lint_range(lint, &rule->place, "rule", rule->id, rule->since, rule->until);
    if (!gate && (rule->since < statement->since || rule->until > statement->until))
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" holds since %s until %s, expected no version outside its "
                      "statement's, %s until %s",
                      rule->id, wcts_load_lint_version(lint, rule->since),
                      wcts_load_lint_version(lint, rule->until),
                      wcts_load_lint_version(lint, statement->since),
                      wcts_load_lint_version(lint, statement->until));
    if (rule->since < on->since || rule->until > on->until)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" holds since %s until %s, expected no version without \"%s\"",
                      rule->id, wcts_load_lint_version(lint, rule->since),
                      wcts_load_lint_version(lint, rule->until), on->name);
    lint_operands(lint, rule, &rule->place, rule->arg);
    for (int i = 0; rule->effect && i < rule->when_count; i++)
        if (!rule->when[i].clear)
            wcts_lang_reads(spec->exprs, rule->when[i].expression, lint_read,
                            &(struct load_version_check){.lint = lint, .rule = rule});
    /* The columns of a row are checked with the table. */
    if (rule->form == WCTS_FORM_EXPRESSION)
        lint_reads(lint, rule);
}

/* ---- expressions ---- */

/* An expression of a rule, an effect, or what is left open. */
struct load_expression_check {
    const struct wcts_load_lint *lint;
    const struct wcts_rule *rule; /* or NULL */
    const struct wcts_place *place;
    int on;
};

static const char *printed(const struct load_expression_check *check, int index,
                           struct wcts_text *text)
{
    const struct wcts_spec *spec = check->lint->spec;
    const struct wcts_lang_about about = wcts_lang_about(spec, check->on);
    wcts_lang_print_about(spec->exprs, spec, &about, index, text);
    return wcts_text_get(text);
}

/* An operand of or, and, exactly_one is there once. */
static void lint_once(const struct load_expression_check *check, int index)
{
    const struct wcts_lang_exprs *exprs = check->lint->spec->exprs;
    const struct wcts_lang_node *node = &exprs->nodes[index];
    bool flags = node->op == WCTS_OP_CALL && wcts_functions[node->b].params[0] == WCTS_EXPR_FLAG;
    if (node->op != WCTS_OP_OR && node->op != WCTS_OP_AND && node->op != WCTS_OP_NOT && !flags)
        return;
    for (int i = node->a; i; i = exprs->nodes[i].next) {
        for (int k = node->a; k != i; k = exprs->nodes[k].next) {
            WCTS_TEXT(one);
            WCTS_TEXT(all);
            if (wcts_lang_same(exprs, i, k))
                wcts_error_at(check->lint->diagnostics, check->place,
                              "\"%s\" occurs twice in \"%s\", expected once",
                              printed(check, i, &one), printed(check, index, &all));
        }
        lint_once(check, i);
    }
}

/* All conditions must hold. */
static void lint_conditions(const struct load_expression_check *check, int when)
{
    const struct wcts_lang_exprs *exprs = check->lint->spec->exprs;
    const int first = wcts_lang_operand(exprs, when, WCTS_OP_AND);
    for (int i = first; i; i = wcts_lang_operand_behind(exprs, when, i)) {
        WCTS_TEXT(text);
        bool never = wcts_load_lint_never(exprs, i, i, true);
        if (never)
            wcts_error_at(check->lint->diagnostics, check->place,
                          "condition that nothing meets: %s, expected one that a call can meet",
                          printed(check, i, &text));
        for (int k = first; !never && k != i; k = wcts_lang_operand_behind(exprs, when, k))
            if (wcts_load_lint_never(exprs, i, k, true))
                wcts_error_at(
                    check->lint->diagnostics, check->place,
                    "condition contradicts the one at line %ld and both must hold, expected "
                    "a rule that can apply",
                    check->place->line);
    }
}

/* What is aligned is so to a power of two; what must be a multiple may be of anything. */
static void lint_alignment(void *context, int condition)
{
    const struct load_expression_check *check = context;
    const struct wcts_spec *spec = check->lint->spec;
    const struct wcts_lang_edge edge = wcts_lang_edge(spec->exprs, condition);
    const struct wcts_lang_node *to = &spec->exprs->nodes[edge.value];
    WCTS_TEXT(text);
    if (edge.kind == WCTS_EDGE_MULTIPLE && to->op == WCTS_OP_NUMBER &&
        (to->number == 0 || (to->number & (to->number - 1)) != 0) &&
        strcmp(spec->statements[check->rule->statement].form, "multiple") != 0)
        wcts_error_at(check->lint->diagnostics, check->place,
                      "rule \"%s\" aligns to %s, expected a power of two", check->rule->id,
                      printed(check, edge.value, &text));
}

static bool is_kind_made(const struct wcts_cases *cases, const char *kind)
{
    for (int i = 0; i < cases->symbols_count; i++)
        if (cases->symbols[i].kind == WCTS_SYMBOL_HANDLE &&
            strcmp(cases->symbols[i].kind_name, kind) == 0)
            return true;
    return false;
}

/* live(handle, kind). */
static void lint_kind(void *context, int condition)
{
    const struct load_expression_check *check = context;
    const struct wcts_spec *spec = check->lint->spec;
    int handle = wcts_lang_find_call(spec->exprs, condition, "live");
    const char *kind;
    if (!handle)
        return;
    kind = wcts_lang_name(spec->exprs, spec->exprs->nodes[spec->exprs->nodes[handle].next].b);
    if (!is_kind_made(spec->cases, kind))
        wcts_error_at(check->lint->diagnostics, check->place,
                      "rule \"%s\" is about objects of kind \"%s\", expected a kind that some "
                      "step makes",
                      check->rule->id, kind);
}

static void lint_expressions(const struct wcts_load_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_lang_exprs *exprs = lint->spec->exprs;
    const struct wcts_lang_rule *breach = &rule->breach;
    struct load_expression_check check = {lint, rule, &rule->place, rule->on};
    WCTS_TEXT(text);
    lint_conditions(&check, rule->effect ? rule->effect->when : breach->when);
    if (rule->form != WCTS_FORM_EXPRESSION)
        return;
    lint_once(&check, breach->when);
    lint_once(&check, breach->refuse);
    lint_once(&check, breach->unless);
    wcts_lang_conditions(exprs, breach->refuse, lint_alignment, &check);
    wcts_lang_conditions(exprs, breach->refuse, lint_kind, &check);
    if (!breach->unless && wcts_load_lint_never(exprs, breach->refuse, breach->refuse, false))
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" is broken whatever is called: %s, expected a breach that some "
                      "call does not have",
                      rule->id, printed(&check, breach->refuse, &text));
}

/* ---- other rules, objects ---- */

static void lint_mask(const struct wcts_load_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_spec *spec = lint->spec;
    const char *list = rule->masked_by, *piece;
    size_t length;
    while (list != NULL && (length = wcts_next_piece(&list, &piece)) > 0) {
        bool known = false;
        for (int i = 0; i < spec->rules_count && !known; i++)
            known = wcts_is_piece(spec->rules[i].id, piece, length);
        if (!known)
            wcts_error_at(lint->diagnostics, &rule->place,
                          "rule \"%s\" is masked by \"%.*s\", expected the id of a rule", rule->id,
                          (int)length, piece);
    }
}

/* True if a rule rests on another, perhaps through up to depth others. */
static bool rests_on_rule(const struct wcts_spec *spec, const struct wcts_rule *rule, int to,
                          int depth)
{
    for (int i = 0; i < rule->rests_on_count && depth > 0; i++)
        if (rule->rests_on[i] == to ||
            rests_on_rule(spec, &spec->rules[rule->rests_on[i]], to, depth - 1))
            return true;
    return false;
}

/* Two rules that rest on each other would excuse each other. */
static void lint_rests_on(const struct wcts_load_lint *lint, int index)
{
    const struct wcts_rule *rule = &lint->spec->rules[index];
    if (rests_on_rule(lint->spec, rule, index, RESTS_MAX))
        wcts_error_at(
            lint->diagnostics, &rule->place,
            "rule \"%s\" rests on itself, perhaps through others, expected rules that do not lead "
            "back to it",
            rule->id);
}

/* A flag has one gate on a structure. */
static void lint_gate_owner(const struct wcts_load_lint *lint, int index)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_rule *rule = &spec->rules[index];
    int owner;
    if (rule->form != WCTS_FORM_GATE)
        return;
    owner = spec->words[wcts_model_ref_member(spec, rule->gate)->word].flags[rule->gate.flag].gate;
    if (owner != index && spec->rules[owner].on == rule->on)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" is a second gate of its flag, expected one; the first is \"%s\"",
                      rule->id, spec->rules[owner].id);
}

void wcts_load_lint_rules(const struct wcts_load_lint *lint)
{
    const struct wcts_spec *spec = lint->spec;
    for (int i = 0; i < spec->rules_count; i++) {
        const struct wcts_rule *rule = &spec->rules[i];
        lint_level(lint, rule);
        lint_rule_versions(lint, rule);
        lint_expressions(lint, rule);
        lint_mask(lint, rule);
        lint_rests_on(lint, i);
        lint_gate_owner(lint, i);
    }
    for (int i = 0; i < spec->opens_count; i++)
        lint_conditions(
            &(struct load_expression_check){lint, NULL, &spec->opens[i].place, spec->opens[i].on},
            spec->opens[i].when);
    for (int i = 0; i < spec->gaps_count; i++)
        lint_conditions(
            &(struct load_expression_check){lint, NULL, &spec->gaps[i].place, spec->gaps[i].on},
            spec->gaps[i].when);
}
