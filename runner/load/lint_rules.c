/* SPDX-License-Identifier: MIT */
/* Rules, each by itself. */
#include <inttypes.h>
#include <string.h>

#include "../base/text.h"
#include "kinds.h"
#include "lint.h"

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

static void lint_level(const struct wcts_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_statement *statement = &lint->spec->statements[rule->statement];
    bool caller = statement->role == WCTS_ROLE_CALLER;
    bool driver = statement->role == WCTS_ROLE_DRIVER && rule->outcome != WCTS_OUTCOME_EITHER;
    if (binding_of_force[rule->force] > binding_of_force[statement->force])
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" has level %s, expected at most its statement's, %s", rule->id,
                      wcts_force_name(rule->force), wcts_force_name(statement->force));
    for (size_t i = 0; caller && i < sizeof(caller_outcomes) / sizeof(caller_outcomes[0]); i++)
        if (caller_outcomes[i].force == rule->force && caller_outcomes[i].outcome != rule->outcome)
            wcts_error_at(lint->diagnostics, &rule->place,
                          "rule \"%s\" of role caller and level %s has outcome %s, expected %s",
                          rule->id, wcts_force_name(rule->force), wcts_outcome_name(rule->outcome),
                          wcts_outcome_name(caller_outcomes[i].outcome));
    if (driver && rule->force == WCTS_FORCE_SHOULD)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" of role driver and level should has outcome %s, expected either",
                      rule->id, wcts_outcome_name(rule->outcome));
    else if (driver && statement->basis != WCTS_BASIS_STATED)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" of role driver and basis %s has outcome %s, expected either",
                      rule->id, wcts_basis_name(statement->basis),
                      wcts_outcome_name(rule->outcome));
}

/* ---- versions ---- */

/* Reports a reference that does not exist at all versions of the rule. */
static void lint_ref(const struct wcts_lint *lint, const struct wcts_rule *rule,
                     const struct wcts_place *place, struct wcts_ref ref)
{
    const char *text;
    int since, until;
    wcts_lint_exists(lint->spec, ref, &since, &until);
    if (rule->since >= rule->until || (rule->since >= since && rule->until <= until))
        return;
    text = wcts_lint_ref(lint->spec, ref);
    if (rule->since >= until || rule->until <= since)
        wcts_error_at(lint->diagnostics, place,
                      "rule \"%s\" holds since %s until %s and never applies, expected versions at "
                      "which \"%s\" exists (since %s until %s)",
                      rule->id, wcts_lint_version(lint, rule->since),
                      wcts_lint_version(lint, rule->until), text, wcts_lint_version(lint, since),
                      wcts_lint_version(lint, until));
    else if (rule->since < since)
        wcts_error_at(lint->diagnostics, place,
                      "rule \"%s\" holds since %s, expected %s or later: \"%s\" does not exist "
                      "before",
                      rule->id, wcts_lint_version(lint, rule->since),
                      wcts_lint_version(lint, since), text);
    else
        wcts_error_at(lint->diagnostics, place,
                      "rule \"%s\" holds until %s, expected %s or earlier: \"%s\" does not exist "
                      "from then on",
                      rule->id, wcts_lint_version(lint, rule->until),
                      wcts_lint_version(lint, until), text);
}

static void lint_operands(const struct wcts_lint *lint, const struct wcts_rule *rule,
                          const struct wcts_place *place, const struct wcts_operand *arg)
{
    for (int i = 0; i < WCTS_ARG_COUNT; i++)
        for (int j = 0; j < arg[i].count; j++) {
            lint_ref(lint, rule, place, arg[i].refs[j]);
            for (int k = 0; k < j; k++)
                if (!rule->effect && wcts_model_same_ref(arg[i].refs[j], arg[i].refs[k]))
                    wcts_error_at(lint->diagnostics, place,
                                  "\"%s\" occurs twice in \"%s\", expected once",
                                  wcts_lint_ref(lint->spec, arg[i].refs[j]), arg[i].text);
        }
}

/* A gate applies to the versions before its flag; the columns of a row are checked with the table.
 */
