/* SPDX-License-Identifier: MIT */
#include "scope.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/store/tally.h"

enum wcts_side wcts_report_scope_side(bool driver)
{
    return driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL;
}

bool wcts_report_scope_init(struct wcts_report_scope *scope, const struct wcts_plan *plan)
{
    const struct wcts_spec *spec = plan->spec;
    *scope = (struct wcts_report_scope){.spec = spec};
    bool good = wcts_report_parts_init(&scope->parts, spec);
    scope->statements = calloc((size_t)spec->statements_count + 1, sizeof *scope->statements);
    scope->accepted = calloc((size_t)spec->versions_count + 1, sizeof *scope->accepted);
    scope->sides = wcts_plan_sides(plan);
    for (int i = 0; i < WCTS_MUSTPASS_ROLES; i++) {
        scope->rules[i] = calloc((size_t)spec->rules_count + 1, sizeof *scope->rules[i]);
        good = good && scope->rules[i];
    }
    return good && scope->statements && scope->accepted && scope->sides;
}

void wcts_report_scope_release(struct wcts_report_scope *scope)
{
    free(scope->statements);
    free(scope->accepted);
    free(scope->sides);
    wcts_report_parts_release(&scope->parts);
    for (int i = 0; i < scope->kind_count; i++) {
        free(scope->kinds[i].name);
        free(scope->kinds[i].why);
        free(scope->kinds[i].statements);
    }
    free(scope->kinds);
    for (int i = 0; i < WCTS_MUSTPASS_ROLES; i++)
        free(scope->rules[i]);
}

uint32_t wcts_report_scope_lacking(const struct wcts_plan *plan, const struct wcts_case *test,
                                   const struct wcts_claims *claims)
{
    uint32_t needs = test->needs;
    if (test->kind == WCTS_KIND_SEQUENCE)
        needs |= WCTS_CAPABILITY_PAGES;
    for (int i = 0; i < test->fact_count && !test->driver; i++)
        if (wcts_model_fact_is_answer(plan, test, &test->facts[i]))
            needs |= WCTS_CAPABILITY_PROBE;
    return test->driver ? 0 : needs & ~claims->capabilities;
}

/* Sets beyond the first few are of statements of which a smaller one is among these. */
static void add_lacked(struct wcts_report_statement_scope *statement, uint64_t missing)
{
    for (int i = 0; i < statement->lacked_count; i++)
        if (statement->lacked[i] == missing)
            return;
    if (missing != 0 && statement->lacked_count < WCTS_LACKED_MAX)
        statement->lacked[statement->lacked_count++] = missing;
}

static void add_statement(struct wcts_report_statement_scope *statement,
                          const struct wcts_plan *plan, const struct wcts_case *test,
                          const struct wcts_claims *claims, const struct wcts_result *result)
{
    uint64_t versions = wcts_report_scope_versions(plan->spec, claims);
    if (result->skip != WCTS_SKIP_NOT_CLAIMED) {
        statement->in = true;
    } else if (versions & wcts_plan_version_bit(test->version)) {
        statement->lacks |= wcts_report_scope_lacking(plan, test, claims);
        statement->pages |= test->driver ? 0 : test->page_size & ~claims->page_sizes;
        add_lacked(statement, result->answered.missing);
    }
    if (result->skip == WCTS_SKIP_NOT_CLAIMED ? result->answered.missing != 0
                                              : result->skip != WCTS_SKIP_NOT_APPLICABLE)
        statement->there = true;
    if (wcts_store_verdict_judges(result->verdict) && !wcts_model_verdict_is_death(result->verdict))
        statement->tested = true;
}

static void add_rule(struct wcts_plan_rule_seen *rule, const struct wcts_spec *spec,
                     const struct wcts_case *test, const struct wcts_result *result)
{
    bool owed =
        wcts_model_is_effect(spec->rules[test->rule].form) && !spec->rules[test->rule].elective;
    if (wcts_store_verdict_judges(result->verdict))
        rule->passed |= wcts_plan_version_bit(test->version);
    if (result->verdict == WCTS_VERDICT_SKIP)
        rule->skipped |= wcts_plan_version_bit(test->version);
    if (result->skip == WCTS_SKIP_NOT_IN_PROFILE)
        rule->excused |= wcts_plan_version_bit(test->version);
    if (result->skip == WCTS_SKIP_NOT_SHOWN && owed)
        rule->unshown |= wcts_plan_version_bit(test->version);
}

/* ---- kinds ---- */

