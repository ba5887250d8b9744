/* SPDX-License-Identifier: MIT */
/* What both ladders share, and the ladder of the suite. */
#include "ladder.h"

#include <string.h>

#include "../runner/base/arena.h"
#include "../runner/oracle/world.h"
#include "ladder_parts.h"
#include "report.h"

/* ---- both ---- */

void wcts_report_ladder_begin(struct wcts_report_ladder *ladder, const struct wcts_spec *spec,
                              const char *name, const char *const steps[WCTS_LADDER_STEPS],
                              const struct wcts_report_ladder_scope *scope)
{
    size_t statements = (size_t)spec->statements_count, versions = (size_t)spec->versions_count;
    *ladder = (struct wcts_report_ladder){.spec = spec, .name = name, .arena = wcts_arena_new()};
    memcpy(ladder->steps, steps, sizeof ladder->steps);
    ladder->rungs = wcts_arena_array(ladder->arena, statements, sizeof *ladder->rungs);
    ladder->at_version =
        wcts_arena_array(ladder->arena, statements * versions, sizeof *ladder->at_version);
    for (size_t i = 0; i < statements * versions; i++)
        ladder->at_version[i] = -1;
    for (int i = 0; i < spec->statements_count; i++) {
        bool here = !scope->statements || scope->statements[i];
        ladder->rungs[i].counted = here && wcts_report_statement_testable(&spec->statements[i]);
        ladder->rungs[i].listed = here && !ladder->rungs[i].counted;
    }
}

void wcts_report_ladder_release(struct wcts_report_ladder *ladder)
{
    wcts_arena_free(ladder->arena);
    *ladder = (struct wcts_report_ladder){0};
}

bool wcts_report_rule_in_scope(const struct wcts_spec *spec, int rule,
                               const struct wcts_report_ladder_scope *scope)
{
    for (int v = scope->first_version; v <= scope->last_version; v++)
        if (wcts_oracle_rule_binds(spec, &spec->rules[rule], v))
            return true;
    return false;
}

static void count_one(struct wcts_report_ladder_count *count, int reached)
{
    count->all++;
    for (int i = 0; i < reached; i++)
        count->steps[i]++;
}

struct wcts_report_ladder_count wcts_report_ladder_count(const struct wcts_report_ladder *ladder,
                                                         int document, int role)
{
    struct wcts_report_ladder_count count = {0};
    for (int i = 0; i < ladder->spec->statements_count; i++) {
        const struct wcts_statement *one = &ladder->spec->statements[i];
        if (ladder->rungs[i].counted && (document < 0 || one->document == document) &&
            (role < 0 || (int)one->role == role))
            count_one(&count, ladder->rungs[i].reached);
    }
    return count;
}

struct wcts_report_ladder_count wcts_report_ladder_count_at(const struct wcts_report_ladder *ladder,
                                                            int version)
{
    struct wcts_report_ladder_count count = {0};
    for (int i = 0; i < ladder->spec->statements_count; i++) {
        int reached = ladder->at_version[i * ladder->spec->versions_count + version];
        if (ladder->rungs[i].counted && reached >= 0)
            count_one(&count, reached);
    }
    return count;
}