static void lint_rule_versions(const struct wcts_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_statement *statement = &spec->statements[rule->statement];
    const struct wcts_structure *on = &spec->structures[rule->on];
    bool gate = rule->form == WCTS_FORM_GATE;
    wcts_lint_range(lint, &rule->place, "rule", rule->id, rule->since, rule->until);
    if (!gate && (rule->since < statement->since || rule->until > statement->until))
        wcts_error_at(
            lint->diagnostics, &rule->place,
            "rule \"%s\" holds since %s until %s, expected no version outside its "
            "statement's, %s until %s",
            rule->id, wcts_lint_version(lint, rule->since), wcts_lint_version(lint, rule->until),
            wcts_lint_version(lint, statement->since), wcts_lint_version(lint, statement->until));
    if (rule->since < on->since || rule->until > on->until)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" holds since %s until %s, expected no version without \"%s\"",
                      rule->id, wcts_lint_version(lint, rule->since),
                      wcts_lint_version(lint, rule->until), on->name);
    if (!gate)
        lint_operands(lint, rule, &rule->place, rule->arg);
    /* A flag is clear before it exists, too. */
    for (int i = 0; i < rule->when_count; i++)
        if (!rule->when[i].arg[WCTS_ARG_IS].given ||
            rule->when[i].arg[WCTS_ARG_IS].number != WCTS_IS_CLEAR)
            lint_operands(lint, rule, &rule->when[i].place, rule->when[i].arg);
    for (int i = 0; i < rule->range_count; i++) {
        lint_ref(lint, rule, &rule->place, rule->ranges[i].base);
        lint_ref(lint, rule, &rule->place, rule->ranges[i].size);
    }
}

/* ---- numbers ---- */

static bool is_constant(const struct wcts_operand *operand)
{
    return operand->given && operand->count == 0 && !operand->page;
}

static void lint_numbers(const struct wcts_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_operand *min = &rule->arg[WCTS_ARG_MIN], *max = &rule->arg[WCTS_ARG_MAX];
    const struct wcts_operand *to = &rule->arg[WCTS_ARG_TO];
    if (is_constant(min) && is_constant(max) && min->number > max->number)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" has min %s above max %s, expected min <= max", rule->id,
                      min->text, max->text);
    if (rule->form == WCTS_FORM_ALIGN && is_constant(to) &&
        (to->number == 0 || (to->number & (to->number - 1)) != 0))
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" aligns to %s, expected a power of two", rule->id, to->text);
}

/* ---- conditions ---- */

static struct wcts_ref condition_subject(const struct wcts_condition *condition)
{
    const struct wcts_operand *fact = &condition->arg[WCTS_ARG_FACT];
    const struct wcts_operand *member = &condition->arg[WCTS_ARG_MEMBER];
    return fact->given     ? fact->refs[0]
           : member->given ? member->refs[0]
                           : (struct wcts_ref){-1, -1, -1};
}

/* 1 if a condition requires zero or clear, 2 if it excludes it, else 0. */
static int zeroness(const struct wcts_condition *condition)
{
    const struct wcts_operand *is = &condition->arg[WCTS_ARG_IS];
    const struct wcts_operand *equals = &condition->arg[WCTS_ARG_EQUALS];
    if (is->given)
        return is->number == WCTS_IS_CLEAR || is->number == WCTS_IS_ZERO ? 1 : 2;
    if (is_constant(equals))
        return equals->number == 0 ? 1 : 2;
    return 0;
}

static bool share_ref(const struct wcts_operand *a, const struct wcts_operand *b)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (wcts_model_same_ref(a->refs[i], b->refs[j]))
                return true;
    return false;
}

/* True if a requires a segment with a flag, its only one, that b allows none to have. */
static bool segments_contradict(const struct wcts_condition *a, const struct wcts_condition *b)
{
    const struct wcts_operand *some = &a->arg[WCTS_ARG_SEGMENT];
    return some->count == 1 && !a->arg[WCTS_ARG_OR].given &&
           share_ref(some, &b->arg[WCTS_ARG_NO_SEGMENT]);
}