static bool is_same_part(const char *text, const char *at, size_t length)
{
    return strlen(text) == length && strncmp(text, at, length) == 0;
}

static struct wcts_report_unshown_kind *find_unshown(struct wcts_report_scope *scope,
                                                     const char *name, size_t length,
                                                     const char *why, size_t why_length)
{
    for (int i = 0; i < scope->kind_count; i++)
        if (is_same_part(scope->kinds[i].name, name, length) &&
            is_same_part(scope->kinds[i].why, why, why_length))
            return &scope->kinds[i];
    return NULL;
}

/* The entry of a kind and a reason, NULL without memory. */
static struct wcts_report_unshown_kind *unshown_kind(struct wcts_report_scope *scope,
                                                     const char *name, size_t length,
                                                     const char *why, size_t why_length)
{
    struct wcts_report_unshown_kind *kind = find_unshown(scope, name, length, why, why_length);
    struct wcts_report_unshown_kind added = {
        .refused = strncmp(why, WCTS_FINDING_NOT_CREATED, strlen(WCTS_FINDING_NOT_CREATED)) == 0};
    if (kind)
        return kind;
    kind = realloc(scope->kinds, ((size_t)scope->kind_count + 1) * sizeof *kind);
    if (!kind)
        return NULL;
    scope->kinds = kind;
    added.name = strndup(name, length);
    added.why = strndup(why, why_length);
    added.statements = calloc((size_t)scope->spec->statements_count + 1, sizeof(bool));
    if (!added.name || !added.why || !added.statements) {
        free(added.name);
        free(added.why);
        free(added.statements);
        return NULL;
    }
    kind[scope->kind_count] = added;
    return &kind[scope->kind_count++];
}

static bool asks_for_each_kind(const struct wcts_case *test, const struct wcts_result *result)
{
    return test->driver && result->verdict == WCTS_VERDICT_PASS &&
           (test->scenario ? test->scenario->kinds : test->expect == WCTS_EXPECT_ANSWER);
}

/* Counts the kinds that the reason of a case names; without memory one is not counted. */
static void add_kinds(struct wcts_report_scope *scope, const struct wcts_case *test, int statement,
                      const struct wcts_result *result)
{
    const char *at = result->reason ? strstr(result->reason, WCTS_FINDING_UNSHOWN_KIND) : NULL;
    const bool through = asks_for_each_kind(test, result);
    scope->through += through;
    while (at) {
        const char *name = at + strlen(WCTS_FINDING_UNSHOWN_KIND);
        const char *end = strstr(name, WCTS_FINDING_KIND_END);
        const char *why = end ? end + strlen(WCTS_FINDING_KIND_END) : NULL;
        struct wcts_report_unshown_kind *kind;
        at = why ? strstr(why, WCTS_FINDING_UNSHOWN_KIND) : NULL;
        kind = why ? unshown_kind(scope, name, (size_t)(end - name), why,
                                  at ? (size_t)(at - why) - strlen("; ") : strlen(why))
                   : NULL;
        if (!kind)
            continue;
        kind->cases++;
        kind->through += through;
        kind->statements[statement] = true;
    }
}

bool wcts_report_scope_never_created(const struct wcts_report_scope *scope, const char *kind)
{
    int count = 0;
    for (int i = 0; i < scope->kind_count; i++)
        if (scope->kinds[i].refused && strcmp(scope->kinds[i].name, kind) == 0)
            count += scope->kinds[i].through;
    return count != 0 && count == scope->through;
}

/* ---- cases ---- */

void wcts_report_scope_add(struct wcts_report_scope *scope, const struct wcts_plan *plan,
                           const struct wcts_case *test, const struct wcts_claims *claims,
                           int statement, const struct wcts_result *result)
{
    int role = test->driver ? WCTS_MUSTPASS_DRIVER : WCTS_MUSTPASS_KERNEL;
    if (!(claims->sides & wcts_report_scope_side(test->driver)))
        return;
    /* A sequence that breaks nothing is no evidence for the rule that it is filed under. */
    if (!wcts_model_is_drawn(test->kind) || result->broken != 0)
        add_statement(&scope->statements[statement], plan, test, claims, result);
    if (!wcts_model_is_drawn(test->kind))
        add_rule(&scope->rules[role][test->rule], plan->spec, test, result);
    wcts_report_parts_add(&scope->parts, test, claims, result);
    if (wcts_store_verdict_judges(result->verdict))
        add_kinds(scope, test, statement, result);
    scope->implemented |= result->answered.implemented;
    scope->paged |= result->answered.paged;
    scope->unpaged |= result->answered.unpaged;
    scope->accepted[test->version] |= result->answered.accepted;
    for (int bit = 0; result->skip == WCTS_SKIP_NOT_CLAIMED && bit < 64; bit++)
        scope->unsupported[bit] += (int)(result->answered.missing >> bit & 1);
}