/* True if the text names the step; "-" may replace a blank. */
static bool is_step(const char *step, const char *name, size_t length)
{
    if (strlen(step) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (step[i] != name[i] && !(step[i] == ' ' && name[i] == '-'))
            return false;
    return true;
}

int wcts_report_ladder_step(const struct wcts_report_ladder *ladder, const char *name,
                            size_t length)
{
    for (int i = 0; i < WCTS_LADDER_STEPS; i++)
        if (is_step(ladder->steps[i], name, length))
            return i;
    return -1;
}

/* ---- the suite ---- */

struct report_suite {
    struct wcts_report_ladder *ladder;
    const struct wcts_plan *plan;
    const struct wcts_cover *cover;
    const struct wcts_report_mutation *mutation;
    const struct wcts_report_ladder_scope *scope;
    const bool *has_case; /* one for each rule */
};

/* Why a rule does not reach a step; NULL when it does. */
typedef const char *step_fn(const struct report_suite *suite, int rule);

static const char *rule_id(const struct report_suite *suite, int rule)
{
    return suite->plan->spec->rules[rule].id;
}

static const char *not_generated(const struct report_suite *suite, int rule)
{
    if (suite->has_case[rule])
        return NULL;
    return wcts_arena_format(suite->ladder->arena, "rule %s has no case in the standard suite",
                             rule_id(suite, rule));
}

static const char *not_both_ways(const struct report_suite *suite, int rule)
{
    const struct wcts_cover_rule *cover = &suite->cover->rules[rule];
    const struct wcts_cover_decision *missing = wcts_cover_missing(cover);
    if (missing)
        return wcts_arena_format(suite->ladder->arena,
                                 "not both ways: rule %s, condition \"%s\"%s%s",
                                 rule_id(suite, rule), missing->text, missing->why ? ": " : "",
                                 missing->why ? missing->why : "");
    if (!cover->occurred && wcts_model_is_effect(suite->plan->spec->rules[rule].form))
        return wcts_arena_format(suite->ladder->arena,
                                 "effect %s did not come about in any of its cases",
                                 rule_id(suite, rule));
    return NULL;
}

static const char *fault_stops(const struct report_suite *suite,
                               const struct wcts_report_fault_row *row)
{
    struct wcts_arena *arena = suite->ladder->arena;
    if (row->outcome == WCTS_FAULT_SURVIVED)
        return wcts_arena_format(arena, "fault %s survives", row->id);
    if (row->outcome == WCTS_FAULT_NONE)
        return wcts_arena_format(
            arena, "rule %s: either outcome is right, so there is no fault to be noticed",
            rule_id(suite, row->rule));
    if (strcmp(row->blame, "right") != 0)
        return wcts_arena_format(arena, "fault %s is blamed %s", row->id,
                                 row->blame[0] ? row->blame : "on nothing");
    return NULL;
}

static const char *not_killed(const struct report_suite *suite, int rule)
{
    const char *reason = NULL;
    bool any = false;
    if (suite->ladder->stop)
        return suite->ladder->stop;
    for (int i = 0; !reason && i < suite->mutation->row_count; i++) {
        if (suite->mutation->rows[i].rule != rule)
            continue;
        any = true;
        reason = fault_stops(suite, &suite->mutation->rows[i]);
    }
    if (any)
        return reason;
    return wcts_arena_format(suite->ladder->arena, "the mutation record has no fault of rule %s",
                             rule_id(suite, rule));
}

static const char *first_reason(const struct report_suite *suite, int statement, step_fn *step)
{
    const struct wcts_spec *spec = suite->plan->spec;
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == statement &&
            wcts_report_rule_in_scope(spec, i, suite->scope)) {
            const char *reason = step(suite, i);
            if (reason)
                return reason;
        }
    return NULL;
}

static const char *not_ruled(const struct wcts_spec *spec, int statement)
{
    if (spec->statements[statement].pending)
        return "pending: its rule is not written yet";
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == statement)
            return NULL;
    return "it has no rule";
}

static void climb_in_suite(const struct report_suite *suite, int statement)
{
    static step_fn *const steps[WCTS_LADDER_STEPS] = {NULL, NULL, not_generated, not_both_ways,
                                                      not_killed};
    const struct wcts_spec *spec = suite->plan->spec;
    const struct wcts_statement *one = &spec->statements[statement];
    struct wcts_report_rung *rung = &suite->ladder->rungs[statement];
    if (!one->text || !one->text[0] || !one->where || !one->where[0])
        rung->reason = "it has no text or no place";
    rung->reached = rung->reason ? 0 : 1;
    if (rung->reached == 1)
        rung->reason = not_ruled(spec, statement);
    rung->reached += rung->reached == 1 && !rung->reason;
    while (rung->reached >= 2 && rung->reached < WCTS_LADDER_STEPS && !rung->reason) {
        rung->reason = first_reason(suite, statement, steps[rung->reached]);
        rung->reached += rung->reason == NULL;
    }
    for (int v = suite->scope->first_version; v <= suite->scope->last_version; v++)
        if (v >= one->since && v < one->until)
            suite->ladder->at_version[statement * spec->versions_count + v] = rung->reached;
}

bool wcts_report_ladder_suite(struct wcts_report_ladder *ladder, const struct wcts_plan *plan,
                              const struct wcts_cover *cover,
                              const struct wcts_report_mutation *mutation,
                              const struct wcts_report_ladder_scope *scope)
{
    static const char *const steps[WCTS_LADDER_STEPS] = {"recorded", "ruled", "generated",
                                                         "both ways", "killed"};
    bool *has_case;
    struct report_suite suite = {ladder, plan, cover, mutation, scope, NULL};
    wcts_report_ladder_begin(ladder, plan->spec, "suite", steps, scope);
    has_case = wcts_arena_array(ladder->arena, (size_t)plan->spec->rules_count, sizeof *has_case);
    for (int i = 0; i < plan->count; i++)
        has_case[wcts_plan_series(plan, i)->rule] = true;
    suite.has_case = has_case;
    if (!mutation->there) {
        ladder->stop_word = "no record";
        ladder->stop = "no mutation record: make mutation writes one";
    } else if (mutation->stale) {
        ladder->stop_word = "stale";
        ladder->stop = wcts_arena_format(
            ladder->arena,
            "stale: the mutation record has spec digest %s, this is %s: make mutation renews it",
            mutation->digest, plan->spec->digest);
    }
    for (int i = 0; i < plan->spec->statements_count; i++)
        if (ladder->rungs[i].counted)
            climb_in_suite(&suite, i);
    return true;
}