static bool contradict(const struct wcts_condition *a, const struct wcts_condition *b)
{
    const struct wcts_operand *x = &a->arg[WCTS_ARG_EQUALS], *y = &b->arg[WCTS_ARG_EQUALS];
    if (condition_subject(a).structure < 0 ||
        !wcts_model_same_ref(condition_subject(a), condition_subject(b)))
        return false;
    if (zeroness(a) + zeroness(b) == 3 && zeroness(a) != 0 && zeroness(b) != 0)
        return true;
    if (is_constant(x) && is_constant(y) && x->number != y->number)
        return true;
    return segments_contradict(a, b) || segments_contradict(b, a);
}

static void lint_conditions(const struct wcts_lint *lint, const struct wcts_condition *when,
                            int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++)
            if (contradict(&when[i], &when[j]))
                wcts_error_at(
                    lint->diagnostics, &when[i].place,
                    "condition contradicts the one at line %ld and both must hold, expected "
                    "a rule that can apply",
                    when[j].place.line);
    }
}

/* ---- other rules, objects ---- */

static void lint_mask(const struct wcts_lint *lint, const struct wcts_rule *rule)
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
static bool leads_to(const struct wcts_spec *spec, const struct wcts_rule *rule, int to, int depth)
{
    for (int i = 0; i < rule->rests_on_count && depth > 0; i++)
        if (rule->rests_on[i] == to ||
            leads_to(spec, &spec->rules[rule->rests_on[i]], to, depth - 1))
            return true;
    return false;
}

/* Two rules that rest on each other would excuse each other. */
static void lint_rests_on(const struct wcts_lint *lint, int index)
{
    const struct wcts_rule *rule = &lint->spec->rules[index];
    if (leads_to(lint->spec, rule, index, RESTS_MAX))
        wcts_error_at(
            lint->diagnostics, &rule->place,
            "rule \"%s\" rests on itself, perhaps through others, expected rules that do not lead "
            "back to it",
            rule->id);
}

static void lint_kind(const struct wcts_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_cases *cases = lint->spec->cases;
    const char *kind = rule->arg[WCTS_ARG_KIND].text;
    if (rule->form != WCTS_FORM_HANDLE)
        return;
    for (int i = 0; i < cases->symbols_count; i++)
        if (cases->symbols[i].kind == WCTS_SYMBOL_HANDLE &&
            strcmp(cases->symbols[i].kind_name, kind) == 0)
            return;
    wcts_error_at(lint->diagnostics, &rule->place,
                  "rule \"%s\" is about objects of kind \"%s\", expected a kind that some step "
                  "makes",
                  rule->id, kind);
}

/* A flag has one gate on a structure. */
static void lint_gate_owner(const struct wcts_lint *lint, int index)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_rule *rule = &spec->rules[index];
    struct wcts_ref fact;
    int owner;
    if (rule->form != WCTS_FORM_GATE)
        return;
    fact = rule->arg[WCTS_ARG_FACT].refs[0];
    owner = spec->words[wcts_ref_member(spec, fact)->word].flags[fact.flag].gate;
    if (owner != index && spec->rules[owner].on == rule->on)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule \"%s\" is a second gate of its flag, expected one; the first is \"%s\"",
                      rule->id, spec->rules[owner].id);
}

void wcts_lint_rules(const struct wcts_lint *lint)
{
    const struct wcts_spec *spec = lint->spec;
    for (int i = 0; i < spec->rules_count; i++) {
        const struct wcts_rule *rule = &spec->rules[i];
        lint_level(lint, rule);
        lint_rule_versions(lint, rule);
        lint_numbers(lint, rule);
        lint_conditions(lint, rule->when, rule->when_count);
        lint_mask(lint, rule);
        lint_rests_on(lint, i);
        lint_kind(lint, rule);
        lint_gate_owner(lint, i);
    }
    for (int i = 0; i < spec->opens_count; i++)
        lint_conditions(lint, spec->opens[i].when, spec->opens[i].when_count);
    for (int i = 0; i < spec->gaps_count; i++)
        lint_conditions(lint, spec->gaps[i].when, spec->gaps[i].when_count);
}