/* ---- what counts ---- */

bool wcts_report_statement_testable(const struct wcts_statement *statement)
{
    return statement->reason == NULL;
}

const char *wcts_report_statement_status(const struct wcts_statement *statement)
{
    if (!wcts_report_statement_testable(statement))
        return "not-testable";
    return statement->pending ? "pending" : "ruled";
}

static bool is_feature_of(const struct wcts_spec *spec, const struct wcts_statement *statement,
                          uint32_t sides)
{
    bool driver = statement->feature >= 0 && spec->features[statement->feature].driver;
    return statement->feature < 0 || sides == 0 ||
           (sides & (uint32_t)(driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL)) != 0;
}

bool wcts_report_scope_counts_rule(const struct wcts_report_scope *scope, int rule, uint32_t sides)
{
    const struct wcts_spec *spec = scope->spec;
    const struct wcts_statement *statement = &spec->statements[spec->rules[rule].statement];
    if (!wcts_report_statement_testable(statement))
        return false;
    return scope->sides[rule] != 0 && sides != 0 ? (scope->sides[rule] & sides) != 0
                                                 : is_feature_of(spec, statement, sides);
}

bool wcts_report_scope_counts(const struct wcts_report_scope *scope, int statement, uint32_t sides)
{
    const struct wcts_spec *spec = scope->spec;
    const struct wcts_statement *one = &spec->statements[statement];
    if (!wcts_report_statement_testable(one) || is_feature_of(spec, one, sides))
        return wcts_report_statement_testable(one);
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == statement && wcts_report_scope_counts_rule(scope, i, sides))
            return true;
    return false;
}

uint64_t wcts_report_scope_versions(const struct wcts_spec *spec, const struct wcts_claims *claims)
{
    uint64_t versions = 0;
    for (int i = 0; i < spec->versions_count; i++)
        if (spec->versions[i].interface_version >= claims->first_interface_version &&
            spec->versions[i].interface_version <= claims->last_interface_version)
            versions |= wcts_plan_version_bit(i);
    return versions;
}

uint64_t wcts_report_scope_claimed(const struct wcts_spec *spec, const struct wcts_claims *claims)
{
    uint64_t versions = wcts_report_scope_versions(spec, claims);
    for (int i = 0; claims->raised_from && i < spec->versions_count; i++)
        if (spec->versions[i].interface_version <= claims->raised_from)
            versions &= ~wcts_plan_version_bit(i);
    return versions;
}

uint32_t wcts_report_scope_sides_of_role(enum wcts_role role)
{
    static const uint32_t sides[] = {
        [WCTS_ROLE_CALLER] = WCTS_SIDE_KERNEL,
        [WCTS_ROLE_KERNEL] = WCTS_SIDE_KERNEL,
        [WCTS_ROLE_DRIVER] = WCTS_SIDE_DRIVER,
        [WCTS_ROLE_BOTH] = WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER,
    };
    return sides[role];
}

/* ---- features ---- */

static bool is_of_sides(const struct wcts_feature *feature, uint32_t sides)
{
    return (sides & (uint32_t)(feature->driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL)) != 0;
}

static bool is_shown(const struct wcts_report_scope *scope, const struct wcts_claims *claims,
                     const struct wcts_feature *feature)
{
    if (feature->core || claims->capabilities & feature->capability)
        return true;
    for (int i = 0; i < feature->operation_count; i++)
        if (scope->implemented &
            wcts_model_operation_bit(scope->spec->messages[feature->operations[i]].operation))
            return true;
    return false;
}

void wcts_report_scope_settle(struct wcts_report_scope *scope, const struct wcts_claims *claims)
{
    const struct wcts_spec *spec = scope->spec;
    uint64_t claimed = 0;
    for (int i = 0; i < spec->features_count; i++)
        for (int j = 0;
             is_of_sides(&spec->features[i], claims->sides) &&
             is_shown(scope, claims, &spec->features[i]) && j < spec->features[i].operation_count;
             j++)
            claimed |=
                wcts_model_operation_bit(spec->messages[spec->features[i].operations[j]].operation);
    for (int i = 0; i < spec->statements_count; i++) {
        struct wcts_report_statement_scope *statement = &scope->statements[i];
        statement->claimed = statement->in;
        for (int j = 0; j < statement->lacked_count; j++)
            statement->claimed = statement->claimed || (statement->lacked[j] & ~claimed) == 0;
    }
}

void wcts_report_scope_feature(const struct wcts_report_scope *scope,
                               const struct wcts_claims *claims, int feature,
                               struct wcts_report_feature_scope *of)
{
    const struct wcts_feature *one = &scope->spec->features[feature];
    *of = (struct wcts_report_feature_scope){.claimed = false};
    for (int i = 0; i < one->statement_count; i++) {
        const struct wcts_report_statement_scope *statement =
            &scope->statements[one->statements[i]];
        of->in += statement->claimed;
        of->tested += statement->tested;
        of->there += statement->there;
    }
    of->claimed = is_of_sides(one, claims->sides) && is_shown(scope, claims, one) &&
                  (of->in > 0 || of->there > 0 || one->core);
}

uint32_t wcts_report_scope_promised(const struct wcts_report_scope *scope,
                                    const struct wcts_claims *claims, uint32_t *capability)
{
    static const uint32_t promises[] = {
        [WCTS_SHOWS_PAGES] = WCTS_CAPABILITY_PAGES, [WCTS_SHOWS_PLACE] = WCTS_CAPABILITY_PLACEMENT};
    uint32_t found = 0;
    for (int i = 0; i < scope->spec->messages_count; i++) {
        const struct wcts_message *message = &scope->spec->messages[i];
        uint64_t bit = wcts_model_operation_bit(message->operation);
        uint32_t promise = promises[message->shows];
        if (!(claims->capabilities & promise) || (scope->implemented & bit) ||
            scope->unsupported[__builtin_ctzll(bit)] == 0 || (found && promise > *capability))
            continue;
        *capability = promise;
        found = message->operation;
    }
    return found;
}

static int missing_at(const struct wcts_report_scope *scope, const struct wcts_feature *feature,
                      int version)
{
    for (int i = 0; i < feature->operation_count; i++) {
        const struct wcts_message *message = &scope->spec->messages[feature->operations[i]];
        if (!(scope->accepted[version] & wcts_model_operation_bit(message->operation)))
            return feature->operations[i];
    }
    return -1;
}

int wcts_report_scope_core_missing(const struct wcts_report_scope *scope, uint32_t sides,
                                   uint64_t versions, int *version)
{
    const struct wcts_spec *spec = scope->spec;
    for (int i = 0; i < spec->features_count; i++) {
        const struct wcts_feature *feature = &spec->features[i];
        for (*version = 0; *version < spec->versions_count; (*version)++) {
            int message;
            if (!feature->core || !is_of_sides(feature, sides) ||
                !(versions & wcts_plan_version_bit(*version)))
                continue;
            message = missing_at(scope, feature, *version);
            if (message >= 0)
                return message;
        }
    }
    return -1;
}

/* ---- which cases ---- */

/* The index for cases of one rule that differ only in version: side, and scenario or base. */
static int like_of(const struct wcts_spec *spec, const struct wcts_series *series)
{
    int like =
        series->scenario >= 0 ? spec->cases->bases_count + 1 + series->scenario : series->base + 1;
    return 2 * like + series->driver;
}

int wcts_report_scope_newest(const struct wcts_plan *plan, uint64_t versions, int *selected,
                             int count)
{
    const struct wcts_spec *spec = plan->spec;
    size_t likes = 2 * (size_t)(spec->cases->bases_count + 1 + spec->cases->scenarios_count);
    int *newest = calloc(likes * (size_t)spec->rules_count + 1, sizeof *newest); /* + 1; 0: none */
    int kept = 0;
    for (int pass = 0; newest && pass < 2; pass++)
        for (int i = 0; i < count; i++) {
            const struct wcts_series *series = wcts_plan_series(plan, selected[i]);
            int version = plan->tests[selected[i]].version;
            int *so_far = &newest[(size_t)series->rule * likes + (size_t)like_of(spec, series)];
            if (pass == 0 && (versions & wcts_plan_version_bit(version)) && version >= *so_far)
                *so_far = version + 1;
            else if (pass == 1 && version + 1 == *so_far)
                selected[kept++] = selected[i];
        }
    free(newest);
    return newest ? kept : count;
}
